"""Tables that are open in the server: they watch their journal and tell every listener about
changes.

The journal is the truth: other programs write to it too, so its file is watched while
somebody looks. All that reads or writes it happens in a thread, one thing at a time.
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
from coatl_tools.referee.journal.line_format import TableHeader, serialize_header
from coatl_tools.referee.table import Table, TableStep
from coatl_tools.referee.undo import UndoGrade
from coatl_tools.rules.state import OVER

WATCH_SECONDS = 0.25  # seconds between two looks at the file
HEARTBEAT_SECONDS = 15.0  # seconds without news after which a listener hears that we are still here
MAX_OPEN_TABLES = 30
_UNDO_COMMAND = "undo 1"


@dataclass(frozen=True, slots=True)
class UndoProposal:
    """Somebody wants to take back what needs the consent of all who sit there."""

    number: int  # so that nobody agrees to another one
    by: int | None  # a seat; None for the whole table
    entries: int  # of the journal: once it has others, there is nothing to agree to
    agreed: frozenset[int] = frozenset()


class LiveTable:
    """A table that is open, and those who look at it."""

    def __init__(self, path: Path) -> None:
        self.table = Table.open(path)
        self._proposal: UndoProposal | None = None
        self._lock = asyncio.Lock()
        self._news = asyncio.Event()
        self._talk = 0  # changes that stand in no journal
        self._said: tuple[int, Phrase] | None = None
        self._mark: tuple[TableHeader, str] | None = None
        self._made: dict[Hashable, bytes] = {}
        self._made_at = ""
        self._listeners = 0
        self._watching: asyncio.Task[None] | None = None

    @property
    def mark(self) -> str:
        """What seats at this table are kept under: another table of the same name has another."""
        header = self.table.journal.header
        if self._mark is None or self._mark[0] is not header:
            begun = hashlib.sha256(serialize_header(header)).hexdigest()
            self._mark = header, f"{self.table.name} {begun[:16]}"
        return self._mark[1]

    @property
    def proposal(self) -> UndoProposal | None:
        """What those who sit there are asked to agree to, if anything."""
        asked = self._proposal
        return asked if asked and asked.entries == self.entries else None

    @property
    def entries(self) -> int:
        """How many entries the journal has: what an action was decided upon."""
        return len(self.table.journal.log)

    @property
    def moment(self) -> str:
        """Another one after each change."""
        return f"{self.entries}-{self._talk}"

    @property
    def said(self) -> Phrase | None:
        """What everybody is told about the table itself, until something happens there."""
        return self._said[1] if self._said and self._said[0] == self.entries else None

    def talk(self, phrase: Phrase | None = None) -> None:
        """Let all who look know that something has changed that stands in no journal."""
        self._said = (self.entries, phrase) if phrase else None
        self._talk += 1
        self._tell()

    def once(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """What is made once at each moment, however many look."""
        if self._made_at != self.moment:
            self._made, self._made_at = {}, self.moment
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    async def follow(self) -> None:
        """Read what other programs wrote, and let bots play that are to play."""
        if self.table.journal.moved_on() or self._is_nobodys():  # else nobody has to wait
            async with self._lock:
                await self._catch_up()

    async def do(
        self, line: str, entries: int, language: str, seat: int | None, force: bool = False
    ) -> list[TableStep]:
        """Let something happen that was decided when the journal had so many entries.

        RequestError if it has more by now; else what `Table.do` raises.
        """
        async with self._lock:
            await self._catch_up()
            if entries != self.entries:
                raise RequestError("web.moved_on", 409)
            doing = partial(self.table.do, line, language=language, seat=seat, force=force)
            try:
                steps = await asyncio.to_thread(doing)
            except JournalError as error:
                if not self.table.journal.moved_on():
                    raise
                await self._catch_up()
                raise RequestError("web.moved_on", 409) from error
            self._tell()
            return steps

    async def go_back(
        self, entries: int, language: str, by: int | None, others: Iterable[int]
    ) -> None:
        """Take back the last thing; where that needs consent, ask the others who sit there."""
        async with self._lock:
            await self._catch_up()
        if entries != self.entries:
            raise RequestError("web.moved_on", 409)
        if self.table.undo_grade(1) is UndoGrade.FREE or not set(others) - {by}:
            await self.do(_UNDO_COMMAND, entries, language, by, force=True)
            return
        self._proposal = UndoProposal(self._talk + 1, by, entries)
        self.talk()

    async def agree(self, number: int, seat: int, others: Iterable[int], language: str) -> None:
        """Say yes to going back; it happens once everybody has."""
        asked = self._asked(number)
        asked = replace(asked, agreed=asked.agreed | {seat})
        if set(others) - {asked.by} <= asked.agreed:
            await self.do(_UNDO_COMMAND, asked.entries, language, asked.by, force=True)
            return
        self._proposal = asked
        self.talk()

    def refuse(self, number: int, phrase: Phrase) -> None:
        """Say no to going back, or think better of it; everybody is told."""
        self._asked(number)
        self._proposal = None
        self.talk(phrase)

    def _asked(self, number: int) -> UndoProposal:
        if self.proposal is None or self.proposal.number != number:
            raise RequestError("web.moved_on", 409)
        return self.proposal

    async def moments(self) -> AsyncIterator[str]:
        """The moment now, and each that follows; an empty text as a sign of life."""
        self._listeners += 1
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch())
        try:
            while True:
                news = self._news
                yield self.moment
                while not news.is_set():
                    try:
                        await asyncio.wait_for(news.wait(), HEARTBEAT_SECONDS)
                    except TimeoutError:
                        yield ""
        finally:
            self._listeners -= 1

    @property
    def idle(self) -> bool:
        """Whether nobody listens."""
        return not self._listeners

    async def _watch(self) -> None:
        while self._listeners:
            with contextlib.suppress(Exception):  # whoever looks at the page is told what is wrong
                if self.table.journal.moved_on():
                    await self.follow()
            await asyncio.sleep(WATCH_SECONDS)
        self._watching = None

    async def _catch_up(self) -> None:
        if self.table.journal.moved_on():
            await asyncio.to_thread(self.table.moved_on)
            self._tell()
        await self._let_bots_play()

    async def _let_bots_play(self) -> None:
        """Go on with what needs nobody, where it was left undone."""
        table = self.table
        while self._is_nobodys():
            if not await asyncio.to_thread(table.go_on, bool(table.people)):
                return
            self._tell()

    def _is_nobodys(self) -> bool:
        state = self.table.state
        return state.stage is not OVER and self.table.is_nobodys(state)

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class LiveTables:
    """The tables that are open."""

    def __init__(self) -> None:
        self._open: dict[Path, LiveTable] = {}
        self._lock = asyncio.Lock()

    def known(self, path: Path) -> LiveTable | None:
        """The room of a table, if it is open."""
        return self._open.get(path)

    async def room(self, path: Path) -> LiveTable:
        """The room of a table, with all that happened up to now; FileError, JournalError."""
        async with self._lock:
            room = self._open.get(path)
            if room is None:
                room = await asyncio.to_thread(LiveTable, path)
                self._open[path] = room
                for other in [key for key, one in self._open.items() if one.idle][
                    :-MAX_OPEN_TABLES
                ]:
                    del self._open[other]
        try:
            await room.follow()
        except BaseException:
            self._open.pop(path, None)
            raise
        return room
