"""Pages from templates: everything is escaped, nothing is missing in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from coatl_tools.html_templates import compute_csp_hash, load_templates

HOSTILE = "<script>\"'&\x1b[31m"


def render(folder: Path, source: str, *, printable: bool = False) -> str:
    (folder / "page.html").write_text(source, "utf-8")
    return load_templates(folder, printable=printable).get_template("page.html").render(x=HOSTILE)


def test_values_are_escaped(tmp_path: Path) -> None:
    assert render(tmp_path, "<p>{{ x }}</p>") == "<p>&lt;script&gt;&#34;&#39;&amp;\x1b[31m</p>"


@pytest.mark.parametrize(
    ("source", "printable"),
    [
        ("{{ x | printable }}", False),
        ("{{ x }}", True),
        ("{% macro show(text) %}{{ text }}{% endmacro %}{{ show(x) }}", True),
    ],
)
def test_control_characters_become_visible(tmp_path: Path, source: str, printable: bool) -> None:
    text = render(tmp_path, source, printable=printable)
    assert text == r"&lt;script&gt;&#34;&#39;&amp;\x1b[31m"


def test_an_unknown_name_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UndefinedError):
        render(tmp_path, "{{ y }}")


def test_the_hash_of_an_inline_style() -> None:
    assert compute_csp_hash("") == "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
