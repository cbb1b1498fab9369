"""`run_coatl read`: from photos to the screen, to JSON, and to files beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from coatl_tools.vision import reader
from coatl_tools.vision.picture import Picture
from coatl_tools.vision.reading import PhotoReading
from tests.cli.command_runner import run_coatl
from tests.vision.sample_readings import make_clear_reading, make_doubtful_reading

Photo = Callable[[str], Path]


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Photo:
    """Photos that are real files; what is seen in them is said by their names."""

    def read_photo(picture: Picture, *_: object) -> PhotoReading:
        reading = (
            make_clear_reading()
            if picture.path.stem.startswith("clear")
            else make_doubtful_reading()
        )
        return replace(reading, file=str(picture.path))

    def saved(name: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        Image.new("RGB", (800, 700), "tan").save(path)
        return path

    monkeypatch.setattr(reader, "read_photo", read_photo)
    return saved


def test_what_is_sure_is_shown_and_is_fine(photo: Photo) -> None:
    done = run_coatl("read", photo("clear.jpg"))
    assert (done.code, done.err) == (0, "")
    lines = [line.rstrip() for line in done.out.splitlines()]
    assert "Cóatl 1  <RBBYG>  sure (83%)" in lines
    assert "     1 <▲R red head            97%" in lines
    assert lines[-1] == "Everything was read with certainty."


def test_what_is_not_sure_is_said_with_what_would_help(photo: Photo) -> None:
    done = run_coatl("read", photo("a.png"))
    assert done.code == 3
    for said in (
        r" \?   2 ◆K black body segment or blue body segment +53%",
        "Cards: c1 P29 .97%.",
        r"Cards that belong to no Cóatl: c2 \? P01 or P02",
        "Pieces that belong to no Cóatl: ●G green body segment",
        "it is not known which end is the head end",
        r"\? There is no file “<b>”. Standard input is closed.",
        "· Standard input is closed.",
    ):
        assert re.search(said, done.out), said
    assert done.out.splitlines()[-1] == "Not everything could be read with certainty."


def test_json_is_one_object_a_line(photo: Photo, tmp_path: Path) -> None:
    done = run_coatl("read", "--json", photo("clear.jpg"), tmp_path / "none.jpg", photo("b.png"))
    assert done.code == 3
    first, missing, last = map(json.loads, done.out.splitlines())
    assert [found["sure"] for found in (first, missing, last)] == [True, False, False]
    assert first["coatls"][0]["coatl"] == "<RBBYG>"
    assert missing["file"] == str(tmp_path / "none.jpg")
    assert (missing["coatls"], missing["problems"][0]["code"]) == ([], "missing")
    assert "none.jpg" in done.err
    assert run_coatl("read", "--json", photo("clear.jpg")).code == 0


def test_nothing_is_in_doubt_where_no_photo_was_opened(tmp_path: Path) -> None:
    done = run_coatl("read", tmp_path / "none.jpg", tmp_path)
    assert (done.code, done.out) == (3, "")
    assert "none.jpg" in done.err


def test_the_other_photos_are_read_when_one_cannot_be(photo: Photo, tmp_path: Path) -> None:
    (tmp_path / "bad.jpg").write_text("no photo")
    done = run_coatl("read", "--lang", "fr", tmp_path / "bad.jpg", photo("clear.jpg"))
    assert done.code == 3
    assert "n’est pas une photo" in done.err
    assert "<RBBYG>" in done.out
    assert done.out.splitlines()[-1] == "Photos lues sans certitude : 1 sur 2."


def test_overlays_and_reports_have_names_of_their_own(photo: Photo, tmp_path: Path) -> None:
    photos = [photo("a/table.jpg"), photo("b/table.png"), photo("b/TABLE.webp"), photo("x y-.png")]
    out = tmp_path / "out"
    done = run_coatl("read", *photos, "--overlay", out, "--report", out / "pages")
    assert done.code == 3
    names = ["table", "table-2", "TABLE-3", "x-y"]
    assert {path.name for path in out.glob("*.png")} == {f"{name}-overlay.png" for name in names}
    pages = {path.name for path in (out / "pages").iterdir()}
    assert pages == {f"{name}-report.html" for name in names}
    assert f"Picture: {out / 'table-overlay.png'}\n" in done.out
    assert f"Report: {out / 'pages' / 'TABLE-3-report.html'}\n" in done.out
    with Image.open(out / "table-overlay.png") as image:
        assert image.width == 1200


def test_a_folder_that_is_a_file_is_said_before_anything_is_read(photo: Photo) -> None:
    path = photo("clear.jpg")
    done = run_coatl("read", path, "--overlay", path)
    assert (done.code, done.out) == (3, "")
    assert "is a file, not a folder" in done.err


@pytest.mark.parametrize("option", ["--overlay", "--report"])
@pytest.mark.parametrize("leads_to", ["circle", "nowhere"])
def test_a_link_that_leads_to_no_folder_is_said(
    photo: Photo, tmp_path: Path, option: str, leads_to: str
) -> None:
    link = tmp_path / "circle"
    link.symlink_to(leads_to)
    done = run_coatl("read", photo("clear.jpg"), option, link)
    assert (done.code, done.out) == (3, "")
    assert f"“{link}” is a link that leads nowhere." in done.err


def test_a_link_in_a_circle_is_one_photo_that_cannot_be_read(photo: Photo, tmp_path: Path) -> None:
    link = tmp_path / "circle.jpg"
    link.symlink_to(link.name)
    done = run_coatl("read", link, photo("clear.jpg"))
    assert done.code == 3
    assert f"“{link}” cannot be read" in done.err
    assert "<RBBYG>" in done.out


def test_without_a_photo_the_command_line_is_wrong() -> None:
    assert run_coatl("read").code == 2


@pytest.mark.parametrize("option", ["--overlay", "--report", "--tally"])
def test_an_empty_name_is_said(photo: Photo, option: str) -> None:
    for arguments in (("", photo("clear.jpg")), (photo("clear.jpg"), option, "")):
        done = run_coatl("read", *arguments)
        assert (done.code, done.out) == (2, "")
        assert done.err == "Error: The name of a file or folder is empty.\n"


def test_an_overlay_never_lies_upon_a_photo(photo: Photo, tmp_path: Path) -> None:
    photos = [photo("a.png"), photo("a-overlay.png")]
    before = photos[1].read_bytes()
    run_coatl("read", *photos, "--overlay", photos[0].parent)
    assert photos[1].read_bytes() == before
    assert (photos[0].parent / "a-2-overlay.png").exists()
    assert (photos[0].parent / "a-overlay-overlay.png").exists()
