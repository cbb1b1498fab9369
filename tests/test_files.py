"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

import pytest

from coatl_tools.errors import FileError
from coatl_tools.files.atomic_writes import wrap_os_errors, write_aside, write_file_atomically
from coatl_tools.files.data_paths import LANGUAGE_CODES


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


@pytest.mark.parametrize("code", [errno.EACCES, errno.ENOSPC, errno.EROFS, errno.ENOTDIR])
def test_the_usual_reasons_of_the_system_are_said_in_every_language(code: int) -> None:
    with pytest.raises(FileError) as caught, wrap_os_errors(Path("here")):
        raise OSError(code, os.strerror(code))
    said = {lang: caught.value.text(lang) for lang in LANGUAGE_CODES}
    assert said["en"] == f"“here” cannot be written: {os.strerror(code)}."
    assert all(os.strerror(code) not in said[lang] for lang in LANGUAGE_CODES if lang != "en")
