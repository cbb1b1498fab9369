"""What the tests share: the real command, a browser, golden files, and how long to search."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.programs import BROWSER, BROWSER_ARGUMENTS, BROWSERS, is_browser_driver_usable

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GOLDEN = Path(__file__).parent / "golden"
LONGEST_NAME = 60

# What is compiled is kept for all processes of the tests, even where it would not be: dozens of
# programs start, and pytest rewrites every assertion.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as under nohup, and programs inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "coatl",
    deadline=None,
    derandomize="COATL_SOAK" not in os.environ,  # the suite always the same, the soak ever new
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("coatl")


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what was loaded: it stays until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a test by the beginning of a long value.

    Some values have millions of characters, and pytest-xdist sends every name several times.
    """
    if isinstance(val, str | bytes) and len(val) > LONGEST_NAME:
        return f"{val[:LONGEST_NAME]!r}…"
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what was left out, and why."""
    reasons = Counter(
        str(report.longrepr[2]).removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", ())
    )
    if reasons:
        terminalreporter.section("left out")
        for reason, tests in reasons.most_common():
            terminalreporter.line(f"{tests:4} {'test' if tests == 1 else 'tests'}: {reason}")


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """The command as a user runs it, in an empty folder, with no configuration.

    It runs inside this process, which saves its start; `program` is for what a process is about.
    """
    from tests.cli.command_runner import run_coatl

    folder, shown = _empty(tmp_path)

    def run_in_folder(
        *arguments: str | Path, typed: str | bytes = b"", **environment: str
    ) -> Result:
        with contextlib.chdir(folder):
            return run_coatl(*arguments, typed=typed, **(shown | environment))

    return run_in_folder


@pytest.fixture
def program(tmp_path: Path) -> Run:
    """The same in a process of its own: for encodings, hash seeds and what is loaded."""
    folder, shown = _empty(tmp_path)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "COATL_"))}

    def run_coatl(*arguments: str | Path, typed: str | bytes = b"", **environment: str) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "coatl_tools", *map(str, arguments)],
            input=typed.encode() if isinstance(typed, str) else typed,
            capture_output=True,
            cwd=folder,
            timeout=120,
            check=False,
            env=kept | {"LANG": "C.UTF-8", "COLUMNS": "80", "NO_COLOR": "1"} | shown | environment,
        )
        result = Result(
            done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode()
        )
        assert "Traceback" not in result.err
        return result

    return run_coatl


def _empty(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A folder with nothing in it, and where a configuration and tables would be."""
    folder = tmp_path / "empty"
    folder.mkdir(exist_ok=True)
    homes = {"XDG_CONFIG_HOME": tmp_path / "config", "XDG_DATA_HOME": tmp_path / "data"}
    return folder, {name: str(path) for name, path in homes.items()}


@pytest.fixture(scope="module")  # while it runs, no other event loop may
def browser() -> Iterator[Browser]:
    """Chromium; tests that need it are left out where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if BROWSER is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is here")
    if not is_browser_driver_usable():
        pytest.skip("no browser: Playwright's driver does not run without libatomic1")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=BROWSER, args=BROWSER_ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a text with the golden file of that name; `make golden` renews them."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if os.environ.get("COATL_GOLDEN") == "renew":
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8"), f"{path} differs; `make golden` renews it"

    return compare
