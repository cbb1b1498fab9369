"""The HTML report of one photo: overlay, reading, problems, scores, and reader stages."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import PurePath

import cv2
import numpy as np

from coatl_tools.errors import escape_unprintable
from coatl_tools.language import Language
from coatl_tools.pieces import PieceKind
from coatl_tools.vision.reading import (
    PhotoReading,
    SeenPiece,
    describe_piece,
    describe_problem,
    format_percent,
)
from coatl_tools.vision.trace import Pixels, Trace

_STAGE_LABELS = {  # what people call the stages; any other is called what it calls itself
    "open": "report_open",
    "marks": "report_marks",
    "mat": "report_mat",
    "cards": "report_cards",
    "card text": "report_card_text",
    "unmarked cards": "report_unmarked_cards",
    "pieces": "report_pieces",
    "nearby": "report_nearby",
    "together": "report_together",
}
_WITNESS_LABELS = {  # likewise
    "mark": "report_by_mark",
    "text": "report_by_text",
    "words": "report_by_words",
    "frame": "report_by_frame",
    "points": "report_by_points",
    "row": "report_by_row",
}
_MAX_PICTURE_SIDE = 1600  # pixels of the long side of a picture
_STYLE = """
:root { color-scheme: light dark; --doubt: #ffb000;
  --ink: #241c17; --faint: #6b625a; --paper: #fbf8f2; --line: #ddd3c4 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f1ebe2; --faint: #a99f94; --paper: #1b1816; --line: #423a33 } }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; color: var(--ink);
  background: var(--paper); font: 16px/1.45 "Source Sans 3", "Source Sans Pro", sans-serif }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; overflow-wrap: anywhere }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem }
