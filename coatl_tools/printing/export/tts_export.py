"""Tabletop Simulator: card sheets, pictures of everything else, and the table as a saved object."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from urllib.parse import quote

import numpy as np

from coatl_tools.cards.card import Card
from coatl_tools.cards.card_text import describe_card, describe_level
from coatl_tools.errors import CommandLineError
from coatl_tools.files.atomic_writes import OutputFile
from coatl_tools.language import describe_piece
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.printing.drawing.geometry import MM_PER_INCH
from coatl_tools.printing.export import tts_objects as tts
from coatl_tools.printing.export.picture_export import (
    CardDeck,
    make_decks,
    name_faces,
    render_picture_files,
)
from coatl_tools.printing.export.raster import (
    PictureSpec,
    PixelArray,
    check_pixel_limits,
    encode_png,
    make_picture_spec,
    render_pictures,
)
from coatl_tools.printing.export.tts_objects import (
    MM_PER_UNIT,
    CardSheetEntry,
    ObjectText,
    TtsObject,
    TtsPosition,
)
from coatl_tools.printing.items import Face, Item
from coatl_tools.printing.pieces.piece_drawing import GOLDEN
from coatl_tools.printing.pieces.piece_items import SinglePiece, make_single_pieces
from coatl_tools.printing.print_spec import PRINT_PARTS, PrintSpec

SHEET_COLUMNS, SHEET_ROWS = 10, 7  # the game takes no more cells
MAX_SHEET_PIXELS = 4096  # pixels across and down


@dataclass(frozen=True)
class CardSheetPicture:
    """Cards that share a picture and a back; the key is unique within a table."""

    name: str
    key: int
    items: tuple[Item, ...]

    @property
    def columns(self) -> int:
        """The number of cells in a row."""
        return min(SHEET_COLUMNS, len(self.items))

    @property
    def rows(self) -> int:
        """The number of rows."""
        return math.ceil(len(self.items) / self.columns)

    def make_cell_specs(self) -> list[PictureSpec]:
        """Describe the picture of every card, as large as a full sheet allows."""
        return [make_cell_spec(item.name, item) for item in self.items]

    def render(self) -> PixelArray:
        """Render the sheet; cells without a card are white."""
        specs = self.make_cell_specs()
        wide, tall = specs[0].width, specs[0].height
        sheet = np.full((self.rows * tall, self.columns * wide, 3), 255, np.uint8)
        for index, found in enumerate(render_pictures(specs)):
            row, column = divmod(index, self.columns)
            sheet[row * tall : (row + 1) * tall, column * wide : (column + 1) * wide] = found
        return sheet


def make_cell_spec(name: str, item: Item, back: bool = False) -> PictureSpec:
    """Describe the picture of a card's side on a sheet: cut at its edge, not stretched."""
    face = item.back if back and item.back is not None else item.front
    most_wide, most_tall = MAX_SHEET_PIXELS // SHEET_COLUMNS, MAX_SHEET_PIXELS // SHEET_ROWS
    dots = min(most_wide / face.width, most_tall / face.height)
    width = min(most_wide, round(face.width * dots))
    height = min(most_tall, round(face.height * dots))
    return PictureSpec(name, face, width, height, dots * MM_PER_INCH)


def split_into_sheets(deck: CardDeck, first_key: int) -> list[CardSheetPicture]:
    """Split a deck into sheets: more than one if it has more cards than a sheet has cells."""
    most = SHEET_COLUMNS * SHEET_ROWS
    return [
        CardSheetPicture(
            f"{deck.kind.value}-{index + 1}", first_key + index, deck.items[begin : begin + most]
        )
        for index, begin in enumerate(range(0, len(deck.items), most))
    ]


