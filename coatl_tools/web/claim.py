"""One server for a folder of tables: two would not know of each other's seats."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from coatl_tools.errors import CommandLineError

try:
    import fcntl
except ImportError:  # a system without it lets both serve
    fcntl = None  # type: ignore[assignment] # a module's name cannot be declared to be optional

LOCK = ".serving"


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Have a folder to oneself, until the program ends, however it ends.

    CommandLineError if another server has it. A folder that cannot be written is left as it is.
    """
    with contextlib.ExitStack() as kept:
        if fcntl is not None:
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                taken = kept.enter_context((folder / LOCK).open("ab"))
                try:
                    fcntl.flock(taken, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise CommandLineError("web.served", folder=folder) from None
        yield
