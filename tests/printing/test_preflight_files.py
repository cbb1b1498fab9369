"""Files that are strange, damaged or made to do harm."""

from __future__ import annotations

import io
import random
import time
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from coatl_tools.errors import FileError
from coatl_tools.printing.preflight import Severity, check_pdf
from tests.printing.preflight_samples import (
    check_file,
    form,
    list_finding_sorts,
    make_card_file,
    make_damaged_file,
    make_foreign_file,
    make_form_resources,
    make_stream_page,
    nothing,
)


def test_a_strange_file_is_checked_as_far_as_it_goes() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 12)
        canvas.drawString(1, 1, "hello")

    report = check_file(make_foreign_file(draw))
    expected = {"not_embedded", "no_box", "scaling", "duplex", "bookmarks"}
    assert expected <= list_finding_sorts(report)
    assert "foreign" in list_finding_sorts(report, Severity.INFO)


def test_an_encrypted_file() -> None:
    for user in ("secret", ""):
        lock = pikepdf.Encryption(owner="secret", user=user)
        locked = make_damaged_file(nothing, encryption=lock)  # type: ignore[arg-type]
        assert "encrypted" in list_finding_sorts(check_file(locked))


@pytest.mark.parametrize("kept", [0.2, 0.5, 0.9, 0.99])
def test_a_truncated_file(kept: float) -> None:
    good = make_card_file()
    assert list_finding_sorts(check_file(good[: int(len(good) * kept)])) & {"damaged", "broken"}


def test_a_file_that_is_no_pdf() -> None:
    assert list_finding_sorts(check_file(b"hello")) == {"no_pdf"}
    assert list_finding_sorts(check_file(b"%PDF-1.4\nhello")) == {"broken"}


def test_a_file_without_pages() -> None:
    file = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.save(file)
    assert list_finding_sorts(check_file(file.getvalue())) == {"empty"}


def cyclic(pdf: pikepdf.Pdf) -> pikepdf.Object:
    one = form(pdf, b"/X Do /X Do")
    other = form(pdf, b"/X Do /X Do", one)
    one.Resources = make_form_resources(other)
    return make_form_resources(one)


def no_resources(_: pikepdf.Pdf) -> pikepdf.Object:
    return pikepdf.Dictionary()


def borrowing(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """A form without a form of its own: a renderer takes that of the page, which it is itself."""
    one = form(pdf, b"/X Do /X Do")
    one.Resources = pikepdf.Dictionary()
    return make_form_resources(one)


def nested(
    pdf: pikepdf.Pdf, depth: int, times: int, content: bytes = b"0 0 1 1 re f\n" * 10
) -> pikepdf.Object:
    inner = form(pdf, content)
    for _ in range(depth):
        inner = form(pdf, b"/X Do\n" * times, inner)
    return make_form_resources(inner)


@pytest.mark.parametrize(
    ("content", "resources", "sort"),
    [
        pytest.param(b"/X Do", cyclic, "cyclic", id="two forms in each other"),
        pytest.param(b"/X Do", borrowing, "cyclic", id="a form in itself"),
        pytest.param(b"/X Do", lambda pdf: nested(pdf, 60, 1), "deep", id="deep forms"),
        pytest.param(b"/X Do", lambda pdf: nested(pdf, 12, 30), "too_much", id="many forms"),
        pytest.param(b"/X Do", lambda pdf: nested(pdf, 20, 2, b""), "too_much", id="empty forms"),
        pytest.param(b"q " * 100_000, no_resources, "too_much", id="many states"),
        pytest.param(b"1 " * 12_000_000, no_resources, "too_much", id="many operands"),
        pytest.param(b") " * 100, no_resources, "broken_part", id="many mistakes"),
        pytest.param(b"[" * 1000, no_resources, "broken_part", id="deep arrays"),
        pytest.param(b"[ 0 0 9 9 re ] TJ", no_resources, "broken_part", id="misplaced operator"),
    ],
)
def test_a_hostile_file_ends_in_a_sentence(
    content: bytes, resources: Callable[[pikepdf.Pdf], pikepdf.Object], sort: str
) -> None:
    begin = time.perf_counter()
    assert sort in list_finding_sorts(check_file(make_stream_page(content, resources)))
    assert time.perf_counter() - begin < 20


GARBAGE = [
    b"EMC Q Q ET (a) Tj /X Do /X gs /F 3 Tf [(a) -9 /b] TJ W n 1 2 re f 1 c h h",
    b"9" * 400
    + b" 0 0 9 0 0 cm 0 0 m 9 9 l S "
    + b"99999 0 0 99999 0 0 cm " * 99
    + b"0 0 9 9 re f",
    b"0 0 0 0 0 0 cm 0 0 9 9 re f 0 w 0 0 m 1 1 l S << /a [ ( < <4 >> BI ID EI \x00\xff",
]


@pytest.mark.parametrize("content", GARBAGE)
def test_garbage_does_no_harm(content: bytes) -> None:
    report = check_file(make_stream_page(content, no_resources))
    assert "ink" in list_finding_sorts(report, Severity.INFO)


def large_tables(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """A font that tells the meaning and the width of every code thousands of times."""
    inner = pikepdf.Dictionary(W=pikepdf.Array([0, 65535, 500] * 5000))
    font = pikepdf.Dictionary(Subtype=pikepdf.Name.Type0, DescendantFonts=pikepdf.Array([inner]))
    ranges = b"beginbfrange " + b"<0000> <ffff> <0041>\n" * 50_000 + b" endbfrange"
    font.ToUnicode = pdf.make_stream(ranges)
    return pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))


def test_a_hostile_font_costs_no_more_than_a_good_one() -> None:
    begin = time.perf_counter()
    report = check_file(make_stream_page(b"BT /F 9 Tf (abcd) Tj ET", large_tables))
    assert "not_embedded" in list_finding_sorts(report)
    assert time.perf_counter() - begin < 20


def test_a_page_inherits_its_drawings() -> None:
    data = make_stream_page(b"/X Do", cyclic)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        page = pdf.pages[0].obj
        page.Parent.Resources = page.Resources
        del page.Resources
        file = io.BytesIO()
        pdf.save(file)
    assert "cyclic" in list_finding_sorts(check_file(file.getvalue()))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError):
        check_pdf(tmp_path / "nothing.pdf")
    with pytest.raises(FileError):
        check_pdf(tmp_path)


def test_damage_anywhere_ends_in_a_report() -> None:
    good, dice = make_card_file(), random.Random(6)
    for _ in range(40):
        data = bytearray(good)
        for _ in range(dice.choice((1, 10, 100))):
            data[dice.randrange(len(data))] = dice.randrange(256)
        check_file(bytes(data))
