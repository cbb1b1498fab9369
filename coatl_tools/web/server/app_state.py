"""What all pages share: the address, cards, sessions, live tables and jobs of one server, and
the link that lets phones join.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import ipaddress
import socket
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import segno

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CoatlError, RequestError
from coatl_tools.referee.table_folder import find_table_path, list_table_names
from coatl_tools.vision.boards.learned_boards import get_boards_path
from coatl_tools.web.server.live_tables import LiveTables
from coatl_tools.web.server.sessions import CodeRateLimit, SessionStore
from coatl_tools.web.work.jobs import JobStore
from coatl_tools.web.work.photo_jobs import run_warm_up_job
from coatl_tools.web.work.uploads import UploadReader
from coatl_tools.web.work.worker_process import Worker, WorkerLimits

PRINT_JOB_SECONDS = 120.0  # for a whole game, on a slow machine
SWEEP_SECONDS = 60.0
LOOPBACK_ADDRESSES = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1"})


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where the server is found.

    With `allow_lan`, phones of the network may open its pages with the join code.
    """

    port: int
    host: str = "127.0.0.1"
    allow_lan: bool = False
    all_interfaces: bool = False  # it listens at all addresses of this machine

    def is_own_host(self, host: str) -> bool:
        """Tell whether a Host header names this server.

        Any IP address may be one of this machine. Of names only its own count: another name may
        be an attacker's that resolves to this machine (DNS rebinding).
        """
        name, _, port = host.lower().rpartition(":")
        if not port.isdigit() or "]" in port:  # the usual port is not said
            name, port = host.lower(), "80"
        if port != str(self.port):
            return False
        with contextlib.suppress(ValueError):
            ipaddress.ip_address(name.strip("[]"))
            return True
        own = socket.gethostname().lower().partition(".")[0]
        return name in ("localhost", self.host.lower(), own, f"{own}.local")

    @property
    def url(self) -> str:
        """The address for phones, or for this machine where there is no network."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def local_url(self) -> str:
        """The address for this machine."""
        return f"http://127.0.0.1:{self.port}" if self.all_interfaces else self.url


@dataclass(frozen=True, slots=True)
class JoinLink:
    """The address for phones, the join code, and the link that has both."""

    address: str
    code: str
    link: str

    def render_svg(self) -> str:
        """Render the link as a QR code for a page."""
        made = segno.make(self.link, error="m")
        return made.svg_inline(scale=4, border=2, dark="#000000", light="#ffffff", omitsize=True)

    def render_terminal(self) -> str:
        """Render the link as a QR code for a terminal."""
        text = io.StringIO()
        segno.make(self.link, error="l").terminal(text, border=2, compact=True)
        return text.getvalue()


@dataclass
class AppState:
    """What all pages share. With `only_table`, this table is served and no other."""

    folder: Path
    catalog: Catalog
    address: ServerAddress
    only_table: str | None = None
    boards_path: Path = field(default_factory=get_boards_path)  # the file of learned boards
    sessions: SessionStore = field(init=False)
    live_tables: LiveTables = field(init=False)
    rate_limit: CodeRateLimit = field(default_factory=CodeRateLimit)
    jobs: JobStore = field(default_factory=JobStore)
    uploads: UploadReader = field(default_factory=UploadReader)
    photo_worker: Worker = field(default_factory=Worker)
    print_worker: Worker = field(
        default_factory=lambda: Worker(WorkerLimits(seconds=PRINT_JOB_SECONDS))
    )
    _warm_up_task: asyncio.Task[None] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.sessions = SessionStore(self.folder)
        self.live_tables = LiveTables()

    @property
    def table_names(self) -> list[str]:
        """The names of the tables that are served."""
        names = list_table_names(self.folder)
        return (
            names
            if self.only_table is None
            else [name for name in names if name == self.only_table]
        )

    def make_join_link(self, table: str | None = None) -> JoinLink:
        """Make the link that phones scan or type; it leads to a table, if one is named."""
        code, url = self.sessions.code, self.address.url
        table = table or self.only_table
        to = f"&to=/table/{quote(table)}" if table else ""
        return JoinLink(url, code, f"{url}/join?code={code}{to}")

    def warm_up_photos(self) -> None:
        """Load what reading a photo needs, once, while the visitor is taking the photo."""
        if self._warm_up_task is None:
            self._warm_up_task = asyncio.create_task(self._warm_up_photos())

    async def _warm_up_photos(self) -> None:
        with contextlib.suppress(CoatlError):  # whoever sends a photo hears what is wrong
            await self.photo_worker.run(run_warm_up_job, self.catalog)

    def find_table_file(self, name: str) -> Path:
        """Find the file of a table that is served; RequestError if there is none."""
        if name not in self.table_names:  # so a name from a request never makes a path
            raise RequestError("web.no_table", 404, name=name[:60])
        return find_table_path(self.folder, name)

    async def sweep_periodically(self) -> None:
        """Discard expired jobs every minute."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.jobs.discard_expired()

    async def close(self) -> None:
        """End all jobs and worker processes."""
        if self._warm_up_task is not None:
            self._warm_up_task.cancel()
        await self.jobs.close()
        self.photo_worker.close()
        self.print_worker.close()
