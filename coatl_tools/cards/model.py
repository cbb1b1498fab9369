"""The border: the shape of card files, checked by pydantic.

Inside, only the frozen values of `requirement` and `card` are used.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from coatl_tools.cards.card import Card, CardKind
from coatl_tools.cards.data import levels_from, single_from
from coatl_tools.cards.requirement import (
    SEQUENCE_PATTERN,
    Requirement,
    Several,
    Single,
    parse_sequence,
)
from coatl_tools.pieces import Colour

MAX_COATL = 30  # every level must be within reach of a Cóatl of so many pieces
MAX_CARDS = 1000
OWN_SET = "own"

Letter = Annotated[
    Literal["R", "G", "B", "Y", "K"],
    Field(description="A piece colour: R red, G green, B blue, Y yellow, K black"),
]
ColourName = Annotated[
    Literal["red", "green", "blue", "yellow", "black"], Field(description="A card colour")
]
LEFT_OUT: Any = None  # the default of a field that need not be there, but may not be null
Number = Annotated[int, Field(ge=1, le=MAX_COATL)]


class StrictModel(BaseModel):
    """A model that takes nothing for something else, and no unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class _OneKey(StrictModel):
    """An object that asks one thing: exactly one of its fields is there."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    @model_validator(mode="before")
    @classmethod
    def _asks_one_thing(cls, data: Any) -> Any:
        if isinstance(data, dict):
            asked = [key for key in data if key in cls.model_fields]
            if not data:
                raise ValueError(f"asks nothing: write one of {', '.join(cls.model_fields)}")
            if len(asked) > 1:
                raise ValueError(f'asks {" and ".join(asked)} at once: list them under "several"')
        return data


class SingleModel(_OneKey):
    """One requirement."""

    count: Letter = Field(LEFT_OUT, description="The number of pieces of this colour")
    sequence: Annotated[str, Field(json_schema_extra={"pattern": SEQUENCE_PATTERN})] = Field(
        LEFT_OUT,
        description=(
            "Neighbouring pieces from head to tail: R one red, R+ one or more, * any one piece, "
            "*+ one or more of any colours, !R first or last: no red neighbour there"
        ),
        examples=["!Y Y Y !Y", "K Y *+ Y K"],
    )
    multiset: dict[Letter, Number] = Field(
        LEFT_OUT, min_length=1, description="So many pieces of each colour, anywhere, in any order"
    )
    absent: Letter = Field(LEFT_OUT, description="No piece of this colour")
    equal: list[Letter] = Field(
        LEFT_OUT,
        min_length=2,
        max_length=2,
        description="As many of the one as of the other colour",
        json_schema_extra={"uniqueItems": True},
    )
    length: Number = Field(LEFT_OUT, description="Exactly so many pieces, head and tail included")
    no_prophecy: ColourName = Field(
        LEFT_OUT, description="No Prophecy card of this card colour beside the Cóatl"
    )

    @field_validator("sequence")
    @classmethod
    def _readable(cls, text: str) -> str:
        parse_sequence(text)
        return text

    @field_validator("equal")
    @classmethod
    def _two_colours(cls, pair: list[str]) -> list[str]:
        if pair[0] == pair[1]:
            raise ValueError(f"compares {pair[0]} with itself: name two different colours")
        return pair

    def value(self) -> Single:
        """The frozen value of this requirement."""
        asked = next(iter(self.model_fields_set))
        return single_from(asked, getattr(self, asked))


class RequirementModel(SingleModel):
    """What a card asks: one requirement, or several at once."""

    several: list[SingleModel] = Field(
        LEFT_OUT,
        min_length=2,
        max_length=6,
        description="Several requirements; points go by how many of them are met",
    )

    def requirement(self) -> Requirement:
        """The frozen value."""
        if "several" in self.model_fields_set:
            return Several(tuple(part.value() for part in self.several))
        return self.value()


_PROPHECY: dict[str, Any] = {"properties": {"kind": {"const": "prophecy"}}}


class CardModel(StrictModel):
    """One card."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": _PROPHECY,
            "then": {"required": ["colour"]},
            "else": {"properties": {"colour": False}},
        }
    )

    id: str = Field(
        pattern="^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$",
        max_length=12,
        description="Printed on the card and used everywhere, for example P56 or MY-01",
    )
    kind: Literal["prophecy", "temple"]
    colour: ColourName = Field(
        LEFT_OUT, validate_default=True, description="The card colour; Prophecy cards only"
    )
    copies: int = Field(1, ge=1, le=20, description="How many of this card are in the deck")
    requires: RequirementModel
    points: dict[
        Annotated[str, Field(pattern="^[1-9][0-9]?$")], Annotated[int, Field(ge=1, le=999)]
    ] = Field(
        min_length=1,
        description='Points by number of occurrences (or of requirements met): {"1": 2, "2": 6}',
        json_schema_extra={"examples": [{"1": 2, "2": 6}], "additionalProperties": False},
    )

    @field_validator("colour", mode="wrap")
    @classmethod
    def _prophecies_have_a_colour(cls, value: Any, check: Any, info: ValidationInfo) -> Any:
        kind = info.data.get("kind")
        if value is LEFT_OUT and kind != "prophecy":
            return LEFT_OUT
        if value is LEFT_OUT:
            raise ValueError("missing: a Prophecy card has a card colour")
        if kind == "temple":
            raise ValueError("a Temple card has no card colour")
        return check(value)

    @field_validator("points")
    @classmethod
    def _points_rise(cls, points: dict[str, int]) -> dict[str, int]:
        levels = sorted((int(count), value) for count, value in points.items())
        for (count, lower), (more, higher) in pairwise(levels):
            if higher <= lower:
                raise ValueError(
                    f"must rise: {more} pays {higher}, no more than {count}, which pays {lower}"
                )
        return points

    @model_validator(mode="after")
    def _colour_is_not_null(self) -> CardModel:
        if self.colour is LEFT_OUT and "colour" in self.model_fields_set:
            raise ValueError('"colour" is null: a Temple card leaves it out')
        return self

    def card(self, set_name: str) -> Card:
        """The frozen card."""
        return Card(
            id=self.id,
            kind=CardKind(self.kind),
            requirement=self.requires.requirement(),
            levels=levels_from(self.points),
            colour=Colour.from_word(self.colour) if self.kind == "prophecy" else None,
            copies=self.copies,
            set=set_name,
        )


class CardFileHead(StrictModel):
    """A file of cards, its cards unread."""

    schema_: str = Field(LEFT_OUT, alias="$schema", description="The schema, for editors")
    set: str = Field(
        OWN_SET,
        pattern="^[a-z][a-z0-9-]*$",
        max_length=30,
        description="The set these cards belong to; base and promo are the published ones",
    )
    cards: list[Any] = Field(max_length=MAX_CARDS)


class CardFile(CardFileHead):
    """A file of cards."""

    model_config = ConfigDict(title="Cóatl Tools cards")
    cards: list[CardModel] = Field(max_length=MAX_CARDS)
