"""The link that phones follow to a table, and its QR code."""

from __future__ import annotations

import io
from dataclasses import dataclass
from urllib.parse import quote

import segno

from coatl_tools.web.server.app_state import AppState


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


def make_join_link(app_state: AppState, table: str | None = None) -> JoinLink:
    """Make the link that phones scan or type; it leads to a table, if one is named."""
    code, url = app_state.sessions.code, app_state.address.url
    table = table or app_state.only_table
    to = f"&to=/table/{quote(table)}" if table else ""
    return JoinLink(url, code, f"{url}/join?code={code}{to}")
