"""The printed pages: their text, how it is set, and that what they say is true."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from coatl_tools import load_cards
from coatl_tools.components.components_file import load_components
from coatl_tools.errors import CardDataError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.surface import TextOverflowError
from coatl_tools.printing.items import Design, Item
from coatl_tools.printing.layouts import THEME_NAMES, ThemeName
from coatl_tools.printing.pages import page_blocks as page_adam
from coatl_tools.printing.pages import page_blocks as page_example
from coatl_tools.printing.pages.page_items import make_page_items
from coatl_tools.printing.pages.page_text import (
    PAGE_SECTIONS,
    PAGES_FOLDER,
    FigureBlock,
    PageBlock,
    PagesFile,
    PageText,
    Paragraph,
    PieceSign,
    RuleNumbers,
    TextRun,
    load_pages,
)
from coatl_tools.printing.paper.papers import PaperSize, SheetsLayout
from tests.parameters import sample
from tests.printing.sample_faces import make_pdf_of_faces
from tests.rules.positions import plan, row, scene

ROOT = Path(__file__).parents[2]
CARDS = list(load_cards())
COMPONENTS = load_components()


def design(code: str, theme: ThemeName = "full") -> Design:
    return Design(load_language(code), theme)


def paper(name: str) -> PaperSize:
    return design("en").layouts.load("sheets", SheetsLayout).papers[name]


def printed(items: list[Item]) -> bytes:
    return make_pdf_of_faces(*(face for item in items for face in (item.front, item.back) if face))


@lru_cache
def texts_on_paper(code: str, paper_name: str, theme: ThemeName) -> list[str]:
    size = paper(paper_name)
    items = make_page_items(design(code, theme), size, CARDS, COMPONENTS)
    assert [(item.name, item.back is not None) for item in items] == [
        ("rules", True),
        ("solo", True),
        ("mat", False),
    ]
    pdf = pypdfium2.PdfDocument(printed(items))
    shown = [page.get_textpage().get_text_bounded() for page in pdf]
    rules1, rules2, solo, reference, mat = shown  # the reference is the back of the solo page
    return [rules1, rules2, solo, mat, reference]


def words(text: str) -> set[str]:
    return set(text.replace("\u00a0", " ").split())


def blocks(page: PageText) -> list[PageBlock]:
    return [*page.blocks, *(block for section in page.sections for block in section.blocks)]


def said(page: PageText) -> list[str]:
    """Every text of a page, as it should be found on paper."""
    found = [page.title, page.subtitle, *(section.title for section in page.sections)]
    for block in blocks(page):
        if isinstance(block, FigureBlock):
            found += block.labels
        else:
            found += [one.text for one in block.inlines if isinstance(one, TextRun)]
    return found


def shape(block: PageBlock) -> object:
    """What is the same in every language."""
    if isinstance(block, FigureBlock):
        return block.name
    inlines = [
        inline if not isinstance(inline, TextRun) else "bold"
        for inline in block.inlines
        if not isinstance(inline, TextRun) or inline.bold
    ]
    signs = [inline for inline in inlines if isinstance(inline, PieceSign)]
    rules = [inline for inline in inlines if isinstance(inline, RuleNumbers)]
    return block.kind, block.number, block.icon, signs, rules, inlines.count("bold")


def structure(code: str) -> object:
    return [
        (
            page.key,
            [shape(block) for block in page.blocks],
            [
                (section.key, section.rules, [shape(block) for block in section.blocks])
                for section in page.sections
            ],
        )
        for page in load_pages(code).values()
    ]


@pytest.mark.parametrize("code", [code for code in LANGUAGE_CODES if code != "en"])
def test_all_languages_say_the_same_things_in_the_same_order(code: str) -> None:
    assert structure(code) == structure("en")


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_every_section_is_there_and_says_something(code: str) -> None:
    pages = load_pages(code)
    assert list(pages) == list(PAGE_SECTIONS)
    for key, page in pages.items():
        assert tuple(section.key for section in page.sections) == PAGE_SECTIONS[key]
        assert all(section.blocks for section in page.sections)


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_every_letter_can_be_shown(code: str) -> None:
    text = (PAGES_FOLDER / f"{code}.md").read_text("utf-8")
    for face in fonts.FONT_FACES:
        assert {ord(char) for char in text} - {ord("\n")} <= set(
            fonts.load_font(face).face.charToGlyph
        )


def test_every_rule_that_is_cited_exists() -> None:
    rules = (ROOT / "docs" / "rules.md").read_text("utf-8")
    known = set(re.findall(r"\*\*(\d+\.\d+)\*\*", rules))
    cited = re.findall(r"\d+\.\d+", (PAGES_FOLDER / "en.md").read_text("utf-8"))
    assert len(cited) > 60
    assert set(cited) <= known


@pytest.mark.parametrize(
    ("code", "paper_name", "theme"),
    sample(
        product(LANGUAGE_CODES, ("a4", "letter"), THEME_NAMES),
        ("en", "letter", "low-ink"),
        ("fr", "a4", "full"),
        ("pl", "letter", "low-ink"),
        ("de", "letter", "full"),
    ),
)
def test_all_text_is_on_paper_in_whole_words(code: str, paper_name: str, theme: ThemeName) -> None:
    shown = texts_on_paper(code, paper_name, theme)
    assert len(shown) == len(PAGE_SECTIONS)
    for page, text in zip(load_pages(code).values(), shown, strict=True):
        lost = {word for one in said(page) for word in words(one)} - words(text)
        # a word may touch the sign or the number of a rule behind it, and what a hyphen at the
        # end of a line parts is joined again
        on_paper = text.replace("\u00a0", " ")
        assert not {word for word in lost if word.removesuffix("-") not in on_paper}


def test_every_card_is_in_the_reference() -> None:
    *_, reference = texts_on_paper("en", "letter", "low-ink")
    found = re.findall(r"\b[PT]\d\d\b", reference)
    assert sorted(found) == sorted(card.id for card in CARDS)


def test_no_cards_make_no_reference() -> None:
    items = make_page_items(design("en"), paper("a4"), [], COMPONENTS)
    assert [(item.name, item.back is None) for item in items] == [
        ("rules", False),
        ("solo", True),
        ("mat", True),
    ]


@pytest.mark.parametrize("paper_name", ["a4", "letter"])
def test_nothing_stands_in_the_margins(paper_name: str) -> None:
    size = paper(paper_name)
    margins = design("pl").layouts.load("sheets", SheetsLayout).page
    strange = replace(CARDS[0], id="A-LONG-ID-OF-MY-OWN", set="own")
    items = make_page_items(design("pl"), size, [*CARDS, strange], COMPONENTS)
    for page in pypdfium2.PdfDocument(printed(items)):
        picture = page.render(scale=2, grayscale=True).to_numpy()
        rows, columns = (np.where((picture < 250).any(axis=axis))[0] for axis in (1, 0))
        left, right = columns[0] / 144 * 25.4, (columns[-1] + 1) / 144 * 25.4
        top, bottom = rows[0] / 144 * 25.4, (rows[-1] + 1) / 144 * 25.4
        line = 0.5  # half the width of a frame, and a pixel
        assert top > margins.top - line
        assert left > margins.sides - line
        assert right < size.width - margins.sides + line
        assert bottom < size.height - margins.bottom + line


def test_a_long_list_of_cards_takes_more_pages() -> None:
    many = [replace(card, id=f"X{index:03}", set="own") for index, card in enumerate(CARDS * 2)]
    size = paper("a4")
    items = make_page_items(design("en"), size, [*CARDS, *many], COMPONENTS)
    pages = [item for item in items if item.name == "reference"]
    assert pages
    assert len({item.front.key for item in items}) == len(items)
    pdf = pypdfium2.PdfDocument(printed(items))
    text = " ".join(page.get_textpage().get_text_bounded() for page in pdf)
    assert set(re.findall(r"\bX\d\d\d\b", text)) == {card.id for card in many}


def test_the_example_is_what_the_scorer_counts() -> None:
    scores = page_example.score_example()
    assert [scored.card.id for scored in scores] == ["P29", "P10", "P05", "T03"]  # rule 5.4
    total = sum(scored.points for scored in scores)
    second = texts_on_paper("en", "a4", "full")[1]
    assert re.search(rf"\bTotal\s+{total}\b", second)


def test_adams_example_is_what_the_rules_do() -> None:
    spaces = " ".join([*page_adam.ADAM_EXAMPLE_SPACES, "KK", "RR", "<G", "<R", "G>", "R>"])
    before = " ".join(
        f"{card}:{there}".rstrip(":") for card, there, _ in page_adam.ADAM_EXAMPLE_ROW
    )
    state = scene(adam=before, turn=1, spaces=spaces, supply="P39 P40 P41 P42 P43 P44")
    found = plan(state)
    assert found.space == page_adam.ADAM_EXAMPLE_TAKEN
    (done, had, came), (second, there, passed), (third, _, _) = page_adam.ADAM_EXAMPLE_ROW
    assert spaces.split()[found.space - 1] == came
    assert found.fulfilled == (done,)
    assert found.row == row(f"{second}:{there}{passed} {third} P44")
    assert "".join(sorted(had + came)) == "".join(sorted((*found.discarded, *passed)))


def longer(page: PageText, times: int) -> PageText:
    """A page whose first paragraph is so many times as long."""
    changed = replace(
        page, sections=[replace(one, blocks=list(one.blocks)) for one in page.sections]
    )
    for section in changed.sections:
        for index, block in enumerate(section.blocks):
            if isinstance(block, Paragraph):
                section.blocks[index] = replace(block, inlines=block.inlines * times)
                return changed
    raise AssertionError


@pytest.mark.parametrize("key", ["rules1", "rules2", "solo"])
def test_a_text_that_is_too_long_is_refused(key: str) -> None:
    texts = load_pages("pl")
    for times, fits in ((2, True), (90, False)):
        changed = texts | {key: longer(texts[key], times)}
        arguments = (design("pl"), paper("a4"), CARDS, COMPONENTS, changed)
        if fits:
            assert make_page_items(*arguments)
        else:
            with pytest.raises(TextOverflowError, match=texts[key].title):
                make_page_items(*arguments)


def test_a_word_wider_than_its_column_is_refused() -> None:
    texts = load_pages("en")
    section = texts["solo"].sections[0]
    wide = Paragraph("bullet", (TextRun("Cóatl" * 20),))
    first = replace(section, blocks=[wide, *section.blocks])
    page = replace(texts["solo"], sections=[first, *texts["solo"].sections[1:]])
    with pytest.raises(TextOverflowError, match="CóatlCóatl"):
        make_page_items(design("en"), paper("a4"), CARDS, COMPONENTS, texts | {"solo": page})


def test_a_label_that_does_not_fit_its_figure_is_refused() -> None:
    texts = load_pages("en")
    figure = texts["mat"].find_figure("mat")
    long = FigureBlock("mat", (figure.labels[0], "pieces " * 40, *figure.labels[2:]))
    changed = texts | {"mat": replace(texts["mat"], blocks=[long])}
    size = paper("a4")
    items = make_page_items(design("en"), size, CARDS, COMPONENTS, changed)
    with pytest.raises(TextOverflowError, match="pieces pieces"):
        printed(items)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("![coatl /", "![serpent /", r'en\.md:7:1: unknown figure "serpent"'),
        ("![coatl / Head /", "![coatl /", r'"coatl" has 3 labels, not 2'),
        ("## goal /", "## gaol /", r'en\.md:3:1: "gaol / .*" is no section of this page'),
        ("## goal /", "## gaol /", r'section "goal" of page "rules1" is missing'),
        ("# mat /", "# mats /", r'page "mat" is missing'),
        ("## choose /", "## take /", r'section "take" stands twice'),
        ("{R+}~is", "{Q+}~is", r"\{Q\+\} is no piece"),
        ("**highest level**", "**highest level", "mark without its partner"),
        ("[3.1]", "[three]", '"three" are no rule numbers'),
        ("@search", "@find", 'unknown icon "find"'),
        ("# rules1 /", "Hello\n\n# rules1 /", r"en\.md:1:1: stands before the first page"),
        ("chin, towards you]", "chin, towards you", "a figure ends with ]"),
    ],
)
def test_a_mistake_in_the_text_is_found(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (PAGES_FOLDER / "en.md").read_text("utf-8")
    assert old in text
    path = tmp_path / "en.md"
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(CardDataError, match=message):
        PagesFile(path, "en").checked_pages()


def test_a_file_that_cannot_be_read_is_told_without_a_word_of_python(tmp_path: Path) -> None:
    with pytest.raises(CardDataError, match=r"xx\.md: there is no such file"):
        PagesFile(tmp_path / "xx.md", "en").checked_pages()
    (tmp_path / "xx.md").write_bytes(b"# ok\n\xff")
    with pytest.raises(
        CardDataError, match=r"xx\.md: is not text in UTF-8: byte 6 is not a letter"
    ):
        PagesFile(tmp_path / "xx.md", "en").checked_pages()
