"""Fifty phones on one table for a minute: how long a page takes, and whether anything is lost.

Four of them play, the others watch. Each listens to the table's events and fetches its page when
something has changed, as browsers do, so that all fifty ask at the same time. Beside it stands what
the bare framework takes for as many answers of the same size, asked for in the same way.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

from coatl_tools import load_cards
from coatl_tools.referee.journal import TableHeader, replay_journal
from coatl_tools.referee.table import Table
from coatl_tools.referee.table_creation import create_journal
from coatl_tools.referee.table_folder import get_table_path
from coatl_tools.rules.table_options import TableOptions

PHONES, SECONDS, PAUSE = 50, 60.0, 1.0  # a move each second: far more than people make
SEED = 1
NAME, PLAYERS = "evening", ("Ana", "Bo", "Cy", "Di")
_EVENT = re.compile(r'name="event" value="([^"]+)"')
_BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse
from starlette.routing import Route
text = open(sys.argv[1]).read()
async def page(request):
    return HTMLResponse(text)
app = Starlette(routes=[Route("/", page)], middleware=[Middleware(GZipMiddleware)])
uvicorn.run(app, port=int(sys.argv[2]), log_level="critical", http="h11")
"""


@dataclass
class Phone:
    """A browser: its cookies, the page that it shows, and how long it waited for each."""

    port: int
    path: str
    seat: int | None = None
    cookie: str = ""
    entries: int = -1
    page: str = ""
    waits: list[float] = field(default_factory=list)
    behind: list[float] = field(default_factory=list)  # from a move to the page that shows it

    async def ask(self, path: str, fields: dict[str, str] | None = None) -> tuple[int, bytes]:
        """Ask a request on a connection of its own, as after a pause; status and body."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = urlencode(fields).encode() if fields else b""
        host = f"127.0.0.1:{self.port}"
        lines = [f"{'POST' if fields else 'GET'} {path} HTTP/1.1", f"Host: {host}"]
        lines += ["Accept-Encoding: gzip", "Connection: close"]
        if self.cookie:
            lines.append(f"Cookie: {self.cookie}")
        if fields:
            lines += [f"Origin: http://{host}", f"Content-Length: {len(body)}"]
            lines.append("Content-Type: application/x-www-form-urlencoded")
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        answer = await reader.read()
        writer.close()
        head, _, rest = answer.partition(b"\r\n\r\n")
        found = re.search(rb"(?i)\r\nset-cookie: ([^;]+)", head)
        if found:
            self.cookie = found[1].decode()
        if b"chunked" in head.lower():
            rest = _joined(rest)
        return int(head.split()[1]), gzip.decompress(rest) if b"gzip" in head.lower() else rest

    async def look(self) -> None:
        """Fetch the page, and see how long that takes."""
        begun = time.perf_counter()
        status, body = await self.ask(self.path)
        self.waits.append(time.perf_counter() - begun)
        assert status == 200, (status, body[:300])
        self.page = body.decode()
        found = re.search(r'data-moment="(\d+)-', self.page)
        assert found, self.page[:300]
        self.entries = int(found[1])

    async def follow(self, moves: dict[int, float]) -> None:
        """Listen, and look whenever there is something new."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        host = f"127.0.0.1:{self.port}"
        path = f"{self.path.partition('?')[0]}/events"
        asked = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {self.cookie}\r\n\r\n"
        writer.write(asked.encode())
        try:
            while line := await reader.readline():
                if not line.startswith(b"data: "):
                    continue
                if int(line[6:].split(b"-")[0]) > self.entries:
                    await self.look()
                    if self.entries in moves:
                        self.behind.append(time.perf_counter() - moves[self.entries])
        finally:
            writer.close()


def _joined(chunks: bytes) -> bytes:
    """Return a body that came in chunks."""
    body = b""
    while chunks:
        size, _, rest = chunks.partition(b"\r\n")
        number = int(size, 16)
        body, chunks = body + rest[:number], rest[number + 2 :]
    return body


def main(phones: int = PHONES, seconds: float = SECONDS) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        options = TableOptions(players=PLAYERS)
        journal = create_journal(folder, NAME, TableHeader(options, load_cards().deck(), SEED))
        table = Table(journal)
        table.advance_automatically()
        table.do(*["keep 1 2"] * len(PLAYERS))
        server, port = _served(folder)
        try:
            asyncio.run(_measured(folder, port, phones, seconds))
        finally:
            server.terminate()
            server.wait(20)


