"""Every rule of docs/rules.md has a test that is marked with its number."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
DOCS = TESTS.parents[1] / "docs" / "rules.md"


def read_rule_numbers() -> list[str]:
    """The numbers of all rules, as the documentation has them."""
    return re.findall(r"^- \*\*(\d+\.\d+)\*\*", DOCS.read_text("utf-8"), re.MULTILINE)


def read_marks() -> dict[str, set[str]]:
    """The tests that are marked with a rule, by the number of the rule."""
    found: dict[str, set[str]] = {}
    for path in TESTS.glob("test_*.py"):
        for test in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(test, ast.FunctionDef):
                for mark in test.decorator_list:
                    if ast.unparse(mark).startswith("pytest.mark.rule("):
                        assert isinstance(mark, ast.Call)
                        for rule in map(ast.literal_eval, mark.args):
                            found.setdefault(rule, set()).add(f"{path.name}::{test.name}")
    return found


def test_the_documentation_numbers_the_rules() -> None:
    rules = read_rule_numbers()
    assert len(rules) == len(set(rules))
    assert {rule.split(".")[0] for rule in rules} == {str(section) for section in range(1, 11)}


def test_every_rule_has_a_test_and_every_mark_a_rule() -> None:
    assert set(read_marks()) == set(read_rule_numbers())
