"""Pictures of faces: exactly so many pixels, nothing stretched, nothing white at the edges."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from coatl_tools.components.components_file import load_components
from coatl_tools.errors import CommandLineError
from coatl_tools.language import load_language
from coatl_tools.printing.drawing.geometry import ellipse
from coatl_tools.printing.export.picture_export import (
    GAME_CRAFTER,
    MAKE_PLAYING_CARDS,
    PrintService,
)
from coatl_tools.printing.export.raster import (
    PictureSpec,
    PixelArray,
    check_pixel_limits,
    encode_png,
    make_picture_spec,
    render_pictures,
)
from coatl_tools.printing.items import Design
from coatl_tools.printing.pieces.piece_items import make_single_pieces
from tests.printing.sample_faces import make_plain_face

RED = "#cc0000"


def picture(one: PictureSpec) -> PixelArray:
    (found,) = render_pictures([one])
    return found


def circle(found: PixelArray) -> tuple[float, float]:
    """How wide and how high the white circle is, in pixels, to a part of a pixel."""
    white = found[:, :, 1].astype(float) / 255
    across, down = white.sum(axis=1).max(), white.sum(axis=0).max()
    return float(across), float(down)


@pytest.mark.parametrize("company", [MAKE_PLAYING_CARDS, GAME_CRAFTER])
@pytest.mark.parametrize("size", [(63.5, 88.9), (63, 88)])
def test_a_card_for_a_company_has_its_pixels_and_round_circles(
    company: PrintService, size: tuple[float, float]
) -> None:
    face = make_plain_face("card", *size, RED)
    found = picture(PictureSpec("card", face, company.width, company.height, company.dpi))
    assert found.shape == (company.height, company.width, 3)
    across, down = circle(found)
    assert across == pytest.approx(20 / 25.4 * 300, abs=1)
    assert down == pytest.approx(across, abs=0.5)


@pytest.mark.parametrize("company", [MAKE_PLAYING_CARDS, GAME_CRAFTER])
def test_the_bleed_is_painted_to_the_last_pixel(company: PrintService) -> None:
    found = picture(
        PictureSpec("c", make_plain_face("c", 63.5, 88.9, RED), company.width, company.height, 300)
    )
    rim = np.concatenate([found[0], found[-1], found[:, 0], found[:, -1]])
    assert np.unique(rim, axis=0).tolist() == [[0xCC, 0, 0]]


@pytest.mark.parametrize("dpi", [20, 72, 96.5, 300])
@pytest.mark.parametrize("bleed", [0, 1.5, 3])
def test_a_picture_is_as_large_as_its_face_and_painted_all_over(dpi: float, bleed: float) -> None:
    face = make_plain_face("c", 63, 88, RED)
    found = picture(make_picture_spec("c", face, dpi, bleed))
    wanted = [round((size + 2 * bleed) * dpi / 25.4) for size in (88, 63)]
    assert list(found.shape) == [*wanted, 3]
    rim = np.concatenate([found[0], found[-1], found[:, 0], found[:, -1]])
    assert np.unique(rim, axis=0).tolist() == [[0xCC, 0, 0]]


def test_what_has_an_outline_is_transparent_outside_it() -> None:
    face = make_plain_face("t", 20, 20, RED, ellipse(10, 10, 10))
    for bleed in (0, 2):
        found = picture(make_picture_spec("t", face, 254, bleed, cut=True))
        assert found.shape[2] == 4
        opaque = found[:, :, 3] / 255
        assert opaque.sum() == pytest.approx(np.pi * (100 + 10 * bleed) ** 2, rel=0.005)
        assert opaque[0, 0] == 0
        seen = found[opaque > 0][:, :3]  # no light rim, not even where it is half transparent
        assert (seen[:, 0] >= 0xCC).all()


def test_pieces_have_the_outline_of_their_shape() -> None:
    design = Design(load_language("en"))
    for piece in make_single_pieces(design, load_components(), golden=True):
        found = picture(make_picture_spec(piece.name, piece.face, 127, cut=True))
        area = sum(
            cv2.contourArea(np.array(line, np.float32)) for line in piece.face.cut_path.flatten()
        )
        assert (found[:, :, 3] / 255).sum() / 25 == pytest.approx(area, rel=0.01), piece.name


def test_even_pieces_are_all_of_one_size() -> None:
    design = Design(load_language("en"), "low-ink")
    pieces = list(make_single_pieces(design, load_components(), golden=True, even=True))
    assert len(pieces) == 16
    assert len({(piece.face.width, piece.face.height) for piece in pieces}) == 1
    found = picture(make_picture_spec("p", pieces[0].face, 100, cut=True))
    rim = np.concatenate([found[0], found[-1], found[:, 0], found[:, -1]])
    assert not rim[:, 3].any()  # a program that looks for the outline finds all of it


def test_a_png_has_its_resolution_and_the_same_bytes_each_time() -> None:
    one = make_picture_spec("c", make_plain_face("c", 30, 20, RED), 120)
    first, second = encode_png(picture(one), 120), encode_png(picture(one), 120)
    assert first == second
    read = Image.open(io.BytesIO(first))
    assert read.size == (142, 94)
    assert read.info["dpi"] == pytest.approx((120, 120), abs=0.02)


def test_many_pictures_keep_their_order() -> None:
    specs = [
        make_picture_spec(str(n), make_plain_face(f"f{n}", 5, 5, f"#{n:02x}0000"), 25.4)
        for n in range(70)
    ]
    assert [int(found[0, 0, 0]) for found in render_pictures(specs)] == list(range(70))


def test_too_many_pixels_are_refused_before_anything_is_drawn() -> None:
    board = make_plain_face("b", 297, 210, RED)
    with pytest.raises(CommandLineError, match="“b” would be 14031 × 9921 pixels; at most 64"):
        check_pixel_limits([make_picture_spec("b", board, 1200)])
    with pytest.raises(CommandLineError, match="together would have 2131 million"):
        check_pixel_limits([make_picture_spec("b", board, 700)] * 45)
