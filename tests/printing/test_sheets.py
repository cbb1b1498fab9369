"""Things on sheets: backs behind fronts, marks outside, all measured in the finished file."""

from __future__ import annotations

import io
import math
import os
import subprocess
import sys
from dataclasses import replace
from itertools import combinations, pairwise, product
from typing import get_args

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools.cards.catalog import load_cards
from coatl_tools.errors import CommandLineError
from coatl_tools.language import load_language
from coatl_tools.printing.drawing.geometry import Box
from coatl_tools.printing.items import Design, Item
from coatl_tools.printing.paper.imposition import ImposedSheet, arrange_on_sheets
from coatl_tools.printing.paper.packing import list_grids
from coatl_tools.printing.paper.papers import (
    BACK_PRINTING_CHOICES,
    BACK_PRINTING_STEPS,
    BackPrinting,
    PaperSize,
)
from coatl_tools.printing.print_spec import PRINT_PARTS, PrintSpec
from tests.printing.pdf_positions import Form, Side, find_letters, map_to_back, read_sides
from tests.printing.sample_faces import (
    LAYOUT,
    make_arrow_face,
    make_items,
    make_legend,
    make_pdf_of_items,
)
from tests.strategies import example_count

HAIR = 0.01  # mm, and what fronts and backs may differ by
PAPERS = ("a4", "letter")
DUPLEX: tuple[BackPrinting, ...] = ("duplex-long", "duplex-short")


def assert_behind(front: Form, back: Form, side: Side, backs: BackPrinting) -> None:
    """The card is turned like a page of a book: its right upper corner comes behind the left."""
    left_top, right_top, right_low, left_low = back.corners
    expected = (right_top, left_top, left_low, right_low)
    for corner, wanted in zip(front.corners, expected, strict=True):
        if backs == "fold":  # the right half comes behind the left one
            seen = (side.width - corner[0], corner[1])
        else:
            seen = map_to_back(corner, side.width, side.height, backs)
        assert math.dist(seen, wanted) < HAIR, (front.name, seen, wanted)


def assert_backs_behind_fronts(data: bytes, bleed: float, backs: BackPrinting, count: int) -> None:
    pages = read_sides(data, bleed)
    seen = 0
    pairs = [(page, page) for page in pages] if backs == "fold" else list(pairwise(pages))[::2]
    for front, back in pairs:
        assert (front.width, front.height) == (back.width, back.height)
        backs_by_name = {form.name.replace("-back", ""): form for form in back.forms}
        for form in front.forms:
            if "-front" in form.name:
                seen += 1
                partner = backs_by_name[form.name.replace("-front", "")]
                assert_behind(form, partner, front, backs)
    assert seen == count


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("backs", [*DUPLEX, "fold"])
@pytest.mark.parametrize("bleed", [0.0, 3.0])
def test_every_back_lies_exactly_behind_its_front(
    paper: str, backs: BackPrinting, bleed: float
) -> None:
    data = make_pdf_of_items(make_items(14, 63, 88), paper, backs, bleed)
    assert_backs_behind_fronts(data, bleed, backs, 14)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("backs", [*DUPLEX, "fold"])
def test_every_card_of_the_game_has_its_own_kind_of_back_behind_it(
    paper: str, backs: BackPrinting
) -> None:
    cards = load_cards().deck(promo=True)
    spec = PrintSpec(Design(load_language("en")), cards, card_size="63x88")
    items = [_unpainted(item) for item in PRINT_PARTS["cards"].make_items(spec)]
    seen = 0
    pages = read_sides(make_pdf_of_items(items, paper, backs))
    pairs = [(page, page) for page in pages] if backs == "fold" else list(pairwise(pages))[::2]
    back_names = {item.back.key for item in items if item.back}
    for front, back in pairs:
        behind_all = [form for form in back.forms if _key(form) in back_names]
        for form in front.forms:
            if _key(form) in back_names:
                continue
            item = next(item for item in items if item.front.key == _key(form))
            (partner,) = (other for other in behind_all if _is_behind(form, other, front, backs))
            assert item.back is not None
            assert _key(partner) == item.back.key
            seen += 1
    assert seen == len(items) == sum(card.copies for card in cards)


