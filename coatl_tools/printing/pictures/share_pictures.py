"""Pictures to share from phone to phone, as PNG: a scored Cóatl, and the result of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from coatl_tools.cards.card_text import describe_requirement
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Coatl
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.geometry import (
    MM_PER_INCH,
    Box,
    polyline,
    rectangle,
)
from coatl_tools.printing.drawing.ornaments import fret_band, sun_symbol
from coatl_tools.printing.drawing.surface import (
    FontStyle,
    Surface,
    TextOverflowError,
    break_lines_evenly,
    measure_text_height,
    wrap_text,
)
from coatl_tools.printing.drawing.typography import add_no_break_spaces
from coatl_tools.printing.export.raster import PictureSpec, render_png
from coatl_tools.printing.items import Design, Face
from coatl_tools.printing.pictures.coatl_picture import CoatlPicture, PicturedPiece, list_pieces
from coatl_tools.printing.pictures.component_pictures import load_design, make_card_face
from coatl_tools.referee.presentation.result_text import phrase_verdict, rank_players
from coatl_tools.rules.constants import ADAM_INDEX
from coatl_tools.rules.result import CoatlResult, GameResult, PlayerResult
from coatl_tools.scoring.score import CardScore

POSTER_WIDTH = 108.0  # millimetres
POSTER_MARGIN = 7.0  # free at the left and right
PIXELS_PER_MM = 10  # of a millimetre: 1080 in all
_HEADER_HEIGHT, _FOOTER_HEIGHT, _FRET_HEIGHT = 13.0, 11.0, 5.0
_SIGNATURE = "Cóatl Tools"


@dataclass(frozen=True)
class PosterBlock:
    """A part of a picture: its height in mm, and the function that draws it into a box."""

    height: float
    draw: Callable[[Surface, Box], None]


def render_poster(design: Design, blocks: Sequence[PosterBlock]) -> bytes:
    """Render blocks from top to bottom under a band of step-frets, as a PNG 1080 pixels wide.

    Raises CommandLineError if it would be too tall for a picture.
    """
    height = round(_HEADER_HEIGHT + sum(block.height for block in blocks) + _FOOTER_HEIGHT, 1)

    def draw(surface: Surface) -> None:
        theme = design.theme
        band = theme.backs["prophecy"]
        surface.fill(rectangle(-3, -3, POSTER_WIDTH + 6, height + 6), theme.paper)
        surface.fill(rectangle(-3, -3, POSTER_WIDTH + 6, 3 + _HEADER_HEIGHT - 3), band.ground)
        surface.fill(
            fret_band(0, (_HEADER_HEIGHT - 3 - _FRET_HEIGHT) / 2, POSTER_WIDTH, _FRET_HEIGHT),
            band.motif,
        )
        y = _HEADER_HEIGHT
        for block in blocks:
            block.draw(
                surface, Box(POSTER_MARGIN, y, POSTER_WIDTH - 2 * POSTER_MARGIN, block.height)
            )
            y += block.height
        type_ = FontStyle(fonts.SEMIBOLD, 10, theme.muted, spacing=0.05)
        surface.draw_centred_text(POSTER_WIDTH / 2, height - _FOOTER_HEIGHT / 2, _SIGNATURE, type_)

    face = Face("poster", POSTER_WIDTH, height, draw, safe_margin=0)
    pixels = round(POSTER_WIDTH * PIXELS_PER_MM), round(height * PIXELS_PER_MM)
    return render_png(PictureSpec("poster", face, *pixels, PIXELS_PER_MM * MM_PER_INCH))


def fit_row_scale(picture: CoatlPicture, width: float, largest: float) -> float:
    """Return the scale at which a row of pieces fits a width (mm), at most `largest`."""
    return min(largest, width / picture.view.width)


def draw_coatl_row(
    surface: Surface, design: Design, picture: CoatlPicture, at: tuple[float, float], scale: float
) -> None:
    """Draw a row of pieces, its top left corner at a point."""
    view = picture.view
    with surface.at_origin(at[0] - view.x * scale, at[1] - view.y * scale, scale=scale):
        picture.draw(surface, design, scale)


def shorten_text(text: str, type_: FontStyle, width: float) -> str:
    """Cut off a text, such as a player's name, with “…” if it is wider than `width` mm."""
    if type_.measure(text) <= width:
        return text
    while text and type_.measure(f"{text}…") > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def choose_row_length(count: int, most: int) -> int | None:
    """Choose how many pieces go in a row so that rows are about equal; None for one row."""
    if count <= most:
        return None
    rows = -(-count // most)
    return -(-count // rows)


SMALL_CARD_WIDTH = 24.0  # width of a card's small face, in millimetres
_LARGE_ROW_PIECES = 7  # pieces of the Cóatl in a row at most
_SMALL_ROW_PIECES = 13  # the same of a card's little row
_SCORE_GAP = 4.0
_REQUIREMENT_HEIGHT = 12.5  # height of what a card asks


def render_score_picture(
    coatl: Coatl, scores: Sequence[CardScore], lang: str, total: int | None = None
) -> bytes:
    """Render the score as PNG; `total` is given if it is not the sum of the cards' points.

    That is so for an incomplete Cóatl (rule 5.1).
    """
    design, pieces = load_design(lang), list_pieces(coatl)
    points = sum(score.points for score in scores) if total is None else total
    return render_poster(
        design,
        [
            _make_coatl_block(design, pieces),
            _make_total_block(design, points, coatl.complete),
            *(_make_card_block(design, pieces, score) for score in scores),
        ],
    )


def find_lit_pieces(score: CardScore, pieces: Sequence[object]) -> frozenset[int]:
    """Find the numbers of the pieces that fulfil a card; all if it looks at the whole Cóatl."""
    used = frozenset(place for found in score.occurrences for place in found)
    if not used and score.points:
        return frozenset(range(1, len(pieces) + 1))
    return used


def _make_coatl_block(design: Design, pieces: tuple[PicturedPiece, ...]) -> PosterBlock:
    picture = CoatlPicture(pieces, per_row=choose_row_length(len(pieces), _LARGE_ROW_PIECES))
    scale = fit_row_scale(picture, 94, 0.8)

    def draw(surface: Surface, box: Box) -> None:
        left = box.centre[0] - picture.view.width * scale / 2
        draw_coatl_row(surface, design, picture, (left, box.y), scale)

    return PosterBlock(picture.view.height * scale + _SCORE_GAP, draw)


def _make_total_block(design: Design, points: int, complete: bool) -> PosterBlock:
    theme, language = design.theme, design.language

    def draw(surface: Surface, box: Box) -> None:
        inks = theme.backs["prophecy"]
        plate = Box(box.x, box.y, box.width, box.height - _SCORE_GAP)
        surface.paint(
            plate.stepped_outline(1.5, 2),
            inks.ground,
            theme.ink,
            0.5,
        )
        y = plate.centre[1]
        word = FontStyle(fonts.BOLD, 24, inks.line)
        base = y + word.cap_height / 2 - (0 if complete else 2.2)
        surface.draw_text(plate.x + 7, base, language.label("result_total"), word)
        if not complete:
            note = FontStyle(fonts.REGULAR, 12, inks.line)
            surface.draw_text(plate.x + 7, base + 6.2, language.label("result_incomplete"), note)
        number = FontStyle(fonts.BLACK, 50, inks.motif)
        surface.draw_text(plate.right - 7, y + number.cap_height / 2, str(points), number, "right")

    return PosterBlock(22 + _SCORE_GAP, draw)


def _make_card_block(
    design: Design, pieces: tuple[PicturedPiece, ...], score: CardScore
) -> PosterBlock:
    face = make_card_face(score.card, design.language.code)
    scale = SMALL_CARD_WIDTH / face.width
    small = CoatlPicture(
        pieces,
        lit=find_lit_pieces(score, pieces),
        groups=score.occurrences,
        per_row=choose_row_length(len(pieces), _SMALL_ROW_PIECES),
    )
    beside = 94 - SMALL_CARD_WIDTH - _SCORE_GAP
    row = fit_row_scale(small, beside, 0.36)
    height = max(face.height * scale, 12 + _REQUIREMENT_HEIGHT + small.view.height * row)

    def draw(surface: Surface, box: Box) -> None:
        theme = design.theme
        line = polyline((box.x, box.y), (box.right, box.y))
        surface.stroke(line, theme.muted, 0.2)
        top = box.y + _SCORE_GAP
        with surface.at_origin(box.x, top, scale=scale), surface.clip(face.cut_path):
            face.draw(surface)
        room = Box(box.x + SMALL_CARD_WIDTH + _SCORE_GAP, top, beside, height)
        _draw_card_text(surface, design, score, room)
        low = top + height - small.view.height * row
        draw_coatl_row(surface, design, small, (room.x, low), row)

    return PosterBlock(height + 2 * _SCORE_GAP, draw)


def _draw_card_text(surface: Surface, design: Design, score: CardScore, room: Box) -> None:
    """Draw a card's id, level and points, and what it asks."""
    theme, language, card = design.theme, design.language, score.card
    number = FontStyle(fonts.BLACK, 30, theme.accent if score.points else theme.muted)
    worth = surface.draw_text(
        room.right, room.y + number.cap_height, str(score.points), number, "right"
    )
    level = language.label("level_of", level=score.level, levels=len(card.levels))
    line = FontStyle(fonts.REGULAR, 11, theme.muted)
    left = room.width - worth - _SCORE_GAP
    name = FontStyle(fonts.BOLD, 15, theme.ink)
    said = f"{card.id} · {language.label(card.kind.value)}"
    surface.draw_text(room.x, room.y + name.cap_height, shorten_text(said, name, left), name)
    text = shorten_text(f"{language.label('level')} {level}", line, left)
    surface.draw_text(room.x, room.y + name.cap_height + 5.2, text, line)
    phrase = describe_requirement(card.requirement, language)
    phrase = add_no_break_spaces(phrase[0].upper() + phrase[1:], language.code)
    box = Box(room.x, room.y + 11, room.width, _REQUIREMENT_HEIGHT)
    try:
        surface.draw_fitted_text(
            box, phrase, FontStyle(fonts.REGULAR, 11, theme.ink, 1.15), smallest=7
        )
    except TextOverflowError:  # a card of one's own that asks very much: its face shows it
        return


_RESULT_GAP = 3.0
_RESULT_ROW_PIECES = 13  # pieces in a row at most
_POINTS_WIDTH = 15.0  # width of the column of points
_RESULT_WIDTH = 94.0
_GAP_BLOCK = PosterBlock(_RESULT_GAP, lambda surface, box: None)


def render_result_picture(result: GameResult, lang: str, over: bool = True) -> bytes:
    """Render the result as PNG; unless the game is `over`, it is an interim standing."""
    design = load_design(lang)
    return render_poster(design, list(_make_result_blocks(design, result, over)))


def _make_result_blocks(design: Design, result: GameResult, over: bool) -> Iterator[PosterBlock]:
    language = design.language
    *reasons, last = (language.sentence(*phrase) for phrase in phrase_verdict(result, over))
    yield _make_sentence_block(design, last, FontStyle(fonts.BLACK, 24, design.theme.ink))
    winners = {result.players[index].name for index in result.winners if index != ADAM_INDEX}
    for place, player in rank_players(result):
        shown = None if result.adam else place
        yield _make_name_block(design, player.name, player.points, shown, player.name in winners)
        yield from _make_player_blocks(design, player)
    if result.adam:
        adam = result.adam
        yield _make_name_block(design, adam.name, adam.points, None, ADAM_INDEX in result.winners)
        for card, worth in adam.cards:
            yield _make_points_block(design, card, worth)
        yield _GAP_BLOCK
    for reason in reasons:
        yield _make_sentence_block(design, reason, FontStyle(fonts.REGULAR, 11, design.theme.muted))


def _make_sentence_block(design: Design, text: str, type_: FontStyle) -> PosterBlock:
    """Make a sentence over the whole width; a name too long for a line is cut off."""
    text = add_no_break_spaces(text, design.language.code)
    if wrap_text(text, type_, _RESULT_WIDTH) is None:
        text = " ".join(shorten_text(word, type_, _RESULT_WIDTH) for word in text.split(" "))
    lines = break_lines_evenly(text, type_, _RESULT_WIDTH, False)
    height = measure_text_height(len(lines), type_)

    def draw(surface: Surface, box: Box) -> None:
        surface.draw_fitted_text(Box(box.x, box.y, box.width, height + 0.1), text, type_)

    return PosterBlock(height + _RESULT_GAP, draw)


def _make_name_block(
    design: Design, name: str, points: int, place: int | None, winner: bool
) -> PosterBlock:
    """Make a player's line on a plate; a winner gets a sun."""
    theme = design.theme
    inks = theme.backs["prophecy"]

    def draw(surface: Surface, box: Box) -> None:
        plate = Box(box.x, box.y, box.width, box.height - _RESULT_GAP)
        ground = inks.ground if winner else theme.panel
        ink, strong = (inks.line, inks.motif) if winner else (theme.ink, theme.ink)
        outline = plate.stepped_outline(1.2, 2)
        surface.paint(outline, ground, theme.ink, 0.4)
        y, x = plate.centre[1], plate.x + 5
        number = FontStyle(fonts.BLACK, 32, strong)
        wide = surface.draw_text(
            plate.right - 5, y + number.cap_height / 2, str(points), number, "right"
        )
        called = FontStyle(fonts.BOLD, 20, ink)
        if place is not None:
            x += surface.draw_text(x, y + called.cap_height / 2, f"{place}.", called) + 2.5
        right = plate.right - 5 - wide - _RESULT_GAP - (10 if winner else 0)
        x += surface.draw_text(
            x, y + called.cap_height / 2, shorten_text(name, called, right - x), called
        )
        if winner:
            surface.fill(sun_symbol(x + 6, y, 3.6), inks.motif)

    return PosterBlock(16 + _RESULT_GAP, draw)


def _make_player_blocks(design: Design, player: PlayerResult) -> Iterator[PosterBlock]:
    for coatl in player.coatls:
        yield _make_coatl_result_block(design, coatl)
    if player.feathers:
        yield _make_points_block(design, design.language.label("result_golden"), player.feathers)
    yield _GAP_BLOCK


def _make_coatl_result_block(design: Design, coatl: CoatlResult) -> PosterBlock:
    """Make a Cóatl with its cards and points; an incomplete one is labelled as such."""
    theme, language = design.theme, design.language
    pieces = list_pieces(parse_coatl(coatl.coatl))
    picture = CoatlPicture(pieces, per_row=choose_row_length(len(pieces), _RESULT_ROW_PIECES))
    scale = fit_row_scale(picture, _RESULT_WIDTH - _POINTS_WIDTH - _RESULT_GAP, 0.42)
    tall = picture.view.height * scale
    said = " · ".join(f"{score.card.id}: {score.points}" for score in coatl.cards)
    if not coatl.complete:
        said = " · ".join(filter(None, (language.label("result_incomplete"), said)))

    def draw(surface: Surface, box: Box) -> None:
        draw_coatl_row(surface, design, picture, (box.x, box.y), scale)
        type_ = FontStyle(fonts.REGULAR, 10.5, theme.muted)
        text = shorten_text(said, type_, _RESULT_WIDTH - _POINTS_WIDTH)
        surface.draw_text(box.x + 0.6, box.y + tall + type_.cap_height + 1.2, text, type_)
        number = FontStyle(fonts.BLACK, 20, theme.ink if coatl.points else theme.muted)
        surface.draw_text(
            box.right - 5,
            box.y + tall / 2 + number.cap_height / 2,
            str(coatl.points),
            number,
            "right",
        )

    return PosterBlock(tall + 5 + _RESULT_GAP, draw)


def _make_points_block(design: Design, text: str, points: int) -> PosterBlock:
    def draw(surface: Surface, box: Box) -> None:
        type_ = FontStyle(fonts.SEMIBOLD, 12, design.theme.ink)
        number = FontStyle(fonts.BLACK, 14, design.theme.ink)
        surface.draw_text(
            box.x + 0.6, box.y + 5, shorten_text(text, type_, _RESULT_WIDTH - _POINTS_WIDTH), type_
        )
        surface.draw_text(box.right - 5, box.y + 5, str(points), number, "right")

    return PosterBlock(7.5, draw)