TABLE_GAP = 0.8  # units between things on the table
TRANSPARENT_MARGIN = 1.0  # millimetres that a picture is transparent around what the game cuts out
CARD_UNITS = (63.5 / MM_PER_UNIT, 88.9 / MM_PER_UNIT)
SIDE_REACH = CARD_UNITS[1] + TABLE_GAP  # units decks and bags reach beside the boards
_BAG_LABELS = {
    PieceKind.HEAD: "export_bag_heads",
    PieceKind.BODY: "export_bag_bodies",
    PieceKind.TAIL: "export_bag_tails",
}
TTS_DPI = 200.0  # of boards, tokens and pieces, unless they would be too large
SAVED_OBJECT_NAME = "coatl.json"


def check_url_prefix(prefix: str) -> str:
    """Check the URL prefix and return it with its separator; raises CommandLineError."""
    scheme, found, rest = prefix.partition("://")
    known = scheme.lower() in ("http", "https", "file")
    if not (found and known and rest and prefix.isprintable() and " " not in prefix):
        raise CommandLineError("export.prefix", text=prefix[:80])
    return prefix if prefix.endswith(("/", "=")) else f"{prefix}/"


class TtsExport:
    """The files of a table: pictures first, then the saved object that names them."""

    def __init__(self, print_spec: PrintSpec, prefix: str) -> None:
        self._print_spec = print_spec
        self._language = print_spec.design.language
        self._prefix = check_url_prefix(prefix)
        self._cards = {card.id: card for card in print_spec.cards}
        self._decks: list[tuple[CardDeck, list[CardSheetPicture]]] = []
        key = 1
        for deck in make_decks(print_spec, print_spec.card_size):
            sheets = split_into_sheets(deck, key)
            self._decks.append((deck, sheets))
            key += len(sheets)
        self._boards = PRINT_PARTS["boards"].make_items(print_spec)
        self._common_boards = [item for item in self._boards if "player" not in item.name]
        self._tokens = PRINT_PARTS["tokens"].make_items(print_spec)
        self._pieces = list(
            make_single_pieces(
                print_spec.design, print_spec.components, print_spec.golden, even=True
            )
        )
        self._names: dict[str, str] = {}
        self._picture_specs = [
            make_cell_spec(f"{deck.kind.value}-back", deck.items[0], back=True)
            for deck, _ in self._decks
        ]
        self._picture_specs += self._make_flat_specs(self._boards, "board", "boards")
        self._picture_specs += self._make_flat_specs(self._tokens, "token", "tokens")
        self._picture_specs += [
            make_picture_spec(piece.name, piece.face, TTS_DPI, cut=True) for piece in self._pieces
        ]
        cells = [
            one for _, sheets in self._decks for sheet in sheets for one in sheet.make_cell_specs()
        ]
        check_pixel_limits([*self._picture_specs, *cells])

    def _make_flat_specs(self, items: list[Item], word: str, group: str) -> list[PictureSpec]:
        """Describe the pictures of boards and tokens; what the game cuts out has a clear margin."""
        cut_out = {item.front.key for item in items if can_cut_out(item)}
        found = []
        for name, face in name_faces(items, word, group):
            self._names[face.key] = name
            dpi = min(TTS_DPI, MAX_SHEET_PIXELS * MM_PER_INCH / max(face.width, face.height))
            if face.key in cut_out:
                found.append(
                    replace(
                        make_picture_spec(name, face, dpi, TRANSPARENT_MARGIN, cut=True), margin=0.0
                    )
                )
            else:
                found.append(make_picture_spec(name, face, dpi))
        return found

    def make_address(self, name: str) -> str:
        """Return the URL of a picture."""
        return f"{self._prefix}{quote(name)}.png"

    def __len__(self) -> int:
        return sum(len(sheets) for _, sheets in self._decks) + len(self._picture_specs) + 1

    def __iter__(self) -> Iterator[OutputFile]:
        for _, sheets in self._decks:
            for sheet in sheets:
                picture = sheet.render()
                path = PurePosixPath(f"{sheet.name}.png")
                yield OutputFile(path, encode_png(picture, sheet.make_cell_specs()[0].dpi))
        yield from render_picture_files(self._picture_specs)
        text = json.dumps(self.make_saved_object(), ensure_ascii=False, indent=2)
        yield OutputFile(PurePosixPath(SAVED_OBJECT_NAME), f"{text}\n".encode())

    def make_saved_object(self) -> TtsObject:
        """Make the saved object: decks at the left, boards in the middle, bags at the right."""
        self._guid = tts.GuidMaker()  # anew, so that it gives the same names each time
        half = max((item.front.width / MM_PER_UNIT for item in self._common_boards), default=0) / 2
        objects = list(self._make_boards_and_tokens())
        for n, (deck, sheets) in enumerate(self._decks):
            z = (0.5 - n) * (CARD_UNITS[1] + TABLE_GAP)
            spot = TtsPosition(-half - TABLE_GAP - CARD_UNITS[0] / 2, z, face_down=True)
            objects.append(self._make_deck(deck, sheets, spot))
        for n, kind in enumerate(PieceKind):
            spot = TtsPosition(half + TABLE_GAP + 1, (1 - n) * 2.5)
            objects.append(self._make_bag(kind, spot))
        return tts.make_saved_object("Cóatl", self._language.label("export_tts_note"), objects)

    def _make_deck(
        self, deck: CardDeck, sheets: Sequence[CardSheetPicture], spot: TtsPosition
    ) -> TtsObject:
        """Make a deck, face down, with all its cards."""
        kind = deck.kind.value
        back = self.make_address(f"{kind}-back")
        pages = {
            sheet.key: CardSheetEntry(
                self.make_address(sheet.name), back, sheet.columns, sheet.rows
            )
            for sheet in sheets
        }
        cards = [
            tts.make_card_object(
                self._guid(f"{sheet.name}/{index}/{item.name}"),
                self._describe_card(self._cards[item.name]),
                spot,
                sheet.key * 100 + index,
                pages[sheet.key],
            )
            for sheet in sheets
            for index, item in enumerate(sheet.items)
        ]
        words = ObjectText(self._language.label(kind), tags=(kind,))
        return tts.make_deck_object(self._guid(f"deck/{kind}"), words, spot, cards, pages)

    def _describe_card(self, card: Card) -> ObjectText:
        levels = [describe_level(card, level, self._language) for level in card.levels]
        text = "\n".join([describe_card(card, self._language.code), *levels])
        colour = (card.colour.word,) if card.colour is not None else ()
        return ObjectText(card.id, text, (card.kind.value, *colour, card.set))

    def _make_bag(self, kind: PieceKind, spot: TtsPosition) -> TtsObject:
        """Make the bag of the heads, the bodies or the tails (rule 1.2)."""
        contents = [
            tts.make_cut_out_object(
                self._guid(f"{piece.name}/{copy}"),
                self._describe_piece(piece),
                TtsPosition(spot.x, spot.z),
                piece.face.height,
                self.make_address(piece.name),
            )
            for piece in self._pieces
            if piece.kind is kind
            for copy in range(piece.count)
        ]
        words = ObjectText(self._language.label(_BAG_LABELS[kind]), tags=(kind.value,))
        return tts.make_bag_object(self._guid(f"bag/{kind.value}"), words, spot, contents)

    def _describe_piece(self, piece: SinglePiece) -> ObjectText:
        name = describe_piece(piece.colour, piece.kind, self._language)
        colour = piece.colour.word if piece.colour is not None else GOLDEN
        return ObjectText(_capitalize(name), tags=(piece.kind.value, colour))

    def _make_flat_object(
        self, item: Item, words: ObjectText, spot: TtsPosition, n: int
    ) -> TtsObject:
        """Make a board or a token with its two sides."""
        front = self.make_address(self._names[item.front.key])
        guid = self._guid(f"{item.name}/{n}")
        if can_cut_out(item):
            return tts.make_cut_out_object(
                guid, words, spot, item.front.height + 2 * TRANSPARENT_MARGIN, front
            )
        back = self.make_address(self._names[item.back.key]) if item.back is not None else front
        shape = tts.CIRCLE_SHAPE if is_round(item.front) else tts.BOX_SHAPE
        return tts.make_tile_object(guid, words, spot, item.front.height, front, back, shape)

    def _make_boards_and_tokens(self) -> Iterator[TtsObject]:
        """Yield the common boards in the middle, player boards below them, the rest above."""
        say = self._language.label
        common = self._common_boards
        own = [item for item in self._boards if item not in common]
        kinds = self._print_spec.components.sacrifice_tokens.tokens
        sacrifice = [item for item in self._tokens if _find_sacrifice_token(item, kinds)]
        rest = [item for item in self._tokens if not _find_sacrifice_token(item, kinds)]

        spots = place_in_row([item.front for item in common], 0)
        for n, (item, spot) in enumerate(zip(common, spots, strict=True)):
            words = ObjectText(say("supply_board"), tags=("board",))
            yield self._make_flat_object(item, words, spot, n)
        below = -max(measure_tallest(common) / 2, SIDE_REACH) - TABLE_GAP
        top = below - TABLE_GAP - measure_tallest(sacrifice)
        spots = place_in_row(
            [item.front for item in own], top - measure_tallest(own) / 2 - TABLE_GAP
        )
        for n, (item, spot) in enumerate(zip(own, spots, strict=True)):
            words = ObjectText(say("export_player_board", number=n + 1), tags=("board",))
            yield self._make_flat_object(item, words, spot, n)
        seats = spots or [TtsPosition()]
        given: dict[str, int] = {}
        for n, item in enumerate(sacrifice):
            kind = _find_sacrifice_token(item, kinds)
            seat = given[kind] = given.get(kind, -1) + 1
            wide = item.front.width / MM_PER_UNIT + TABLE_GAP / 2
            x = seats[seat % len(seats)].x + (kinds.index(kind) - (len(kinds) - 1) / 2) * wide
            spot = TtsPosition(x, below - measure_tallest([item]) / 2)
            yield self._make_flat_object(item, ObjectText(say(kind), tags=("token",)), spot, n)
        above = max(measure_tallest(common) / 2, SIDE_REACH) + TABLE_GAP + measure_tallest(rest) / 2
        spots = place_in_row([item.front for item in rest], above)
        for n, (item, spot) in enumerate(zip(rest, spots, strict=True)):
            yield self._make_flat_object(item, self._describe_token(item), spot, n)

    def _describe_token(self, item: Item) -> ObjectText:
        """Name the First Player marker or a score marker."""
        for colour in Colour:  # rule 1.5: a player's colour is one of these
            if item.name.endswith(colour.word):
                name = self._language.label("export_score_marker", colour=colour)
                return ObjectText(name, tags=("score", colour.word))
        return ObjectText(_capitalize(self._language.label("first_player")), tags=("token",))