def _unpainted(item: Item) -> Item:
    """A card that is only an outline: where it lies is all that matters."""
    assert item.back is not None
    front, back = (replace(side, draw=lambda _: None) for side in (item.front, item.back))
    return Item(item.name, front, back)


def _key(form: Form) -> str:
    return form.name.removesuffix("-0").split(".")[-1]


def _is_behind(front: Form, back: Form, side: Side, backs: BackPrinting) -> bool:
    try:
        assert_behind(front, back, side, backs)
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("backs", DUPLEX)
@pytest.mark.parametrize("size", [(210, 297), (297, 210)])
def test_both_sides_of_a_whole_page_lie_behind_each_other(
    backs: BackPrinting, size: tuple[float, float]
) -> None:
    data = make_pdf_of_items(make_items(2, *size), "a4", backs)
    assert [(round(page.width), round(page.height)) for page in read_sides(data)] == [size] * 4
    assert_backs_behind_fronts(data, 0, backs, 2)


@pytest.mark.parametrize("backs", DUPLEX)
def test_unlike_things_share_sheets_and_keep_their_backs(backs: BackPrinting) -> None:
    items = [*make_items(12, 32, 32, name="T", round_=True), *make_items(1, 90, 60, name="M")]
    data = make_pdf_of_items(items, "a4", backs)
    assert len(read_sides(data)) == 2
    assert_backs_behind_fronts(data, 2, backs, 13)  # round things are painted beyond their edge


def test_the_printer_is_told_how_to_turn_the_sheets() -> None:
    def hint(backs: BackPrinting) -> str:
        with pikepdf.open(
            io.BytesIO(make_pdf_of_items(make_items(1, 63, 88), "a4", backs))
        ) as found:
            return str(found.Root.ViewerPreferences.Duplex)

    assert [hint(backs) for backs in BACK_PRINTING_CHOICES] == [
        "/DuplexFlipLongEdge",
        "/DuplexFlipShortEdge",
        "/Simplex",
        "/Simplex",
    ]


def counts(data: bytes) -> list[int]:
    return [len(page.forms) for page in read_sides(data)]


@pytest.mark.parametrize("paper", PAPERS)
def test_nine_poker_cards_share_their_cuts(paper: str) -> None:
    (page, _) = read_sides(make_pdf_of_items(make_items(9, 63.5, 88.9), paper))
    lefts = sorted({round(form.box[0], 3) for form in page.forms})
    tops = sorted({round(form.box[1], 3) for form in page.forms})
    assert [round(b - a, 3) for a, b in pairwise(lefts)] == [63.5, 63.5]
    assert [round(b - a, 3) for a, b in pairwise(tops)] == [88.9, 88.9]


def test_with_bleed_cards_lie_on_their_side_if_more_fit_so() -> None:
    assert counts(make_pdf_of_items(make_items(16, 63, 88), "a4", bleed=3)) == [8, 8, 8, 8]
    assert counts(make_pdf_of_items(make_items(8, 63.5, 88.9), "a4", bleed=3)) == [8, 8]
    assert counts(make_pdf_of_items(make_items(12, 63, 88), "letter", bleed=3)) == [6, 6, 6, 6]


def test_as_many_things_lie_side_by_side_as_fit_with_spacing_between_them() -> None:
    for spacing, room, columns in ((0, 180, 3), (5, 190, 3), (5, 189, 2)):
        grid = list_grids(60, 80, Box(0, 0, room, 80), spacing)[0]
        assert (grid.columns, grid.rows) == (columns, 1)


def test_folded_sheets_hold_four_cards() -> None:
    assert counts(make_pdf_of_items(make_items(5, 63, 88), "a4", "fold")) == [8, 2]


