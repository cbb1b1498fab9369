"""A real server in a process of its own, and browsers that visit it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Response

PHONE = (360, 740)
LAPTOP = (1280, 800)
_GRAVE = ("serious", "critical")


class Server:
    """`coatl serve` on a folder of tables; it can be killed and started again."""

    def __init__(self, folder: Path, *options: str, port: int = 0) -> None:
        self.folder, self.options, self.port = folder, options, port
        self.told: dict[str, Any] = {}
        self.process: subprocess.Popen[str]
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        where = ["--port", str(self.port), "--dir", str(self.folder / "tables")]
        with (self.folder / "errors.txt").open("a") as errors:
            self.process = self._started(where, errors)
        assert self.process.stdout is not None
        self.told = json.loads(self.process.stdout.readline())
        self.port = int(self.told["local"].rpartition(":")[2])

    def _started(self, where: list[str], errors: IO[str]) -> subprocess.Popen[str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "COATL_"))}
        return subprocess.Popen(
            [sys.executable, "-m", "coatl_tools", "serve", "--json", *where, *self.options],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=kept | {"LANG": "C.UTF-8", "XDG_CONFIG_HOME": str(self.folder / "config")},
        )

    def kill(self) -> None:
        self.process.kill()
        self._ended(10)

    def stop(self) -> str:
        """End it as Ctrl-C does; what it had to complain of."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self._ended(15)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
        return (self.folder / "errors.txt").read_text().strip()

    def _ended(self, seconds: float) -> None:
        self.process.wait(timeout=seconds)
        if self.process.stdout is not None:
            self.process.stdout.close()


@dataclass
class Phone:
    """A browser of its own: a page, all that came over the wire, all that it complained of."""

    context: BrowserContext
    page: Page
    base: str
    bodies: list[tuple[str, bytes]] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def go(self, path: str) -> Page:
        self.page.goto(self.base + path)
        return self.page

    def received(self, text: str) -> list[str]:
        """The addresses whose answers held this text."""
        return [url for url, body in self.bodies if text.encode() in body]

    def axe(self) -> list[str]:
        """What axe finds that is serious on the page as it is."""
        import axe_playwright_python

        script = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
        self.page.evaluate(script)
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {one['help']}: {node['html'][:150]}"
            for one in found["violations"]
            if one["impact"] in _GRAVE
            for node in one["nodes"]
        ]

    def is_wider_than_its_screen(self) -> bool:
        return bool(
            self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1")
        )


def open_phone(
    browser: Browser,
    server: Server,
    size: tuple[int, int] = PHONE,
    locale: str = "en-GB",
    **options: Any,
) -> Phone:
    """A new visitor with a browser of this size and language."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale=locale, **options
    )
    page = context.new_page()
    phone = Phone(context, page, server.url)

    def came(response: Response) -> None:
        if response.request.resource_type == "eventsource" or not response.ok:
            return
        try:
            phone.bodies.append((response.url, response.body()))
        except Exception:  # an answer without a body, or of a page that was left
            phone.bodies.append((response.url, b""))

    def said(kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            phone.complaints.append(text)

    context.on("response", came)
    page.on("console", lambda message: said(message.type, message.text))
    page.on("pageerror", lambda error: phone.complaints.append(str(error)))
    return phone