def _served(folder: Path) -> tuple[subprocess.Popen[str], int]:
    command = [sys.executable, "-m", "coatl_tools", "serve", "--json", "--port", "0"]
    server = subprocess.Popen([*command, "--dir", str(folder)], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    return server, int(json.loads(server.stdout.readline())["url"].rpartition(":")[2])


async def _measured(folder: Path, port: int, number: int, seconds: float) -> None:
    base = f"/table/{NAME}"
    phones = [Phone(port, base, seat) for seat in range(len(PLAYERS))]
    phones += [Phone(port, f"{base}?watch") for _ in range(number - len(phones))]
    for phone in phones:
        await phone.ask("/")
        if phone.seat is not None:
            status, _ = await phone.ask(f"{base}/sit", {"seat": str(phone.seat)})
            assert status == 303, status
        await phone.look()
    moves: dict[int, float] = {}
    before = phones[0].entries
    listening = [asyncio.create_task(phone.follow(moves)) for phone in phones]
    await asyncio.sleep(1)
    made, refused = await _play(phones, moves, seconds)
    await asyncio.sleep(2)
    for task in listening:
        task.cancel()
    for task in listening:
        with suppress(asyncio.CancelledError):
            await task
    waits = [wait for phone in phones for wait in phone.waits]
    behind = [wait for phone in phones for wait in phone.behind]
    found = replay_journal(get_table_path(folder, NAME))
    same = all(phone.entries == len(found.entries) for phone in phones)
    print(f"{number} phones on one table, {seconds:g} s, {made} moves, {refused} refused")
    _print("page", waits)
    _print("from a move to everybody's page", behind)
    bare = await _bare(folder, phones[-1].page, number, made)
    _print("bare Starlette, the same bytes", bare)
    times = statistics.median(waits) / statistics.median(bare)
    print(f"page / bare, median: {times:.2f}")
    print(f"journal: {before} entries before, {found.entries} after; all phones there: {same}")


async def _play(phones: list[Phone], moves: dict[int, float], seconds: float) -> tuple[int, int]:
    """Play a move each second, by whoever is to play; how many were made and refused."""
    chance, made, refused = random.Random(SEED), 0, 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        await asyncio.sleep(PAUSE)
        for phone in phones[: len(PLAYERS)]:
            events = [unescape(event) for event in _EVENT.findall(phone.page)]
            events = [event for event in events if event not in ("keep", "discard")]
            if not events:
                continue
            begun = time.perf_counter()
            sent = {"entries": str(phone.entries), "event": chance.choice(events)}
            status, _ = await phone.ask(f"/table/{NAME}/do", sent)
            if status == 303:
                made += 1
                await phone.look()
                moves[phone.entries] = begun
            else:
                refused += 1
            break
        else:
            break  # the game is over
    return made, refused


async def _bare(folder: Path, page: str, number: int, rounds: int) -> list[float]:
    """Measure as many answers of the same bytes from a server that only sends them."""
    text = folder / "page.html"
    text.write_text(page)
    port = random.Random().randrange(20_000, 30_000)
    server = subprocess.Popen([sys.executable, "-c", _BARE, str(text), str(port)])
    waits: list[float] = []

    async def one() -> None:
        begun = time.perf_counter()
        await Phone(port, "/").ask("/")
        waits.append(time.perf_counter() - begun)

    try:
        for _ in range(100):
            with suppress(OSError):
                await Phone(port, "/").ask("/")
                break
            await asyncio.sleep(0.1)
        for _ in range(min(rounds, 20)):
            await asyncio.gather(*(one() for _ in range(number)))
            await asyncio.sleep(0.2)
    finally:
        server.terminate()
        server.wait(20)
    return waits


def _print(name: str, seconds: list[float]) -> None:
    ordered = sorted(1000 * one for one in seconds)
    most = ordered[int(0.95 * (len(ordered) - 1))]
    print(
        f"{name}: median {statistics.median(ordered):.1f} ms, 95 % below {most:.1f} ms, "
        f"worst {ordered[-1]:.1f} ms, {len(ordered)} of them"
    )
