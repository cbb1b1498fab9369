"""Tabletop Simulator: card sheets, pictures of everything else, and the table as a saved object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import quote

from coatl_tools.errors import CommandLineError
from coatl_tools.pieces import PieceKind
from coatl_tools.printing.component import Item
from coatl_tools.printing.contents import Order
from coatl_tools.printing.drawing.units import INCH
from coatl_tools.printing.export import tts_objects
from coatl_tools.printing.export.decks import Deck, decks
from coatl_tools.printing.export.pngs import faces_of, picture_files
from coatl_tools.printing.export.raster import Shot, check_pixels, png, shot
from coatl_tools.printing.export.single_pieces import single_pieces
from coatl_tools.printing.export.sources import board_items, token_items
from coatl_tools.printing.export.tts_objects import UNIT, Object, Spot
from coatl_tools.printing.export.tts_sheets import MOST, Sheet, cell, sheets_of
from coatl_tools.printing.export.tts_table import AROUND, CARD, GAP, Table, is_cut_out
from coatl_tools.printing.folder import Made

DPI = 200.0  # of boards, tokens and pieces, unless they would be too large
SAVED = "coatl.json"


def checked_prefix(prefix: str) -> str:
    """What all addresses begin with, ready to be joined; raises CommandLineError."""
    scheme, found, rest = prefix.partition("://")
    known = scheme.lower() in ("http", "https", "file")
    if not (found and known and rest and prefix.isprintable() and " " not in prefix):
        raise CommandLineError("export.prefix", text=prefix[:80])
    return prefix if prefix.endswith(("/", "=")) else f"{prefix}/"


class TableExport:
    """The files of a table: pictures first, then the saved object that names them."""

    def __init__(self, order: Order, prefix: str) -> None:
        self._order = order
        self._prefix = checked_prefix(prefix)
        self._decks: list[tuple[Deck, list[Sheet]]] = []
        key = 1
        for deck in decks(order, order.card_size):
            sheets = sheets_of(deck, key)
            self._decks.append((deck, sheets))
            key += len(sheets)
        self._boards, self._tokens = board_items(order), token_items(order)
        self._pieces = list(single_pieces(order.design, order.components, order.golden, even=True))
        self._names: dict[str, str] = {}
        self._shots = [
            cell(f"{deck.kind.value}-back", deck.items[0], back=True) for deck, _ in self._decks
        ]
        self._shots += self._flat(self._boards, "board", "boards")
        self._shots += self._flat(self._tokens, "token", "tokens")
        self._shots += [shot(piece.name, piece.face, DPI, cut=True) for piece in self._pieces]
        cells = [one for _, sheets in self._decks for sheet in sheets for one in sheet.cells()]
        check_pixels([*self._shots, *cells])

    def _flat(self, items: list[Item], word: str, group: str) -> list[Shot]:
        """Shots of boards and tokens; those that the game cuts out are transparent around."""
        cut_out = {item.front.key for item in items if is_cut_out(item)}
        found = []
        for name, face in faces_of(items, word, group):
            self._names[face.key] = name
            dpi = min(DPI, MOST * INCH / max(face.width, face.height))
            if face.key in cut_out:
                found.append(replace(shot(name, face, dpi, AROUND, cut=True), beyond=0.0))
            else:
                found.append(shot(name, face, dpi))
        return found

    def address(self, name: str) -> str:
        """Where the game finds a picture."""
        return f"{self._prefix}{quote(name)}.png"

    def __len__(self) -> int:
        return sum(len(sheets) for _, sheets in self._decks) + len(self._shots) + 1

    def __iter__(self) -> Iterator[Made]:
        for _, sheets in self._decks:
            for sheet in sheets:
                picture = sheet.picture()
                path = PurePosixPath(f"{sheet.name}.png")
                yield Made(path, png(picture, sheet.cells()[0].dpi))
        yield from picture_files(self._shots)
        text = json.dumps(self.saved(), ensure_ascii=False, indent=2)
        yield Made(PurePosixPath(SAVED), f"{text}\n".encode())

    def saved(self) -> Object:
        """The saved object: decks at the left, boards in the middle, bags at the right."""
        table = Table(self._order, self.address)
        common = [item for item in self._boards if "player" not in item.name]
        half = max((item.front.width / UNIT for item in common), default=0) / 2
        objects = list(table.boards_and_tokens(self._boards, self._tokens, self._names))
        for n, (deck, sheets) in enumerate(self._decks):
            z = (0.5 - n) * (CARD[1] + GAP)
            spot = Spot(-half - GAP - CARD[0] / 2, z, face_down=True)
            objects.append(table.deck(deck, sheets, spot))
        for n, kind in enumerate(PieceKind):
            spot = Spot(half + GAP + 1, (1 - n) * 2.5)
            objects.append(table.bag(kind, self._pieces, spot))
        language = self._order.design.language
        return tts_objects.saved("Cóatl", language.label("export_tts_note"), objects)