def place_in_row(faces: Sequence[Face], z: float) -> list[TtsPosition]:
    """Return positions in a row, centred on the table."""
    widths = [face.width / MM_PER_UNIT for face in faces]
    x = -(sum(widths) + TABLE_GAP * (len(widths) - 1)) / 2
    spots = []
    for width in widths:
        spots.append(TtsPosition(x + width / 2, z))
        x += width + TABLE_GAP
    return spots


def measure_tallest(items: Sequence[Item]) -> float:
    """Measure the height of the tallest item, in units of the game."""
    return max((item.front.height / MM_PER_UNIT for item in items), default=0.0)


def can_cut_out(item: Item) -> bool:
    """Tell whether the game can cut an item out of its picture: outline, and equal sides."""
    one_look = item.back is None or item.back.key == item.front.key
    return one_look and item.front.outline is not None


def is_round(face: Face) -> bool:
    """Tell whether a face is cut as a circle."""
    if face.outline is None:
        return False
    middle = (face.width / 2, face.height / 2)
    reaches = [math.dist(middle, point) for line in face.outline.flatten() for point in line]
    return max(reaches) - min(reaches) < 0.02 * max(reaches)


def _find_sacrifice_token(item: Item, kinds: Sequence[str]) -> str:
    """Find which Sacrifice token an item is; empty if it is none."""
    plain = item.name.replace("-", "_")
    return next((kind for kind in kinds if kind in plain), "")


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
