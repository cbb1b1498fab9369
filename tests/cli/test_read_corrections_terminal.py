"""`coatl read --fix` in a real terminal."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pexpect

from coatl_tools.cli.photo.key_editor import DIGIT_PAUSE_SECONDS
from tests.cli.fake_photo_reader import write_blank_photo
from tests.cli.terminal import strip_control_codes
from tests.programs import needs_posix

pytestmark = needs_posix

_WITH_A_READER = """
import sys
from coatl_tools.cli import run
from coatl_tools.vision import reader
from coatl_tools.vision.output import photo_report
from tests.cli.fake_photo_reader import make_doubtful_reading
from tests.vision.sample_readings import make_reading
seen = {"table.png": make_doubtful_reading(), "long.png": make_reading("RGBYKRGBYKRGBY")}
reader.read_photo = lambda picture, *_: seen[picture.path.name]
photo_report.render_overlay = lambda picture, *_: picture.pixels
sys.exit(run())
"""


def fix(folder: Path, name: str) -> pexpect.spawn[str]:
    write_blank_photo(folder / name)
    root = str(Path(__file__).parents[2])
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable,
        ["-c", _WITH_A_READER, "read", "--fix", name],
        env={"PYTHONPATH": root, "TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1"}
        | {"HOME": str(folder), "PROMPT_TOOLKIT_NO_CPR": "1", "PATH": "/usr/bin:/bin"},
        cwd=str(folder),
        encoding="utf-8",
        dimensions=(40, 90),
        timeout=120,
    )
    child.delaybeforesend = None
    return child


def test_a_few_keys_and_it_is_scored(tmp_path: Path) -> None:
    child = fix(tmp_path, "table.png")
    child.expect_exact("Cóatl 1, piece 4:")
    child.send("b")
    child.expect_exact("Cóatl 2: is it right")
    child.send("v")
    child.expect_exact("Card c2: is it P30?")
    child.send("ggrr\r")
    child.expect_exact("Nothing is in doubt.")
    child.send("\r")
    child.expect(pexpect.EOF)
    child.wait()
    said = strip_control_codes(child.before or "")
    assert child.exitstatus == 0
    assert "--set 1.4=B --set '2~' --set c2=P32" in said
    assert said.count("Total: ") == 2


def test_a_pause_between_digits_and_what_was_said_before_ctrl_c(tmp_path: Path) -> None:
    child = fix(tmp_path, "long.png")
    child.expect_exact("Nothing is in doubt.")
    child.send("1")
    time.sleep(DIGIT_PAUSE_SECONDS + 0.5)
    child.send("4k")
    child.expect_exact("✓")
    child.send("\x03")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130
    assert "--set 1.4=K\n" in strip_control_codes(child.before or "")
