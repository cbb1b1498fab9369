"""HTML pages from Jinja templates: the one way in which web pages, the simulation report and the
photo report are written.
"""

from __future__ import annotations

import base64
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from coatl_tools.errors import escape_unprintable


@lru_cache(maxsize=8)
def load_templates(folder: Path, *, printable: bool = False) -> Environment:
    """Make the environment of the templates in a folder.

    All values are escaped, and a name that is not defined is an error. The same values
    give the same bytes. With `printable`, control characters of all values show as escapes
    (`\\x1b`); without it, a template can do so for a single value: `{{ name | printable }}`.
    """
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_make_printable if printable else None,
    )
    environment.filters["printable"] = _make_printable
    environment.globals["csp_hash"] = compute_csp_hash
    return environment


def _make_printable(value: object) -> object:
    """Escape control characters in plain text; leave HTML and values that are not text alone."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return escape_unprintable(value)
    return value


def compute_csp_hash(text: str) -> str:
    """Compute the hash by which a Content-Security-Policy allows an inline style or script."""
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"
