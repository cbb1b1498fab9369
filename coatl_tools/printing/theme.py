"""The look of a printed copy: its inks, and whether areas are filled or only outlined."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coatl_tools.json_models import StrictModel
from coatl_tools.pieces import Colour
from coatl_tools.printing.layouts import HexColour, LayoutModel, Layouts

ThemeName = Literal["full", "low-ink"]
THEMES: tuple[ThemeName, ...] = ("full", "low-ink")


class PieceInks(StrictModel):
    """The inks of a piece."""

    fill: HexColour = Field(description="The body of the piece")
    shade: HexColour = Field(description="Its feathers")
    line: HexColour = Field(description="Its outline")
    symbol: HexColour = Field(description="The symbol on it")


class CardInks(StrictModel):
    """The inks of a card colour, or of the Temple cards."""

    frame: HexColour = Field(description="The frame around the face")
    ornament: HexColour = Field(description="Ornaments on the frame")
    light: HexColour = Field(description="A tint for areas behind other things")
    text: HexColour = Field(description="Text that stands on the frame")


class BackInks(StrictModel):
    """The inks of the back of something."""

    ground: HexColour
    pattern: HexColour
    motif: HexColour
    line: HexColour


class BoardInks(StrictModel):
    """The inks of what is painted on boards: a mask, a serpent, plumes, fields."""

    line: HexColour = Field(description="Outlines")
    face: HexColour = Field(description="Skin of jade")
    shade: HexColour = Field(description="The darker parts of it")
    pale: HexColour = Field(description="The lighter parts, behind numbers")
    bone: HexColour = Field(description="Teeth, eyes and discs")
    mouth: HexColour = Field(description="The inside of a mouth")
    field: HexColour = Field(description="Where pieces are laid")
    ghost: HexColour = Field(description="The outline of what is laid there")
    plumes: tuple[HexColour, HexColour, HexColour] = Field(
        strict=False, description="Feathers: red, gold and quetzal green"
    )


class Theme(StrictModel):
    """All inks of one look."""

    solid: bool = Field(description="Whether areas are filled; otherwise lines do the work")
    paper: HexColour = Field(description="The ground that faces and boards are drawn on")
    ink: HexColour = Field(description="Text and strong lines")
    muted: HexColour = Field(description="Text and lines that stand back")
    panel: HexColour = Field(description="A field on the ground")
    accent: HexColour = Field(description="What should be seen first")
    pieces: dict[Literal["R", "G", "B", "Y", "K", "golden", "any"], PieceInks]
    cards: dict[Literal["red", "green", "blue", "yellow", "black", "temple"], CardInks]
    boards: BoardInks
    backs: dict[Literal["prophecy", "temple", "pieces", "tokens"], BackInks]

    def piece(self, colour: Colour | str | None) -> PieceInks:
        """The inks of a piece; None is a piece of any colour, a word a golden segment."""
        if isinstance(colour, str):
            return self.pieces["golden"]
        return self.pieces[colour.name if colour is not None else "any"]  # type: ignore[index]

    def card(self, colour: Colour | None) -> CardInks:
        """The inks of a card colour; None is that of Temple cards."""
        return self.cards[colour.word if colour is not None else "temple"]  # type: ignore[index]


class ThemesFile(LayoutModel):
    """The shape of `themes.json`."""

    themes: dict[ThemeName, Theme]


def load_theme(name: ThemeName, layouts: Layouts) -> Theme:
    """A look by its name."""
    return layouts.read("themes", ThemesFile).themes[name]
