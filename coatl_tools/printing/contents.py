"""What can be printed: every part of the game by its name, and who makes its things."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from coatl_tools.cards.card import Card
from coatl_tools.cards.components import ComponentsFile, load_components
from coatl_tools.errors import CommandLineError
from coatl_tools.printing.boards.items import board_items
from coatl_tools.printing.boards.tokens import token_items
from coatl_tools.printing.cards.items import card_items
from coatl_tools.printing.component import Design, Item
from coatl_tools.printing.marks import load_marks
from coatl_tools.printing.mat.sheets import mat_items
from coatl_tools.printing.pages.items import rules_items
from coatl_tools.printing.paper.papers import Backs, Paper, SheetsLayout, sheets_layout
from coatl_tools.printing.paper.profiles import Profile
from coatl_tools.printing.pieces.shapes import PiecesLayout
from coatl_tools.printing.pieces.strips import piece_items

ALL = "all"


@dataclass(frozen=True)
class Order:
    """How everything is to be printed."""

    design: Design
    cards: Sequence[Card]
    deck: Sequence[Card] = ()  # that is played with, also where only some of it is printed
    known_cards: Sequence[Card] = ()  # of which some may not be printed, but keep their marks
    paper_name: str = "a4"
    backs: Backs = "duplex-long"
    bleed: float = 0.0
    card_size: str = "poker"
    golden: bool = False
    profile: Profile | None = None
    components: ComponentsFile = field(default_factory=load_components)

    @property
    def layout(self) -> SheetsLayout:
        """Papers, marks, ruler and stamp."""
        return sheets_layout(self.design.layouts)

    @property
    def paper(self) -> Paper:
        """The paper; raises CommandLineError for an unknown name."""
        return self.layout.paper(self.paper_name)

    @property
    def numbers(self) -> Mapping[str, int]:
        """The machine mark of each card."""
        return load_marks(self.design.layouts).numbers(self.known_cards or self.cards)


@dataclass(frozen=True)
class Part:
    """A part of the game: the label of its title, who makes its things, and its least bleed."""

    title: str
    items: Callable[[Order], list[Item]]
    bleed: Callable[[Order], float] = lambda _: 0.0


PARTS: Mapping[str, Part] = {
    "cards": Part(
        "print_cards",
        lambda order: card_items(order.design, order.cards, order.card_size, order.numbers),
    ),
    "boards": Part("print_boards", lambda order: board_items(order.design, order.components)),
    "pieces": Part(
        "print_pieces",
        lambda order: piece_items(order.design, order.components, order.golden),
        lambda order: order.design.layouts.read("pieces", PiecesLayout).strip.bleed,
    ),
    "tokens": Part("print_tokens", lambda order: token_items(order.design, order.components)),
    "rules": Part(
        "print_rules",
        lambda order: rules_items(
            order.design, order.paper, order.deck or order.cards, order.components
        ),
    ),
    "mat": Part("print_mat", lambda order: mat_items(order.design, order.paper)),
}


def chosen_parts(
    text: str, parts: Collection[str] = PARTS, otherwise: str = "print.what"
) -> list[str]:
    """Those of some parts that a list such as `cards,boards` names, in their order; `all` is all.

    Raises CommandLineError for a name that is none, with those that there are.
    """
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names or [text]:
        if name not in parts and name != ALL:
            raise CommandLineError(otherwise, name=name[:40], names=", ".join(parts))
    return [name for name in parts if name in names or ALL in names]
