"""What the network says of a picture: maps of a quarter of its size, one value a place.

| maps | meaning |
|---|---|
| 0 | how near the middle of a piece is: a peak each |
| 1 | how near a joint is, midway between two joined pieces: a peak each |
| 2 | whether there is a piece |
| 3–5 | its kind: head, body, tail |
| 6–10 | its colour: red, green, blue, yellow, black |
| 11–12 | from here to its middle |
| 13–14 | its axis: one pitch along the Cóatl, with the angle doubled, so that both ways are one |
| 15–16 | the direction of the head along the axis, as a unit vector; shorter if it is not clear |

Lengths are in units of `UNIT` pixels; 0 to 10 are logits. A body segment looks almost the same
when it is turned by half: so the axis is told apart from the direction.
"""

MAP_COUNT = 17
MIDDLE, JOINT, PIECE = 0, 1, 2
KINDS = slice(3, 6)
COLOURS = slice(6, 11)
TO_MIDDLE, AXIS, TO_HEAD = slice(11, 13), slice(13, 15), slice(15, 17)
STRIDE = 4
UNIT = 32.0
