"""Servers, and phones that visit them, for all tests of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.server_process import Phone, Server, open_phone

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start servers on a folder of their own; they are stopped, and must not have complained."""
    started: list[Server] = []

    def start(*options: str) -> Server:
        folder = tmp_path / f"house-{len(started)}"
        folder.mkdir()
        started.append(Server(folder, *options))
        return started[-1]

    yield start
    said = [server.stop() for server in started]
    assert said == [""] * len(started)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that need none of their own; it must not have complained."""
    started = Server(tmp_path_factory.mktemp("house"))
    yield started
    assert started.stop() == ""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Callable[..., Phone]]:
    """Open browsers of their own; in the end none may have complained."""
    opened: list[Phone] = []

    def visit(server: Server, **options: Any) -> Phone:
        opened.append(open_phone(browser, server, **options))
        return opened[-1]

    yield visit
    complaints = [line for one in opened for line in one.complaints]
    for one in opened:
        one.context.close()
    assert not complaints
