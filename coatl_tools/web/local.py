"""Addresses that come from a request and must stay inside these pages."""

from __future__ import annotations

from urllib.parse import urlsplit


def local_path(text: str) -> str:
    """An address of ours, with what is asked behind it; the first page for anything else.

    >>> local_path("/cards?q=red"), local_path("//evil.example/"), local_path("https://evil.example")
    ('/cards?q=red', '/', '/')
    """
    plain = text.isprintable() and "\\" not in text and len(text) < 4000
    if not plain or not text.startswith("/") or text.startswith("//"):
        return "/"
    parts = urlsplit(text)
    return text if not parts.scheme and not parts.netloc else "/"
