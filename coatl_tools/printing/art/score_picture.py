"""A scored Cóatl as a picture to share: its pieces, what each card pays and why, the sum."""

from __future__ import annotations

from collections.abc import Sequence

from coatl_tools.cards.card_text import describe_requirement
from coatl_tools.pieces import Coatl
from coatl_tools.printing.art.coatl import CoatlPicture, Piece, pieces_of
from coatl_tools.printing.art.pictures import card_face, design_of
from coatl_tools.printing.art.poster import Block, draw_row, poster, row_scale, rows_of, shortened
from coatl_tools.printing.component import Design
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.paths import polyline, stepped
from coatl_tools.printing.drawing.surface import Surface, TextOverflowError, Type
from coatl_tools.printing.drawing.typography import spaced
from coatl_tools.scoring.score import CardScore

CARD = 24.0  # width of a card's small face, in millimetres
_LARGE, _SMALL = 7, 13  # pieces in a row at most: of the Cóatl, and of a card's little row
_GAP = 4.0
_WORDS = 12.5  # height of what a card asks


def score_picture(
    coatl: Coatl, scores: Sequence[CardScore], language: str, total: int | None = None
) -> bytes:
    """The picture as PNG; `total` is what all cards pay together, if that is not their sum.

    That is so for an incomplete Cóatl (rule 5.1).
    """
    design, pieces = design_of(language), pieces_of(coatl)
    points = sum(score.points for score in scores) if total is None else total
    return poster(
        design,
        [
            _whole(design, pieces),
            _total(design, points, coatl.complete),
            *(_card(design, pieces, score) for score in scores),
        ],
    )


def lit_by(score: CardScore, pieces: Sequence[object]) -> frozenset[int]:
    """The pieces that fulfil a card; all if it looks at the whole Cóatl."""
    used = frozenset(place for found in score.occurrences for place in found)
    if not used and score.points:
        return frozenset(range(1, len(pieces) + 1))
    return used


def _whole(design: Design, pieces: tuple[Piece, ...]) -> Block:
    picture = CoatlPicture(pieces, per_row=rows_of(len(pieces), _LARGE))
    scale = row_scale(picture, 94, 0.8)

    def draw(surface: Surface, box: Box) -> None:
        left = box.centre[0] - picture.view.width * scale / 2
        draw_row(surface, design, picture, (left, box.y), scale)

    return Block(picture.view.height * scale + _GAP, draw)


def _total(design: Design, points: int, complete: bool) -> Block:
    theme, words = design.theme, design.language

    def draw(surface: Surface, box: Box) -> None:
        inks = theme.backs["prophecy"]
        plate = Box(box.x, box.y, box.width, box.height - _GAP)
        surface.paint(
            stepped(plate.x, plate.y, plate.width, plate.height, 1.5, 2),
            inks.ground,
            theme.ink,
            0.5,
        )
        y = plate.centre[1]
        word = Type(fonts.BOLD, 24, inks.line)
        base = y + word.cap / 2 - (0 if complete else 2.2)
        surface.text(plate.x + 7, base, words.label("result_total"), word)
        if not complete:
            note = Type(fonts.REGULAR, 12, inks.line)
            surface.text(plate.x + 7, base + 6.2, words.label("result_incomplete"), note)
        number = Type(fonts.BLACK, 50, inks.motif)
        surface.text(plate.right - 7, y + number.cap / 2, str(points), number, "right")

    return Block(22 + _GAP, draw)


def _card(design: Design, pieces: tuple[Piece, ...], score: CardScore) -> Block:
    face = card_face(score.card, design.language.code)
    scale = CARD / face.width
    small = CoatlPicture(
        pieces,
        lit=lit_by(score, pieces),
        groups=score.occurrences,
        per_row=rows_of(len(pieces), _SMALL),
    )
    beside = 94 - CARD - _GAP
    row = row_scale(small, beside, 0.36)
    height = max(face.height * scale, 12 + _WORDS + small.view.height * row)

    def draw(surface: Surface, box: Box) -> None:
        theme = design.theme
        line = polyline((box.x, box.y), (box.right, box.y))
        surface.stroke(line, theme.muted, 0.2)
        top = box.y + _GAP
        with surface.placed(box.x, top, scale=scale), surface.clipped(face.cut):
            face.draw(surface)
        room = Box(box.x + CARD + _GAP, top, beside, height)
        _said(surface, design, score, room)
        low = top + height - small.view.height * row
        draw_row(surface, design, small, (room.x, low), row)

    return Block(height + 2 * _GAP, draw)


def _said(surface: Surface, design: Design, score: CardScore, room: Box) -> None:
    """Id, level and points of a card, and what it asks."""
    theme, words, card = design.theme, design.language, score.card
    number = Type(fonts.BLACK, 30, theme.accent if score.points else theme.muted)
    worth = surface.text(room.right, room.y + number.cap, str(score.points), number, "right")
    level = words.label("level_of", level=score.level, levels=len(card.levels))
    line = Type(fonts.REGULAR, 11, theme.muted)
    left = room.width - worth - _GAP
    name = Type(fonts.BOLD, 15, theme.ink)
    said = f"{card.id} · {words.label(card.kind.value)}"
    surface.text(room.x, room.y + name.cap, shortened(said, name, left), name)
    text = shortened(f"{words.label('level')} {level}", line, left)
    surface.text(room.x, room.y + name.cap + 5.2, text, line)
    phrase = describe_requirement(card.requirement, words)
    phrase = spaced(phrase[0].upper() + phrase[1:], words.code)
    box = Box(room.x, room.y + 11, room.width, _WORDS)
    try:
        surface.fitted(box, phrase, Type(fonts.REGULAR, 11, theme.ink, 1.15), smallest=7)
    except TextOverflowError:  # a card of one's own that asks very much: its face shows it
        return
