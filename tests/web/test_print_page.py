"""From a choice to PDF files: made on the spot, and only for whoever asked."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pikepdf
import pytest

from tests.web.page_client import PageClient, make_app_state
from tests.web.server_process import Phone, Server

pytestmark = pytest.mark.xdist_group("web")
CHOICE = {"paper": "a4", "language": "en", "theme": "full", "backs": "none"}
FEW = {**CHOICE, "what": "cards", "only": "P05, T03"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[PageClient]:
    with PageClient(make_app_state(tmp_path)) as visitor:
        visitor.visit("/print")
        yield visitor


def ordered(client: PageClient, said: dict[str, str]) -> str:
    answer = client.submit("/print", said)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def finished(client: PageClient, address: str) -> str:
    """The page once the work is done."""
    for _ in range(300):
        text = client.get(address).text
        if "data-events" not in text:
            return text
        time.sleep(0.1)
    raise AssertionError("it is never finished")


def test_a_few_cards_become_a_pdf_that_nobody_else_sees(client: PageClient) -> None:
    address = ordered(client, FEW)
    assert ordered(client, FEW) == address  # joined while it is made
    text = finished(client, address)
    assert "coatl-cards-en-a4.pdf" in text
    assert "1 sheet · 0." in text
    assert "Print on one side" in text
    file = client.get(f"{address}/coatl-cards-en-a4.pdf")
    assert file.headers["content-type"] == "application/pdf"
    assert file.headers["content-disposition"] == 'attachment; filename="coatl-cards-en-a4.pdf"'
    with pikepdf.open(io.BytesIO(file.content)) as opened:
        assert len(opened.pages) == 1
    assert ordered(client, FEW) == address  # and when it is done: it would be the same
    for trick in (
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e%2f%2e%2e%2fpyproject.toml",
        "..%5c..%5cx",
        "coatl-cards-en-a4.pdf%00",
        "COATL-cards-en-a4.pdf",
        "coatl.zip",  # one file is no archive
        "x" * 2000,
    ):
        assert client.get(f"{address}/{trick}").status_code == 404
    client.cookies.clear()
    client.get("/print")
    for path in (address, f"{address}/events", f"{address}/coatl-cards-en-a4.pdf"):
        assert client.get(path).status_code == 404


def test_several_files_come_as_one_too(client: PageClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coatl_tools.web.work.print_jobs.PRINT_CHOICES", ("tokens,mat",))
    address = ordered(client, {**CHOICE, "what": "tokens,mat"})
    finished(client, address)
    answer = client.get(f"{address}/coatl.zip")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.namelist() == ["coatl-tokens-en-a4.pdf", "coatl-mat-en-a4.pdf"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"what": "../../etc"},
        {"paper": "a3"},
        {"language": "xx"},
        {"theme": "<script>"},
        {"backs": "x" * 500},
        {"what": ""},
    ],
)
def test_what_cannot_be_chosen_is_refused(client: PageClient, wrong: dict[str, str]) -> None:
    answer = client.submit("/print", {**FEW, **wrong})
    assert answer.status_code == 400
    assert "<script>" not in answer.text


def test_who_mistypes_a_card_keeps_the_other_choices(client: PageClient) -> None:
    wrong = {**FEW, "only": "P5-<b>", "theme": "low-ink", "promo": "1"}
    answer = client.submit("/print", wrong)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert 'value="P5-&lt;b&gt;"' in answer.text
    assert 'value="low-ink" checked' in answer.text
    assert 'name="promo" value="1" checked' in answer.text


def test_a_visitor_cannot_have_all_the_work_done(client: PageClient) -> None:
    codes = []
    for number in range(1, 8):
        said = {**FEW, "only": f"P{number:02}"}
        codes.append(client.submit("/print", said).status_code)
    assert codes == [303] * 6 + [429]


def test_other_pages_cannot_print(client: PageClient) -> None:
    headers = {"origin": "http://evil.example"}
    assert client.submit("/print", FEW, headers=headers).status_code == 403
    assert client.get("/print/0123456789abcdef").status_code == 404


@pytest.mark.parametrize(
    ("language", "paper"), [("en-US,en;q=0.9", "letter"), ("fr-CA", "letter"), ("en-GB", "a4")]
)
def test_the_paper_is_what_is_sold_there(client: PageClient, language: str, paper: str) -> None:
    text = client.get("/print", headers={"accept-language": language}).text
    assert f'value="{paper}" checked' in text


def test_a_phone_downloads_what_it_asked_for(
    server: Server, phone: Callable[..., Phone], tmp_path: Path
) -> None:
    visitor = phone(server, locale="pl-PL")
    page = visitor.go("/print?only=T01")
    page.get_by_role("button", name="Przygotuj pliki PDF").click()
    page.get_by_role("progressbar").wait_for()
    page.get_by_role("heading", name="Gotowe do druku").wait_for()  # by itself
    assert not visitor.is_wider_than_its_screen()
    assert visitor.axe() == []
    with page.expect_download() as waiting:
        page.get_by_role("link", name="coatl-cards-pl-a4.pdf").click()
    waiting.value.save_as(tmp_path / "got.pdf")
    assert waiting.value.suggested_filename == "coatl-cards-pl-a4.pdf"
    with pikepdf.open(tmp_path / "got.pdf") as opened:
        assert len(opened.pages) == 2
