"""Writing many files as one: if one cannot be made, none is there; none is half-written."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Protocol

from coatl_tools.errors import FileError


class Made(NamedTuple):
    """A file to be written: its path inside the folder, and what it holds."""

    path: PurePosixPath
    content: bytes


class Files(Protocol):
    """Files that are made one by one; how many is known before."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Made]: ...


def write_all(folder: Path, files: Iterable[Made]) -> list[Path]:
    """Write files into a folder, which is made if need be; raises FileError.

    They are gathered aside and moved to their places when the last one is done.
    """
    begun = _begun(folder)
    aside: Path | None = None
    done = False
    try:
        aside = Path(tempfile.mkdtemp(prefix=".coatl-", dir=folder))
        paths = [_gathered(aside, file) for file in files]
        for path in paths:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            (aside / path).replace(target)
        done = True
        return [folder / path for path in paths]
    except OSError as error:
        blamed = error.filename2 or error.filename or folder
        if aside is None or str(blamed).startswith(str(aside)):
            blamed = folder  # nobody has to know where things are gathered
        raise FileError("file.unwritable", path=Path(blamed), reason=error.strerror) from None
    finally:
        if aside is not None:
            shutil.rmtree(aside, ignore_errors=True)
        if begun is not None and not done:
            shutil.rmtree(begun, ignore_errors=True)


def _gathered(aside: Path, file: Made) -> PurePosixPath:
    target = aside / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(file.content)
    return file.path


def _begun(folder: Path) -> Path | None:
    """Make the folder; answers the topmost one that was not there before."""
    try:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError("export.no_folder", path=folder) from None
    except OSError as error:
        raise FileError("file.unwritable", path=folder, reason=error.strerror) from None
    return missing[-1] if missing else None
