"""The turn of A.D.A.M., written a second time from the rules alone.

It checks the first implementation and imports nothing from it. It is a slow, literal transcription
of section 7 of the rules, with rulings 9.5, 9.7, 9.10 and 9.15.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

WHITE = "*"
SUPPLY_SIZE = 6  # rule 7.2
PIECES_PER_SPACE = {"b": 2, "h": 1, "t": 1}  # rule 1.4


def slots(requires: Mapping[str, Any], points: Mapping[str, int]) -> list[str] | None:
    """Say what a card needs, one letter per piece; None if it is of no use in a solo game.

    >>> slots({"sequence": "!R R *+ K"}, {"1": 2, "2": 6})
    ['R', '*', 'K', 'R', '*', 'K']
    """
    level = _highest_level(points)
    if "several" in requires:
        parts = requires["several"]
        if level < len(parts):
            return None  # fewer parts are enough, and nothing says which
        needed = [piece for part in parts for piece in _shown(part)]
    elif "equal" in requires:
        needed = _shown(requires)  # a condition is met or not: it does not occur several times
    else:
        needed = _shown(requires) * level  # rule 7.3: the pieces of the highest level
    return needed or None


def turn(table: Mapping[str, Any]) -> dict[str, Any]:
    """Play one whole turn of A.D.A.M. and say all that came of it; the table is not changed.

    Raises ValueError for a card without a meaning in solo play, and for a card in the row with
    a piece on it that it does not need.
    """
    spaces: list[list[str]] = [list(space) for space in table["spaces"]]
    supply: list[str] = list(table["supply"])
    row = [_lay_out(entry["card"], entry["pieces"], table) for entry in table["row"]]
    discarded: list[str] = []

    # rules 7.4 and 7.5: search, take, place
    space = _search(row, spaces)
    taken: list[str] = []
    if space:
        taken = spaces[space - 1]
        spaces[space - 1] = []
    for piece in taken:  # rule 9.5: in the order in which they lie
        _offer(piece, row, discarded)

    # rules 3.2 and 3.3: this happens at once, but what comes in does not matter to this turn
    fills = _fills(spaces, table["kinds"], table["bags"])
    ended = _ended(spaces, table["kinds"], table["bags"], fills)

    fulfilled = _fulfil(row, discarded)

    # rule 7.7: the rightmost card of the supply comes to the right end of the row
    cards_taken = 0
    while len(row) < table["refill_to"] and supply:
        row.append(_lay_out(supply.pop(), [], table))
        cards_taken += 1

    # rule 7.2: only after a turn in which cards were taken; rule 9.1: as far as there are cards
    supply_draws = 0
    if cards_taken:
        supply_draws = max(0, min(SUPPLY_SIZE - len(supply), table["undrawn"]))

    return {
        "space": space,
        "spaces": spaces,
        "row": [{"card": card.name, "pieces": card.pieces} for card in row],
        "fulfilled": fulfilled,
        "discarded": discarded,
        "supply": supply,
        "fills": fills,
        "ended": ended,
        "supply_draws": supply_draws,
        "points": sum(_highest_points(table["cards"][name]["points"]) for name in fulfilled),
    }


@dataclass
class _Slot:
    """Room for one piece on a card: of a colour, or of any colour."""

    need: str
    piece: str | None = None


@dataclass(eq=False)  # the red cards are in the deck twice: two equal ones are still two
class _Card:
    """A card in the row of A.D.A.M., with its pieces also in the order in which they came."""

    name: str
    slots: list[_Slot]
    pieces: list[str] = field(default_factory=list)

    def slot_for(self, piece: str) -> _Slot | None:
        """Find the empty slot that the piece would go to, a coloured one before a white one."""
        for need in (_colour(piece), WHITE):  # rule 9.5
            for slot in self.slots:
                if slot.need == need and slot.piece is None:
                    return slot
        return None

    def put(self, piece: str) -> bool:
        """Put the piece on the card, if the card needs it, and say whether it did."""
        slot = self.slot_for(piece)
        if slot is None:
            return False
        slot.piece = piece
        self.pieces.append(piece)
        return True

    def is_complete(self) -> bool:
        """Say whether the card has all its pieces."""
        return all(slot.piece is not None for slot in self.slots)


def _colour(piece: str) -> str:
    """Strip the sign of a head or a tail: A.D.A.M. takes any kind of piece (rule 7.3)."""
    return piece.strip("<>")


def _is_body(piece: str) -> bool:
    return piece == _colour(piece)


def _highest_level(points: Mapping[str, int]) -> int:
    return max(int(level) for level in points)


def _highest_points(points: Mapping[str, int]) -> int:
    return points[str(_highest_level(points))]  # rule 7.8


def _shown(requires: Mapping[str, Any]) -> list[str]:
    """List the wanted pieces that one occurrence of a requirement shows (rule 7.3)."""
    [(kind, what)] = requires.items()
    match kind:
        case "count":
            return [what]
        case "sequence":
            # an infinity symbol is one piece; crossed-out pieces are ignored
            return [sign.removesuffix("+") for sign in what.split() if not sign.startswith("!")]
        case "multiset":
            return [colour for colour, number in what.items() for _ in range(number)]
        case "equal":
            return list(what)
        case "absent" | "length" | "no_prophecy":
            return []
    raise ValueError(f"no such requirement here: {kind}")


def _lay_out(name: str, pieces: list[str], table: Mapping[str, Any]) -> _Card:
    """Make a card of the row, and put the pieces on it that it already has."""
    needed = slots(table["cards"][name]["requires"], table["cards"][name]["points"])
    if needed is None:
        raise ValueError(f"card {name} has no meaning in a solo game (rule 7.3)")
    card = _Card(name, [_Slot(need) for need in needed])
    for piece in pieces:
        if not card.put(piece):
            raise ValueError(f"card {name} has a piece on it that it does not need: {piece}")
    return card


def _search(row: list[_Card], spaces: list[list[str]]) -> int:
    """Find the number of the space that A.D.A.M. takes, 0 if all are empty (rule 7.4)."""
    for card in row:
        for number, space in enumerate(spaces, 1):
            if any(card.slot_for(piece) is not None for piece in space):
                return number
    for number, space in enumerate(spaces, 1):  # no card can be helped, or there is none (9.15)
        if space:
            return number
    return 0


def _offer(piece: str, row: list[_Card], discarded: list[str]) -> None:
    """Put a piece on the leftmost card that needs it, or discard it (rules 7.5, 9.5, 9.10)."""
    for card in row:
        if card.put(piece):
            return
    discarded.append(piece)


def _fulfil(row: list[_Card], discarded: list[str]) -> list[str]:
    """Remove the completed cards from the row, and list them in order (rules 7.6, 9.15)."""
    fulfilled: list[str] = []
    while True:
        complete = [card for card in row if card.is_complete()]  # newly completed ones join
        if not complete:
            return fulfilled
        card = complete[0]  # from the left, one after the other
        row.remove(card)
        fulfilled.append(card.name)
        for piece in card.pieces:  # rule 9.5: in the order in which they lay on the card
            _offer(piece, row, discarded)


def _fills(spaces: list[list[str]], kinds: str, bags: Mapping[str, int]) -> list[int]:
    """List the spaces that are to be filled now, lowest number first (rule 3.2)."""
    on_board = [piece for space in spaces for piece in space]
    has_body = any(_is_body(piece) for piece in on_board)
    has_head_or_tail = any(not _is_body(piece) for piece in on_board)
    if has_body and has_head_or_tail:
        return []
    left = dict(bags)
    fills: list[int] = []
    for number, (space, kind) in enumerate(zip(spaces, kinds, strict=True), 1):
        wanted = PIECES_PER_SPACE[kind]
        if not space and left[kind] >= wanted:  # a body space gets 2 or none
            left[kind] -= wanted
            fills.append(number)
    return fills


def _ended(spaces: list[list[str]], kinds: str, bags: Mapping[str, int], fills: list[int]) -> bool:
    """Say whether no body is on the board after the fills, and none can come (rule 3.3)."""
    if any(_is_body(piece) for space in spaces for piece in space):
        return False
    if any(kinds[number - 1] == "b" for number in fills):
        return False
    return bags["b"] < PIECES_PER_SPACE["b"]
