"""The text of the printed pages: `carddata/pages/*.md`, in a small markup, checked when read.

| markup | what it is |
|---|---|
| `# key / Title / Subtitle` | a page begins |
| `## key / Title / 3.1, 3.2` | a section of it, with the numbers of its rules |
| `text` | a paragraph, up to the next empty line |
| `- text`, `1. text` | an entry of a list; `1. @icon text` has a picture |
| `![figure / label / label]` | a picture with its labels |
| `**bold**`, `[3.2]` | strong words, the number of a rule |
| `~` | a space where no line breaks |
| `{R}`, `{R+}`, `{!R}`, `{*}`, `{*+}` | a piece as cards show it: one, a run, crossed out, any |
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from coatl_tools.cards.requirement import SequenceElement
from coatl_tools.errors import CardDataError
from coatl_tools.files.data_paths import CARDDATA, ENGLISH
from coatl_tools.files.json_files import FileProblem, describe_unreadable
from coatl_tools.language import NO_BREAK_SPACE
from coatl_tools.pieces import Colour
from coatl_tools.printing.drawing.typography import add_no_break_spaces

PAGES_FOLDER = CARDDATA / "pages"
# The sections that each page must have, in this order.
PAGE_SECTIONS: dict[str, tuple[str, ...]] = {
    "rules1": ("goal", "contents", "setup", "turn", "take", "choose", "assemble", "complete"),
    "rules2": (
        "sacrifice", "satisfy", "scoring", "end", "rulings",
        "editions", "variants", "example",
    ),
    "solo": ("solo_setup", "adam_turn", "needs", "solo_end", "levels", "adam_example"),
    "mat": (),
    "reference": (),
}  # fmt: skip
# How many labels a figure has.
FIGURE_LABEL_COUNTS: dict[str, int] = {
    "coatl": 3, "contents": 9, "deal": 7, "actions": 4, "supply": 4, "signs": 6, "example": 5,
    "adam": 4, "mat": 4, "reading": 6, "cards": 7,
}  # fmt: skip
STEP_ICONS = ("search", "place", "fulfil", "refill")
_INLINE_PATTERN = re.compile(r"\*\*(.+?)\*\*|\{([^}]*)\}|\[([^\]]*)\]")
_SIGN_PATTERN = re.compile(r"(!?)([RGBYK*])(\+?)")
_RULE_NUMBERS_PATTERN = re.compile(r"\d+(\.\d+)?(–\d+(\.\d+)?)?(, \d+(\.\d+)?(–\d+(\.\d+)?)?)*")


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text in one weight."""

    text: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class PieceSign:
    """A piece inside a text: an element of a sequence, or one crossed out."""

    element: SequenceElement
    crossed: bool = False


@dataclass(frozen=True, slots=True)
class RuleNumbers:
    """References to rules, by their numbers."""

    text: str


