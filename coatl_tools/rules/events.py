"""One small value for each thing that can happen, and its notation: one line of text each.

The notation is the same in journals, records and messages. Spaces, Temple piles and Cóatls have
numbers from 1, as on the table; a player is an index into the table's players. A card that stays
hidden is `?`. Where an order means nothing, it is sorted.

>>> str(parse_event("add <R to 1 head")), parse_event("temple T03 on 2 from pile 1")
('add <R to 1 head', PlaceTemple(card='T03', coatl=2, source=1))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from coatl_tools.errors import EventError
from coatl_tools.rules.constants import FEATHER, KIND_OF_PIECE, Pieces

UNKNOWN_CARD = "?"
FROM_HAND = 0  # where a Temple card comes from: the hand, or pile 1 or 2


class EventBase:
    """The base of all events."""

    __slots__ = ()

    def __str__(self) -> str:
        return format_event(self)


# What a player decides.


@dataclass(frozen=True, slots=True)
class Keep(EventBase):
    """Keep these of the Prophecy cards dealt at the start (rule 2.4)."""

    cards: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class TakePieces(EventBase):
    """Empty a space of the Supply board onto the own board (rule 3.1)."""

    space: int


@dataclass(frozen=True, slots=True)
class ChooseCard(EventBase):
    """Take a Prophecy card from the face-up supply (rule 3.4).

    In a solo game the supply is a row: `copy` tells identical cards in it apart, from the left.
    """

    card: str
    copy: int = 1


@dataclass(frozen=True, slots=True)
class DrawCard(EventBase):
    """Take a Prophecy card blind from the deck (rule 3.4)."""


@dataclass(frozen=True, slots=True)
class BeginCoatl(EventBase):
    """Begin a new Cóatl with a piece (rule 3.6)."""

    piece: str


@dataclass(frozen=True, slots=True)
class AttachPiece(EventBase):
    """Attach a piece to the head end or the tail end of a Cóatl (rules 3.6, 3.7)."""

    piece: str
    coatl: int
    end: str


@dataclass(frozen=True, slots=True)
class PlaceProphecy(EventBase):
    """Place a Prophecy card from the hand beside a Cóatl (rules 3.6, 3.9)."""

    card: str
    coatl: int


@dataclass(frozen=True, slots=True)
class PlaceTemple(EventBase):
    """Place a Temple card beside the Cóatl just closed; that completes it (rule 3.11)."""

    card: str
    coatl: int
    source: int = FROM_HAND


@dataclass(frozen=True, slots=True)
class CompleteCoatl(EventBase):
    """Complete the Cóatl just closed without a Temple card (rules 3.10, 3.12)."""


@dataclass(frozen=True, slots=True)
class PerfectPick(EventBase):
    """Sacrifice a token for pieces of one's choice from a bag (rule 3.14)."""

    pieces: Pieces

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(sorted(self.pieces)))


@dataclass(frozen=True, slots=True)
class SeeTheFuture(EventBase):
    """Sacrifice a token for a new Prophecy supply (rule 3.15)."""


@dataclass(frozen=True, slots=True)
class Discard(EventBase):
    """Discard cards from the hand, or none: the second part of See the Future (rule 3.15)."""

    cards: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class PriestCommitment(EventBase):
    """Sacrifice a token for the top card of a Temple pile (rule 3.16)."""

    pile: int


@dataclass(frozen=True, slots=True)
class LayGolden(EventBase):
    """Lay a golden segment beside an opponent's board for body segments from it (rule 10.3)."""

    player: int
    pieces: Pieces

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(sorted(self.pieces)))


@dataclass(frozen=True, slots=True)
class Pass(EventBase):
    """Do nothing, because nothing can be done (ruling 9.2)."""


@dataclass(frozen=True, slots=True)
class EndTurn(EventBase):
    """Be done with this turn."""


