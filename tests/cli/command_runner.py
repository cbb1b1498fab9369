"""The whole command inside this process: as fast as a function, with its exit codes and streams."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

from coatl_tools.cli import run
from tests.conftest import Result

# What `coatl_tools.errors` documents, but for a bug in coatl.
EXIT_CODES = (0, 1, 2, 3, 130, 141)


def run_coatl(*arguments: str | Path, typed: str | bytes = b"", **environment: str) -> Result:
    """Run `run_coatl` as from a pipe; a traceback, or the code for one, fails the test."""
    given = typed.encode("utf-8", "surrogateescape") if isinstance(typed, str) else typed
    stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "COATL_", "XDG_"))}
    shown = {"LANG": "C.UTF-8", "COLUMNS": "80", "NO_COLOR": "1", "XDG_CONFIG_HOME": os.devnull}
    with (
        patch.dict(os.environ, kept | shown | environment, clear=True),
        patch.object(sys, "argv", ["coatl", *map(str, arguments)]),
        patch.object(sys, "stdin", stdin),
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", err),
    ):
        code = run()
        out.flush()
        err.flush()
    said, wrong = (stream.buffer.getvalue().decode() for stream in (out, err))
    assert code in EXIT_CODES, wrong
    assert "Traceback" not in said + wrong
    assert "bug in coatl" not in wrong
    return Result(code, said, wrong)


class TableCommands:
    """`run_coatl table`, with a folder of tables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(
        self, command: str, *arguments: str | Path, typed: str | bytes = b"", **environment: str
    ) -> Result:
        """Run a command of a table."""
        environment.setdefault("COATL_TABLES", str(self.folder))
        return run_coatl("table", command, *arguments, typed=typed, **environment)

    def ok(self, command: str, *arguments: str | Path, **more: str) -> str:
        """What a command prints that has to go well."""
        done = self(command, *arguments, **more)
        assert (done.code, done.err) == (0, ""), done
        return done.out

    def told(self, command: str, *arguments: str) -> Any:
        """What a command prints for programs."""
        return json.loads(self.ok(command, *arguments, "--json"))

    def file(self, name: str) -> Path:
        """The file of a table."""
        return self.folder / f"{name}.jsonl"
