"""Jobs that do what real ones should not; here so that another process can import them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from coatl_tools.errors import FileError
from coatl_tools.web.work.worker_process import ProgressCallback


def add(_: ProgressCallback, first: int, second: int) -> int:
    return first + second


def number(_: ProgressCallback) -> int:
    return os.getpid()


def count(tell: ProgressCallback, steps: int) -> str:
    for step in range(steps):
        tell((step + 1) / steps, f"step_{step}")
    return "counted"


def find(tell: ProgressCallback, most: int) -> None:
    """Tell of something small, of something too large, and of nothing new."""
    tell(0.3, "", b"some")
    tell(0.6, "", bytes(most))
    tell(0.9, "")


def hang(tell: ProgressCallback) -> None:
    tell(0.5, "hanging")
    time.sleep(300)


def hang_without_letting_go(tell: ProgressCallback) -> None:
    """No other thread of the process runs meanwhile."""
    tell(0.5, "hanging")
    sys.setswitchinterval(1e6)
    while True:
        pass


def start_and_hang(tell: ProgressCallback) -> None:
    """As a photo does whose text Tesseract reads."""
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
    tell(0.5, str(started.pid))
    time.sleep(300)


def leave(_: ProgressCallback) -> None:
    os._exit(3)


def be_killed(_: ProgressCallback) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def crash(_: ProgressCallback) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def hog(_: ProgressCallback) -> int:
    return len(bytearray(3 << 30))


def hog_pixels(_: ProgressCallback) -> object:
    import cv2
    import numpy as np

    return cv2.resize(np.zeros((9, 9), np.uint8), (60_000, 30_000))


def refuse(_: ProgressCallback, name: str) -> None:
    raise FileError("photo.no_image", path=Path(name))


def refuse_for_memory(_: ProgressCallback) -> None:
    raise FileError("photo.memory", path=Path("x")) from MemoryError()


def stumble(_: ProgressCallback) -> None:
    raise ZeroDivisionError("by nothing")


def answer_what_cannot_travel(_: ProgressCallback) -> object:
    return lambda: None


def quit_early(_: ProgressCallback) -> None:
    sys.exit(7)


def chatter(_: ProgressCallback) -> None:
    print("noise", flush=True)
    os.write(2, b"more noise\n")


def heed_interrupts(_: ProgressCallback) -> str:
    os.kill(os.getpid(), signal.SIGINT)
    return "unmoved"
