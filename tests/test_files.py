"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
from pathlib import Path

from coatl_tools.files import write_aside, write_file_atomically


def test_whoever_reads_a_file_that_is_written_over_reads_the_old_one_whole(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    write_file_atomically(path, "old")
    with path.open() as reader:
        write_file_atomically(path, "new and longer")
        assert reader.read() == "old"
    assert path.read_text("utf-8") == "new and longer"
    assert list(tmp_path.iterdir()) == [path]


def test_after_an_error_the_old_file_is_there_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    write_file_atomically(path, "old")
    with contextlib.suppress(KeyboardInterrupt), write_aside(path) as aside:
        aside.write_text("half")
        raise KeyboardInterrupt
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
