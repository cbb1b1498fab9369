"""The border: the shape of `carddata/lang/*.json`, checked by pydantic.

Apart from `language`, which reads these files whenever something is said.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from coatl_tools.language import Text

PluralRule = Literal["one-other", "zero-and-one-other", "one-few-many"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WordLists(_Strict):
    """Words that people write in a Cóatl beside the colours."""

    head: list[str] = Field(description="Words for a head")
    tail: list[str] = Field(description="Words for a tail")
    body: list[str] = Field(description="Words for a body segment")
    skip: list[str] = Field(description="Words between pieces that say nothing, such as “then”")


class CardTexts(_Strict):
    """How a requirement is said; see `coatl_tools/cards/card_text.py`."""

    count: str
    group: dict[str, str]
    any_group: dict[str, str]
    run: str
    any_run: str
    then: str
    sequence: str
    row: str
    flank_both: str
    flank_each: str
    flank_before: str
    flank_after: str
    multiset: str
    anywhere: str
    some: str
    comma: str
    and_: str = Field(alias="and")
    absent: str
    equal: str
    length: dict[str, str]
    no_prophecy: str
    semicolon: str
    points: dict[str, str]
    pieces: dict[str, str]
    times: dict[str, str]
    met: dict[str, str]
    level: str


class ColourForms(BaseModel):
    """A colour's word, and the forms of it that the texts use."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, str]

    name: str = Field(description="The word itself")
    card: str = Field(description="As it stands beside the word for a Prophecy card")


class LanguageFile(_Strict):
    """The shape of `carddata/lang/*.json`."""

    schema_: str | None = Field(None, alias="$schema")
    language: str = Field(pattern="^[a-z]{2}$", description="The language's two-letter code")
    name: str = Field(description="The language's own name")
    plural: PluralRule = Field(description="Which numbers take which form")
    colours: dict[Literal["R", "G", "B", "Y", "K"], ColourForms]
    words: WordLists
    cards: CardTexts
    labels: dict[str, Text]
    sentences: dict[str, Text] = Field(description="Messages of every kind, and parts of them")
    commands: dict[str, list[str]] = Field(
        description="Words that people type at a table; the first one is the one that is shown"
    )
    forms: dict[str, str] = Field(description="How a command is written, with its places")
    options: dict[str, str] = Field(description="What each option of a table decides")
    rulings: dict[str, str] = Field(description="Rulings that are the same at every table")
