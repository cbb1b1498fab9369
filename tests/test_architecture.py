"""The shape of the code: what it offers, which way its imports point, what start-up loads."""

from __future__ import annotations

import ast
import json
import pickle
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import coatl_tools
from coatl_tools import FileError, NotationError, UnknownCardError
from coatl_tools.cli import coatl as command_line
from coatl_tools.cli.lazy_group import LazyCommand, LazyGroup
from coatl_tools.files.data_paths import LANGUAGES
from coatl_tools.referee.menu import COMMAND_LABELS

PACKAGE = Path(coatl_tools.__file__).parent
# Each may import from those before it, never from those behind it.
LAYERS = [
    "_version",
    "lazy_imports",
    "errors",
    "files",
    "components",
    "pieces",
    "html_templates",
    "language",
    "notation",
    "cards",
    "scoring",
    "rules",
    "players",
    "simulation",
    "referee",
    "printing",
    "report",
    "vision",
    "validation",
    "web",
    "cli",
]


def layer(module: str) -> int:
    return LAYERS.index(module.split(".")[1])


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imports(path: Path) -> set[str]:
    return imported_by(ast.walk(parsed(path)))


@cache
def imports_at_once(path: Path) -> set[str]:
    """What a module imports as soon as it is loaded itself."""
    return imported_by(parsed(path).body)


def imported_by(nodes: Iterable[ast.AST]) -> set[str]:
    found = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


def test_imports_point_one_way() -> None:
    found = [
        (".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts), imported)
        for path in sorted(PACKAGE.rglob("*.py"))
        for imported in imports(path)
    ]
    assert len(found) > 1000
    wrong = [
        (module, imported)
        for module, imported in found
        if module not in ("coatl_tools.__init__", "coatl_tools.__main__")
        # errors speak through the language files, once they are shown
        and (module, imported) != ("coatl_tools.errors", "coatl_tools.language")
        # name the module, so that its layer is seen
        and (
            imported == "coatl_tools"
            or (imported.startswith("coatl_tools.") and layer(imported) > layer(module))
        )
    ]
    assert not wrong


def test_every_package_that_is_used_is_asked_for() -> None:
    """Only then does an installation work in an empty environment."""

    def plain(name: str) -> str:
        return re.split(r"[<>=;\[ ]", name)[0].lower().replace("_", "-")

    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    asked = set(map(plain, project["dependencies"]))
    extras = project["optional-dependencies"]
    extra = set(map(plain, [*extras["simulate"], *extras["cluster"], *extras["web"]]))
    assert "coatl-tools[cluster,simulate,web]" in extras["dev"]  # all of it is tested
    used = {name.split(".")[0] for path in PACKAGE.rglob("*.py") for name in imports(path)}
    used -= {*sys.stdlib_module_names, "coatl_tools", "pydantic_core"}  # pydantic is made of it
    installed = packages_distributions()
    found = {name: set(map(plain, installed[name])) for name in used}
    assert not {name for name, givers in found.items() if not givers & (asked | extra)}
    forms = {"python-multipart"}  # Starlette reads them with it
    assert (asked | extra) - forms <= set().union(*found.values())
    optional = {name for name, givers in found.items() if not givers & asked}
    assert not asked & extra
    assert all(loaded_late(path, optional) for path in PACKAGE.rglob("*.py"))


def loaded_late(path: Path, optional: set[str]) -> bool:
    """Whether a module does without these packages, or is itself only loaded where it is used."""
    first = imports_at_once(path)
    if not {name.split(".")[0] for name in first} & optional:
        return True
    module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    pages = PACKAGE / "web"  # all of it is loaded where it is used
    return not any(
        module in imports_at_once(other)
        for other in PACKAGE.rglob("*.py")
        if not (path.is_relative_to(pages) and other.is_relative_to(pages))
    )


@pytest.mark.parametrize("name", ["oracle.py", "adam_oracle.py"])
def test_a_second_implementation_knows_nothing_of_the_package(name: str) -> None:
    found = imports(Path(__file__).parent / name)
    assert found
    assert not any(name.startswith(("coatl_tools", "tests")) for name in found)


def test_the_public_surface() -> None:
    assert sorted(coatl_tools.__all__) == coatl_tools.__all__
    for name in coatl_tools.__all__:
        assert getattr(coatl_tools, name) is not None
        assert name == "__version__" or f"`{name}" in str(coatl_tools.__doc__) or "Error" in name
    with pytest.raises(AttributeError, match="no attribute 'socre'"):
        coatl_tools.socre  # type: ignore[attr-defined]  # noqa: B018 (asking for it is the test)


def test_the_surface_of_the_rules() -> None:
    from coatl_tools import rules

    assert sorted(rules.__all__) == rules.__all__
    for name in rules.__all__:
        assert callable(getattr(rules, name)) or name == "Event"


def test_help_loads_no_heavy_package() -> None:
    code = (
        "import sys; sys.argv = ['coatl', '--help']\n"
        "from coatl_tools.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pydantic', 'rich', 'platformdirs', 'reportlab', 'pikepdf', 'cv2',\n"
        " 'pyarrow', 'matplotlib', 'distributed', 'starlette', 'uvicorn', 'jinja2'}\n"
        "print('loaded:', *(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded:"


def test_readings_are_corrected_and_scored_without_opencv() -> None:
    """The server does that itself, and only its workers load OpenCV."""
    parts = "reading", "corrections.session", "scores_and_tally", "colour_profiles", "photo_format"
    loads = "; ".join(f"import coatl_tools.vision.{part}" for part in parts)
    code = f"import sys; {loads}; sys.exit('cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def lazy_commands(group: LazyGroup) -> Iterable[LazyCommand]:
    for command in group.commands.values():
        if isinstance(command, LazyCommand):
            yield command
            loaded = command.load()
            if isinstance(loaded, LazyGroup):
                yield from lazy_commands(loaded)


def test_a_lazy_group_lists_its_commands_as_they_describe_themselves() -> None:
    found = list(lazy_commands(command_line))
    assert found
    for command in found:
        loaded = command.load()
        assert command.name == loaded.name
        for limit in (45, 200):
            assert command.get_short_help_str(limit) == loaded.get_short_help_str(limit)


def test_every_text_is_used_and_every_used_text_is_there() -> None:
    pages = [*PACKAGE.rglob("*.html")]
    code = "\n".join(path.read_text("utf-8") for path in [*PACKAGE.rglob("*.py"), *pages])
    language = json.loads((LANGUAGES / "en.json").read_text("utf-8"))
    quoted = set(re.findall(r"[\"']([a-z_0-9]+(?:\.[a-z_0-9]+)?)[\"']", code))
    quoted |= set(COMMAND_LABELS.values())
    for section in ("cards", "labels", "sentences", "commands", "forms", "options", "rulings"):
        assert set(language[section]) <= quoted, section
    keys = re.findall(r'Error\(\s*"([a-z_]+\.[a-z_]+)"|\("([a-z]+\.[a-z_]+)", \{', code)
    assert {one or other for one, other in keys} <= set(language["sentences"])
    labels = re.findall(r"(?:label|\bt)\(\s*[\"']([a-z_0-9]+)[\"']", code)
    assert set(labels) <= set(language["labels"])


def test_errors_survive_a_process_pool() -> None:
    errors = [
        NotationError("notation.unknown_letter", "RQ", 2, 1, text="Q"),
        UnknownCardError("cards.unknown", id="P99", hint=("cards.see_list", {})),
        FileError("file.missing", path=Path("x\x1b[31m")),
    ]
    for error in errors:
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is type(error)
        assert str(copy) == str(error)
        assert str(copy).isprintable()
