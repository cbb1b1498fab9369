"""Where the data that travels with the package lies: in the wheel, or beside the checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE / "_data" if (_PACKAGE / "_data").is_dir() else _PACKAGE.parent

CARDDATA = _ROOT / "carddata"
LAYOUTS = _ROOT / "layouts"
LANGUAGES = CARDDATA / "lang"
CODES = ("en", "fr", "pl")
