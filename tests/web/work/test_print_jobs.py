"""PDFs are made on the spot, as the command makes them, and tell how far they are."""

from __future__ import annotations

import asyncio
import io
import zipfile
from pathlib import Path

import pytest

from coatl_tools import load_cards
from coatl_tools.errors import RequestError
from coatl_tools.printing.layouts import Layouts
from coatl_tools.printing.paper.papers import load_sheets_layout
from coatl_tools.printing.print_spec import PRINT_PARTS
from coatl_tools.web.work.print_jobs import (
    PAPER_CHOICES,
    PRINT_CHOICES,
    PrintedFile,
    PrintRequest,
    make_zip,
    parse_print_request,
    run_print_job,
)
from coatl_tools.web.work.worker_process import Worker
from tests.conftest import Run


def test_a_print_is_the_file_that_the_command_makes(run: Run, tmp_path: Path) -> None:
    options = ["--what", "tokens", "--paper", "letter", "--theme", "low-ink", "--backs", "fold"]
    result = run("print", *options, "--lang", "fr", "--out", tmp_path)
    assert result.code == 0
    told: list[tuple[float, str]] = []
    wished = parse_print_request("tokens", "letter", "fr", "low-ink", "fold")
    with Worker() as worker:
        job = worker.run(
            run_print_job,
            wished,
            load_cards(),
            progress=lambda share, word, _=None: told.append((share, word)),
        )
        (made,) = asyncio.run(job)
    assert made.name == "coatl-tokens-fr-letter-low-ink.pdf"
    assert made.data == (tmp_path / made.name).read_bytes()
    assert (made.sheets, made.title) == (2, "print_tokens")
    assert told[:2] == [(0.0, ""), (0.0, "print_tokens")]
    assert told[-1] == (1.0, "print_tokens")


def test_several_parts_are_several_files_and_told_one_by_one() -> None:
    told: list[tuple[float, str]] = []
    made = run_print_job(
        lambda share, word, _=None: told.append((share, word)),
        PrintRequest("tokens,mat"),
        load_cards(),
    )
    assert [file.title for file in made] == ["print_tokens", "print_mat"]
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert {word for share, word in told if share > 0.5} == {"print_mat"}
    packed = make_zip(made)
    assert packed == make_zip(made)
    with zipfile.ZipFile(io.BytesIO(packed)) as found:
        assert {name: found.read(name) for name in found.namelist()} == {
            file.name: file.data for file in made
        }


def test_what_can_be_chosen_is_there() -> None:
    assert ("all", *PRINT_PARTS) == PRINT_CHOICES
    assert set(PAPER_CHOICES) <= set(load_sheets_layout(Layouts()).papers)
    assert parse_print_request() == PrintRequest()


def test_who_wants_only_some_cards_gets_nothing_else() -> None:
    wished = parse_print_request(only=" P05,T03 ", backs="none")
    assert wished == PrintRequest("cards", backs="none", only="P05,T03")
    (made,) = run_print_job(lambda *_: None, wished, load_cards())
    assert (made.title, made.sheets, made.duplex) == ("print_cards", 1, False)
    assert parse_print_request("rules", only="P05").what == "rules"


@pytest.mark.parametrize(
    "said",
    [
        {"what": "everything"},
        {"paper": "../../etc/passwd"},
        {"language": "xx"},
        {"theme": "x" * 9999},
        {"backs": ""},
    ],
)
def test_what_cannot_be_chosen_is_refused(said: dict[str, str]) -> None:
    with pytest.raises(RequestError) as caught:
        parse_print_request(**said)  # type: ignore[arg-type]  # only texts are given
    assert caught.value.status == 400
    assert len(str(caught.value)) < 200


def test_an_empty_zip_is_one_too() -> None:
    assert zipfile.ZipFile(io.BytesIO(make_zip([]))).namelist() == []
    assert make_zip([PrintedFile("a.pdf", b"x", 1, "print_mat")])
