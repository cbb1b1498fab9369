"""Pictures to share: everything of a score or a result, on a phone."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

from coatl_tools import load_cards, parse_coatl
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.pieces import Coatl
from coatl_tools.printing.drawing import fonts
from coatl_tools.printing.drawing.surface import FontStyle
from coatl_tools.printing.items import Face
from coatl_tools.printing.pictures.coatl_picture import CoatlPicture, list_pieces
from coatl_tools.printing.pictures.component_pictures import load_design
from coatl_tools.printing.pictures.share_pictures import (
    choose_row_length,
    draw_coatl_row,
    find_lit_pieces,
    render_result_picture,
    render_score_picture,
    shorten_text,
)
from coatl_tools.referee.tally import parse_tally, score_tally
from coatl_tools.rules.result import GameResult
from coatl_tools.scoring.score import CardScore, score_card
from tests.parameters import sample
from tests.printing.golden_pictures import render_pdf_page
from tests.printing.sample_faces import make_pdf_of_faces

COATL = parse_coatl("<BBRBBKRBBYY>")
MOST_BYTES = 2_500_000


def scores(coatl: Coatl, *ids: str) -> list[CardScore]:
    cards = [load_cards()[card_id] for card_id in ids]
    return [score_card(coatl, card, cards) for card in cards]


def opened(data: bytes) -> Image.Image:
    assert len(data) < MOST_BYTES
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.format == "PNG"
        assert picture.width == 1080
        return picture.convert("RGB")


@pytest.mark.parametrize("language", sample(LANGUAGE_CODES, "fr"))
def test_a_score_is_a_picture_for_phones(language: str) -> None:
    few = opened(render_score_picture(COATL, scores(COATL, "P29"), language))
    more = opened(render_score_picture(COATL, scores(COATL, "P29", "P10", "P05", "T03"), language))
    assert more.height > few.height + 900  # each card takes its room


def test_the_total_may_be_another_than_the_sum() -> None:
    first, again, other = (render_score_picture(COATL, [], "en", total=n) for n in (3, 3, 4))
    assert first == again  # to the byte
    assert first != other


def test_several_phones_may_ask_at_once() -> None:
    wanted = [scores(COATL, card) for card in ("P10", "P29", "P10", "P29")]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda one: render_score_picture(COATL, one, "en"), wanted))
    assert made[0] == made[2] != made[1] == made[3]


def test_a_coatl_of_all_pieces_finds_room() -> None:
    longest = parse_coatl("<" + "RGBYK" * 29 + "RG>")
    assert opened(render_score_picture(longest, scores(longest, "P10"), "pl")).height < 10_000


def test_the_pieces_that_fulfil_a_card_are_lit() -> None:
    p29, p01, t03 = scores(COATL, "P29", "P01", "T03")
    assert find_lit_pieces(p29, COATL.colours) == {8, 9, 10, 11}
    assert find_lit_pieces(p01, COATL.colours) == {10, 11}  # they are there, if too few of them
    assert find_lit_pieces(t03, COATL.colours) == set(range(1, 12))  # it looks at the whole Cóatl
    (none,) = scores(parse_coatl("<RRR>"), "P29")
    assert not find_lit_pieces(none, "RRR")


def test_pale_pieces_are_pale_in_a_file_too() -> None:
    design, pieces = load_design("en"), list_pieces(parse_coatl("<KKKKK>"))

    def brightness(lit: frozenset[int] | None) -> list[float]:
        """That of each piece, about its middle."""
        row = CoatlPicture(pieces, lit=lit)
        view = row.view
        face = Face(
            "row", view.width, view.height, lambda s: draw_coatl_row(s, design, row, (0, 0), 1.0)
        )
        pixels = np.asarray(render_pdf_page(make_pdf_of_faces(face)), np.float64)
        scale = pixels.shape[1] / view.width
        places = [(x - view.x, y - view.y) for x, y in row.middles]
        boxes = [tuple(round(scale * v) for v in (x - 3, x + 3, y + 4, y + 8)) for x, y in places]
        return [float(pixels[c:d, a:b].mean()) for a, b, c, d in boxes]

    full, part = brightness(None), brightness(frozenset({1, 2}))
    assert part[:2] == full[:2]
    assert all(pale > dark + 90 for pale, dark in zip(part[2:], full[2:], strict=True))


def result(*names: str) -> GameResult:
    coatls = [{"coatl": str(COATL), "cards": ["P29", "P10", "T03"]}, "<GGYKKR"]
    players = [
        {"name": name, "coatls": coatls[: 2 - number], "golden": 1 - number}
        for number, name in enumerate(names)
    ]
    more = {"adam": {"fulfilled": ["P01", "P05"]}} if len(names) == 1 else {}
    if len(names) > 1:  # every card is there once
        players[1]["coatls"] = [{"coatl": "<RRGBYYKB>", "cards": ["P05"]}]
    else:
        players[0]["golden"] = 0
    return score_tally(parse_tally({"players": players, **more}, load_cards()), load_cards())


@pytest.mark.parametrize("language", sample(LANGUAGE_CODES, "pl"))
def test_a_result_is_a_picture_for_phones(language: str) -> None:
    two = opened(render_result_picture(result("Ana", "Bo"), language))
    assert two.height > 1200
    long = opened(render_result_picture(result("W" * 30, "Bo"), language))
    assert long.height >= two.height


def test_a_result_against_adam_has_a_picture_too() -> None:
    opened(render_result_picture(result("Ana"), "en"))
    assert render_result_picture(result("Ana"), "en") != render_result_picture(
        result("Ana"), "en", over=False
    )


def test_names_are_cut_off_where_they_are_too_wide() -> None:
    type_ = FontStyle(fonts.BOLD, 20)
    assert shorten_text("Ana", type_, 50) == "Ana"
    cut = shorten_text("W" * 30, type_, 50)
    assert cut.endswith("…")
    assert type_.measure(cut) <= 50
    assert shorten_text("W", type_, 0.1) == "…"


@pytest.mark.parametrize(("count", "most", "found"), [(7, 7, None), (8, 7, 4), (15, 7, 5)])
def test_rows_are_about_as_long_as_each_other(count: int, most: int, found: int | None) -> None:
    assert choose_row_length(count, most) == found
