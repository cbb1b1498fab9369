"""What printing costs: the whole game, in seconds, megabytes and memory.

Beside it, in the same run, the least that ReportLab needs: a program that does nothing but write
as many files with as many pages, paths of as many segments, and texts.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pikepdf

from coatl_tools.files.data_paths import LANGUAGE_CODES

LANGUAGES = LANGUAGE_CODES
_PAINT = {"f", "F", "f*", "S", "s", "B", "B*", "b", "b*"}
_SEGMENT = {"m", "l", "c", "v", "y", "re"}
_SHOW = {"Tj", "TJ", "'", '"'}

_BARE = """
import io, sys
import font_source_sans_pro
from pathlib import Path
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
file = Path(font_source_sans_pro.__file__).parent / "files" / "SourceSansPro-Regular.ttf"
pdfmetrics.registerFont(TTFont("Text", str(file)))
for line in sys.stdin.read().split():
    pages, paths, segments, texts = map(int, line.split(","))
    canvas = Canvas(io.BytesIO(), pageCompression=1, initialFontName="Text")
    for page in range(pages):
        for i in range(paths // pages):
            path = canvas.beginPath()
            path.moveTo(10.5, 20.25)
            for j in range(segments // max(1, paths)):
                path.curveTo(10.5 + j, 20.25, 30.125, 40.75 + i, 50.5, 60.25)
            canvas.setFillColorRGB(0.5, 0.25, 0.125)
            canvas.drawPath(path, stroke=0, fill=1)
        canvas.setFont("Text", 9)
        for i in range(texts // pages):
            canvas.drawString(10.5, 20.25 + i, "a line of text")
        canvas.showPage()
    canvas.save()
"""


@dataclass(frozen=True)
class Cost:
    """What one run of a program took."""

    seconds: float
    peak: float  # megabytes

    def __str__(self) -> str:
        return f"{self.seconds:6.2f} s {self.peak:6.0f} MB of memory"


def main(rounds: int = 3, languages: tuple[str, ...] = LANGUAGES, what: str = "all") -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "out"
        one = [_printed(out, languages[:1], what) for _ in range(rounds)]
        files = sorted(out.glob("*.pdf"))
        shapes = [_shapes(file) for file in files]
        size = sum(file.stat().st_size for file in files) / 1e6
        pages = sum(count[0] for count in shapes)
        given = "\n".join(",".join(map(str, count)) for count in shapes)
        bare = [_run([sys.executable, "-c", _BARE], given) for _ in range(rounds)]
        best, least = _best(one), _best(bare)
        print(f"{len(files)} files, {pages} pages, {sum(s[1] for s in shapes):,} different shapes")
        print(f"the game in one language:  {best}, {size:.2f} MB of files")
        print(f"the least with ReportLab:  {least}")
        print(f"ratio:                     {best.seconds / least.seconds:6.2f} ×")
        if len(languages) > 1:
            more = _best([_printed(out, languages, what) for _ in range(rounds)])
            print(f"the game in {len(languages)} languages:   {more}")


def _printed(out: Path, languages: tuple[str, ...], what: str) -> Cost:
    """Return the command as users run it, once for each language."""
    command = [sys.executable, "-m", "coatl_tools", "print", "--what", what, "--out", str(out)]
    runs = [_run([*command, "--lang", language]) for language in languages]
    return Cost(sum(run.seconds for run in runs), max(run.peak for run in runs))


def _best(costs: list[Cost]) -> Cost:
    return min(costs, key=lambda cost: cost.seconds)


def _run(command: list[str], given: str = "") -> Cost:
    """Time a program from outside."""
    read, write = os.pipe()
    begin = time.perf_counter()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    redirected = [(os.POSIX_SPAWN_DUP2, read, 0), (os.POSIX_SPAWN_DUP2, nowhere, 1)]
    actions = [*redirected, (os.POSIX_SPAWN_CLOSE, write)]
    child = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    os.close(read)
    with os.fdopen(write, "w") as pipe:
        pipe.write(given)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begin
    os.close(nowhere)
    if status:
        raise RuntimeError(f"{' '.join(command[:5])} failed")
    return Cost(seconds, usage.ru_maxrss / 1024)


def _shapes(file: Path) -> tuple[int, int, int, int]:
    """Pages, paths, their segments, and texts of a file; what is stored once counts once."""
    count: Counter[str] = Counter()
    with pikepdf.open(file) as pdf:
        for page in pdf.pages:
            _count(page, count)
        for item in pdf.objects:
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form":
                _count(item, count)
        return len(pdf.pages), count["path"], count["segment"], count["text"]


def _count(stream: pikepdf.Page | pikepdf.Object, count: Counter[str]) -> None:
    for instruction in pikepdf.parse_content_stream(stream):
        operator = str(instruction.operator)
        count["path"] += operator in _PAINT
        count["segment"] += operator in _SEGMENT
        count["text"] += operator in _SHOW
