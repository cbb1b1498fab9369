"""Where the data that travels with the package lies, and which languages and editions there are."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE / "_data" if (_PACKAGE / "_data").is_dir() else _PACKAGE.parent

CARDDATA = _ROOT / "carddata"
LAYOUTS = _ROOT / "layouts"
LANGUAGES = CARDDATA / "lang"
ENGLISH = "en"  # what other languages lack is said in it
# Every language that has a file; English comes first.
LANGUAGE_CODES = (
    ENGLISH,
    *sorted(path.stem for path in LANGUAGES.glob("*.json") if path.stem != ENGLISH),
)

Edition = Literal["en", "fr", "pl"]  # whose rulebook is played (rule 8.5), whatever is spoken
EDITIONS: tuple[Edition, ...] = get_args(Edition)
