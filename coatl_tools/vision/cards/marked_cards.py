"""Find cards by their ArUco mark, with their id as a second witness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import Phrase
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.layouts import Layouts
from coatl_tools.vision.cards.ocr import UNREAD_LINE, NoTesseractError, OcrLine
from coatl_tools.vision.cards.printed_cards import (
    MIN_TEXT_CONFIDENCE,
    LocatedCard,
    collect_id_alphabet,
    has_id_label,
    locate_card,
    read_id_again,
    read_ids,
)
from coatl_tools.vision.cards.sightings import CardSighting
from coatl_tools.vision.marks import MIN_CLARITY, SeenMark
from coatl_tools.vision.trace import Pixels, Trace

MIN_CLEAN_CLARITY = 0.5  # a mark of this clarity needs no second witness
CLOSER_ADVICE: Phrase = ("photo.closer_and_above", {})


def find_marked_cards(
    pixels: Pixels,
    grey: Pixels,
    marks: Sequence[SeenMark],
    catalog: Catalog,
    layouts: Layouts,
    trace: Trace,
) -> tuple[list[CardSighting], bool]:
    """The cards whose marks were found; and whether Tesseract was missed."""
    layout = load_marks_layout(layouts)
    by_number = {number: card_id for card_id, number in layout.numbers(catalog).items()}
    own = range(layout.free.first, layout.free.last + 1)
    with trace.stage("cards"):
        cards: list[LocatedCard] = []
        for mark in marks:
            strange = mark.number in own and mark.number not in layout.never
            if mark.number in by_number or (strange and mark.clarity >= MIN_CLEAN_CLARITY):
                card = locate_card(pixels, mark, layouts)
                if card is not None:
                    cards.append(card)
    letters = collect_id_alphabet(catalog)
    missed = False
    with trace.stage("card text"):
        try:
            lines = read_ids(grey, cards, letters)
        except NoTesseractError:
            lines, missed = (UNREAD_LINE,) * len(cards), bool(cards)
        found = []
        for card, line in zip(cards, lines, strict=True):
            sighting = _judge_card(grey, card, line, by_number, letters)
            if sighting is not None:
                found.append(sighting)
    return found, missed


def _judge_card(
    grey: Pixels, card: LocatedCard, line: OcrLine, by_number: Mapping[int, str], letters: str
) -> CardSighting | None:
    """What mark and text say together; None if it hardly is a card."""
    mark = card.mark
    assert mark is not None
    told = by_number.get(mark.number)
    known = set(by_number.values())
    clarity, label = mark.clarity, has_id_label(grey, card)
    if told is None:
        if not label:
            return None  # some other thing's mark
        phrase: Phrase = ("photo.card_unknown_mark", {"number": mark.number})
        advice: Phrase = ("photo.give_card_file", {})
        said = {"mark": str(mark.number)}
        return CardSighting(
            card.outline, None, 0.0, False, said, (), "card_unreadable", phrase, advice
        )
    witnesses = {"mark": told}
    if line.text == told:
        confidence = 0.999 if clarity >= MIN_CLARITY else 0.99
        return CardSighting(card.outline, told, confidence, True, witnesses | {"text": told})
    if line.text in known and line.confidence >= MIN_TEXT_CONFIDENCE:
        again = read_id_again(grey, card, letters)
        if again.text == line.text:
            phrase = ("photo.card_disagrees", {"mark": told, "text": line.text})
            return CardSighting(
                card.outline, None, 0.5, False, witnesses | {"text": line.text},
                (told, line.text), "card_disagrees", phrase, CLOSER_ADVICE,
            )  # fmt: skip
    if clarity < MIN_CLARITY and not label:
        return None  # nothing speaks for a card but a pattern that looks like a mark
    if clarity >= MIN_CLEAN_CLARITY and label:
        return CardSighting(card.outline, told, 0.985, True, witnesses)
    if clarity >= MIN_CLARITY and label:
        return CardSighting(card.outline, told, 0.96, True, witnesses)
    phrase = ("photo.card_doubtful", {"ids": told})
    return CardSighting(
        card.outline, told, 0.6, False, witnesses, (told,), "card_doubtful", phrase, CLOSER_ADVICE
    )
