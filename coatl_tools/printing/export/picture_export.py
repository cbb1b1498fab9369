"""PNG pictures of every item by name, and decks of pictures for companies that print cards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import NamedTuple

from coatl_tools.cards.card import CardKind
from coatl_tools.files.atomic_writes import OutputFile
from coatl_tools.language import Language
from coatl_tools.printing.export.raster import (
    PictureSpec,
    check_pixel_limits,
    encode_png,
    make_picture_spec,
    render_pictures,
)
from coatl_tools.printing.items import Face, Item
from coatl_tools.printing.pieces.piece_items import make_single_pieces
from coatl_tools.printing.print_spec import PRINT_PARTS, PrintSpec


def make_deck_items(print_spec: PrintSpec, kind: CardKind, size: str | None = None) -> list[Item]:
    """Make one item for every copy of a kind's cards, laid out for a card size."""
    chosen = replace(
        print_spec,
        cards=[card for card in print_spec.cards if card.kind is kind],
        known_cards=print_spec.known_cards or print_spec.cards,  # so that each keeps its mark
        card_size=size or print_spec.card_size,
    )
    return PRINT_PARTS["cards"].make_items(chosen)


PICTURE_PARTS = ("cards", "boards", "tokens", "pieces")


class NamedFace(NamedTuple):
    """A face, and the name of its picture."""

    name: str
    face: Face


def render_picture_files(specs: Sequence[PictureSpec], folder: str = "") -> Iterator[OutputFile]:
    """Render a PNG file of each picture, into a folder."""
    for spec, picture in zip(specs, render_pictures(specs), strict=True):
        yield OutputFile(PurePosixPath(folder) / f"{spec.name}.png", encode_png(picture, spec.dpi))


class PictureExport:
    """A picture of every item that looks different, cut along its outline if it has one."""

    def __init__(
        self, print_spec: PrintSpec, parts: Sequence[str], dpi: float, bleed: float
    ) -> None:
        faces = _list_faces(print_spec, parts)
        self.specs = [make_picture_spec(name, face, dpi, bleed, cut=True) for name, face in faces]
        check_pixel_limits(self.specs)

    def __len__(self) -> int:
        return len(self.specs)

    def __iter__(self) -> Iterator[OutputFile]:
        return render_picture_files(self.specs)


def _list_faces(print_spec: PrintSpec, parts: Sequence[str]) -> list[NamedFace]:
    named: list[NamedFace] = []
    if "cards" in parts:
        for kind in CardKind:
            named += name_faces(make_deck_items(print_spec, kind), "", kind.value)
    for part, word in (("boards", "board"), ("tokens", "token")):
        if part in parts:
            named += name_faces(PRINT_PARTS[part].make_items(print_spec), word, part)
    if "pieces" in parts:
        pieces = make_single_pieces(print_spec.design, print_spec.components, print_spec.golden)
        named += [NamedFace(piece.name, piece.face) for piece in pieces]
    return named


def name_faces(items: Sequence[Item], word: str, group: str) -> list[NamedFace]:
    """Name every face once: fronts after their items, backs after the fronts.

    Names get a word as prefix, unless it is empty, as for the ids of cards. A back that several
    fronts share, or that cards have, is named after the group.
    """
    names = {item.front.key: _make_picture_name(item, items, word) for item in items}
    fronts = {item.front.key: item.front for item in items}
    found = [NamedFace(names[key], face) for key, face in fronts.items()]
    backs = {item.back.key: item.back for item in items if item.back is not None}
    for key, back in backs.items():
        before = {item.front.key for item in items if item.back and item.back.key == key}
        if key in fronts:
            continue
        shared = not word or len(before) > 1
        found.append(NamedFace(f"back-{group}" if shared else f"{names[before.pop()]}-back", back))
    return found


def _make_picture_name(item: Item, items: Sequence[Item], word: str) -> str:
    """Name the picture of an item's front."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", item.name)
    if not word:
        return plain
    stem = _strip_copy_number(item)
    alike = {other.front.key for other in items if _strip_copy_number(other) == stem}
    name = stem if len(alike) == 1 else plain
    return name if word in name.split("-") else f"{word}-{name}"


def _strip_copy_number(item: Item) -> str:
    """Return an item's name without its copy number, safe as a file name."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", re.sub(r"-\d+$", "", item.name))


