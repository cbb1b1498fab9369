"""The HTTP server: find a free port, listen, limit connections, and lock the folder of tables so
that one server has it.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import os
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from coatl_tools.cards.catalog import Catalog
from coatl_tools.errors import CommandLineError
from coatl_tools.web.server.app import create_app
from coatl_tools.web.server.app_state import LOOPBACK_ADDRESSES, AppState, ServerAddress

LOCAL_HOST, ALL_INTERFACES = "127.0.0.1", "0.0.0.0"
DEFAULT_PORT = 8642
_PORTS_TO_TRY = 20  # after the default port, if no port is asked for
_SHUTDOWN_SECONDS = 2  # for open answers to end when the server stops
MAX_CONNECTIONS = 1000
MAX_CONNECTIONS_PER_CLIENT = 40  # a browser has six, and one for events
IDLE_SECONDS = 20.0  # after which a connection without a request is closed
_UNUSED_ADDRESS = ("192.0.2.1", 9)  # reserved for documentation; nothing is sent there


def is_loopback(host: str) -> bool:
    """Tell whether a host is a loopback address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def find_own_address() -> str:
    """Find the address of this machine in its network; the loopback address without a network."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking:
        try:
            asking.connect(_UNUSED_ADDRESS)
            return str(asking.getsockname()[0])
        except OSError:
            return LOCAL_HOST


def open_listener(host: str, port: int | None) -> socket.socket:
    """Open a socket that listens; CommandLineError if that is not possible.

    Without a port, take the default port, or one of the next if it is in use.
    """
    tried = range(DEFAULT_PORT, DEFAULT_PORT + _PORTS_TO_TRY) if port is None else (port,)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for one in tried:
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, one))
            made.listen(128)
        except OSError as error:
            made.close()
            reason = error.strerror or str(error)
        else:
            return made
    raise CommandLineError("web.cannot_listen", host=host, port=tried[-1], reason=reason)


def serve_pages(
    folder: Path,
    catalog: Catalog,
    host: str | None,
    port: int | None,
    allow_lan: bool,
    only_table: str | None,
    ready: Callable[[AppState], None],
) -> None:
    """Serve the pages until a signal comes; `ready` is called once they can be opened.

    Without `allow_lan`, only this machine can open them. CommandLineError says why that is not
    possible: another server has the folder, the port is in use, the host is not this machine.
    """
    host = host or (ALL_INTERFACES if allow_lan else LOCAL_HOST)
    if not allow_lan and not is_loopback(host):
        raise CommandLineError("web.not_without_lan", host=host)
    everywhere = allow_lan and host in (ALL_INTERFACES, "::")
    shown = find_own_address() if everywhere else host
    with lock_folder(folder):
        listener = open_listener(host, port)
        address = ServerAddress(listener.getsockname()[1], shown, allow_lan, everywhere)
        state = AppState(folder, catalog, address, only_table)
        run_server(state, listener, lambda: ready(state))


def run_server(app_state: AppState, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Answer requests until a signal comes; `ready` is called once the pages can be opened."""
    server = _ReadyServer(
        uvicorn.Config(
            create_app(app_state),
            log_config=None,
            access_log=False,
            proxy_headers=False,  # an address that a header claims is no address
            server_header=False,
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
            timeout_keep_alive=30,
            limit_concurrency=MAX_CONNECTIONS,
            h11_max_incomplete_event_size=1 << 15,
            ws="none",
            http=LimitedConnection,
        ),
        ready,
    )
    if not os.environ.get("COATL_DEBUG"):  # what went wrong is told in a line, where it is caught
        for name in ("uvicorn", "python_multipart"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with closing(listener):
        server.run(sockets=[listener])


class LimitedConnection(H11Protocol):
    """A connection that is closed while it is idle; each client may open only a few."""

    connections_by_client: ClassVar[Counter[str]] = Counter()

    # uvicorn narrows the transport in the same way
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count a new connection; abort it if its client has too many."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self.connections_by_client[self.address] += 1
        if (
            self.connections_by_client[self.address] > MAX_CONNECTIONS_PER_CLIENT
            and self.address not in LOOPBACK_ADDRESSES
        ):
            transport.abort()
        self.idle_timer = self.loop.call_later(IDLE_SECONDS, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if self.cycle is None:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting a connection that has ended."""
        self.idle_timer.cancel()
        self.connections_by_client[self.address] -= 1
        if not self.connections_by_client[self.address]:
            del self.connections_by_client[self.address]
        super().connection_lost(exc)


class _ReadyServer(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self.ready()


try:
    import fcntl
except ImportError:  # a system without it lets both serve
    fcntl = None  # type: ignore[assignment] # a module's name cannot be declared to be optional

LOCK_FILE = ".serving"


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock a folder until the program ends, however it ends.

    CommandLineError if another server has it. A folder that cannot be written is left as it is.
    """
    with contextlib.ExitStack() as kept:
        if fcntl is not None:
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                taken = kept.enter_context((folder / LOCK_FILE).open("ab"))
                try:
                    fcntl.flock(taken, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise CommandLineError("web.served", folder=folder) from None
        yield