Inline: TypeAlias = TextRun | PieceSign | RuleNumbers


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or an entry of a list."""

    kind: Literal["text", "bullet", "step"]
    inlines: tuple[Inline, ...]
    number: int = 0
    icon: str = ""


@dataclass(frozen=True, slots=True)
class FigureBlock:
    """A picture with its labels."""

    name: str
    labels: tuple[str, ...]


PageBlock: TypeAlias = Paragraph | FigureBlock


@dataclass(slots=True)
class PageSection:
    """A section: its title, the rules it tells, and what stands in it."""

    key: str
    title: str
    rules: str
    blocks: list[PageBlock] = field(default_factory=list)


@dataclass(slots=True)
class PageText:
    """A page: its title, what runs across it, and its sections."""

    key: str
    title: str
    subtitle: str
    blocks: list[PageBlock] = field(default_factory=list)
    sections: list[PageSection] = field(default_factory=list)

    def find_figure(self, name: str) -> FigureBlock:
        """Find a figure that runs across the page."""
        return next(b for b in self.blocks if isinstance(b, FigureBlock) and b.name == name)


@lru_cache(maxsize=32)
def load_pages(code: str) -> dict[str, PageText]:
    """Load the pages of a language by key; missing sections are taken from English.

    Raises CardDataError with every problem.
    """
    english = PagesFile(PAGES_FOLDER / f"{ENGLISH}.md", ENGLISH)
    path = PAGES_FOLDER / f"{code}.md"
    if code == ENGLISH or not path.exists():
        return english.checked_pages()
    return PagesFile(path, code).checked_pages(english)


class PagesFile:
    """A file of pages as it was read: its pages, and what is wrong with them or missing."""

    def __init__(self, path: Path, code: str) -> None:
        """Read a file; mistakes are collected as problems, not raised."""
        self.path, self.code = path, code
        self.pages: dict[str, PageText] = {}
        self.problems: list[FileProblem] = []
        self.missing: list[FileProblem] = []
        self._page: PageText | None = None
        self._last = 0
        try:
            text = path.read_text("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            message = describe_unreadable(path, error)
            self.problems.append(FileProblem(str(path), 0, 0, "", message))
            return
        for self._last, chunk in _split_chunks(text):
            self._parse_chunk(self._last, chunk)
        self._check_sections()

    def compare_figures(self, english: PagesFile) -> Iterator[str]:
        """Yield a problem for each page or section whose figures differ from the English ones."""
        for key, page in self.pages.items():
            if (wanted := english.pages.get(key)) is None:
                continue  # an unknown page, which is a problem already
            parts = {section.key: section.blocks for section in wanted.sections}
            for name, blocks, known in (
                (f'page "{key}"', page.blocks, wanted.blocks),
                *(
                    (f'section "{one.key}"', one.blocks, parts.get(one.key, one.blocks))
                    for one in page.sections
                ),
            ):
                figures = [block.name for block in known if isinstance(block, FigureBlock)]
                if figures != [block.name for block in blocks if isinstance(block, FigureBlock)]:
                    yield f"{name} must have these figures: {', '.join(figures) or 'none'}"

    def checked_pages(self, english: PagesFile | None = None) -> dict[str, PageText]:
        """Return the pages, with missing ones and missing sections taken from English.

        Raises CardDataError with every problem; without English pages, anything missing is one.
        """
        problems = [str(problem) for problem in self.problems]
        if english is None:
            problems += [str(problem) for problem in self.missing]
        elif not problems:
            problems += self.compare_figures(english)
        if problems:
            raise CardDataError("print.page_problems", problems=tuple(problems))
        if english is None or not self.missing:
            return self.pages
        whole = english.checked_pages()
        return {key: _complete(self.pages.get(key), page) for key, page in whole.items()}

    def _parse_chunk(self, line: int, text: str) -> None:
        if text.startswith("## "):
            self._section(line, text[3:])
        elif text.startswith("# "):
            self._new_page(line, text[2:])
        elif self._page is None:
            self._add_problem(line, "stands before the first page: begin with `# key / Title`")
        else:
            sections = self._page.sections
            block = self._figure(line, text) if text.startswith("![") else self._entry(line, text)
            if block is not None:
                (sections[-1].blocks if sections else self._page.blocks).append(block)

    def _check_sections(self) -> None:
        for key, wanted in PAGE_SECTIONS.items():
            if key not in self.pages:
                self._lacks(f'page "{key}" is missing')
                continue
            found = tuple(section.key for section in self.pages[key].sections)
            for name in wanted:
                if name not in found:
                    self._lacks(f'section "{name}" of page "{key}" is missing')
            if found != (ordered := tuple(name for name in wanted if name in found)):
                self._add_problem(
                    self._last, f'page "{key}": its order must be {", ".join(ordered)}'
                )

    def _add_problem(self, line: int, message: str) -> None:
        self.problems.append(FileProblem(str(self.path), line, 1, "", message))

    def _lacks(self, message: str) -> None:
        self.missing.append(FileProblem(str(self.path), self._last, 1, "", message))

    def _spaced(self, text: str) -> str:
        return add_no_break_spaces(text, self.code).replace("~", NO_BREAK_SPACE)

    def _parts(self, text: str, count: int) -> list[str]:
        parts = [self._spaced(part.strip()) for part in text.split(" / ")]
        return [*parts, *[""] * (count - len(parts))]

    def _new_page(self, line: int, text: str) -> None:
        key, title, subtitle, *more = self._parts(text, 3)
        if key not in PAGE_SECTIONS or key in self.pages or more or not title:
            self._add_problem(
                line,
                f'"{text}" is no page: `key / Title / Subtitle`, each key once, '
                f"of {', '.join(PAGE_SECTIONS)}",
            )
        self._page = self.pages.setdefault(key, PageText(key, title, subtitle))

    def _section(self, line: int, text: str) -> None:
        key, title, rules, *more = self._parts(text, 3)
        known = PAGE_SECTIONS.get(self._page.key, ()) if self._page else ()
        if self._page is None or key not in known or more or not title:
            self._add_problem(line, f'"{text}" is no section of this page: `key / Title / rules`, '
                        f"one of {', '.join(known)}")  # fmt: skip
            return
        if any(section.key == key for section in self._page.sections):
            self._add_problem(line, f'section "{key}" stands twice')
        self._check_rules(line, rules)
        self._page.sections.append(PageSection(key, title, rules))

    def _check_rules(self, line: int, rules: str) -> None:
        if rules and not _RULE_NUMBERS_PATTERN.fullmatch(rules):
            self._add_problem(line, f'"{rules}" are no rule numbers: write 3.1 or 3.1–3.4, 4.2')

    def _figure(self, line: int, text: str) -> FigureBlock | None:
        if not text.endswith("]"):
            self._add_problem(line, "a figure ends with ]")
            return None
        name, *labels = self._parts(text[2:-1], 1)
        if name not in FIGURE_LABEL_COUNTS:
            self._add_problem(
                line, f'unknown figure "{name}": one of {", ".join(FIGURE_LABEL_COUNTS)}'
            )
            return None
        if len(labels) != FIGURE_LABEL_COUNTS[name]:
            self._add_problem(
                line, f'"{name}" has {FIGURE_LABEL_COUNTS[name]} labels, not {len(labels)}'
            )
            return None
        return FigureBlock(name, tuple(labels))

    def _entry(self, line: int, text: str) -> Paragraph:
        if text.startswith("- "):
            return Paragraph("bullet", self._inlines(line, text[2:]))
        if step := re.match(r"(\d+)\. (?:@(\w+) )?", text):
            icon = step[2] or ""
            if icon and icon not in STEP_ICONS:
                self._add_problem(line, f'unknown icon "{icon}": one of {", ".join(STEP_ICONS)}')
            return Paragraph("step", self._inlines(line, text[step.end() :]), int(step[1]), icon)
        return Paragraph("text", self._inlines(line, text))

    def _inlines(self, line: int, text: str) -> tuple[Inline, ...]:
        text = self._spaced(text)
        found: list[Inline] = []
        end = 0
        for match in _INLINE_PATTERN.finditer(text):
            found.append(TextRun(text[end : match.start()]))
            end = match.end()
            bold, sign, rules = match.groups()
            if bold is not None:
                found.append(TextRun(bold, bold=True))
            elif rules is not None:
                self._check_rules(line, rules)
                found.append(RuleNumbers(rules))
            elif read := _SIGN_PATTERN.fullmatch(sign):
                colour = None if read[2] == "*" else Colour[read[2]]
                found.append(PieceSign(SequenceElement(colour, bool(read[3])), bool(read[1])))
            else:
                self._add_problem(
                    line, f"{{{sign}}} is no piece: write {{R}}, {{R+}}, {{!R}} or {{*+}}"
                )
        found.append(TextRun(text[end:]))
        plain = [one.text for one in found if isinstance(one, TextRun)]
        for part in plain:
            if "**" in part or re.search(r"[{}\[\]]", part):
                self._add_problem(line, f'"{part.strip()[:40]}" has a mark without its partner')
        return tuple(one for one in found if one != TextRun(""))


def _complete(page: PageText | None, english: PageText) -> PageText:
    """Return a page completed with the sections of the English one that it lacks."""
    if page is None:
        return english
    own = {section.key: section for section in page.sections}
    return replace(page, sections=[own.get(one.key, one) for one in english.sections])


def _split_chunks(text: str) -> Iterator[tuple[int, str]]:
    """Yield headings, figures, entries and paragraphs as single lines with line numbers."""
    begin, parts = 0, list[str]()
    for number, raw in enumerate([*text.splitlines(), ""], 1):
        line = raw.strip()
        opens = not line or re.match(r"#|!\[|- |\d+\. ", line)
        if opens and parts:
            yield begin, " ".join(parts)
            parts = []
        if line:
            begin = begin if parts else number
            parts.append(line)
            if line.startswith(("#", "![")):
                yield begin, line
                parts = []
