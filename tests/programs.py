"""The programs beside Python that tests use, each where it is installed."""

from __future__ import annotations

import os
import shutil
import sys

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
BROWSER_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed"
)

needs_posix = pytest.mark.skipif(
    sys.platform == "win32", reason="terminals, signals and limits are others on Windows"
)
needs_ordinary_user = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="nothing is forbidden to root"
)