@dataclass(frozen=True, slots=True)
class Reveal(EventBase):
    """A hidden card of a hand becomes known to the program (ruling 9.17)."""

    player: int
    card: str


@dataclass(frozen=True, slots=True)
class AdamTurn(EventBase):
    """A.D.A.M. plays its turn, in which it has no choice (rules 7.4 to 7.7)."""


# What chance brings.


@dataclass(frozen=True, slots=True)
class FillSpace(EventBase):
    """These pieces come out of a bag onto a space of the Supply board (rules 2.1, 3.2)."""

    space: int
    pieces: Pieces

    def __post_init__(self) -> None:
        if type(self.pieces) is not tuple:  # a list could be changed later
            object.__setattr__(self, "pieces", tuple(self.pieces))


@dataclass(frozen=True, slots=True)
class DealTemple(EventBase):
    """A player is dealt this Temple card (rule 2.3)."""

    player: int
    card: str


@dataclass(frozen=True, slots=True)
class TurnUpTemple(EventBase):
    """This card shows on top of a Temple pile (rule 2.3)."""

    pile: int
    card: str


@dataclass(frozen=True, slots=True)
class TurnUpProphecy(EventBase):
    """This card joins the face-up Prophecy supply (rules 2.4, 3.5)."""

    card: str


@dataclass(frozen=True, slots=True)
class DealAdam(EventBase):
    """This card joins A.D.A.M.'s row at its right end, in the setup (rule 7.1)."""

    card: str


@dataclass(frozen=True, slots=True)
class DealProphecy(EventBase):
    """A player is dealt this Prophecy card (rule 2.4)."""

    player: int
    card: str


@dataclass(frozen=True, slots=True)
class DrawnCard(EventBase):
    """The player who draws blind gets this card (rule 3.4)."""

    card: str


Action: TypeAlias = (
    Keep
    | TakePieces
    | ChooseCard
    | DrawCard
    | BeginCoatl
    | AttachPiece
    | PlaceProphecy
    | PlaceTemple
    | CompleteCoatl
    | PerfectPick
    | SeeTheFuture
    | Discard
    | PriestCommitment
    | LayGolden
    | Pass
    | EndTurn
    | Reveal
    | AdamTurn
)
Answer: TypeAlias = (
    FillSpace | DealTemple | TurnUpTemple | TurnUpProphecy | DealAdam | DealProphecy | DrawnCard
)
Event: TypeAlias = Action | Answer


MAX_EVENT_LENGTH = 500
_MAX_DIGITS = 3

# Each event, how it is written, and an example. Places in capitals are its fields; a field that
# holds several things comes last.
_FORMS: tuple[tuple[type[Any], str, str], ...] = (
    (Keep, "keep CARDS", "keep P01 P16 P40"),
    (TakePieces, "take SPACE", "take 3"),
    (ChooseCard, "choose CARD", "choose P05"),
    (ChooseCard, "choose CARD copy COPY", "choose P05 copy 2"),
    (DrawCard, "draw", "draw"),
    (BeginCoatl, "begin PIECE", "begin <R"),
    (AttachPiece, "add PIECE to COATL END", "add B to 1 tail"),
    (PlaceProphecy, "play CARD on COATL", "play P29 on 1"),
    (PlaceTemple, "temple CARD on COATL", "temple T03 on 1"),
    (PlaceTemple, "temple CARD on COATL from pile SOURCE", "temple T03 on 1 from pile 2"),
    (CompleteCoatl, "complete", "complete"),
    (PerfectPick, "pick PIECES", "pick R B"),
    (SeeTheFuture, "future", "future"),
    (Discard, "discard CARDS", "discard P01 P16"),
    (PriestCommitment, "priest PILE", "priest 1"),
    (LayGolden, "golden PLAYER PIECES", "golden 2 R B"),
    (Pass, "pass", "pass"),
    (EndTurn, "end", "end"),
    (Reveal, "reveal PLAYER CARD", "reveal 2 P05"),
    (AdamTurn, "adam", "adam"),
    (FillSpace, "fill SPACE PIECES", "fill 3 R G"),
    (DealTemple, "deal-temple PLAYER CARD", "deal-temple 1 T03"),
    (TurnUpTemple, "pile PILE CARD", "pile 1 T03"),
    (TurnUpProphecy, "supply CARD", "supply P05"),
    (DealAdam, "deal-adam CARD", "deal-adam P05"),
    (DealProphecy, "deal PLAYER CARD", "deal 1 P05"),
    (DrawnCard, "drawn CARD", "drawn P05"),
)
_NUMBER_FIELDS = ("space", "coatl", "pile", "source", "copy")
_LIST_FIELDS = ("cards", "pieces")
_OPTIONAL_FIELDS = ("SOURCE", "COPY")  # where these stand, it is the longer form of two
_FORM_PARTS = {
    kind: form.split()
    for kind, form, _ in _FORMS
    if not any(name in form for name in _OPTIONAL_FIELDS)
}
_FORMS_BY_VERB: dict[str, list[tuple[type[Any], list[str], str]]] = {}
for _kind, _form, _example in _FORMS:
    _FORMS_BY_VERB.setdefault(_form.split()[0], []).append((_kind, _form.split(), _example))


