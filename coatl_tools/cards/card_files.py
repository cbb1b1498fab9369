"""Card files: their pydantic models, and loading them with every problem of every card listed.

Inside the program, only the frozen values of `requirement` and `card` are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from coatl_tools.cards.card import Card, parse_card, parse_requirement
from coatl_tools.cards.catalog import normalize_card_id
from coatl_tools.cards.requirement import (
    SEQUENCE_PATTERN,
    Requirement,
    parse_sequence,
)
from coatl_tools.errors import CardDataError, FileError
from coatl_tools.files.json_files import FileProblem, JsonPath, JsonSource, read_json
from coatl_tools.files.json_models import UNSET, StrictModel, validate_journal_data, validate_json

MAX_VALIDATED_PIECES = 30  # every level must be within reach of a Cóatl of so many pieces
MAX_CARDS = 1000
OWN_SET = "own"

ColourLetter = Annotated[
    Literal["R", "G", "B", "Y", "K"],
    Field(description="A piece colour: R red, G green, B blue, Y yellow, K black"),
]
ColourName = Annotated[
    Literal["red", "green", "blue", "yellow", "black"], Field(description="A card colour")
]
PieceNumber = Annotated[int, Field(ge=1, le=MAX_VALIDATED_PIECES)]


class _OneKeyModel(StrictModel):
    """An object that asks one thing: exactly one of its fields is there."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    @model_validator(mode="before")
    @classmethod
    def _asks_one_thing(cls, data: Any) -> Any:
        if isinstance(data, dict):
            asked = [key for key in data if key in cls.model_fields]
            if not data:
                raise ValueError(f"asks for nothing: write one of {', '.join(cls.model_fields)}")
            if len(asked) > 1:
                raise ValueError(
                    f'asks for {" and ".join(asked)} at once: list them under "several"'
                )
        return data


class SingleRequirementModel(_OneKeyModel):
    """One requirement."""

    count: ColourLetter = Field(UNSET, description="The number of pieces of this colour")
    sequence: Annotated[str, Field(json_schema_extra={"pattern": SEQUENCE_PATTERN})] = Field(
        UNSET,
        description=(
            "Neighbouring pieces from head to tail: R one red, R+ one or more, * any one piece, "
            "*+ one or more of any colours, !R first or last: no red neighbour there"
        ),
        examples=["!Y Y Y !Y", "K Y *+ Y K"],
    )
    multiset: dict[ColourLetter, PieceNumber] = Field(
        UNSET, min_length=1, description="So many pieces of each colour, anywhere, in any order"
    )
    absent: ColourLetter = Field(UNSET, description="No piece of this colour")
    equal: list[ColourLetter] = Field(
        UNSET,
        min_length=2,
        max_length=2,
        description="As many of the one as of the other colour",
        json_schema_extra={"uniqueItems": True},
    )
    length: PieceNumber = Field(UNSET, description="Exactly so many pieces, head and tail included")
    no_prophecy: ColourName = Field(
        UNSET, description="No Prophecy card of this card colour beside the Cóatl"
    )

    @field_validator("sequence")
    @classmethod
    def _check_sequence(cls, text: str) -> str:
        parse_sequence(text)
        return text

    @field_validator("equal")
    @classmethod
    def _check_two_colours(cls, pair: list[str]) -> list[str]:
        if pair[0] == pair[1]:
            raise ValueError(f"compares {pair[0]} with itself: name two different colours")
        return pair


class RequirementModel(SingleRequirementModel):
    """What a card asks: one requirement, or several at once."""

    several: list[SingleRequirementModel] = Field(
        UNSET,
        min_length=2,
        max_length=6,
        description="Several requirements; points go by how many of them are met",
    )


_IF_PROPHECY: dict[str, Any] = {"properties": {"kind": {"const": "prophecy"}}}


