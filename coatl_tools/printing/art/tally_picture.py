"""A game's result as a picture to share: every player with the points of each Cóatl."""

from __future__ import annotations

from collections.abc import Iterator

from coatl_tools.notation import parse_coatl
from coatl_tools.printing.art.coatl import CoatlPicture, pieces_of
from coatl_tools.printing.art.pictures import design_of
from coatl_tools.printing.art.poster import Block, draw_row, poster, row_scale, rows_of, shortened
from coatl_tools.printing.component import Design
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.boxes import Box
from coatl_tools.printing.drawing.paths import stepped
from coatl_tools.printing.drawing.surface import Surface, Type, text_height, well_broken, wrapped
from coatl_tools.printing.drawing.symbols import sun
from coatl_tools.printing.drawing.typography import spaced
from coatl_tools.referee.presentation.result_text import phrase_verdict, rank_players
from coatl_tools.rules.components import ADAM_INDEX
from coatl_tools.rules.result import AdamResult, CoatlResult, GameResult, PlayerResult

_GAP = 3.0
_LONG = 13  # pieces in a row at most
_POINTS = 15.0  # width of the column of points
_WIDTH = 94.0


def tally_picture(result: GameResult, language: str, over: bool = True) -> bytes:
    """The picture as PNG; unless the game is `over`, it shows how things stand."""
    return poster(design_of(language), list(_blocks(design_of(language), result, over)))


def _blocks(design: Design, result: GameResult, over: bool) -> Iterator[Block]:
    words = design.language
    *reasons, last = (words.sentence(*phrase) for phrase in phrase_verdict(result, over))
    yield _text(design, last, Type(fonts.BLACK, 24, design.theme.ink))
    winners = {result.players[index].name for index in result.winners if index != ADAM_INDEX}
    for place, player in rank_players(result):
        shown = None if result.adam else place
        yield _name(design, player.name, player.points, shown, player.name in winners)
        yield from _player(design, player)
    if result.adam:
        adam = result.adam
        yield _name(design, adam.name, adam.points, None, ADAM_INDEX in result.winners)
        yield from _adam(design, adam)
    for reason in reasons:
        yield _text(design, reason, Type(fonts.REGULAR, 11, design.theme.muted))


def _text(design: Design, text: str, type_: Type) -> Block:
    """A sentence over the whole width; a name that no line can hold is cut off."""
    text = spaced(text, design.language.code)
    if wrapped(text, type_, _WIDTH) is None:
        text = " ".join(shortened(word, type_, _WIDTH) for word in text.split(" "))
    lines = well_broken(text, type_, _WIDTH, False)
    height = text_height(len(lines), type_)
    return Block(
        height + _GAP,
        lambda surface, box: _set(surface, Box(box.x, box.y, box.width, height + 0.1), text, type_),
    )


def _set(surface: Surface, box: Box, text: str, type_: Type) -> None:
    surface.fitted(box, text, type_)


def _name(design: Design, name: str, points: int, place: int | None, winner: bool) -> Block:
    """A player's line on a plate; a sun stands by whoever has won."""
    theme = design.theme
    inks = theme.backs["prophecy"]

    def draw(surface: Surface, box: Box) -> None:
        plate = Box(box.x, box.y, box.width, box.height - _GAP)
        ground = inks.ground if winner else theme.panel
        ink, strong = (inks.line, inks.motif) if winner else (theme.ink, theme.ink)
        outline = stepped(plate.x, plate.y, plate.width, plate.height, 1.2, 2)
        surface.paint(outline, ground, theme.ink, 0.4)
        y, x = plate.centre[1], plate.x + 5
        number = Type(fonts.BLACK, 32, strong)
        wide = surface.text(plate.right - 5, y + number.cap / 2, str(points), number, "right")
        called = Type(fonts.BOLD, 20, ink)
        if place is not None:
            x += surface.text(x, y + called.cap / 2, f"{place}.", called) + 2.5
        right = plate.right - 5 - wide - _GAP - (10 if winner else 0)
        x += surface.text(x, y + called.cap / 2, shortened(name, called, right - x), called)
        if winner:
            surface.fill(sun(x + 6, y, 3.6), inks.motif)

    return Block(16 + _GAP, draw)


def _player(design: Design, player: PlayerResult) -> Iterator[Block]:
    for coatl in player.coatls:
        yield _coatl(design, coatl)
    if player.feathers:
        yield _line(design, design.language.label("result_golden"), player.feathers)
    yield Block(_GAP, lambda surface, box: None)


def _adam(design: Design, adam: AdamResult) -> Iterator[Block]:
    for card, points in adam.cards:
        yield _line(design, card, points)
    yield Block(_GAP, lambda surface, box: None)


def _coatl(design: Design, coatl: CoatlResult) -> Block:
    """A Cóatl with the cards beside it and its points; one that is not complete says so."""
    theme, words = design.theme, design.language
    pieces = pieces_of(parse_coatl(coatl.coatl))
    picture = CoatlPicture(pieces, per_row=rows_of(len(pieces), _LONG))
    scale = row_scale(picture, _WIDTH - _POINTS - _GAP, 0.42)
    tall = picture.view.height * scale
    said = " · ".join(f"{score.card.id}: {score.points}" for score in coatl.cards)
    if not coatl.complete:
        said = " · ".join(filter(None, (words.label("result_incomplete"), said)))

    def draw(surface: Surface, box: Box) -> None:
        draw_row(surface, design, picture, (box.x, box.y), scale)
        type_ = Type(fonts.REGULAR, 10.5, theme.muted)
        text = shortened(said, type_, _WIDTH - _POINTS)
        surface.text(box.x + 0.6, box.y + tall + type_.cap + 1.2, text, type_)
        number = Type(fonts.BLACK, 20, theme.ink if coatl.points else theme.muted)
        surface.text(box.right - 5, box.y + tall / 2 + number.cap / 2, str(coatl.points), number,
                     "right")  # fmt: skip

    return Block(tall + 5 + _GAP, draw)


def _line(design: Design, text: str, points: int) -> Block:
    def draw(surface: Surface, box: Box) -> None:
        type_ = Type(fonts.SEMIBOLD, 12, design.theme.ink)
        number = Type(fonts.BLACK, 14, design.theme.ink)
        surface.text(box.x + 0.6, box.y + 5, shortened(text, type_, _WIDTH - _POINTS), type_)
        surface.text(box.right - 5, box.y + 5, str(points), number, "right")

    return Block(7.5, draw)