def test_things_without_backs_have_no_back_pages() -> None:
    assert counts(make_pdf_of_items(make_items(10, 63, 88, back=False))) == [9, 1]
    assert counts(make_pdf_of_items(make_items(10, 63, 88), backs="none")) == [9, 1]


def test_a_sheet_without_backs_does_not_shift_the_others() -> None:
    items = [*make_items(1, 190, 200, back=False, name="A"), *make_items(1, 180, 200, name="B")]
    pages = read_sides(make_pdf_of_items(items))
    assert [(page.side, len(page.forms)) for page in pages] == [
        ("front", 1),
        ("back", 0),
        ("front", 1),
        ("back", 1),
    ]
    pages = read_sides(make_pdf_of_items(items[::-1]))
    assert [page.side for page in pages] == ["front", "back", "front"]


def test_what_cannot_be_folded_gets_a_second_sheet_for_its_back() -> None:
    pages = read_sides(make_pdf_of_items(make_items(1, 195, 180), backs="fold"))
    assert [[form.name[-5:] for form in page.forms] for page in pages] == [["ont-0"], ["ack-0"]]


def test_a_page_with_two_sides_is_two_sheets_without_backs() -> None:
    assert counts(make_pdf_of_items(make_items(1, 210, 297), backs="none")) == [1, 1]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("backs", BACK_PRINTING_CHOICES)
@pytest.mark.parametrize("bleed", [0.0, 1.5, 3.0])
def test_marks_ruler_and_stamp_stay_off_the_things(
    paper: str, backs: BackPrinting, bleed: float
) -> None:
    data = make_pdf_of_items(make_items(10, 63.5, 88.9), paper, backs, bleed)
    for index, page in enumerate(read_sides(data, bleed)):
        kept = [_wider(trim, bleed) for trim in page.trims]
        written = find_letters(data, index)
        boxes = [box for _, box in written] + [_box_of(line) for line in page.lines]
        for box in boxes:
            assert not any(_touch(box, thing) for thing in kept), (index, box)
        for _, box in written:
            assert min(box[0], box[1], page.width - box[2], page.height - box[3]) >= 4.5


def _wider(box: tuple[float, ...], by: float) -> tuple[float, ...]:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _box_of(line: tuple[tuple[float, float], tuple[float, float]]) -> tuple[float, ...]:
    (x1, y1), (x2, y2) = line
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _touch(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return (
        one[0] < other[2] - HAIR
        and other[0] < one[2] - HAIR
        and one[1] < other[3] - HAIR
        and other[1] < one[3] - HAIR
    )


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    "items",
    [make_items(9, 63.5, 88.9), make_items(1, 210, 297), make_items(12, 30, 30, round_=True)],
    ids=["cards", "page", "tokens"],
)
def test_every_side_has_a_ruler_of_100_millimetres_and_a_stamp(
    paper: str, items: list[Item]
) -> None:
    if items[0].front.width == 210:
        size = LAYOUT.find_paper(paper)
        items = make_items(1, size.width, size.height)
    data = make_pdf_of_items(items, paper, "duplex-short")
    for index, page in enumerate(read_sides(data)):
        lengths = [math.dist(*line) for line in page.lines]
        assert len([length for length in lengths if abs(length - 100) < 0.005]) == 1
        written = "".join(char for char, _ in find_letters(data, index))
        assert "100mm" in written
        assert f"Cards·English·sheet1of1·{page.side}·CóatlTools" in written


def test_the_boxes_of_a_page_enclose_its_things() -> None:
    for bleed in (0.0, 3.0):
        for page in read_sides(make_pdf_of_items(make_items(10, 63, 88), bleed=bleed), bleed):
            around = (
                min(trim[0] for trim in page.trims),
                min(trim[1] for trim in page.trims),
                max(trim[2] for trim in page.trims),
                max(trim[3] for trim in page.trims),
            )
            assert page.trim_box == pytest.approx(around, abs=HAIR)
            assert page.bleed_box == pytest.approx(_wider(around, bleed), abs=HAIR)
            for form, trim in zip(page.forms, page.trims, strict=True):
                assert form.box == pytest.approx(trim, abs=HAIR)


