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
from coatl_tools.printing.preflight import Severity, check
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


def nested(pdf: pikepdf.Pdf, depth: int, times: int) -> pikepdf.Object:
    inner = form(pdf, b"0 0 1 1 re f\n" * 10)
    for _ in range(depth):
        inner = form(pdf, b"/X Do\n" * times, inner)
    return make_form_resources(inner)


@pytest.mark.parametrize(
    ("content", "resources", "sort"),
    [
        (b"/X Do", cyclic, "cyclic"),
        (b"/X Do", lambda pdf: nested(pdf, 60, 1), "deep"),
        (b"/X Do", lambda pdf: nested(pdf, 12, 30), "too_much"),
        (b"q " * 100_000, lambda _: pikepdf.Dictionary(), "too_much"),
        (b"1 " * 12_000_000, lambda _: pikepdf.Dictionary(), "too_much"),
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
    report = check_file(make_stream_page(content, lambda _: pikepdf.Dictionary()))
    assert "ink" in list_finding_sorts(report, Severity.INFO)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError):
        check(tmp_path / "nothing.pdf")
    with pytest.raises(FileError):
        check(tmp_path)


def test_damage_anywhere_ends_in_a_report() -> None:
    good, dice = make_card_file(), random.Random(6)
    for _ in range(40):
        data = bytearray(good)
        for _ in range(dice.choice((1, 10, 100))):
            data[dice.randrange(len(data))] = dice.randrange(256)
        check_file(bytes(data))
