"""Listening: on this machine alone or on the network, until somebody stops it."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from typing import ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from coatl_tools.errors import CommandLineError
from coatl_tools.web.app import create_app
from coatl_tools.web.house import LOOPBACK, House

THIS_MACHINE, EVERY_NETWORK = "127.0.0.1", "0.0.0.0"
PORT = 8642
_TRIED = 20  # ports after the usual one, if nobody asks for a certain one
_WAIT = 2  # seconds for open answers to end when the server stops
MOST_AT_ONCE, MOST_EACH = 1000, 40  # connections; a browser has six and one for events
PATIENCE = 20.0  # seconds until a connection has asked for something
_ELSEWHERE = ("192.0.2.1", 9)  # an address of nobody's: nothing is sent there


def is_loopback(host: str) -> bool:
    """Whether a host is this machine for itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_address() -> str:
    """The address that this machine has in its network, or its own for itself if it has none."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking:
        try:
            asking.connect(_ELSEWHERE)
            return str(asking.getsockname()[0])
        except OSError:
            return THIS_MACHINE


def listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens; CommandLineError if that is not possible.

    Without a port it is the usual one, or one of the next if that is taken.
    """
    tried = range(PORT, PORT + _TRIED) if port is None else (port,)
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


def serve(house: House, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Answer requests until a signal comes; `ready` is called once the pages can be opened."""
    server = _Server(
        uvicorn.Config(
            create_app(house),
            log_config=None,
            access_log=False,
            proxy_headers=False,  # an address that a header claims is no address
            server_header=False,
            timeout_graceful_shutdown=_WAIT,
            timeout_keep_alive=30,
            limit_concurrency=MOST_AT_ONCE,
            h11_max_incomplete_event_size=1 << 15,
            ws="none",
            http=Patience,
        ),
        ready,
    )
    if not os.environ.get("COATL_DEBUG"):  # what went wrong is told in a line, where it is caught
        for name in ("uvicorn", "python_multipart"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with closing(listener):
        server.run(sockets=[listener])


class Patience(H11Protocol):
    """A connection that ends if it says nothing; no phone has more than a few of them."""

    counted: ClassVar[Counter[str]] = Counter()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self.counted[self.address] += 1
        if self.counted[self.address] > MOST_EACH and self.address not in LOOPBACK:
            transport.abort()
        self.waiting = self.loop.call_later(PATIENCE, self._lose)

    def _lose(self) -> None:
        if self.cycle is None:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has gone."""
        self.waiting.cancel()
        self.counted[self.address] -= 1
        if not self.counted[self.address]:
            del self.counted[self.address]
        super().connection_lost(exc)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self.ready()
