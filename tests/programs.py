"""The programs beside Python that tests use, each where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

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


@cache
def is_browser_driver_usable() -> bool:
    """Whether Playwright's own program runs here: it needs a library that it does not bring."""
    found = find_spec("playwright")
    if found is None or found.origin is None:
        return False
    driver = Path(found.origin).parent / "driver" / ("node.exe" if os.name == "nt" else "node")
    return subprocess.run([driver, "--version"], capture_output=True, check=False).returncode == 0


needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed"
)

needs_posix = pytest.mark.skipif(
    sys.platform == "win32", reason="terminals, signals and limits are others on Windows"
)
needs_ordinary_user = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="nothing is forbidden to root"
)
