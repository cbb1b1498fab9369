"""The shape of `carddata/lang/*.json`, checked by pydantic.

Apart from `language`, which reads these files whenever something is said.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from coatl_tools.language import PluralRule, Text


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _check_plural(conditions: dict[str, str]) -> dict[str, str]:
    PluralRule(conditions)
    return conditions


class PieceWordLists(_Strict):
    """Words that people write in a Cóatl beside the colours."""

    head: list[str] = Field(description="Words for a head")
    tail: list[str] = Field(description="Words for a tail")
    body: list[str] = Field(description="Words for a body segment")
    skip: list[str] = Field(description="Words between pieces that say nothing, such as “then”")


class ColourForms(BaseModel):
    """A colour's word, and the forms of it that the texts use."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, str]

    name: str = Field(description="The word itself")
    card: str = Field(description="As it stands beside the word for a Prophecy card")


class TypographyFields(_Strict):
    """How numbers and spaces are set; what is left out is as in English."""

    decimal: str = Field(default=".", min_length=1, description="Between a number and its decimals")
    thousands: str = Field(default=",", description="Between thousands")
    space_before: str = Field(
        default="", description="Signs with a space before them, as in « Oui ! »"
    )
    space_after: str = Field(default="", description="Signs with a space after them")
    bound_words: list[str] = Field(default=[], description="Words that do not end a line")
    bound_phrases: list[str] = Field(default=[], description="Words that stay on one line")


class LanguageFile(_Strict):
    """The shape of `carddata/lang/*.json`."""

    schema_: str | None = Field(None, alias="$schema")
    language: str = Field(pattern="^[a-z]{2}$", description="The code, and the file's name")
    name: str = Field(min_length=1, description="The language's own name")
    edition: str = Field(description="Whose rulebook a table plays by if nobody chooses one")
    plural: Annotated[dict[str, str], Field(min_length=1), AfterValidator(_check_plural)] = Field(
        description="Plural categories with their conditions, as CLDR writes them: "
        "n = 1, or n % 10 = 2..4 and n % 100 != 12..14; the last one takes what is left"
    )
    typography: TypographyFields = Field(
        default=TypographyFields(), description="Numbers and spaces"
    )
    colours: dict[Literal["R", "G", "B", "Y", "K"], ColourForms]
    words: PieceWordLists
    cards: dict[str, Text] = Field(default={}, description="How a requirement is said")
    labels: dict[str, Text] = Field(
        default={}, description="Labels and short sentences of the screens"
    )
    sentences: dict[str, Text] = Field(
        default={}, description="Messages of every kind, and parts of them"
    )
    commands: dict[str, list[str]] = Field(
        default={},
        description="Words that people type at a table; the first one is the one that is shown",
    )
    forms: dict[str, str] = Field(default={}, description="How a command is written")
    options: dict[str, str] = Field(default={}, description="What each option of a table decides")
    rulings: dict[str, str] = Field(
        default={}, description="Rulings that are the same at every table"
    )
