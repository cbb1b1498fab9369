"""What can be printed: every part of the game by its name, and who makes its things.

To add a part, add a line to PARTS; its builder is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from coatl_tools.cards.card import Card
from coatl_tools.cards.components import ComponentsFile, load_components
from coatl_tools.errors import CommandLineError
from coatl_tools.printing.component import Design, Item
from coatl_tools.printing.marks import MarksLayout
from coatl_tools.printing.paper import Backs, Paper, SheetsLayout, sheets_layout
from coatl_tools.printing.profiles import Profile

ALL = "all"


@dataclass(frozen=True)
class Order:
    """How everything is to be printed."""

    design: Design
    cards: Sequence[Card]
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
        marks = self.design.layouts.read("marks", MarksLayout)
        return marks.numbers(self.known_cards or self.cards)


@dataclass(frozen=True)
class Part:
    """A part of the game: the label of its title, its builder as `module:function`, and what that
    is given.
    """

    title: str
    builder: str
    given: Callable[[Order], tuple[Any, ...]]

    def items(self, order: Order) -> list[Item]:
        """The things of this part."""
        module, _, function = self.builder.partition(":")
        build = getattr(import_module(f"coatl_tools.printing.{module}"), function)
        found: list[Item] = build(order.design, *self.given(order))
        return found


_PARTS: Mapping[str, Part] = {
    "cards": Part(
        "print_cards",
        "card_items:card_items",
        lambda order: (order.cards, order.card_size, order.numbers),
    ),
    "boards": Part("print_boards", "boards:board_items", lambda order: (order.components,)),
    "pieces": Part(
        "print_pieces", "piece_sheets:piece_items", lambda order: (order.components, order.golden)
    ),
    "tokens": Part("print_tokens", "token_faces:token_items", lambda order: (order.components,)),
    "rules": Part(
        "print_rules",
        "pages:rules_items",
        lambda order: (order.paper, order.cards, order.components),
    ),
    "mat": Part("print_mat", "mat:mat_items", lambda order: (order.paper,)),
}
PARTS = {
    name: part
    for name, part in _PARTS.items()
    if find_spec(f"coatl_tools.printing.{part.builder.partition(':')[0]}")
}


def chosen_parts(text: str) -> list[str]:
    """The parts that a list such as `cards,boards` names, in the order of PARTS; `all` is all.

    Raises CommandLineError for a name that is none, with those that there are.
    """
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names or [text]:
        if name not in PARTS and name != ALL:
            raise CommandLineError("print.what", name=name[:40], names=", ".join(PARTS))
    return [name for name in PARTS if name in names or ALL in names]
