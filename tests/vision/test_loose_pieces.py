"""Loose pieces that lie close together, and pictures of pieces, are no Cóatls."""

from __future__ import annotations

from dataclasses import replace

from coatl_tools.vision.loose_pieces import part_loose_pieces
from coatl_tools.vision.pieces.piece_search import FoundPieces
from coatl_tools.vision.reading import SeenCoatl
from tests.vision.sample_readings import SIZE, make_piece, make_placed_coatl

LONG = make_placed_coatl("<RGBYKR>", (200, 300))  # pieces of 66 pixels


def lay_apart(text: str, steps: tuple[float, ...], y: float = 900) -> SeenCoatl:
    """A chain whose pieces lie so many pitches apart."""
    seen = make_placed_coatl(text, (300, y))
    places = [300.0]
    for step in steps:
        places.append(places[-1] + 66 * step)
    pieces = [
        replace(make_piece(one.colour.name, one.kind, (x, y)), kinds=one.kinds)
        for one, x in zip(seen.pieces, places, strict=True)
    ]
    return replace(seen, pieces=tuple(pieces))


def part(*coatls: SeenCoatl, loose: int = 0) -> tuple[list[str], int, list[float]]:
    """What is left of these: Cóatls, how many loose pieces, and how sure the joints are."""
    pieces = tuple(make_piece("G", LONG.pieces[1].kind, (300 + 90 * i, 1000)) for i in range(loose))
    found = part_loose_pieces(FoundPieces(coatls, pieces), (), SIZE)
    texts = [one.notation for one in found.coatls]
    return texts, len(found.loose_pieces), [one.joint_confidence for one in found.coatls]


def test_pieces_too_far_apart_are_not_joined() -> None:
    assert part(LONG, lay_apart("YKR>", (1.1, 1.6)))[:2] == (["<RGBYKR>"], 3)
    assert part(LONG, lay_apart("YKRB>", (1.4, 1.3, 1.5)))[:2] == (["<RGBYKR>"], 4)
    assert part(LONG, lay_apart("<YKR>", (1.12, 0.95)))[:2] == (["<RGBYKR>", "<YKR>"], 0)


def test_a_likely_coatl_with_head_and_tail_is_never_parted_without_a_word() -> None:
    texts, loose, sure = part(LONG, lay_apart("<YKR>", (1.5, 1.5)))
    assert (texts, loose) == (["<RGBYKR>", "<YKR>"], 0)
    assert sure[1] < 0.5 < sure[0]


def test_two_segments_are_loose_among_other_loose_pieces() -> None:
    pair = lay_apart("YK", (1.05,))
    assert part(LONG, pair)[:2] == (["<RGBYKR>", "YK"], 0)
    assert part(LONG, pair, loose=1)[:2] == (["<RGBYKR>"], 3)
    assert part(LONG, lay_apart("<YK", (1.05,)), loose=1)[:2] == (["<RGBYKR>", "<YK"], 1)


def test_a_piece_that_may_be_covered_makes_a_doubt() -> None:
    texts, loose, sure = part(LONG, lay_apart("<YKR>", (1.0, 2.0)))
    assert (texts, loose) == (["<RGBYKR>", "<YKR>"], 0)
    assert sure[1] < 0.5 < sure[0]
    assert part(lay_apart("<YKRBGY>", (1.0, 1.5, 1.0, 1.0, 1.0)))[2][0] < 0.5


def test_small_pieces_are_pictures() -> None:
    assert part(LONG, lay_apart("<RRR>", (0.42, 0.4)))[:2] == (["<RGBYKR>"], 0)
    assert part(lay_apart("<RRR>", (0.42, 0.4)))[:2] == (["<RRR>"], 0)


def test_a_drawn_snake_beside_loose_pieces_is_a_picture() -> None:
    drawn = lay_apart("BBB", (0.42, 0.4))
    small = tuple(
        replace(piece, outline=tuple((600 + x * 0.4, 500 + y * 0.4) for x, y in piece.outline))
        for piece in drawn.pieces
    )
    drawn = replace(drawn, pieces=small)
    assert part(drawn, loose=2)[0] == ["BBB"]  # too few to tell how large pieces are
    assert part(drawn, loose=3)[:2] == ([], 3)


def test_nothing_stays_nothing() -> None:
    assert part() == ([], 0, [])
    assert part(loose=2) == ([], 2, [])


def test_a_small_coatl_is_a_doubt_where_only_short_ones_tell_how_large_pieces_are() -> None:
    near = make_placed_coatl("<RGB>", (300, 600))
    far = lay_apart("<YKR>", (0.5, 0.5))
    assert part(near)[2][0] > 0.9
    texts, _, sure = part(near, far)
    assert texts == ["<RGB>", "<YKR>"]
    assert sure[0] > 0.9
    assert sure[1] < 0.5


def test_a_large_coatl_near_the_camera_stays_one_beside_a_long_one_far_away() -> None:
    far = lay_apart("<RGBYKR>", (0.5, 0.5, 0.5, 0.5, 0.5), y=100)
    near = lay_apart("<YKR>", (1.3, 1.3), y=900)
    assert part(far, near)[:2] == (["<RGBYKR>", "<YKR>"], 0)
