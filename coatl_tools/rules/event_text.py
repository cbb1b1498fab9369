"""The notation of events: one line each, the same in journals, records and messages.

>>> str(read("add <R to 1 head")), read("temple T03 on 2 from pile 1")
('add <R to 1 head', PlaceTemple(card='T03', coatl=2, source=1))
"""

from __future__ import annotations

from typing import Any

from coatl_tools.errors import EventError
from coatl_tools.rules import events
from coatl_tools.rules.box import FEATHER, KIND
from coatl_tools.rules.events import HAND, Event, Happening

MAX_LENGTH = 500
_MAX_DIGITS = 3

# Each event, how it is written, and an example. Places in capitals are its fields; a field that
# holds several things comes last.
_FORMS: tuple[tuple[type[Any], str, str], ...] = (
    (events.Keep, "keep CARDS", "keep P01 P16 P40"),
    (events.TakePieces, "take SPACE", "take 3"),
    (events.ChooseCard, "choose CARD", "choose P05"),
    (events.ChooseCard, "choose CARD copy COPY", "choose P05 copy 2"),
    (events.DrawCard, "draw", "draw"),
    (events.Begin, "begin PIECE", "begin <R"),
    (events.Attach, "add PIECE to COATL END", "add B to 1 tail"),
    (events.PlaceProphecy, "play CARD on COATL", "play P29 on 1"),
    (events.PlaceTemple, "temple CARD on COATL", "temple T03 on 1"),
    (events.PlaceTemple, "temple CARD on COATL from pile SOURCE", "temple T03 on 1 from pile 2"),
    (events.Complete, "complete", "complete"),
    (events.PerfectPick, "pick PIECES", "pick R B"),
    (events.SeeTheFuture, "future", "future"),
    (events.Discard, "discard CARDS", "discard P01 P16"),
    (events.PriestCommitment, "priest PILE", "priest 1"),
    (events.LayGolden, "golden PLAYER PIECES", "golden 2 R B"),
    (events.Pass, "pass", "pass"),
    (events.EndTurn, "end", "end"),
    (events.Reveal, "reveal PLAYER CARD", "reveal 2 P05"),
    (events.AdamTurn, "adam", "adam"),
    (events.Fill, "fill SPACE PIECES", "fill 3 R G"),
    (events.DealTemple, "deal-temple PLAYER CARD", "deal-temple 1 T03"),
    (events.TurnUpTemple, "pile PILE CARD", "pile 1 T03"),
    (events.TurnUpProphecy, "supply CARD", "supply P05"),
    (events.DealAdam, "deal-adam CARD", "deal-adam P05"),
    (events.DealProphecy, "deal PLAYER CARD", "deal 1 P05"),
    (events.Drawn, "drawn CARD", "drawn P05"),
)
_NUMBERS = ("space", "coatl", "pile", "source", "copy")
_SEVERAL = ("cards", "pieces")
_LONGER = ("SOURCE", "COPY")  # where these stand, it is the longer form of two
_WORDS = {
    kind: form.split() for kind, form, _ in _FORMS if not any(name in form for name in _LONGER)
}
_BY_VERB: dict[str, list[tuple[type[Any], list[str], str]]] = {}
for _kind, _form, _example in _FORMS:
    _BY_VERB.setdefault(_form.split()[0], []).append((_kind, _form.split(), _example))


def write(event: Happening) -> str:
    """An event in the notation."""
    written = [_written(event, word) for word in _WORDS[type(event)]]
    if isinstance(event, events.PlaceTemple) and event.source != HAND:
        written.append(f"from pile {event.source}")
    if isinstance(event, events.ChooseCard) and event.copy != 1:
        written.append(f"copy {event.copy}")
    return " ".join(filter(None, written))


def _written(event: Happening, word: str) -> str:
    if not word.isupper():
        return word
    name = word.lower()
    value = getattr(event, name)
    if name in _SEVERAL:
        return " ".join(value)
    return str(value + 1 if name == "player" else value)


def read(text: str) -> Event:
    """An event from the notation; EventError, with an example, if it cannot be read."""
    if len(text) > MAX_LENGTH:
        raise EventError("events.long", most=MAX_LENGTH)
    words = text.split()
    if not words:
        raise EventError("events.empty")
    forms = _BY_VERB.get(words[0])
    if forms is None:
        raise EventError("events.unknown", word=words[0][:30], words=", ".join(_BY_VERB))
    for kind, form, _ in forms:
        fields = _fields(form, words)
        if fields is not None:
            event: Event = kind(**fields)
            return event
    examples = ", ".join(example for _, _, example in forms)
    raise EventError("events.shape", text=text, example=examples)


def _fields(form: list[str], words: list[str]) -> dict[str, object] | None:
    """What stands at the places of a form; None if the words do not have that form."""
    several = form[-1].lower() in _SEVERAL
    if len(words) < len(form) - several or (len(words) > len(form) and not several):
        return None
    found: dict[str, object] = {}
    for place, word in enumerate(form):
        name = word.lower()
        if not word.isupper():
            if words[place] != word:
                return None
        elif name in _SEVERAL:
            found[name] = tuple(words[place:])
            if name == "pieces" and not all(map(_is_piece, words[place:])):
                return None
        else:
            value = _value(name, words[place])
            if value is None:
                return None
            found[name] = value
    return found


def _value(name: str, word: str) -> object:
    if name in _NUMBERS or name == "player":
        if not (word.isascii() and word.isdigit()) or len(word) > _MAX_DIGITS:
            return None
        if name == "source" and int(word) == HAND:
            return None
        return int(word) - (name == "player")
    if name == "piece" and not _is_piece(word):
        return None
    return word


def _is_piece(word: str) -> bool:
    return word in KIND or word == FEATHER