@pytest.mark.parametrize("backs", ["duplex-long", "duplex-short", "fold", "none"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_cut_has_a_mark_also_where_bleed_leaves_little_room(
    paper: str, backs: BackPrinting
) -> None:
    for bleed, width, height in product((0, 2, 3), (57.15, 63.5, 70), (88, 88.9, 120)):
        cards = make_items(9, width, height)
        sheet, *_ = arrange_on_sheets(
            cards, LAYOUT.find_paper(paper), LAYOUT, make_legend(), backs, bleed
        )
        for put in sheet.items:
            for axis, edge in zip("xxyy", edges(put.box), strict=True):
                near = [
                    m for m in sheet.crop_marks if m.cut[0] == axis and abs(m.cut[1] - edge) < HAIR
                ]
                assert any(mark.length >= 1 for mark in near), (bleed, width, height, axis, edge)


@pytest.mark.parametrize("bleed", [0, 0.9, 3])
@pytest.mark.parametrize(("width", "height"), [(200, 88), (63.5, 287)])
def test_marks_stay_within_what_a_printer_prints(bleed: float, width: float, height: float) -> None:
    paper, free = LAYOUT.find_paper("a4"), LAYOUT.marks.edge
    cards = make_items(3, width, height)
    (sheet, *_) = arrange_on_sheets(cards, paper, LAYOUT, make_legend(), "none", bleed)
    assert sheet.crop_marks
    for mark in sheet.crop_marks:
        for x, y in ((mark.x1, mark.y1), (mark.x2, mark.y2)):
            assert free <= x <= paper.width - free
            assert free <= y <= paper.height - free


def edges(box: Box) -> tuple[float, float, float, float]:
    return box.x, box.right, box.y, box.bottom


def test_bookmarks_name_the_things_of_each_sheet() -> None:
    data = io.BytesIO(make_pdf_of_items(make_items(11, 63, 88, name="P")))
    with pikepdf.open(data) as found, found.open_outline() as outline:
        assert [entry.title for entry in outline.root] == ["P01–P09", "P10–P11"]


def test_a_round_thing_has_a_cut_line_on_its_front_alone_and_no_marks() -> None:
    def curves(page: pikepdf.Page) -> int:
        return sum(str(found.operator) == "c" for found in pikepdf.parse_content_stream(page))

    with pikepdf.open(io.BytesIO(make_pdf_of_items(make_items(3, 30, 30, round_=True)))) as found:
        front, back = found.pages
        assert curves(front) == 3 * 4 * 2  # the line, and the light one below it
        assert curves(back) == 0
    ruler = 2 + LAYOUT.ruler.length / LAYOUT.ruler.step
    for page in read_sides(make_pdf_of_items(make_items(3, 30, 30, round_=True))):
        assert len(page.lines) == ruler


# whatever the things are


sizes = st.tuples(st.integers(15, 150), st.integers(15, 220))
groups = st.lists(
    st.tuples(sizes, st.integers(1, 12), st.booleans(), st.booleans()), min_size=1, max_size=4
)


def everything_is_placed_once_on_the_paper_and_nothing_overlaps(
    groups: list[tuple[tuple[int, int], int, bool, bool]],
    paper: str,
    backs: BackPrinting,
    bleed: float,
) -> None:
    items = [
        item
        for number, ((width, height), count, back, round_) in enumerate(groups)
        for item in make_items(count, width, height, back, f"G{number}-", round_)
    ]
    sheets = arrange_on_sheets(items, LAYOUT.find_paper(paper), LAYOUT, make_legend(), backs, bleed)
    fronts = [put.item.front.key for sheet in sheets for put in sheet.items]
    assert sorted(key for key in fronts if "-front" in key) == sorted(i.front.key for i in items)
    extra = [key for key in fronts if "-back" in key]
    assert len(extra) == len(set(extra))
    assert not extra or backs == "fold"
    for sheet in sheets:
        check_sheet(sheet)


ANYTHING = given(
    groups=groups,
    paper=st.sampled_from(PAPERS),
    backs=st.sampled_from(BACK_PRINTING_CHOICES),
    bleed=st.sampled_from([0.0, 2.0, 3.0]),
)
test_everything_is_placed_once_on_the_paper_and_nothing_overlaps = settings(max_examples=40)(
    ANYTHING(everything_is_placed_once_on_the_paper_and_nothing_overlaps)
)
test_whatever_is_placed_is_placed_once_and_nothing_overlaps = pytest.mark.soak(
    settings(max_examples=example_count(20_000) // 20)(
        ANYTHING(everything_is_placed_once_on_the_paper_and_nothing_overlaps)
    )
)


def check_sheet(sheet: ImposedSheet) -> None:
    paper = Box(0, 0, sheet.width, sheet.height)
    boxes = [put.box for put in sheet.items]
    if sheet.fold:
        boxes += [Box(sheet.width - box.right, box.y, box.width, box.height) for box in boxes]
    painted = [box.inset(-sheet.bleed) for box in boxes]
    for put in sheet.items:
        sizes = {put.item.front.width, put.item.front.height}
        assert {put.box.width, put.box.height} == sizes
    lines = [sheet.margin_slots.ruler.box, sheet.margin_slots.stamp.box]
    for box in [*boxes, *lines]:
        assert box.x >= 5 - HAIR
        assert box.y >= 5 - HAIR
        assert box.right <= paper.right - 5 + HAIR
        assert box.bottom <= paper.bottom - 5 + HAIR
    for one, other in combinations([*painted, *lines], 2):
        assert not one.overlaps(other, 0.001)
    for mark in sheet.crop_marks:
        assert not any(mark.box.inset(-0.01).overlaps(box, 0.02) for box in [*painted, *lines])


# mistakes


def test_a_thing_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(CommandLineError, match=r"“X01” \(300 × 100 mm\).*210 × 297 mm"):
        make_pdf_of_items(make_items(1, 300, 100))


@pytest.mark.parametrize("bleed", [-1, 3.5, math.nan])
def test_a_bleed_beyond_what_is_painted_is_refused(bleed: float) -> None:
    with pytest.raises(CommandLineError, match="choose 0 to 3 mm"):
        make_pdf_of_items(make_items(1, 63, 88), bleed=bleed)


def test_an_unknown_paper_is_refused_with_the_known_ones() -> None:
    with pytest.raises(CommandLineError, match="no paper “b7”; there are: a4, letter"):
        LAYOUT.find_paper("b7")
    assert LAYOUT.find_paper("A4") == PaperSize(width=210, height=297)


def test_every_way_of_backs_has_its_advice() -> None:
    assert set(BACK_PRINTING_STEPS) == set(BACK_PRINTING_CHOICES) == set(get_args(BackPrinting))


def test_the_same_things_give_the_same_bytes_under_any_hash_seed() -> None:
    code = (
        "import sys; from tests.printing.sample_faces import make_items, make_pdf_of_items;"
        "items = [*make_items(5, 63, 88), *make_items(3, 30, 30, round_=True)];"
        "sys.stdout.buffer.write(make_pdf_of_items(items))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True
    )
    assert done.stdout == make_pdf_of_items(
        [*make_items(5, 63, 88), *make_items(3, 30, 30, round_=True)]
    )


def test_a_face_that_is_shown_often_is_stored_once() -> None:
    items = [
        Item(f"P{i}", make_arrow_face("same", 63, 88), make_arrow_face("back", 63, 88))
        for i in range(9)
    ]
    assert len(make_pdf_of_items(items)) < 1.6 * len(make_pdf_of_items(items[:1]))
