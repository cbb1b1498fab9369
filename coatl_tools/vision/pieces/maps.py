"""What the network says of a picture: maps of a quarter of its size, one value a place.

| maps | meaning, at every place of a piece |
|---|---|
| 0 | how near the middle of a piece is (a peak each) |
| 1 | whether there is a piece at all |
| 2–4 | kind: head, body, tail |
| 5–9 | colour: red, green, blue, yellow, black |
| 10–11 | from here to the piece's middle |
| 12–13, 14–15 | from a piece's middle one pitch towards the head, towards the tail |
| 16, 17 | whether another piece is joined at the head side, at the tail side |

Vectors are in units of `UNIT` pixels; the others are logits.
"""

MAPS = 18
MIDDLE, PIECE = 0, 1
KINDS = slice(2, 5)
COLOURS = slice(5, 10)
TO_MIDDLE, TO_HEAD, TO_TAIL = slice(10, 12), slice(12, 14), slice(14, 16)
JOINED = slice(16, 18)
STRIDE = 4
UNIT = 32.0
