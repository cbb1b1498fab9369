"""Colours of one's own: learned from a photo, kept, and used to weigh pieces anew."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from coatl_tools.cli.photo.photo_options import DEFAULT_PROFILE_NAME
from coatl_tools.errors import CorrectionError
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.colour_profiles import load_colour_profiles, save_colour_profiles
from coatl_tools.vision.piece_colours import learn_profile, measure_tint, reweigh_piece
from coatl_tools.vision.pieces.piece_search import FoundPieces
from coatl_tools.vision.reading import PhotoReading, SeenCoatl, SeenPiece
from coatl_tools.vision.stage_trace import Pixels
from tests.cli.command_runner import run_coatl
from tests.cli.fake_photo_reader import fake_reader

# A set of somebody's own: orange for red, violet for blue; blue, green, red parts of light.
PAINT = {
    Colour.R: (40, 110, 235),
    Colour.G: (60, 150, 60),
    Colour.B: (170, 60, 110),
    Colour.Y: (50, 200, 230),
    Colour.K: (38, 36, 35),
}
WARM = (0.6, 0.85, 1.0)
SIDE, GAP = 40, 60


def photographed(
    colours: list[Colour], light: tuple[float, float, float] = (1, 1, 1), seed: int = 1
) -> tuple[Pixels, tuple[SeenPiece, ...]]:
    """Pieces in a row on grey cloth, with gloss, dark seams, noise and light from one side."""
    random = np.random.default_rng(seed)
    width = GAP * (len(colours) + 1)
    picture = np.full((120, width, 3), 150.0)
    pieces = []
    for place, colour in enumerate(colours, start=1):
        x, y = GAP * place, 60
        left, top = x - SIDE // 2, y - SIDE // 2
        picture[top : top + SIDE, left : left + SIDE] = PAINT[colour]
        picture[top : top + SIDE, left : left + 3] = 10  # the seam
        picture[top + 8 : top + 16, left + 8 : left + 20] = 250  # gloss
        corners = ((left, top), (left + SIDE, top), (left + SIDE, top + SIDE), (left, top + SIDE))
        outline = tuple((float(a), float(b)) for a, b in corners)
        pieces.append(
            SeenPiece({colour: 1.0}, {PieceKind.BODY: 1.0}, outline, (float(x), float(y)))
        )
    shade = np.linspace(0.75, 1.0, width)[np.newaxis, :, np.newaxis]
    noisy = picture * np.array(light) * shade + random.normal(0, 5, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), tuple(pieces)


def seen(pieces: tuple[SeenPiece, ...]) -> FoundPieces:
    return FoundPieces((SeenCoatl(pieces, 1.0, 1.0),), ())


def clueless(piece: SeenPiece) -> SeenPiece:
    return replace(piece, colours=dict.fromkeys(Colour, 0.2))


ALL = [*Colour, Colour.K, Colour.R]


@pytest.mark.parametrize("light", [(1, 1, 1), WARM, (0.5, 0.45, 0.4)])
def test_a_learned_set_is_told_apart(light: tuple[float, float, float]) -> None:
    pixels, pieces = photographed(ALL, light)
    profile = learn_profile(seen(pieces), pixels)
    assert profile.confusable_pairs == ()
    others, more = photographed([*reversed(ALL), *ALL], light, seed=2)
    for piece in more:
        again = reweigh_piece(clueless(piece), others, profile)
        assert again.colour == piece.colour
        assert again.confidence > 0.9
        assert sum(again.colours.values()) == pytest.approx(1)


def test_neither_gloss_nor_seams_nor_the_table_count() -> None:
    pixels, (piece,) = photographed([Colour.G])
    found = measure_tint(piece, pixels)
    clean = np.full((9, 9, 3), PAINT[Colour.G], np.float32) / 255
    lab = cv2.cvtColor(clean, cv2.COLOR_BGR2LAB)[0, 0]
    assert found is not None
    assert np.abs(np.array(found)[1:] - lab[1:]).max() < 8


def test_the_finder_still_has_a_say() -> None:
    pixels, pieces = photographed(ALL)
    profile = learn_profile(seen(pieces), pixels)
    wrong = replace(pieces[0], colours={Colour.Y: 0.6, Colour.R: 0.4})
    assert reweigh_piece(wrong, pixels, profile).colour is Colour.R
    certain = replace(pieces[0], colours={Colour.Y: 1.0, Colour.R: 0.0})
    assert reweigh_piece(certain, pixels, profile).colour is Colour.Y


def test_what_a_person_said_and_what_was_not_seen_stays() -> None:
    pixels, pieces = photographed(ALL)
    profile = learn_profile(seen(pieces), pixels)
    for piece in (
        replace(clueless(pieces[0]), corrected=True),
        replace(clueless(pieces[0]), outline=()),
        replace(clueless(pieces[0]), outline=((-90.0, -90.0), (-50.0, -90.0), (-50.0, -50.0))),
        replace(clueless(pieces[0]), outline=((float("nan"), 0.0), (9.0, 9.0), (9.0, 0.0))),
    ):
        assert reweigh_piece(piece, pixels, profile) == piece


def test_another_light_is_not_weighed_at_all() -> None:
    pixels, pieces = photographed(ALL)
    profile = learn_profile(seen(pieces), pixels)
    pink = np.full_like(pixels, (255, 60, 255))
    assert reweigh_piece(clueless(pieces[0]), pink, profile) == clueless(pieces[0])


def test_what_is_missing_is_named() -> None:
    pixels, pieces = photographed([Colour.R, Colour.G, Colour.K])
    with pytest.raises(CorrectionError, match=r"missing .*: blue \(B\), yellow \(Y\)"):
        learn_profile(seen(pieces), pixels)


def test_two_colours_under_one_name_are_refused() -> None:
    pixels, pieces = photographed([*ALL, *ALL])
    mixed = tuple(
        replace(piece, colours={Colour.R: 1.0}) if index in (7, 8, 9) else piece
        for index, piece in enumerate(pieces)
    )
    with pytest.raises(CorrectionError, match="read as red looks like two different colours"):
        learn_profile(seen(mixed), pixels)


def test_colours_that_look_alike_are_told() -> None:
    pixels, pieces = photographed([*ALL])
    twin = replace(pieces[0], colours={Colour.Y: 1.0})
    kept = tuple(piece for piece in pieces if piece.colour is not Colour.Y)
    assert learn_profile(seen((*kept, twin)), pixels).confusable_pairs == ((Colour.R, Colour.Y),)


def test_points_of_a_larger_photo() -> None:
    pixels, pieces = photographed(ALL)
    larger = tuple(
        replace(piece, outline=tuple((2 * x, 2 * y) for x, y in piece.outline)) for piece in pieces
    )
    assert learn_profile(seen(larger), pixels, factor=2.0) == learn_profile(seen(pieces), pixels)


def test_profiles_are_kept(tmp_path: Path) -> None:
    pixels, pieces = photographed(ALL)
    profile = learn_profile(seen(pieces), pixels)
    path = tmp_path / "deep" / "colours.json"
    assert load_colour_profiles(path) == {}
    save_colour_profiles(path, {"home": profile})
    assert load_colour_profiles(path) == {"home": profile}


# The command.


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tests.cli.command_runner.os.devnull", str(tmp_path / "config"))
    pixels, pieces = photographed(ALL)
    large = cv2.copyMakeBorder(pixels, 0, 300, 0, 300, cv2.BORDER_REPLICATE)
    path = Path("set.png")
    assert cv2.imwrite(str(path), large)
    shown = PhotoReading("set.png", (large.shape[1], large.shape[0]), seen(pieces).coatls)
    fake_reader(monkeypatch, {"set.png": shown})
    return path


def test_learn_list_use_forget(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run_coatl("read", "--learn", photo, "--name", "home")
    assert (done.code, done.err) == (0, "")
    assert "use it with --colours home" in done.out
    assert "▲R red: L " in done.out
    assert "is replaced" in run_coatl("read", "--learn", photo, "--name", " home ").out
    assert run_coatl("read", "--learn", photo).code == 0
    assert [*json.loads(run_coatl("colours", "--json").out)] == ["home", DEFAULT_PROFILE_NAME]
    assert run_coatl("colours", "home").out.startswith("home\n")
    asked = fake_reader(monkeypatch, {"set.png": PhotoReading("set.png", (600, 400))})
    run_coatl("read", photo, "--colours", "home")
    assert asked[-1]["colours"].tints.keys() == set(Colour)
    assert "deleted" in run_coatl("colours", "home", "--delete").out
    for wrong in (
        ("colours", "home"),
        ("read", photo, "--colours", "home"),
        ("colours", "--delete"),
        ("read", "--learn", photo, "--name", "\x1b"),
    ):
        assert run_coatl(*wrong).code == 2
    assert run_coatl("colours", DEFAULT_PROFILE_NAME, "--delete").code == 0
    assert "no colour profile yet" in run_coatl("colours").out


def test_colours_said_by_a_person_are_learned(photo: Path) -> None:
    done = run_coatl("read", "--learn", photo, "--set", "1=RGBYKRR", "--lang", "pl")
    assert (done.code, "dwa różne kolory" in done.err) == (1, True)
    assert run_coatl("read", "--learn", photo, "--set", "1=RGBYKKR").code == 0


@pytest.mark.parametrize("text", ["{", "[]", '{"colours": {"x": {"red": 1}}}', '{"colours": NaN}'])
def test_a_broken_file_is_named(photo: Path, tmp_path: Path, text: str) -> None:
    folder = tmp_path / "config" / "coatl"
    folder.mkdir(parents=True)
    (folder / "colours.json").write_text(text)
    done = run_coatl("colours")
    assert (done.code, "colours.json" in done.err) == (1, True)
