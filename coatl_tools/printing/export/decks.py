"""Decks for companies that print cards from pictures of their own size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from coatl_tools.cards.card import CardKind
from coatl_tools.language import Language
from coatl_tools.printing.component import Item
from coatl_tools.printing.contents import Order
from coatl_tools.printing.export.pngs import picture_files
from coatl_tools.printing.export.raster import Shot, check_pixels
from coatl_tools.printing.export.sources import deck_items
from coatl_tools.printing.folder import Made


@dataclass(frozen=True)
class Company:
    """Who prints cards: the pixels of a picture, bleed included, and the size of the card."""

    name: str
    width: int
    height: int
    dpi: int = 300
    card_size: str = "poker"

    def shot(self, name: str, item: Item, back: bool = False) -> Shot:
        """A side of a card as the company wants it: in the middle of the picture."""
        face = item.back if back and item.back is not None else item.front
        return Shot(name, face, self.width, self.height, self.dpi)


MAKE_PLAYING_CARDS = Company("MakePlayingCards", 822, 1122)  # 36 pixels beyond the cut
GAME_CRAFTER = Company("The Game Crafter", 825, 1125)  # 37.5 pixels beyond the cut


@dataclass(frozen=True)
class Deck:
    """The cards that share a back, one item for every copy."""

    kind: CardKind
    items: tuple[Item, ...]


def decks(order: Order, size: str) -> list[Deck]:
    """The two decks, as far as they have cards: they are two because their backs differ."""
    found = [Deck(kind, tuple(deck_items(order, kind, size))) for kind in CardKind]
    return [deck for deck in found if deck.items]


class DeckExport:
    """The pictures of the decks for a company, and a page that says where they go."""

    def __init__(self, order: Order, company: Company) -> None:
        self.company = company
        self.decks = decks(order, company.card_size)
        self._language = order.design.language
        self._fronts = {deck.kind: self._numbered(deck) for deck in self.decks}
        self._backs = [
            company.shot(f"{deck.kind.value}-back", deck.items[0], back=True) for deck in self.decks
        ]
        check_pixels([*self._backs, *(one for shots in self._fronts.values() for one in shots)])

    def _numbered(self, deck: Deck) -> list[Shot]:
        digits = max(2, len(str(len(deck.items))))
        return [
            self.company.shot(f"{number:0{digits}}-{item.name}", item)
            for number, item in enumerate(deck.items, 1)
        ]

    def __len__(self) -> int:
        return sum(map(len, self._fronts.values())) + len(self._backs) + 1

    def __iter__(self) -> Iterator[Made]:
        for deck in self.decks:
            yield from _copied(self._fronts[deck.kind], deck.kind.value)
        yield from picture_files(self._backs)
        page = read_me(self.company, self.decks, self._language)
        yield Made(PurePosixPath("README.txt"), page.encode())


def _copied(shots: Sequence[Shot], folder: str) -> Iterator[Made]:
    """The pictures of the fronts; a second copy is the picture of the first."""
    first: dict[str, Shot] = {}
    for one in shots:
        first.setdefault(one.face.key, one)
    taken = picture_files(list(first.values()), folder)
    contents: dict[str, bytes] = {}
    for one in shots:
        if one.face.key not in contents:
            contents[one.face.key] = next(taken).content
        yield Made(PurePosixPath(folder) / f"{one.name}.png", contents[one.face.key])


def read_me(company: Company, found: Sequence[Deck], language: Language) -> str:
    """What to upload where."""
    say = language.label
    lines = [
        say("export_decks_title", company=company.name),
        "",
        say(
            "export_decks_picture",
            width=company.width,
            height=company.height,
            dpi=company.dpi,
        ),
        "",
    ]
    for number, deck in enumerate(found, 1):
        lines += [
            f"{number}. "
            + say(
                "export_deck",
                len(deck.items),
                deck=say(deck.kind.value),
                fronts=f"{deck.kind.value}/",
                back=f"{deck.kind.value}-back.png",
            )
        ]
    return "\n".join([*lines, "", say("export_decks_end"), ""])
