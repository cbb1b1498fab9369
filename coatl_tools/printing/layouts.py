"""How things look on paper, as data: `layouts/*.json`, in millimetres, checked when read.

A folder of one's own may hold some of the files: they take the place of those that come with
the program.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field

from coatl_tools.errors import FileError
from coatl_tools.json_models import UNSET, StrictModel, load_json_model
from coatl_tools.resources import LAYOUTS

Millimetres = Annotated[float, Field(ge=0, le=2000)]
Size = Annotated[float, Field(gt=0, le=2000)]  # of something that must be there
Points = Annotated[float, Field(ge=4, le=200)]  # a type size
HexColour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]


class LayoutModel(StrictModel):
    """The base of a layout file: it may name its schema."""

    schema_: str = Field(UNSET, alias="$schema", description="The schema, for editors")


Layout = TypeVar("Layout", bound=LayoutModel)


class Layouts:
    """The layout files: those that come with the program, or one's own in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        if folder is not None and not folder.is_dir():
            raise FileError("file.missing", path=folder)

    def path(self, name: str) -> Path:
        """The file of a layout: one's own if there is one."""
        own = self.folder / f"{name}.json" if self.folder else None
        return own if own and own.is_file() else LAYOUTS / f"{name}.json"

    def read(self, name: str, model: type[Layout]) -> Layout:
        """A layout; raises CardDataError with every problem, its file, line and field."""
        found: Layout = _read(self.path(name), model)
        return found


@lru_cache(maxsize=64)
def _read(path: Path, model: type[Layout]) -> Layout:
    return load_json_model(path, model, "print.layout_problems")
