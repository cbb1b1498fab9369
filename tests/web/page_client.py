"""The pages without a browser: requests that a test makes up, and their answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2 as httpx
from starlette.testclient import TestClient

from coatl_tools import load_cards
from coatl_tools.web.server.app import create_app
from coatl_tools.web.server.app_state import AppState, ServerAddress

PORT = 8642
HOST = f"127.0.0.1:{PORT}"
URL = f"http://{HOST}"
LAPTOP, PHONE = ("127.0.0.1", 50000), ("192.168.1.20", 50000)


def make_app_state(folder: Path, lan: bool = False, only: str | None = None) -> AppState:
    """A house with the cards of the game, whose tables lie in this folder."""
    folder.mkdir(exist_ok=True)
    address = ServerAddress(PORT, "127.0.0.1", lan)
    return AppState(folder, load_cards(), address, only, folder / "config" / "boards.json")


class PageClient(TestClient):
    """A visitor with cookies of their own, who sends what browsers send."""

    def __init__(
        self, house: AppState, client: tuple[str, int] = LAPTOP, language: str = "en"
    ) -> None:
        super().__init__(
            create_app(house), base_url=URL, client=client, raise_server_exceptions=False
        )
        self.headers["accept-language"] = language

    def submit(
        self, path: str, fields: dict[str, Any] | None = None, **options: Any
    ) -> httpx.Response:
        """A form that is sent from one of our pages."""
        headers = {"origin": URL, **options.pop("headers", {})}
        answer: httpx.Response = self.post(
            path, data=fields, headers=headers, follow_redirects=False, **options
        )
        return answer

    def visit(self, path: str, **options: Any) -> httpx.Response:
        """A page that is opened."""
        answer: httpx.Response = self.get(path, follow_redirects=False, **options)
        return answer
