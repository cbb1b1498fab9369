"""Single PNG pictures of every thing, by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from coatl_tools.cards.card import CardKind
from coatl_tools.printing.component import Face, Item
from coatl_tools.printing.contents import Order
from coatl_tools.printing.export.raster import Shot, check_pixels, pictures, png, shot
from coatl_tools.printing.export.single_pieces import single_pieces
from coatl_tools.printing.export.sources import board_items, deck_items, token_items
from coatl_tools.printing.folder import Made

WHAT = ("cards", "boards", "tokens", "pieces")


class Named(NamedTuple):
    """A face and what its picture is called."""

    name: str
    face: Face


def picture_files(shots: Sequence[Shot], folder: str = "") -> Iterator[Made]:
    """A PNG file of each shot, in a folder."""
    for one, picture in zip(shots, pictures(shots), strict=True):
        yield Made(PurePosixPath(folder) / f"{one.name}.png", png(picture, one.dpi))


class PictureExport:
    """A picture of every thing that looks different; what has an outline is cut along it."""

    def __init__(self, order: Order, what: Sequence[str], dpi: float, bleed: float) -> None:
        faces = _faces(order, what)
        self.shots = [shot(name, face, dpi, bleed, cut=True) for name, face in faces]
        check_pixels(self.shots)

    def __len__(self) -> int:
        return len(self.shots)

    def __iter__(self) -> Iterator[Made]:
        return picture_files(self.shots)


def _faces(order: Order, what: Sequence[str]) -> list[Named]:
    named: list[Named] = []
    if "cards" in what:
        for kind in CardKind:
            named += faces_of(deck_items(order, kind), "", kind.value)
    if "boards" in what:
        named += faces_of(board_items(order), "board", "boards")
    if "tokens" in what:
        named += faces_of(token_items(order), "token", "tokens")
    if "pieces" in what:
        pieces = single_pieces(order.design, order.components, order.golden)
        named += [Named(piece.name, piece.face) for piece in pieces]
    return named


def faces_of(items: Sequence[Item], word: str, group: str) -> list[Named]:
    """Every face once: fronts by the names of their items, backs by those of the fronts.

    Names get a word in front; without a word they stay as they are, as the ids of cards do. A
    back that several fronts share, or that cards have, is called after the group.
    """
    names = {item.front.key: _name(item, items, word) for item in items}
    fronts = {item.front.key: item.front for item in items}
    found = [Named(names[key], face) for key, face in fronts.items()]
    backs = {item.back.key: item.back for item in items if item.back is not None}
    for key, back in backs.items():
        before = {item.front.key for item in items if item.back and item.back.key == key}
        if key in fronts:
            continue
        shared = not word or len(before) > 1
        found.append(Named(f"back-{group}" if shared else f"{names[before.pop()]}-back", back))
    return found


def _name(item: Item, items: Sequence[Item], word: str) -> str:
    """What the picture of an item's front is called."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", item.name)
    if not word:
        return plain
    stem = _stem(item)
    alike = {other.front.key for other in items if _stem(other) == stem}
    name = stem if len(alike) == 1 else plain
    return name if word in name.split("-") else f"{word}-{name}"


def _stem(item: Item) -> str:
    """The name of an item without the number of a copy."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", re.sub(r"-\d+$", "", item.name))
