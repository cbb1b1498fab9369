"""What the tests share: the real command, golden files, and how long to search."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

GOLDEN = Path(__file__).parent / "golden"

settings.register_profile(
    "coatl",
    deadline=None,
    derandomize="COATL_SOAK" not in os.environ,  # the suite always the same, the soak ever new
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("coatl")


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """The command as a user runs it, in an empty folder, with no configuration."""
    folder = tmp_path / "empty"
    folder.mkdir()

    def run_coatl(*arguments: str | Path, stdin: str | bytes = b"", **environment: str) -> Result:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "COATL_"))}
        done = subprocess.run(
            [sys.executable, "-m", "coatl_tools", *map(str, arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=folder,
            timeout=120,
            check=False,
            env=kept
            | {
                "LANG": "C.UTF-8",
                "COLUMNS": "80",
                "NO_COLOR": "1",
                "XDG_CONFIG_HOME": str(tmp_path / "config"),
                "XDG_DATA_HOME": str(tmp_path / "data"),
            }
            | environment,
        )
        result = Result(
            done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode()
        )
        assert "Traceback" not in result.err
        return result

    return run_coatl


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a text with the golden file of that name; `make golden` renews them."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if os.environ.get("COATL_GOLDEN") == "renew":
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8"), f"{path} differs; `make golden` renews it"

    return compare
