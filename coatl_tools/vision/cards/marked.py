"""Cards by their mark, and their id as a second witness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import Phrase
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.marks import load_marks
from coatl_tools.vision.cards.printed import (
    SURE_TEXT,
    Printed,
    alphabet,
    card_of_mark,
    label_is_there,
    read_id_again,
    read_ids,
)
from coatl_tools.vision.cards.sighting import Sighting
from coatl_tools.vision.cards.text import UNREAD, Line, NoTesseractError
from coatl_tools.vision.marks import CLEAR, SeenMark
from coatl_tools.vision.trace import Pixels, Trace

CLEAN = 0.5  # a mark of this clarity needs no second witness
CLOSER: Phrase = ("photo.closer_and_above", {})


def marked_cards(
    pixels: Pixels,
    grey: Pixels,
    marks: Sequence[SeenMark],
    catalog: Catalog,
    layouts: Layouts,
    trace: Trace,
) -> tuple[list[Sighting], bool]:
    """The cards whose marks were found; and whether Tesseract was missed."""
    layout = load_marks(layouts)
    by_number = {number: card_id for card_id, number in layout.numbers(catalog).items()}
    own = range(layout.free.first, layout.free.last + 1)
    with trace.stage("cards"):
        cards: list[Printed] = []
        for mark in marks:
            strange = mark.number in own and mark.number not in layout.never
            if mark.number in by_number or (strange and mark.clarity >= CLEAN):
                card = card_of_mark(pixels, mark, layouts)
                if card is not None:
                    cards.append(card)
    letters = alphabet(catalog)
    missed = False
    with trace.stage("card text"):
        try:
            lines = read_ids(grey, cards, letters)
        except NoTesseractError:
            lines, missed = (UNREAD,) * len(cards), bool(cards)
        found = []
        for card, line in zip(cards, lines, strict=True):
            sighting = _judged(grey, card, line, by_number, letters)
            if sighting is not None:
                found.append(sighting)
    return found, missed


def _judged(
    grey: Pixels, card: Printed, line: Line, by_number: Mapping[int, str], letters: str
) -> Sighting | None:
    """What mark and text say together; None if it hardly is a card."""
    mark = card.mark
    assert mark is not None
    told = by_number.get(mark.number)
    known = set(by_number.values())
    clarity, label = mark.clarity, label_is_there(grey, card)
    if told is None:
        if not label:
            return None  # some other thing's mark
        phrase: Phrase = ("photo.card_unknown_mark", {"number": mark.number})
        advice: Phrase = ("photo.give_card_file", {})
        said = {"mark": str(mark.number)}
        return Sighting(card.outline, None, 0.0, False, said, (), "card_unreadable", phrase, advice)
    witnesses = {"mark": told}
    if line.text == told:
        confidence = 0.999 if clarity >= CLEAR else 0.99
        return Sighting(card.outline, told, confidence, True, witnesses | {"text": told})
    if line.text in known and line.confidence >= SURE_TEXT:
        again = read_id_again(grey, card, letters)
        if again.text == line.text:
            phrase = ("photo.card_disagrees", {"mark": told, "text": line.text})
            return Sighting(
                card.outline, None, 0.5, False, witnesses | {"text": line.text},
                (told, line.text), "card_disagrees", phrase, CLOSER,
            )  # fmt: skip
    if clarity < CLEAR and not label:
        return None  # nothing speaks for a card but a pattern that looks like a mark
    if clarity >= CLEAN and label:
        return Sighting(card.outline, told, 0.985, True, witnesses)
    if clarity >= CLEAR and label:
        return Sighting(card.outline, told, 0.96, True, witnesses)
    phrase = ("photo.card_doubtful", {"ids": told})
    return Sighting(
        card.outline, told, 0.6, False, witnesses, (told,), "card_doubtful", phrase, CLOSER
    )
