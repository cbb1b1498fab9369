"""Where the data that travels with the package lies, and which languages and editions there are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, get_args

_PACKAGE = Path(__file__).resolve().parent.parent
_ROOT = _PACKAGE / "_data" if (_PACKAGE / "_data").is_dir() else _PACKAGE.parent

CARDDATA = _ROOT / "carddata"
LAYOUTS = _ROOT / "layouts"
LANGUAGES = CARDDATA / "lang"
ENGLISH = "en"  # what other languages lack is said in it


def list_language_codes(folder: Path) -> tuple[str, ...]:
    """List the languages that have a file in a folder, named by their code; English comes first.

    Other files, such as a copy `de.bak.json`, are no languages; `coatl cards validate` says so.
    """
    codes = {path.stem for path in folder.glob("*.json") if re.fullmatch("[a-z]{2}", path.stem)}
    return ENGLISH, *sorted(codes - {ENGLISH})


LANGUAGE_CODES = list_language_codes(LANGUAGES)

Edition = Literal["en", "fr", "pl"]  # whose rulebook is played (rule 8.5), whatever is spoken
EDITIONS: tuple[Edition, ...] = get_args(Edition)