class CardModel(StrictModel):
    """One card."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": _IF_PROPHECY,
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
        UNSET, validate_default=True, description="The card colour; Prophecy cards only"
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
        if value is UNSET and kind != "prophecy":
            return UNSET
        if value is UNSET:
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
                    f"must increase: level {more} scores {higher}, but level {count} scores {lower}"
                )
        return points

    @model_validator(mode="after")
    def _colour_is_not_null(self) -> CardModel:
        if self.colour is UNSET and "colour" in self.model_fields_set:
            raise ValueError('"colour" is null: a Temple card leaves it out')
        return self


class UncheckedCardFile(StrictModel):
    """A file of cards, its cards not yet checked."""

    schema_: str = Field(UNSET, alias="$schema", description="The schema, for editors")
    set: str = Field(
        OWN_SET,
        pattern="^[a-z][a-z0-9-]*$",
        max_length=30,
        description="The set these cards belong to; base and promo are the published ones",
    )
    cards: list[Any] = Field(max_length=MAX_CARDS)


class CardFile(UncheckedCardFile):
    """A file of cards."""

    model_config = ConfigDict(title="Cóatl Tools cards")
    cards: list[CardModel] = Field(max_length=MAX_CARDS)


@dataclass(frozen=True, slots=True)
class CardEntry:
    """A card of a file, and where it stands; what could not be read of it is None."""

    id: str
    requirement: Requirement | None
    card: Card | None
    source: JsonSource
    location: JsonPath

    def problem(self, message: str, *field: str | int) -> FileProblem:
        """Return a problem of this card, at one of its fields."""
        return self.source.problem(message, (*self.location, *field), self.id[:20])


def parse_card_entries(source: JsonSource) -> tuple[list[CardEntry], list[FileProblem]]:
    """Parse the cards of a file as far as they can be read; also return all its problems."""
    file, problems = validate_json(UncheckedCardFile, source.data, source)
    raw = file.cards if file else source.data.get("cards") if isinstance(source.data, dict) else ()
    if not isinstance(raw, list) or len(raw) > MAX_CARDS:
        return [], problems
    entries: list[CardEntry] = []
    for index, data in enumerate(raw):
        fields = data if isinstance(data, dict) else {}
        card_id = fields["id"] if isinstance(fields.get("id"), str) else ""
        location: JsonPath = ("cards", index)
        model, found = validate_json(CardModel, data, source, location, card_id[:20])
        problems.extend(found)
        if model is not None:
            card = parse_card(data, file.set if file else OWN_SET)
            entries.append(CardEntry(card.id, card.requirement, card, source, location))
        else:
            asked = fields.get("requires", {})
            readable = validate_json(RequirementModel, asked, source)[0] is not None
            requirement = parse_requirement(asked) if readable else None
            entries.append(CardEntry(card_id, requirement, None, source, location))
    return entries, problems


def load_card_files(paths: Iterable[Path]) -> list[Card]:
    """Load all cards of these files; raises CardDataError listing every problem, or FileError."""
    entries: list[CardEntry] = []
    problems: list[FileProblem] = []
    for path in paths:
        if not path.exists():
            raise FileError("file.missing", path=path)
        if path.is_dir():
            raise FileError("file.folder", path=path)
        source, found = read_json(path)
        problems.extend(found)
        if source is not None:
            read, found = parse_card_entries(source)
            entries.extend(read)
            problems.extend(found)
    problems.extend(find_repeated_ids(entries))
    if problems:
        raise CardDataError("cards.problems", problems=tuple(map(str, problems)))
    return [entry.card for entry in entries if entry.card is not None]


def find_repeated_ids(entries: Iterable[CardEntry]) -> Iterator[FileProblem]:
    """Yield a problem for each card whose id is taken, but not for a copy in another file."""
    first: dict[str, CardEntry] = {}
    for entry in entries:
        known = first.setdefault(normalize_card_id(entry.id), entry)
        if known is entry or not entry.id:
            continue
        if known.source is entry.source or known.card is None or known.card != entry.card:
            where = known.problem("")
            taken = (
                "this id is taken" if known.id == entry.id else "this id is too similar to another"
            )
            yield entry.problem(f"{taken}: {where.path}:{where.line} has a card {known.id}", "id")


def parse_extra_cards(files: list[Any]) -> list[Card]:
    """Parse the cards that stand in a table's header; JournalError names what is wrong."""
    model = validate_journal_data(_ExtraCardsModel, {"more_cards": files})
    return [
        parse_card(card, read.set)
        for file, read in zip(files, model.more_cards, strict=True)
        for card in file["cards"]
    ]


class _ExtraCardsModel(StrictModel):
    more_cards: list[CardFile]
