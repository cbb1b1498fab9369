"""What is said about a Cóatl that is not sure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from coatl_tools.components.components_file import load_components
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.problems import (
    find_coatl_problems,
    find_facing_ends,
    find_too_many_pieces,
)
from coatl_tools.vision.reading import ReadingProblem, SeenCoatl, SeenPiece
from coatl_tools.vision.stage_trace import Pixels

TABLE: Pixels = np.random.default_rng(1).integers(90, 200, (300, 600, 3)).astype(np.uint8)


def piece(x: float, kind: PieceKind = PieceKind.BODY, colour: Colour = Colour.R) -> SeenPiece:
    outline = ((x - 10, 140.0), (x + 10, 140.0), (x + 10, 160.0))
    colours = {one: float(one is colour) for one in Colour}
    return SeenPiece(colours, {one: float(one is kind) for one in PieceKind}, outline, (x, 150.0))


def coatl(*kinds: PieceKind, begin: float = 200.0) -> SeenCoatl:
    return SeenCoatl(tuple(piece(begin + 40 * i, k) for i, k in enumerate(kinds)), 0.99, 1.0)


WHOLE = coatl(PieceKind.HEAD, PieceKind.BODY, PieceKind.BODY, PieceKind.TAIL)


def doubts(seen: SeenCoatl, *strays: SeenPiece, pixels: Pixels = TABLE) -> list[ReadingProblem]:
    return list(find_coatl_problems(0, seen, strays, pixels))


def said(problem: ReadingProblem, language: str = "en") -> str:
    return load_language(language).sentence(*problem.phrase)


def test_nothing_is_said_about_what_is_sure() -> None:
    assert doubts(WHOLE) == []


def test_two_colours_are_named() -> None:
    unsure = replace(WHOLE.pieces[2], colours={Colour.K: 0.55, Colour.B: 0.4, Colour.G: 0.05})
    (doubt,) = doubts(replace(WHOLE, pieces=(*WHOLE.pieces[:2], unsure, WHOLE.pieces[3])))
    assert said(doubt) == "Cóatl 1: not sure about piece 3: black or blue."
    assert (doubt.code, doubt.coatl, doubt.piece, doubt.serious) == ("piece_colour", 0, 2, True)
    assert said(doubt, "fr").endswith("noir ou bleu.")


def test_where_two_colours_look_alike_no_piece_of_either_is_taken_for_sure() -> None:
    def blackish(sure: float) -> dict[Colour, float]:
        return {Colour.K: sure, Colour.B: 1 - sure}

    colours = [blackish(0.7), blackish(0.9), blackish(0.99), {Colour.R: 0.9, Colour.Y: 0.1}]
    pieces = [replace(p, colours=c) for p, c in zip(WHOLE.pieces, colours, strict=True)]
    assert [d.piece for d in doubts(replace(WHOLE, pieces=tuple(pieces)))] == [0, 1]
    assert doubts(replace(WHOLE, pieces=tuple(pieces[1:]))) == []


@pytest.mark.parametrize(
    ("first", "second", "doubted"),
    [
        ((PieceKind.HEAD, PieceKind.BODY), (PieceKind.BODY, PieceKind.TAIL), [0, 1]),
        ((PieceKind.HEAD, PieceKind.BODY), (PieceKind.HEAD, PieceKind.BODY), []),  # a head ends it
        ((PieceKind.BODY, PieceKind.TAIL), (PieceKind.BODY, PieceKind.TAIL), []),
    ],
)
def test_open_ends_that_face_each_other_may_be_one_coatl(
    first: tuple[PieceKind, ...], second: tuple[PieceKind, ...], doubted: list[int]
) -> None:
    near, far = coatl(*second, begin=340), coatl(*second, begin=480)
    assert [d.coatl for d in find_facing_ends([coatl(*first), near])] == doubted
    assert list(find_facing_ends([coatl(*first), far])) == []
    beside = replace(
        near,
        pieces=tuple(
            replace(p, centre=(p.centre[0], p.centre[1] + 60 * i))
            for i, p in enumerate(near.pieces, 1)
        ),
    )
    assert list(find_facing_ends([coatl(*first), beside])) == []


@pytest.mark.parametrize(("place", "words"), [(0, "a head"), (2, "a tail")])
def test_an_end_that_reaches_far_may_be_a_head_or_a_tail(place: int, words: str) -> None:
    bodies = coatl(PieceKind.BODY, PieceKind.BODY, PieceKind.BODY)
    end = bodies.pieces[place]
    tip = (end.centre[0] + (60 if place else -60), 150.0)
    pieces = [*bodies.pieces]
    pieces[place] = replace(end, outline=(*end.outline, tip))
    (doubt,) = doubts(replace(bodies, pieces=tuple(pieces)))
    assert (doubt.code, doubt.piece) == ("piece_kind", place)
    assert said(doubt).endswith(f"a body segment or {words}.")


def test_what_a_person_said_is_not_doubted() -> None:
    told = replace(WHOLE.pieces[2], colours={Colour.K: 0.5, Colour.B: 0.5}, corrected=True)
    assert doubts(replace(WHOLE, pieces=(*WHOLE.pieces[:2], told, WHOLE.pieces[3]))) == []


@pytest.mark.parametrize(
    ("seen", "code"),
    [
        (replace(WHOLE, joint_confidence=0.6), "joints"),
        (replace(coatl(PieceKind.BODY, PieceKind.BODY), facing_confidence=0.6), "direction"),
        (replace(coatl(PieceKind.BODY, PieceKind.BODY), beyond_ends=(0.9, 0.0)), "goes_on"),
        (
            replace(coatl(PieceKind.BODY, PieceKind.BODY, begin=20), beyond_ends=(0.9, 0.0)),
            "outside",
        ),
        (coatl(PieceKind.HEAD, PieceKind.BODY, PieceKind.BODY, begin=510), "outside"),
        (coatl(PieceKind.HEAD, PieceKind.TAIL), "not_a_coatl"),
    ],
)
def test_what_is_wrong_has_its_code(seen: SeenCoatl, code: str) -> None:
    assert [doubt.code for doubt in doubts(seen)] == [code]


def test_a_whole_coatl_may_reach_the_border() -> None:
    assert doubts(coatl(PieceKind.HEAD, PieceKind.BODY, PieceKind.TAIL, begin=30)) == []


@pytest.mark.parametrize(
    ("kind", "begin", "beyond", "cut"),
    [
        (PieceKind.BODY, 31, 0.0, False),  # its hook ends in the picture
        (PieceKind.BODY, 29, 0.0, True),
        (PieceKind.BODY, 60, 0.2, True),  # a part of one more piece may be there
        (PieceKind.BODY, 75, 0.2, False),
        (PieceKind.HEAD, 27, 0.0, True),
    ],
)
def test_what_the_edge_may_cut_is_never_sure(
    kind: PieceKind, begin: float, beyond: float, cut: bool
) -> None:
    seen = replace(coatl(kind, PieceKind.BODY, begin=begin), beyond_ends=(beyond, 0.0))
    assert [doubt.code for doubt in doubts(seen)] == ["outside"] * cut


def test_a_coatl_may_leave_the_picture_with_its_middle() -> None:
    pieces = [*WHOLE.pieces]
    pieces[1] = replace(pieces[1], centre=(240.0, 292.0))
    assert "outside" in [doubt.code for doubt in doubts(replace(WHOLE, pieces=tuple(pieces)))]


def test_a_piece_close_to_an_end_may_belong_to_it() -> None:
    assert [d.code for d in doubts(WHOLE, piece(365))] == ["near_piece"]
    assert doubts(WHOLE, piece(480)) == []


@pytest.mark.parametrize(
    ("pixels", "words"),
    [
        (TABLE // 8, "dark"),
        (np.full_like(TABLE, 150), "blurred"),
        (TABLE, "from above"),
    ],
)
def test_what_would_help_fits_the_photo(pixels: Pixels, words: str) -> None:
    (doubt,) = doubts(replace(WHOLE, joint_confidence=0.5), pixels=pixels)
    assert doubt.advice is not None
    assert words in load_language("en").sentence(doubt.advice, {})


@pytest.mark.parametrize(
    ("pixels", "words"),
    [(TABLE, "brighter, even light"), (TABLE // 8, "dark"), (np.full_like(TABLE, 150), "blurred")],
)
def test_a_colour_in_doubt_wants_light(pixels: Pixels, words: str) -> None:
    unsure = replace(WHOLE.pieces[2], colours={Colour.K: 0.55, Colour.B: 0.45})
    seen = replace(WHOLE, pieces=(*WHOLE.pieces[:2], unsure, WHOLE.pieces[3]))
    (doubt,) = doubts(seen, pixels=pixels)
    assert doubt.advice is not None
    assert words in load_language("en").sentence(doubt.advice, {})


def test_no_more_pieces_than_in_the_box() -> None:
    counts = load_components().pieces
    heads = [coatl(PieceKind.HEAD, PieceKind.BODY) for _ in range(counts.head + 3)]
    assert list(find_too_many_pieces(heads[: counts.head], counts)) == []
    (doubt,) = find_too_many_pieces(heads, counts)
    assert doubt.code == "too_many"
    assert said(doubt) == "6 red heads were read, but the game has only 3."
    assert said(doubt, "fr") == "On a lu 6 têtes rouges, alors que le jeu n’en a que 3."
    assert said(doubt, "pl") == "Odczytano 6 czerwonych głów, a w grze jest tylko 3."


def test_a_piece_in_line_behind_something_makes_a_doubt() -> None:
    """A hand may cover what joins them: half a Cóatl is never told as a whole one."""
    opened = replace(WHOLE, pieces=WHOLE.pieces[:-1])
    before, last = (np.array(piece.centre) for piece in opened.pieces[-2:])
    step = last - before
    beyond, beside = (
        replace(opened.pieces[-1], centre=(float(x), float(y)))
        for x, y in (last + 3 * step, last + 3 * np.array([-step[1], step[0]]))
    )
    assert "near_piece" in [problem.code for problem in doubts(opened, beyond)]
    assert "near_piece" not in [problem.code for problem in doubts(opened, beside)]
    assert "near_piece" not in [problem.code for problem in doubts(WHOLE, beyond)]
