"""Tables that are open in the server: they watch their journal and tell every listener about
changes.

The journal is the truth, and other programs write to it too: its file is watched while a page
follows the table. It is read and written in a thread, one operation at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from coatl_tools.errors import JournalError, Phrase, RequestError
from coatl_tools.referee.journal import TableHeader, serialize_header
from coatl_tools.referee.table import Table, TableStep, UndoConsent
from coatl_tools.rules.state import OVER
from coatl_tools.web.server.sse_response import HEARTBEAT_SECONDS

WATCH_SECONDS = 0.25  # between two looks at the file
MAX_OPEN_TABLES = 30
_UNDO_COMMAND = "undo 1"


@dataclass(frozen=True, slots=True)
class UndoProposal:
    """A request to undo something that needs the consent of all who are seated."""

    number: int  # so that nobody agrees to another one
    by: int | None  # a seat; None for the whole table
    entries: int  # of the journal: once it has others, there is nothing to agree to
    agreed: frozenset[int] = frozenset()


class LiveTable:
    """An open table, and the pages that follow it."""

    def __init__(self, path: Path) -> None:
        self.table = Table.open(path)
        self._proposal: UndoProposal | None = None
        self._lock = asyncio.Lock()
        self._changed = asyncio.Event()
        self._announcements = 0  # changes that stand in no journal
        self._notice: tuple[int, Phrase] | None = None
        self._table_id: tuple[TableHeader, str] | None = None
        self._page_cache: dict[Hashable, bytes] = {}
        self._page_cache_version = ""
        self._listeners = 0
        self._watch_task: asyncio.Task[None] | None = None

    @property
    def table_id(self) -> str:
        """The id that seats are stored under; another table of the same name has another id."""
        header = self.table.journal.header
        if self._table_id is None or self._table_id[0] is not header:
            begun = hashlib.sha256(serialize_header(header)).hexdigest()
            self._table_id = header, f"{self.table.name} {begun[:16]}"
        return self._table_id[1]

    @property
    def proposal(self) -> UndoProposal | None:
        """The undo that the seated players are asked to agree to, if any."""
        asked = self._proposal
        return asked if asked and asked.entries == self.entries else None

    @property
    def entries(self) -> int:
        """The number of entries in the journal; a form sends the number that its page had."""
        return len(self.table.journal.entries)

    @property
    def version(self) -> str:
        """The version of the table: another text after each change."""
        return f"{self.entries}-{self._announcements}"

    @property
    def notice(self) -> Phrase | None:
        """A message to everybody, until the next entry in the journal."""
        return self._notice[1] if self._notice and self._notice[0] == self.entries else None

    def announce(self, phrase: Phrase | None = None) -> None:
        """Make a new version for a change outside the journal, with a message to everybody."""
        self._notice = (self.entries, phrase) if phrase else None
        self._announcements += 1
        self._notify()

    def cached(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """Return what `make` makes, called once for each version and key."""
        if self._page_cache_version != self.version:
            self._page_cache, self._page_cache_version = {}, self.version
        if key not in self._page_cache:
            self._page_cache[key] = make()
        return self._page_cache[key]

    async def catch_up(self) -> None:
        """Read what other programs wrote to the journal, and let bots play."""
        if (
            self.table.journal.has_changed_on_disk() or self._is_automatic()
        ):  # else nobody has to wait
            async with self._lock:
                await self._catch_up_locked()

    async def run_command(
        self, text: str, entries: int, lang: str, seat: int | None, force: bool = False
    ) -> list[TableStep]:
        """Run a command that was given when the journal had `entries` entries.

        Raises RequestError if it has more by now, else what `Table.do` raises.
        """
        async with self._lock:
            await self._catch_up_locked()
            if entries != self.entries:
                raise RequestError("web.moved_on", 409)
            command = partial(self.table.do, text, lang=lang, seat=seat, force=force)
            try:
                steps = await asyncio.to_thread(command)
            except JournalError as error:
                if not self.table.journal.has_changed_on_disk():
                    raise
                await self._catch_up_locked()
                raise RequestError("web.moved_on", 409) from error
            self._notify()
            return steps

    async def request_undo(
        self, entries: int, lang: str, by: int | None, others: Iterable[int]
    ) -> None:
        """Undo the last action; where that needs consent, ask the other seated players first."""
        async with self._lock:
            await self._catch_up_locked()
        if entries != self.entries:
            raise RequestError("web.moved_on", 409)
        if self.table.find_undo_consent(1) is UndoConsent.FREE or not set(others) - {by}:
            await self.run_command(_UNDO_COMMAND, entries, lang, by, force=True)
            return
        self._proposal = UndoProposal(self._announcements + 1, by, entries)
        self.announce()

    async def agree_to_undo(self, number: int, seat: int, others: Iterable[int], lang: str) -> None:
        """Agree to an undo; it happens once everybody has agreed."""
        asked = self._require_proposal(number)
        asked = replace(asked, agreed=asked.agreed | {seat})
        if set(others) - {asked.by} <= asked.agreed:
            await self.run_command(_UNDO_COMMAND, asked.entries, lang, asked.by, force=True)
            return
        self._proposal = asked
        self.announce()

    def refuse_undo(self, number: int, phrase: Phrase) -> None:
        """Refuse or withdraw an undo, with a message to everybody."""
        self._require_proposal(number)
        self._proposal = None
        self.announce(phrase)

    def _require_proposal(self, number: int) -> UndoProposal:
        if self.proposal is None or self.proposal.number != number:
            raise RequestError("web.moved_on", 409)
        return self.proposal

    async def versions(self) -> AsyncIterator[str]:
        """Yield the version now and each that follows; an empty text is a heartbeat."""
        self._listeners += 1
        if self._watch_task is None:
            self._watch_task = asyncio.create_task(self._watch())
        try:
            while True:
                changed = self._changed
                yield self.version
                while not changed.is_set():
                    try:
                        await asyncio.wait_for(changed.wait(), HEARTBEAT_SECONDS)
                    except TimeoutError:
                        yield ""
        finally:
            self._listeners -= 1

    @property
    def is_idle(self) -> bool:
        """Whether no page follows the table."""
        return not self._listeners

    async def _watch(self) -> None:
        while self._listeners:
            with contextlib.suppress(Exception):  # whoever looks at the page is told what is wrong
                if self.table.journal.has_changed_on_disk():
                    await self.catch_up()
            await asyncio.sleep(WATCH_SECONDS)
        self._watch_task = None

    async def _catch_up_locked(self) -> None:
        if self.table.journal.has_changed_on_disk():
            await asyncio.to_thread(self.table.reload_if_changed)
            self._notify()
        await self._let_bots_play()

    async def _let_bots_play(self) -> None:
        """Play what needs no person, such as the moves of bots."""
        table = self.table
        while self._is_automatic():
            if not await asyncio.to_thread(table.advance_automatically, bool(table.human_seats)):
                return
            self._notify()

    def _is_automatic(self) -> bool:
        state = self.table.state
        return state.stage is not OVER and self.table.is_automatic(state)

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


class LiveTables:
    """All open tables."""

    def __init__(self) -> None:
        self._open: dict[Path, LiveTable] = {}
        self._lock = asyncio.Lock()

    def find_open(self, path: Path) -> LiveTable | None:
        """Return the table of a file if it is open."""
        return self._open.get(path)

    async def open_table(self, path: Path) -> LiveTable:
        """Open the table of a file, up to date; FileError or JournalError if it cannot be read."""
        async with self._lock:
            live_table = self._open.get(path)
            if live_table is None:
                live_table = await asyncio.to_thread(LiveTable, path)
                self._open[path] = live_table
                for other in [key for key, one in self._open.items() if one.is_idle][
                    :-MAX_OPEN_TABLES
                ]:
                    del self._open[other]
        try:
            await live_table.catch_up()
        except BaseException:
            self._open.pop(path, None)
            raise
        return live_table
