"""Find the cards in a photo, by their marks and without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import Phrase
from coatl_tools.printing.aruco_marks import load_marks_layout
from coatl_tools.printing.layouts import Layouts
from coatl_tools.vision.cards.ocr import UNREAD_LINE, NoTesseractError, OcrLine
from coatl_tools.vision.cards.plaque_search import correct_cards, find_plaques
from coatl_tools.vision.cards.printed_cards import (
    CLOSER_ADVICE,
    MIN_TEXT_CONFIDENCE,
    CardSighting,
    LocatedCard,
    collect_id_alphabet,
    has_id_label,
    locate_card,
    read_id_again,
    read_ids,
)
from coatl_tools.vision.cards.published_cards import (
    add_covered_faces,
    find_published_cards,
    keep_clearest,
)
from coatl_tools.vision.cards.unmarked_cards import find_rectangles, find_unmarked_cards
from coatl_tools.vision.homography import Points, clip_outline, measure_overlap, to_outline
from coatl_tools.vision.mark_detection import MIN_CLARITY, SeenMark, find_marks
from coatl_tools.vision.reading import ReadingProblem, SeenCard, SeenCoatl
from coatl_tools.vision.stage_trace import Pixels, Trace
from coatl_tools.vision.table_plane import estimate_table_plane

MIN_CLEAN_CLARITY = 0.5  # a mark of this clarity needs no second witness
ON_PRINTED_CARD = 0.5  # of the smaller of two outlines: nothing published is looked for there
MAX_PLANES = 2  # times that the table is looked at: cards found tell better how it lies


@dataclass(frozen=True, eq=False)
class FoundCards:
    """The cards that were found in a picture of some size, and whether Tesseract was missing."""

    sightings: tuple[CardSighting, ...]
    size: tuple[int, int]
    lacks_tesseract: bool = False
    plaques: tuple[Points, ...] = ()  # corners of published cards, if any is seen

    def settle(self, catalog: Catalog) -> tuple[tuple[SeenCard, ...], tuple[ReadingProblem, ...]]:
        """Settle which cards they are, and what is unclear about them."""
        cards, problems = _settle_sightings(self.sightings, catalog, self.size)
        if self.lacks_tesseract:
            phrase: Phrase = ("photo.no_tesseract", {})
            advice = "photo.install_tesseract"
            problems = (*problems, ReadingProblem("no_tesseract", phrase, advice, serious=False))
        return cards, problems


def find_cards(
    pixels: Pixels,
    catalog: Catalog,
    trace: Trace,
    marks: Sequence[SeenMark] | None = None,
) -> FoundCards:
    """Find the cards in a picture whose marks or outlines are seen, printed or published.

    `marks` are those that were found before, if they were looked for.
    """
    seen = find_marks(pixels, trace) if marks is None else marks
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    sightings, missed = find_marked_cards(pixels, grey, seen, catalog, trace)
    outlines = [seen.outline for seen in sightings]
    with trace.stage("unmarked cards"):
        rectangles = find_rectangles(pixels, outlines)
        plaques = tuple(
            corners
            for corners in find_plaques(pixels)
            if not any(measure_overlap(corners, other) > ON_PRINTED_CARD for other in outlines)
        )
        corrected = correct_cards(pixels, [*plaques])
        published = find_published_cards(pixels, [*corrected, *rectangles], catalog)
        outlines += [seen.outline for seen in published if seen.problem is None]
        more, also = find_unmarked_cards(pixels, grey, rectangles, outlines, catalog)
    size = (pixels.shape[1], pixels.shape[0])
    cards = (*sightings, *keep_clearest([*published, *more]))
    return FoundCards(cards, size, missed or also, (*corrected, *plaques) if published else ())


def add_covered_cards(
    found: FoundCards, pixels: Pixels, coatls: Sequence[SeenCoatl], catalog: Catalog, trace: Trace
) -> FoundCards:
    """Find more published cards, partly covered, as the table lies by what was found on it."""
    with trace.stage("covered cards"):
        for _ in range(MAX_PLANES):
            cards, _ = found.settle(catalog)
            if not (coatls or cards):
                break
            sure = [card for card in cards if card.sure]
            plane = estimate_table_plane(coatls, sure if sure or coatls else cards, found.size)
            known = found.sightings
            more = add_covered_faces(pixels, plane, known, found.plaques, catalog)
            found = replace(found, sightings=more)
            if _count_sure(found.sightings) == _count_sure(known):
                break  # nothing more says how the table lies
    return found


def _count_sure(sightings: Sequence[CardSighting]) -> int:
    return sum(seen.problem is None for seen in sightings)


def _settle_sightings(
    sightings: Sequence[CardSighting], catalog: Catalog, size: tuple[int, int]
) -> tuple[tuple[SeenCard, ...], tuple[ReadingProblem, ...]]:
    """Make seen cards, from top to bottom, and problems, such as too many copies.

    An outline that leaves the picture is clipped.
    """
    sightings = [replace(seen, outline=clip_outline(seen.outline, size)) for seen in sightings]
    ordered = sorted(sightings, key=lambda seen: tuple(seen.outline.mean(axis=0)[::-1].round(1)))
    times = Counter(seen.id for seen in ordered if seen.id is not None)
    cards: list[SeenCard] = []
    problems: list[ReadingProblem] = []
    for index, seen in enumerate(ordered):
        confidence, problem = seen.confidence, seen.problem
        if problem is None and seen.id is not None and times[seen.id] > catalog[seen.id].copies:
            copies: dict[str, object] = {"n": times[seen.id], "copies": catalog[seen.id].copies}
            phrase: Phrase = ("photo.card_twice", {"id": seen.id} | copies)
            problem = ReadingProblem("card_twice", phrase, "photo.check_by_hand")
            confidence = min(confidence, 0.5)
        if problem is not None:
            problems.append(replace(problem, card=index))
        cards.append(
            SeenCard(
                seen.id,
                round(confidence, 4),
                to_outline(seen.outline),
                seen.candidates,
                dict(seen.witnesses),
                sure=problem is None,
            )
        )
    return tuple(cards), tuple(problems)


def find_marked_cards(
    pixels: Pixels,
    grey: Pixels,
    marks: Sequence[SeenMark],
    catalog: Catalog,
    trace: Trace,
) -> tuple[list[CardSighting], bool]:
    """Find the cards of these marks; also return whether Tesseract was missing."""
    layout = load_marks_layout(Layouts())
    by_number = {number: card_id for card_id, number in layout.assign_numbers(catalog).items()}
    own = range(layout.free.first, layout.free.last + 1)
    with trace.stage("cards"):
        cards: list[LocatedCard] = []
        for mark in marks:
            strange = mark.number in own and mark.number not in layout.never
            if mark.number in by_number or (strange and mark.clarity >= MIN_CLEAN_CLARITY):
                card = locate_card(pixels, mark)
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
    """Decide which card mark and text show; None if it is hardly a card."""
    mark = card.mark
    assert mark is not None
    told = by_number.get(mark.number)
    known = set(by_number.values())
    clarity, label = mark.clarity, has_id_label(grey, card)
    if told is None:
        if not label:
            return None  # some other thing's mark
        phrase: Phrase = ("photo.card_unknown_mark", {"number": mark.number})
        problem = ReadingProblem("card_unreadable", phrase, "photo.give_card_file")
        return CardSighting(card.outline, None, 0.0, {"mark": str(mark.number)}, problem=problem)
    witnesses = {"mark": told}
    if line.text == told:
        confidence = 0.999 if clarity >= MIN_CLARITY else 0.99
        return CardSighting(card.outline, told, confidence, witnesses | {"text": told})
    if line.text in known and line.confidence >= MIN_TEXT_CONFIDENCE:
        again = read_id_again(grey, card, letters)
        if again.text == line.text:
            phrase = ("photo.card_disagrees", {"mark": told, "text": line.text})
            problem = ReadingProblem("card_disagrees", phrase, CLOSER_ADVICE)
            witnesses["text"] = line.text
            return CardSighting(card.outline, None, 0.5, witnesses, (told, line.text), problem)
    if clarity < MIN_CLARITY and not label:
        return None  # nothing speaks for a card but a pattern that looks like a mark
    if clarity >= MIN_CLARITY and label:
        confidence = 0.985 if clarity >= MIN_CLEAN_CLARITY else 0.96
        return CardSighting(card.outline, told, confidence, witnesses)
    problem = ReadingProblem("card_doubtful", ("photo.card_doubtful", {"ids": told}), CLOSER_ADVICE)
    return CardSighting(card.outline, told, 0.6, witnesses, (told,), problem)
