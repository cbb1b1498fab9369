"""How things look on paper, as data: `layouts/*.json`, in millimetres, checked when read; and
the themes, which give the inks.

A folder of your own may hold some of the files: they replace those that come with the program.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, TypeVar, get_args

from pydantic import Field

from coatl_tools.errors import FileError
from coatl_tools.files.data_paths import LAYOUTS
from coatl_tools.files.json_models import UNSET, StrictModel, load_json_model
from coatl_tools.pieces import Colour

Millimetres = Annotated[float, Field(ge=0, le=2000)]
Size = Annotated[float, Field(gt=0, le=2000)]  # of something that must be there
Points = Annotated[float, Field(ge=4, le=200)]  # a type size
HexColour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]


class LayoutModel(StrictModel):
    """The base of a layout file: it may name its schema."""

    schema_: str = Field(UNSET, alias="$schema", description="The schema, for editors")


Layout = TypeVar("Layout", bound=LayoutModel)


class Layouts:
    """The layout files: the program's own, some replaced by those of a user's folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        if folder is not None and not folder.is_dir():
            raise FileError("file.missing", path=folder)

    def find_file(self, name: str) -> Path:
        """Return the path of a layout: the user's file if there is one."""
        own = self.folder / f"{name}.json" if self.folder else None
        return own if own and own.is_file() else LAYOUTS / f"{name}.json"

    def load(self, name: str, model: type[Layout]) -> Layout:
        """Load a layout; raises CardDataError with every problem, its file, line and field."""
        found: Layout = _load_layout(self.find_file(name), model)
        return found


@lru_cache(maxsize=64)
def _load_layout(path: Path, model: type[Layout]) -> Layout:
    return load_json_model(path, model, "print.layout_problems")


ThemeName = Literal["full", "low-ink"]
THEME_NAMES: tuple[ThemeName, ...] = get_args(ThemeName)


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
        """Return the inks of a piece; None is any colour, a string a golden segment."""
        if isinstance(colour, str):
            return self.pieces["golden"]
        # mypy does not know that the names of the colours are those keys
        return self.pieces[colour.name if colour is not None else "any"]  # type: ignore[index]

    def card(self, colour: Colour | None) -> CardInks:
        """Return the inks of a card colour; None is the Temple cards."""
        # as for pieces
        return self.cards[colour.word if colour is not None else "temple"]  # type: ignore[index]


class ThemesFile(LayoutModel):
    """The shape of `themes.json`."""

    themes: dict[ThemeName, Theme]


def load_theme(name: ThemeName, layouts: Layouts) -> Theme:
    """Load a theme by its name."""
    return layouts.load("themes", ThemesFile).themes[name]
