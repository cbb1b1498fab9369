"""The shape of `components.json`: everything in the box but the cards.

The engine and the scoring read single numbers through `counts`, which loads faster.
The limits are generous for a box, and small enough for the memory.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from coatl_tools.files.data_paths import CARDDATA
from coatl_tools.files.json_models import UNSET, StrictModel, load_json_model

_MAX_TOTAL = 1000


class PieceCounts(StrictModel):
    """Pieces per colour (rule 1.2)."""

    head: int = Field(ge=1, le=20)
    body: int = Field(ge=1, le=100)
    tail: int = Field(ge=1, le=20)


class SupplyBoard(StrictModel):
    """The Supply board's spaces (rule 1.4)."""

    body_spaces: int = Field(ge=1, le=20)
    bodies_per_space: int = Field(ge=1, le=10)
    head_spaces: int = Field(ge=1, le=20)
    tail_spaces: int = Field(ge=1, le=20)


class Scoreboard(StrictModel):
    """The scoring track (rule 5.3)."""

    last_position: int = Field(ge=1, le=100)


class PlayerBoards(StrictModel):
    """The player boards (rule 1.5)."""

    count: int = Field(ge=1, le=10)
    spaces: int = Field(ge=1, le=50)


class SacrificeTokens(StrictModel):
    """The Sacrifice tokens (rule 1.5)."""

    sets: int = Field(ge=1, le=10)
    tokens: list[str] = Field(min_length=1, max_length=10)
    back: int = Field(ge=1, le=100, description="The number on the back")


NumberByPlayers = dict[Literal["2", "3", "4"], Annotated[int, Field(ge=1, le=100)]]


class BodiesPerColour(StrictModel):
    """Other numbers of body segments per colour (rules 7.1, 10.2, 10.3)."""

    solo: int = Field(ge=1, le=100)
    fewer_bodies: NumberByPlayers
    golden_feathers: NumberByPlayers


class Totals(StrictModel):
    """Checksums: the totals printed in the rulebook (rules 1.2, 1.3, 1.5)."""

    prophecy: int = Field(ge=0, le=_MAX_TOTAL)
    temple: int = Field(ge=0, le=_MAX_TOTAL)
    pieces: int = Field(ge=1, le=_MAX_TOTAL)
    sacrifice_tokens: int = Field(ge=1, le=_MAX_TOTAL)
    promo: int = Field(ge=0, le=_MAX_TOTAL, description="Different promo cards (rule 10.1)")


class ComponentsFile(StrictModel):
    """The shape of `components.json`: everything in the box but the cards' own text."""

    model_config = ConfigDict(title="Cóatl Tools components")

    schema_: str = Field(UNSET, alias="$schema", description="The schema, for editors")
    pieces: PieceCounts
    golden_bodies: int = Field(ge=1, le=100)
    supply_board: SupplyBoard
    scoreboard: Scoreboard
    player_boards: PlayerBoards
    sacrifice_tokens: SacrificeTokens
    first_player_markers: int = Field(ge=0, le=10)
    bodies_per_colour: BodiesPerColour
    golden_bodies_in_play: NumberByPlayers
    totals: Totals

    def max_pieces_of_colour(self) -> int:
        """Count how many pieces of one colour a Cóatl can have: it has one head and one tail."""
        return self.pieces.body + 2


@lru_cache(maxsize=8)
def load_components(path: Path = CARDDATA / "components.json") -> ComponentsFile:
    """Read what is in the box; raises CardDataError with every problem of the file."""
    return load_json_model(path, ComponentsFile, "components.problems")