def format_event(event: EventBase) -> str:
    """Format an event in the notation."""
    written = [_format_part(event, word) for word in _FORM_PARTS[type(event)]]
    if isinstance(event, PlaceTemple) and event.source != FROM_HAND:
        written.append(f"from pile {event.source}")
    if isinstance(event, ChooseCard) and event.copy != 1:
        written.append(f"copy {event.copy}")
    return " ".join(filter(None, written))


def _format_part(event: EventBase, word: str) -> str:
    if not word.isupper():
        return word
    name = word.lower()
    value = getattr(event, name)
    if name in _LIST_FIELDS:
        return " ".join(value)
    return str(value + 1 if name == "player" else value)


def parse_event(text: str) -> Event:
    """Parse an event from the notation; EventError, with an example, if it cannot be read."""
    if len(text) > MAX_EVENT_LENGTH:
        raise EventError("events.long", most=MAX_EVENT_LENGTH)
    words = text.split()
    if not words:
        raise EventError("events.empty")
    forms = _FORMS_BY_VERB.get(words[0])
    if forms is None:
        raise EventError("events.unknown", word=words[0][:30], words=", ".join(_FORMS_BY_VERB))
    for kind, form, _ in forms:
        fields = _parse_fields(form, words)
        if fields is not None:
            event: Event = kind(**fields)
            return event
    examples = ", ".join(example for _, _, example in forms)
    raise EventError("events.shape", text=text, example=examples)


def _parse_fields(form: list[str], words: list[str]) -> dict[str, object] | None:
    """Parse what stands at the places of a form; None if the words do not have that form."""
    several = form[-1].lower() in _LIST_FIELDS
    if len(words) < len(form) - several or (len(words) > len(form) and not several):
        return None
    found: dict[str, object] = {}
    for place, word in enumerate(form):
        name = word.lower()
        if not word.isupper():
            if words[place] != word:
                return None
        elif name in _LIST_FIELDS:
            found[name] = tuple(words[place:])
            if name == "pieces" and not all(map(_is_piece, words[place:])):
                return None
        else:
            value = _parse_value(name, words[place])
            if value is None:
                return None
            found[name] = value
    return found


def _parse_value(name: str, word: str) -> object:
    if name in _NUMBER_FIELDS or name == "player":
        if not (word.isascii() and word.isdigit()) or len(word) > _MAX_DIGITS:
            return None
        if name == "source" and int(word) == FROM_HAND:
            return None
        return int(word) - (name == "player")
    if name == "piece" and not _is_piece(word):
        return None
    return word


def _is_piece(word: str) -> bool:
    return word in KIND_OF_PIECE or word == FEATHER
