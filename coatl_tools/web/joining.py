"""How phones come in: an address with the code in it, and its picture for a camera."""

from __future__ import annotations

import io
from dataclasses import dataclass
from urllib.parse import quote

import segno

from coatl_tools.web.house import House


@dataclass(frozen=True, slots=True)
class JoiningCode:
    """The address for phones, the code that it carries, and where it leads."""

    address: str
    code: str
    link: str

    def svg(self) -> str:
        """The link as a QR code, to stand in a page."""
        made = segno.make(self.link, error="m")
        return made.svg_inline(scale=4, border=2, dark="#000000", light="#ffffff", omitsize=True)

    def terminal(self) -> str:
        """The link as a QR code for a terminal."""
        text = io.StringIO()
        segno.make(self.link, error="l").terminal(text, border=2, compact=True)
        return text.getvalue()


def joining_code(house: House, table: str | None = None) -> JoiningCode:
    """What phones scan or type to come in: to a table, if one is named."""
    code, url = house.visitors.code, house.address.url
    table = table or house.only
    to = f"&to=/table/{quote(table)}" if table else ""
    return JoiningCode(url, code, f"{url}/join?code={code}{to}")