p { margin: .3rem 0 }
.faint, figcaption, th { color: var(--faint) }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 4px }
figure { margin: .8rem 0 }
table { border-collapse: collapse; margin: .3rem 0 }
th, td { text-align: left; padding: .15rem .9rem .15rem 0; border-bottom: 1px solid var(--line) }
tr.doubt td:first-child { border-left: 4px solid var(--doubt); padding-left: .4rem }
code, pre { font: .95em/1.4 ui-monospace, monospace }
pre { overflow-x: auto }
@media print {
  :root { --ink: #000; --faint: #444; --paper: #fff; --line: #bbb }
  body { max-width: none; padding: 0 }
  figure, tr { break-inside: avoid } }
"""


def render_report(
    reading: PhotoReading, drawn: Pixels, trace: Trace, language: Language, explained: str = ""
) -> str:
    """The page: the overlay, the reading as tables, what is not sure, the score, the stages.

    `explained` is the score in words, if somebody has worked it out.
    """
    name = escape_unprintable(PurePath(reading.file).name)
    title = language.label("report_title")
    width, height = reading.size
    size = language.label("report_size", width=width, height=height)
    parts = [
        f"<h1>{escape(name)}</h1>",
        f'<p class="faint">{escape(title)} · {escape(size)}</p>',
        _render_figure(drawn, "", ", ".join(seen.notation for seen in reading.coatls) or name),
        *_render_problems(reading, language),
        *(_render_coatl(reading, number, language) for number in range(len(reading.coatls))),
        *_render_cards(reading, language),
    ]
    if reading.strays:
        words = ", ".join(_describe_seen_piece(piece, language) for piece in reading.strays)
        parts.append(f"<p>{escape(language.label('read_strays', pieces=words))}</p>")
    if explained:
        parts.append(_render_heading(language.label("report_score")))
        parts.append(f"<pre>{escape(explained)}</pre>")
    parts += _render_stages(trace, language)
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="{language.code}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(name)}: {escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _render_heading(text: str) -> str:
    return f"<h2>{escape(text)}</h2>"


def _render_problems(reading: PhotoReading, language: Language) -> list[str]:
    if not reading.problems:
        return []
    lines = "".join(
        f"<li>{escape(describe_problem(problem, language))} "
        f"<code>{escape(problem.code)}</code></li>"
        for problem in reading.problems
    )
    return [_render_heading(language.label("report_problems")), f"<ul>{lines}</ul>"]


def _render_coatl(reading: PhotoReading, number: int, language: Language) -> str:
    seen = reading.coatls[number]
    key = "read_sure" if seen.sure else "read_unsure"
    said = language.label(key, percent=format_percent(seen.confidence, language))
    name = language.label("result_coatl", number + 1)
    heading = f"<h2>{escape(name)}: <code>{escape(seen.notation)}</code> {escape(said)}</h2>"
    if not seen.orientation_known:
        heading += f"<p>{escape(language.label('read_no_direction'))}</p>"
    rows = []
    for index, piece in enumerate(seen.pieces):
        doubtful = reading.doubts(number, index)
        colour, kind = piece.guesses(2)[-1]
        rows.append(
            (
                doubtful,
                [
                    f"{index + 1}{' ?' if doubtful else ''}",
                    _format_piece(piece),
                    _describe_seen_piece(piece, language),
                    _describe_confidence(piece, language),
                    describe_piece(colour, kind, language) if doubtful else "",
                ],
            )
        )
    columns = ["", "", language.label("report_piece"), language.label("report_confidence")]
    return heading + _render_grid([*columns, language.label("report_instead")], rows)


def _render_cards(reading: PhotoReading, language: Language) -> list[str]:
    if not reading.cards:
        return []
    rows = []
    for number, card in enumerate(reading.cards, start=1):
        whose = "" if card.coatl is None else language.label("result_coatl", card.coatl + 1)
        others = ", ".join(one for one in card.candidates if one != card.id)
        witnesses = ", ".join(
            _describe_witness(way, saw, language) for way, saw in card.witnesses.items()
        )
        sure = format_percent(card.confidence, language)
        called = f"c{number}{'' if card.sure else ' ?'}"
        rows.append((not card.sure, [called, card.id or "", sure, others, whose, witnesses]))
    columns = [
        "",
        language.label("card"),
        language.label("report_confidence"),
        language.label("report_instead"),
        language.label("report_belongs"),
        language.label("report_witnesses"),
    ]
    return [_render_heading(language.label("result_cards")), _render_grid(columns, rows)]


def _describe_witness(way: str, saw: str, language: Language) -> str:
    """What a witness saw; a frame has a colour or is that of a Temple card."""
    if way == "frame":
        frames = {colour.word: forms["name"] for colour, forms in language.colours.items()}
        saw = (frames | {"temple": language.label("temple")}).get(saw, saw)
    called = language.label(_WITNESS_LABELS[way]) if way in _WITNESS_LABELS else way
    return language.label("report_saw", way=called, saw=saw)


def _render_stages(trace: Trace, language: Language) -> list[str]:
    """What was done, in its order, then the pictures of it; no times, so that pages stay alike."""
    names = "".join(f"<li>{escape(_label_stage(name, language))}</li>" for name in trace.seconds)
    parts = [_render_heading(language.label("report_stages")), f"<ol>{names}</ol>"]
    last = ""
    for stage, name, picture in trace.shown:
        if stage != last:
            parts.append(f"<h3>{escape(_label_stage(stage, language))}</h3>")
            last = stage
        parts.append(_render_figure(picture, *[language.label(name)] * 2))
    return parts


def _label_stage(name: str, language: Language) -> str:
    return language.label(_STAGE_LABELS[name]) if name in _STAGE_LABELS else name


def _render_grid(columns: Sequence[str], rows: Iterable[tuple[bool, Sequence[str]]]) -> str:
    """A table; rows that are not sure are marked."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(
        ('<tr class="doubt">' if doubtful else "<tr>")
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for doubtful, cells in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _render_figure(picture: Pixels, name: str, alternative: str) -> str:
    height, width = picture.shape[:2]
    scale = min(1.0, _MAX_PICTURE_SIDE / max(1, width, height))
    if scale < 1:
        size = max(1, round(width * scale)), max(1, round(height * scale))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()
    source = f"data:image/jpeg;base64,{base64.b64encode(data).decode()}"
    caption = f"<figcaption>{escape(name)}</figcaption>" if name else ""
    return f'<figure><img src="{source}" alt="{escape(alternative)}">{caption}</figure>'


def _format_piece(piece: SeenPiece) -> str:
    """A piece as it is written, with its symbol."""
    head, tail = "<" * (piece.kind is PieceKind.HEAD), ">" * (piece.kind is PieceKind.TAIL)
    return f"{head}{piece.colour.symbol}{piece.colour.name}{tail}"


def _describe_seen_piece(piece: SeenPiece, language: Language) -> str:
    return describe_piece(piece.colour, piece.kind, language)


def _describe_confidence(piece: SeenPiece, language: Language) -> str:
    if piece.corrected:
        return language.label("read_corrected")
    return format_percent(piece.confidence, language)