@dataclass(frozen=True)
class PrintService:
    """A company that prints cards: pixels of a picture, bleed included, and the card size."""

    name: str
    width: int
    height: int
    dpi: int = 300
    card_size: str = "poker"

    def make_picture_spec(self, name: str, item: Item, back: bool = False) -> PictureSpec:
        """Describe the picture of a card's side as the company wants it, the card centred."""
        face = item.back if back and item.back is not None else item.front
        return PictureSpec(name, face, self.width, self.height, self.dpi)


MAKE_PLAYING_CARDS = PrintService("MakePlayingCards", 822, 1122)  # 36 pixels beyond the cut
GAME_CRAFTER = PrintService("The Game Crafter", 825, 1125)  # 37.5 pixels beyond the cut


@dataclass(frozen=True)
class CardDeck:
    """The cards that share a back, one item for every copy."""

    kind: CardKind
    items: tuple[Item, ...]


def make_decks(print_spec: PrintSpec, size: str) -> list[CardDeck]:
    """Make the two decks, which have different backs; an empty one is left out."""
    found = [CardDeck(kind, tuple(make_deck_items(print_spec, kind, size))) for kind in CardKind]
    return [deck for deck in found if deck.items]


class DeckExport:
    """The pictures of the decks for a company, and a text that says where to upload them."""

    def __init__(self, print_spec: PrintSpec, service: PrintService) -> None:
        self.service = service
        self.decks = make_decks(print_spec, service.card_size)
        self._language = print_spec.design.language
        self._fronts = {deck.kind: self._make_front_specs(deck) for deck in self.decks}
        self._backs = [
            service.make_picture_spec(f"{deck.kind.value}-back", deck.items[0], back=True)
            for deck in self.decks
        ]
        check_pixel_limits(
            [*self._backs, *(spec for specs in self._fronts.values() for spec in specs)]
        )

    def _make_front_specs(self, deck: CardDeck) -> list[PictureSpec]:
        digits = max(2, len(str(len(deck.items))))
        return [
            self.service.make_picture_spec(f"{number:0{digits}}-{item.name}", item)
            for number, item in enumerate(deck.items, 1)
        ]

    def __len__(self) -> int:
        return sum(map(len, self._fronts.values())) + len(self._backs) + 1

    def __iter__(self) -> Iterator[OutputFile]:
        for deck in self.decks:
            yield from _render_front_files(self._fronts[deck.kind], deck.kind.value)
        yield from render_picture_files(self._backs)
        page = format_upload_guide(self.service, self.decks, self._language)
        yield OutputFile(PurePosixPath("README.txt"), page.encode())


def _render_front_files(specs: Sequence[PictureSpec], folder: str) -> Iterator[OutputFile]:
    """Render the fronts; further copies of a card reuse the picture of the first."""
    first: dict[str, PictureSpec] = {}
    for spec in specs:
        first.setdefault(spec.face.key, spec)
    taken = render_picture_files(list(first.values()), folder)
    contents: dict[str, bytes] = {}
    for spec in specs:
        if spec.face.key not in contents:
            contents[spec.face.key] = next(taken).content
        yield OutputFile(PurePosixPath(folder) / f"{spec.name}.png", contents[spec.face.key])


def format_upload_guide(
    service: PrintService, found: Sequence[CardDeck], language: Language
) -> str:
    """Write the text that says which file to upload where."""
    say = language.label
    lines = [
        say("export_decks_title", company=service.name),
        "",
        say("export_decks_picture", width=service.width, height=service.height, dpi=service.dpi),
        "",
    ]
    for number, deck in enumerate(found, 1):
        kind = deck.kind.value
        back = f"{kind}-back.png"
        text = say("export_deck", len(deck.items), deck=say(kind), fronts=f"{kind}/", back=back)
        lines.append(f"{number}. {text}")
    return "\n".join([*lines, "", say("export_decks_end"), ""])
