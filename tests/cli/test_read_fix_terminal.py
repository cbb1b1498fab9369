"""`coatl read --fix` in a real terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import pexpect

from tests.cli.photos import shown_photo
from tests.cli.terminal import without_steering

_WITH_A_READER = """
import sys
from coatl_tools.cli import run
from coatl_tools.vision import overlay, reader
from tests.cli.photos import doubtful
reader.read_photo = lambda *_: doubtful()
overlay.overlay = lambda picture, *_: picture.pixels
sys.exit(run())
"""


def test_a_few_keys_and_it_is_scored(tmp_path: Path) -> None:
    shown_photo(tmp_path / "table.png")
    root = str(Path(__file__).parents[2])
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable,
        ["-c", _WITH_A_READER, "read", "--fix", "table.png"],
        env={"PYTHONPATH": root, "TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1"}
        | {"HOME": str(tmp_path), "PROMPT_TOOLKIT_NO_CPR": "1", "PATH": "/usr/bin:/bin"},
        cwd=str(tmp_path),
        encoding="utf-8",
        dimensions=(40, 90),
        timeout=120,
    )
    child.delaybeforesend = None
    child.expect_exact("Cóatl 1, piece 4:")
    child.send("b")
    child.expect_exact("Cóatl 2: is it right")
    child.send("v")
    child.expect_exact("Card 2: is it P30?")
    child.send("ggrr\r")
    child.expect_exact("Nothing is in doubt.")
    child.send("\r")
    child.expect(pexpect.EOF)
    child.wait()
    said = without_steering(child.before or "")
    assert child.exitstatus == 0
    assert "--set 1.4=B --set '2~' --set c2=P32" in said
    assert said.count("Total: ") == 2
