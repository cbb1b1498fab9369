"""What is exported: single pictures, decks for card printers, safely written."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
from PIL import Image

from coatl_tools import load_cards
from coatl_tools.errors import FileError
from coatl_tools.files.atomic_writes import OutputFile, write_files_together
from coatl_tools.language import load_language
from coatl_tools.printing.export.picture_export import (
    GAME_CRAFTER,
    MAKE_PLAYING_CARDS,
    PICTURE_PARTS,
    DeckExport,
    PictureExport,
    PrintService,
    format_upload_guide,
    make_decks,
    name_faces,
)
from coatl_tools.printing.items import Design, Item
from coatl_tools.printing.print_spec import PrintSpec
from tests.printing.sample_faces import make_plain_face
from tests.programs import needs_ordinary_user

SMALL = replace(MAKE_PLAYING_CARDS, width=137, height=187, dpi=50)


def game(language: str = "en", *ids: str, promo: bool = False) -> PrintSpec:
    catalog = load_cards()
    cards = tuple(catalog[one] for one in ids) or catalog.deck(promo)
    return PrintSpec(Design(load_language(language)), cards)


def names(files: Iterator[OutputFile]) -> list[str]:
    return [str(file.path) for file in files]


def test_a_picture_of_everything_by_its_name() -> None:
    found = [f"{one.name}.png" for one in PictureExport(game(), PICTURE_PARTS, 20, 0).specs]
    assert len(found) == len(set(found)) == 49 + 15 + 2 + (2 + 4) + (3 + 1 + 1 + 5) + 15
    assert {
        *("P01.png", "P49.png", "T15.png", "back-prophecy.png", "back-temple.png"),
        *("supply-board.png", "supply-board-back.png", "player-board-4.png"),
        *("token-perfect-pick.png", "back-tokens.png", "token-first-player.png"),
        *("token-score-marker-red.png", "piece-head-R.png", "piece-tail-K.png"),
    } <= set(found)


def test_tokens_and_pieces_are_cut_out_and_cards_are_not() -> None:
    for file in PictureExport(game("en", "P01"), PICTURE_PARTS, 20, 0):
        name = file.path.stem
        cut = name.startswith(("piece", "token", "back-tokens"))
        assert Image.open(io.BytesIO(file.content)).mode == ("RGBA" if cut else "RGB"), name


def test_names_of_boards_that_differ_keep_their_numbers() -> None:
    boards = [Item(f"player-board-{n}", make_plain_face(f"b{n}", 9, 9, "#000000")) for n in (1, 2)]
    assert [named.name for named in name_faces(boards, "board", "boards")] == [
        *("player-board-1", "player-board-2"),
    ]
    cards = [Item(f"MY-{n}", make_plain_face("same", 9, 9, "#000000")) for n in (1, 1)]
    assert [named.name for named in name_faces(cards, "", "prophecy")] == ["MY-1"]


@pytest.mark.parametrize("company", [MAKE_PLAYING_CARDS, GAME_CRAFTER])
def test_companies_get_their_pixels(company: PrintService) -> None:
    made = {str(f.path): f.content for f in DeckExport(game("en", "P01", "T01"), company)}
    size = {MAKE_PLAYING_CARDS: (822, 1122), GAME_CRAFTER: (825, 1125)}[company]
    assert set(made) == {
        *("prophecy/01-P01.png", "prophecy/02-P01.png", "temple/01-T01.png"),
        *("prophecy-back.png", "temple-back.png", "README.txt"),
    }
    for name, content in made.items():
        if name.endswith(".png"):
            assert Image.open(io.BytesIO(content)).size == size


def test_every_copy_of_a_card_is_a_picture() -> None:
    export = DeckExport(game(), SMALL)
    found = names(iter(export))
    assert len(found) == len(export) == 54 + 15 + 2 + 1
    prophecy = [name for name in found if name.startswith("prophecy/")]
    assert len(prophecy) == 54
    assert [name[9:11] for name in prophecy] == [f"{n:02}" for n in range(1, 55)]
    copies = [name.split("-")[1] for name in prophecy]
    twice = {name for name in copies if copies.count(name) == 2}
    assert twice == {f"P{n:02}.png" for n in range(1, 6)}  # rule 1.3: the red ones
    assert len([name for name in found if name.startswith("temple/")]) == 15


def test_a_copy_is_the_picture_of_its_card() -> None:
    made = {str(f.path): f.content for f in DeckExport(game("en", "P01", "P02"), SMALL)}
    assert made["prophecy/01-P01.png"] == made["prophecy/02-P01.png"]
    assert made["prophecy/02-P01.png"] != made["prophecy/03-P02.png"]


def test_cards_are_laid_anew_for_the_size_of_the_company() -> None:
    small = replace(game(), card_size="63x88")
    assert {item.front.width for deck in make_decks(small, "poker") for item in deck.items} == {
        63.5
    }


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "54 cards"), ("fr", "54 cartes"), ("pl", "54 karty")],
)
def test_the_page_beside_the_decks_counts_them(language: str, said: str) -> None:
    text = format_upload_guide(SMALL, make_decks(game(language), "poker"), load_language(language))
    assert said in text
    assert "prophecy-back.png" in text
    assert "137 × 187" in text


def test_promo_cards_join_their_decks() -> None:
    both = [len(DeckExport(game(promo=promo), SMALL)) for promo in (False, True)]
    assert both == [72, 72 + 11]


# writing


def some(*contents: tuple[str, bytes]) -> list[OutputFile]:
    return [OutputFile(PurePosixPath(path), content) for path, content in contents]


def test_files_are_written_into_new_folders(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    written = write_files_together(out, some(("a.png", b"1"), ("deep/b.png", b"2")))
    assert written == [out / "a.png", out / "deep" / "b.png"]
    assert (out / "deep" / "b.png").read_bytes() == b"2"
    assert sorted(path.name for path in out.iterdir()) == ["a.png", "deep"]


def test_a_failure_in_the_middle_leaves_nothing_behind(tmp_path: Path) -> None:
    def failing(error: Exception) -> Iterator[OutputFile]:
        yield from some(("a.png", b"new"), ("b.png", b"new"))
        raise error

    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "a.png").write_bytes(b"old")
    with pytest.raises(FileError, match="No space left"):
        write_files_together(tmp_path / "old", failing(OSError(28, "No space left on device")))
    assert [path.name for path in (tmp_path / "old").iterdir()] == ["a.png"]
    assert (tmp_path / "old" / "a.png").read_bytes() == b"old"
    with pytest.raises(KeyboardInterrupt):
        write_files_together(tmp_path / "new" / "one", failing(KeyboardInterrupt()))  # type: ignore[arg-type]
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(FileError, match="is a file, not a folder"):
        write_files_together(file, some(("a", b"")))
    with pytest.raises(FileError, match="cannot be written: Not a directory"):
        write_files_together(file / "below", some(("a", b"")))
    (tmp_path / "a").mkdir()
    with pytest.raises(FileError, match="cannot be written: Is a directory"):
        write_files_together(tmp_path, some(("a", b"")))


@needs_ordinary_user
def test_a_forbidden_folder_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(FileError, match="Permission denied"):
        write_files_together(tmp_path, some(("a", b"")))
