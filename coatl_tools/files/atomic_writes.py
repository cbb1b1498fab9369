"""Files written atomically: whole or not at all, one by one or many together."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Protocol

from coatl_tools.errors import FileError


@contextlib.contextmanager
def wrap_os_errors(path: Path, key: str = "file.unwritable") -> Iterator[None]:
    """Turn errors of the system into a FileError that names the file."""
    try:
        yield
    except FileNotFoundError as error:
        raise FileError("file.missing", path=path) from error
    except IsADirectoryError as error:
        raise FileError("file.folder", path=path) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(key, path=path, reason=reason) from error


def write_file_atomically(
    path: Path, content: str | bytes, *, overwrite: bool = True, mode: int | None = None
) -> None:
    """Write a file whole or not at all; FileError if it cannot be written.

    Without `overwrite`, FileExistsError if the name is taken. `mode` are the file's permissions.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if not path.parent.exists():
        raise FileError("file.no_folder", path=path.parent)
    with (
        write_aside(path, overwrite=overwrite) as aside,
        wrap_os_errors(path),
        aside.open("xb") as file,
    ):
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
        if mode is not None:
            aside.chmod(mode)


@contextlib.contextmanager
def write_aside(path: Path, *, overwrite: bool = True) -> Iterator[Path]:
    """Yield a temporary name beside `path`; the file that the block writes there becomes `path`.

    After an error the temporary file is gone, and `path` is as it was. FileError if it cannot be
    moved into place; without `overwrite`, FileExistsError if there is a file at `path` by then.
    """
    aside = path.with_name(f".{path.name[:100]}-{os.urandom(4).hex()}.new")
    try:
        yield aside
        if overwrite:
            with wrap_os_errors(path):
                aside.replace(path)
        else:
            _link_into_place(aside, path)
    finally:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)


def _link_into_place(aside: Path, path: Path) -> None:
    """Give a finished file its name; FileExistsError if that is taken, FileError if it fails."""
    try:
        os.link(aside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        with wrap_os_errors(path):
            taken = path.exists()
            if not taken:
                aside.rename(path)
        if taken:
            raise FileExistsError(path) from None


class OutputFile(NamedTuple):
    """A file to be written: its path inside the folder, and what it holds."""

    path: PurePosixPath
    content: bytes


class OutputFiles(Protocol):
    """Files that are made one by one; how many is known before."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[OutputFile]: ...


def write_files_together(folder: Path, files: Iterable[OutputFile]) -> list[Path]:
    """Write files into a folder, which is made if need be; raises FileError.

    They are gathered aside and moved to their places when the last one is done.
    """
    begun = _create_folder(folder)
    aside: Path | None = None
    done = False
    try:
        aside = Path(tempfile.mkdtemp(prefix=".coatl-", dir=folder))
        paths = [_write_aside(aside, file) for file in files]
        for path in paths:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            (aside / path).replace(target)
        done = True
        return [folder / path for path in paths]
    except OSError as error:
        blamed = error.filename2 or error.filename or folder
        if aside is None or str(blamed).startswith(str(aside)):
            blamed = folder  # do not show the temporary folder
        raise FileError("file.unwritable", path=Path(blamed), reason=error.strerror) from None
    finally:
        if aside is not None:
            shutil.rmtree(aside, ignore_errors=True)
        if begun is not None and not done:
            shutil.rmtree(begun, ignore_errors=True)


def _write_aside(aside: Path, file: OutputFile) -> PurePosixPath:
    target = aside / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(file.content)
    return file.path


def _create_folder(folder: Path) -> Path | None:
    """Create the folder and return the topmost one that was missing, or None; raises FileError."""
    try:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError("export.no_folder", path=folder) from None
    except OSError as error:
        raise FileError("file.unwritable", path=folder, reason=error.strerror) from None
    return missing[-1] if missing else None
