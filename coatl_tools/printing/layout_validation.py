"""All layout files by name, each with its model: to check them, and to write their schemas."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coatl_tools.errors import FileError
from coatl_tools.files.data_paths import LAYOUTS
from coatl_tools.files.json_files import FileProblem, read_json
from coatl_tools.files.json_models import validate_json
from coatl_tools.printing.aruco_marks import MarksLayout
from coatl_tools.printing.boards.board_layout import BoardsLayout, TokensLayout
from coatl_tools.printing.cards.card_layout import CardsLayout
from coatl_tools.printing.layouts import LayoutModel, ThemesFile
from coatl_tools.printing.mat.mat_geometry import MatLayout
from coatl_tools.printing.pages.page_layout import PagesLayout
from coatl_tools.printing.paper.papers import SheetsLayout
from coatl_tools.printing.pieces.piece_shapes import PiecesLayout
from coatl_tools.printing.preflight.visual_checks import PreflightLimits

# Every layout file used for printing; `terminal.json` is for screens.
LAYOUT_MODELS: Mapping[str, type[LayoutModel]] = {
    "boards": BoardsLayout,
    "cards": CardsLayout,
    "marks": MarksLayout,
    "mat": MatLayout,
    "pages": PagesLayout,
    "pieces": PiecesLayout,
    "preflight": PreflightLimits,
    "sheets": SheetsLayout,
    "themes": ThemesFile,
    "tokens": TokensLayout,
}
_OTHER_LAYOUTS = ("terminal",)


def check_layouts(folder: Path | None = None) -> tuple[int, list[FileProblem]]:
    """Check the layout files of a folder, or the program's; return their number and problems.

    Raises FileError if the folder is missing or cannot be read.
    """
    folder = LAYOUTS if folder is None else folder
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except FileNotFoundError:
        raise FileError("file.no_folder", path=folder) from None
    except OSError as error:
        raise FileError("file.unreadable", path=folder, reason=error.strerror) from None
    known = [path for path in paths if path.stem not in _OTHER_LAYOUTS]
    return len(known), [problem for path in known for problem in _find_problems(path)]


def _find_problems(path: Path) -> list[FileProblem]:
    if path.stem not in LAYOUT_MODELS:
        close = difflib.get_close_matches(path.stem, LAYOUT_MODELS, 1)
        known = (
            f"did you mean {close[0]}.json?" if close else f"there are {', '.join(LAYOUT_MODELS)}"
        )
        return [FileProblem(str(path), 0, 0, "", f"is no layout file: {known}")]
    source, problems = read_json(path)
    if source is None:
        return problems
    return [*problems, *validate_json(LAYOUT_MODELS[path.stem], source.data, source)[1]]


def build_layout_schema(name: str) -> dict[str, Any]:
    """Build the JSON Schema of a layout file; `make golden` writes it into `layouts/schema/`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **LAYOUT_MODELS[name].model_json_schema(by_alias=True),
    }
