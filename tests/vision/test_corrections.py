"""Corrections of a reading: how they are written, what they change, what they leave."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.errors import CoatlError, CorrectionError, NotationError, UnknownCardError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Coatl, Colour, PieceKind
from coatl_tools.vision.corrections import correction as c
from coatl_tools.vision.corrections.corrected_reading import apply_corrections, find_shape_fault
from coatl_tools.vision.corrections.correction import (
    Correction,
    parse_correction,
    parse_corrections,
)
from coatl_tools.vision.output.overlay import render_overlay
from coatl_tools.vision.picture import Picture
from coatl_tools.vision.reading import DIRECTION_PROBLEM, PhotoReading, ReadingProblem
from coatl_tools.vision.table_players import assign_players
from tests.strategies import example_count
from tests.vision.sample_readings import list_notations, make_problem, make_reading, make_seen_card

CARDS = load_cards()
IDS = [card.id for card in CARDS]
DOCS = Path(__file__).parents[2] / "docs"


def fixed(found: PhotoReading, text: str) -> PhotoReading:
    return apply_corrections(found, CARDS, *parse_corrections(text, CARDS))


def after(text: str, *coatls: str) -> list[str]:
    return list_notations(fixed(make_reading(*coatls), text))


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("1.4=B", ["<RBBG>"], ["<RBBB>"]),
        ("1.4 = blue", ["<RBBG>"], ["<RBBB>"]),
        ("1.1=K", ["<RBBG>"], ["<KBBG>"]),  # the colour alone: it stays a head
        ("1.1=<R", ["GBBG"], ["<RBBG"]),
        ("1.1=head", ["GBBG"], ["<GBBG"]),
        ("1.1=body", ["<GBBG"], ["GBBG"]),
        ("1.4=tail red", ["GBBG"], ["GBBR>"]),
        ("1.4=queue rouge", ["GBBG"], ["GBBR>"]),
        ("1.1=czerwona głowa", ["GBBG"], ["<RBBG"]),
        ("1.4=<R", ["GBBK"], ["<RBBG"]),  # a head at the other end: it lies the other way
        ("1.1=R>", ["GBBK"], ["KBBR>"]),
        ("1.2-", ["<RBG>"], []),
        ("1.4-", ["<RBBG"], ["<RBB"]),
        ("1.4+K", ["<RBBG>"], []),
        ("1.3+K", ["<RBBG>"], ["<RBBKG>"]),
        ("1.0+<Y", ["RBB"], ["<YRBB"]),
        ("1+Y>", ["RBB"], ["RBBY>"]),
        ("1=<RBBG>", ["KK", "YY"], ["<RBBG>", "YY"]),
        ("1~", ["<RBG"], ["GBR>"]),
        ("1 reverse", ["<RBG>"], ["<GBR>"]),
        ("1 odwróć", ["RBG"], ["GBR"]),
        ("1-", ["RBG", "YY"], ["YY"]),
        ("+<RBB", ["YY"], ["YY", "<RBB"]),
        ("+head red, blue", ["YY"], ["YY", "<RB"]),
        ("1+2", ["<RB", "GG>"], ["<RBGG>"]),
        ("2+1", ["GG>", "<RB", "K"], ["<RBGG>", "K"]),
        ("1.2/", ["<RBGG>", "K"], ["<RB", "GG>", "K"]),
        ("1.4=B; 1.4=Y", ["<RBBG>"], ["<RBBY>"]),
        ("1.2-; 1.2=K", ["RGBY"], ["RKY"]),  # numbers are those that the one before left
        ("1.2−", ["RGB"], ["RB"]),
    ],
)
def test_what_a_correction_does(text: str, before: list[str], expected: list[str]) -> None:
    if expected:
        assert after(text, *before) == expected
    else:
        with pytest.raises(CorrectionError):
            after(text, *before)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "“” is not a correction"),
        ("hello", "“hello” is not a correction. Write for example 1.4=B"),
        ("1.4", "is not a correction"),
        ("3=RBB", "There is no Cóatl 3; Cóatls that were read: 2. A Cóatl that was"),
        ("1.9=B", "Cóatl 1 has no piece 9: it has 4 pieces."),
        ("1.0=B", "Cóatl 1 has no piece 0"),
        ("1.2=<B", "a head that is not at its end"),
        ("1.2=B>", "a tail that is not at its end"),
        ("2.2=R>", "head would be joined to a tail, which is not allowed (rule 3.10)"),
        ("1.2=BB", "“BB” is 2 pieces, but only one fits here"),
        ("1.2=Z", "“Z” is not a piece. Write its colour"),
        ("1.2=yelow", "“yelow” is not a piece. Did you mean “yellow”?"),
        ("1.2+<R>", "“<R>” is not a piece"),
        ("1.2+tail", "does not say which colour"),
        ("c1=P29", "There is no card 1: 0 were read."),
        ("+P29", "Beside which of the 2 Cóatls does P29 lie? Write for example +P29@1."),
        ("+P29@7", "There is no Cóatl 7"),
        ("1+1", "cannot be joined to itself"),
        ("1+2", "Write 2+1 for the other order"),
        ("1.4/", "already ends after piece 4"),
        ("1." + "9" * 5000, "is not a correction"),
        ("1.2=" + "B" * 20_000, "too long"),
    ],
)
def test_what_cannot_be_is_said_precisely(text: str, said: str) -> None:
    with pytest.raises(CorrectionError) as error:
        fixed(make_reading("<RBBG>", "<RB"), text)
    assert said in str(error.value)
    for code in LANGUAGE_CODES:
        assert error.value.text(code)


def test_mistakes_inside_are_pointed_at() -> None:
    with pytest.raises(NotationError) as error:
        fixed(make_reading("RBB"), "1 = <RQB")
    assert error.value.pointer() == "1 = <RQB\n      ^"
    with pytest.raises(UnknownCardError, match="P99"):
        fixed(make_reading("RBB"), "+P99")


def test_what_was_said_is_sure_and_the_rest_is_not() -> None:
    found = make_reading(
        "<RBBG>", "YY", problems=[make_problem(0, 3), make_problem(0, 1), make_problem(1, 0)]
    )
    assert not found.sure
    found = fixed(found, "1.4=K")
    assert found.coatls[0].pieces[3].corrected
    assert found.coatls[0].pieces[3].confidence == 1
    assert not found.coatls[0].pieces[1].corrected
    assert [(p.coatl, p.piece) for p in found.problems] == [(0, 1), (1, 0)]
    assert [seen.sure for seen in found.coatls] == [False, False]
    found = fixed(found, "1.2 ok")
    assert [seen.sure for seen in found.coatls] == [True, False]
    assert fixed(found, "2 ok").sure


def test_problems_follow_their_pieces() -> None:
    found = make_reading("RGBYK", "RG", problems=[make_problem(0, 3), make_problem(1, 1)])

    def places(text: str) -> list[tuple[int | None, int | None]]:
        return [(p.coatl, p.piece) for p in fixed(found, text).problems]

    assert places("1.1-") == [(0, 2), (1, 1)]
    assert places("1.3-") == [(0, 2), (1, 1)]
    assert places("1.5-") == [(0, 3), (1, 1)]
    assert places("1.2+K") == [(0, 4), (1, 1)]
    assert places("1~") == [(0, 1), (1, 1)]
    assert places("1.3/") == [(1, 0), (2, 1)]
    assert places("2+1") == [(0, 5), (0, 1)]
    assert places("1-") == [(0, 1)]
    assert places("1=RGBYKK") == [(1, 1)]


def test_the_direction_is_settled_by_an_end_and_not_by_a_colour() -> None:
    found = make_reading("RGB", problems=[make_problem(0, None, code=DIRECTION_PROBLEM)])
    assert not fixed(found, "1.2=K").sure
    assert not fixed(found, "1.2+K").sure
    for text in ("1~", "1.1=<R", "1.3=B>", "1 ok", "1=BGR"):
        assert fixed(found, text).sure, text


def test_a_gap_is_settled_by_counting_and_not_by_a_colour() -> None:
    found = make_reading("RGB", problems=[make_problem(0, None, code="gap")])
    assert not fixed(found, "1.2=K").sure
    assert not fixed(found, "1~").sure
    for text in ("1.2+K", "1.2-", "1.2/", "1 ok"):
        assert fixed(found, text).sure, text


def test_cards() -> None:
    cards = [make_seen_card("P01"), make_seen_card(None, 1, "P29", "P30")]
    found = make_reading("RGB", "YY", cards=cards, problems=[make_problem(card=1)])
    said = fixed(found, "c2=p29")
    assert (said.cards[1].id, said.cards[1].coatl, said.cards[1].sure) == ("P29", 1, True)
    assert said.cards[1].corrected
    assert said.sure
    assert fixed(found, "c2=P29@1").cards[1].coatl == 0
    assert not fixed(found, "c2@1").sure
    assert fixed(found, "c1@2").cards[0].coatl == 1
    assert [card.id for card in fixed(found, "c1-").cards] == [None]
    assert fixed(found, "c1-").problems[0].card == 0
    assert fixed(found, "c2-").sure
    assert fixed(found, "+T03@2").cards[2].coatl == 1
    assert fixed(found, "1-").cards[0].coatl is None
    assert fixed(found, "1-").cards[1].coatl == 0
    assert [card.coatl for card in fixed(found, "1+2").cards] == [0, 0]
    assert [card.coatl for card in fixed(found, "1.2/").cards] == [0, 2]
    assert fixed(make_reading("RGB"), "+P29").cards[0].coatl == 0
    assert fixed(make_reading(), "+P29").cards[0].coatl is None
    with pytest.raises(CorrectionError, match="Card c2 could not be read"):
        fixed(found, "c2 ok")
    with pytest.raises(CorrectionError, match="Card c2 could not be read"):
        fixed(found, "ok")


def test_no_card_is_there_more_often_than_the_game_has_it() -> None:
    twice = next(card.id for card in CARDS if card.copies == 2)
    cards = [
        make_seen_card("T03"),
        make_seen_card("P29"),
        make_seen_card(None, 0, "P29"),
        make_seen_card(twice),
    ]
    found = make_reading("RGB", cards=cards, problems=[make_problem(card=2)])
    for text in ("c3=P29", "c1=P29", "+P29", f"+{twice}; +{twice}"):
        with pytest.raises(CorrectionError, match="is already there: c"):
            fixed(found, text)
    with pytest.raises(CorrectionError, match="P29 is already there: c2, and the game"):
        fixed(found, "c3=P29")
    with pytest.raises(CorrectionError, match=rf"{twice} is already there: c4, c5, and"):
        fixed(found, f"+{twice}; c3={twice}")
    assert fixed(found, f"+{twice}").cards[4].id == twice
    assert fixed(found, "c2=P30; c3=P29").sure
    assert fixed(found, "c2-; c2=P29").sure
    assert fixed(found, "c2=P29; c2@1").cards[1].corrected


def test_of_cards_that_were_read_as_the_same_one_only_one_can_be_right() -> None:
    cards = [make_seen_card("P29"), make_seen_card("P29")]
    found = make_reading("RGB", cards=cards, problems=[make_problem(card=0), make_problem(card=1)])
    assert fixed(found, "c1 ok; c2=P30").sure
    assert fixed(found, "c2=P29; c1-").sure
    for text in ("c1 ok; c2 ok", "c1=P29; c2@1", "ok"):
        with pytest.raises(CorrectionError, match="P29 is already there: c1"):
            fixed(found, text)


def test_what_is_about_nothing_in_particular_stays_until_all_is_said() -> None:
    found = make_reading(
        "RGB",
        "YY",
        problems=[make_problem(), ReadingProblem("dim", ("notation.empty", {}), serious=False)],
    )
    assert not fixed(found, "1=RGB").sure
    done = fixed(found, "1=RGB; 2=YY")
    assert done.sure
    assert [problem.code for problem in done.problems] == ["dim"]
    assert fixed(found, "ok").sure
    nothing = make_reading(problems=[make_problem(code="none")])
    assert fixed(nothing, "+<RBB").sure


def test_whose_a_coatl_is_stays_with_it_and_is_not_found_anew() -> None:
    read = make_reading("<RBBG>", "KKYR", "<YG")
    said = fixed(read, "1@2; 3@1; 1 ok; 2-; 1.2=K; 1 = <RKKG>; 1~")
    assert [seen.player for seen in said.coatls] == [1, 0]
    assert all(seen.player_corrected for seen in said.coatls)
    assert [seen.player for seen in assign_players(said).coatls] == [1, 0]
    assert [seen.player for seen in fixed(said, "1@3").coatls] == [2, 0]
    for wrong in ("1@0", "1@5"):
        with pytest.raises(CorrectionError, match="at most 4 play"):
            fixed(read, wrong)


def test_where_pieces_were_seen_is_kept() -> None:
    found = make_reading("RGBY")
    centres = [piece.centre for piece in found.coatls[0].pieces]
    longer = fixed(found, "1=RGKBY").coatls[0].pieces
    assert [piece.centre for piece in longer if piece.outline] == centres
    assert longer[2].outline == ()
    assert centres[1][0] < longer[2].centre[0] < centres[2][0]
    assert all(piece.outline for piece in fixed(found, "1=KKKK").coatls[0].pieces)


# Whatever is said.

COLOURS = st.sampled_from(list(Colour))


@st.composite
def coatls(draw: st.DrawFn, most: int = 7) -> Coatl:
    colours = tuple(draw(st.lists(COLOURS, min_size=1, max_size=most)))
    head, tail = draw(st.booleans()), draw(st.booleans())
    return Coatl(colours, head, tail and (len(colours) > 2 or not head))


@st.composite
def readings(draw: st.DrawFn) -> PhotoReading:
    texts = [str(coatl) for coatl in draw(st.lists(coatls(), max_size=3))]
    places = st.one_of(st.none(), st.integers(0, len(texts) - 1)) if texts else st.none()
    cards = [
        make_seen_card(draw(st.sampled_from([*IDS, None])), draw(places))
        for _ in range(draw(st.integers(0, 3)))
    ]
    problems = []
    for _ in range(draw(st.integers(0, 4))):
        coatl = draw(places)
        piece = None if coatl is None else draw(st.integers(-1, len(parse_coatl(texts[coatl])) - 1))
        card = draw(st.integers(0, len(cards) - 1)) if cards and coatl is None else None
        code = draw(st.sampled_from(["unclear", DIRECTION_PROBLEM]))
        problems.append(make_problem(coatl, None if piece == -1 else piece, card, code))
    return make_reading(*texts, cards=cards, problems=problems)


NUMBERS = st.integers(1, 4)
KINDS = st.sampled_from(list(PieceKind))
CORRECTIONS: st.SearchStrategy[Correction] = st.one_of(
    st.builds(c.SetPiece, NUMBERS, NUMBERS, COLOURS, st.one_of(st.none(), KINDS)),
    st.builds(c.SetPiece, NUMBERS, NUMBERS, st.none(), KINDS),
    st.builds(c.RemovePiece, NUMBERS, NUMBERS),
    st.builds(c.AddPiece, NUMBERS, st.one_of(st.none(), st.integers(0, 5)), COLOURS, KINDS),
    st.builds(c.SetCoatl, NUMBERS, coatls()),
    st.builds(c.ReverseCoatl, NUMBERS),
    st.builds(c.SplitCoatl, NUMBERS, NUMBERS),
    st.builds(c.JoinCoatls, NUMBERS, NUMBERS),
    st.builds(c.RemoveCoatl, NUMBERS),
    st.builds(c.AddCoatl, coatls()),
    st.builds(c.SetPlayer, NUMBERS, st.integers(1, 5)),
    st.builds(c.SetCard, NUMBERS, st.sampled_from(IDS), st.one_of(st.none(), NUMBERS)),
    st.builds(c.SetCard, NUMBERS, st.none(), NUMBERS),
    st.builds(c.RemoveCard, NUMBERS),
    st.builds(c.AddCard, st.sampled_from(IDS), st.one_of(st.none(), NUMBERS)),
    st.builds(c.Confirm, NUMBERS, st.one_of(st.none(), NUMBERS)),
    st.builds(c.Confirm, card=NUMBERS),
    st.just(c.Confirm()),
)


def is_valid(found: PhotoReading) -> None:
    for seen in found.coatls:
        assert seen.pieces
        assert seen.coatl is not None
        assert not find_shape_fault(seen.pieces)
    for card in found.cards:
        assert card.coatl is None or 0 <= card.coatl < len(found.coatls)
    for problem in found.problems:
        if problem.coatl is not None:
            assert 0 <= problem.coatl < len(found.coatls)
            assert problem.piece is None or problem.piece < len(found.coatls[problem.coatl].pieces)
            assert not (problem.serious and found.coatls[problem.coatl].sure)
        assert problem.card is None or problem.card < len(found.cards)


@settings(max_examples=example_count(150))
@given(readings(), st.lists(CORRECTIONS, max_size=6))
def test_whatever_is_said_leaves_a_valid_reading(
    found: PhotoReading, said: list[Correction]
) -> None:
    for correction in said:
        before = found
        try:
            found = apply_corrections(found, CARDS, correction)
        except CorrectionError:
            assert found == before
        is_valid(found)


@settings(max_examples=example_count(100))
@given(readings(), st.lists(CORRECTIONS, max_size=2), st.lists(coatls(), min_size=1, max_size=3))
def test_saying_the_truth_leads_to_the_truth(
    found: PhotoReading, before: list[Correction], truth: list[Coatl]
) -> None:
    for correction in before:
        try:
            found = apply_corrections(found, CARDS, correction)
        except CorrectionError:
            continue
    said: list[Correction] = [c.RemoveCard(1) for _ in found.cards]
    said += [c.RemoveCoatl(len(truth) + 1)] * (len(found.coatls) - len(truth))
    for number, coatl in enumerate(truth, start=1):
        known = number <= len(found.coatls)
        said.append(c.SetCoatl(number, coatl) if known else c.AddCoatl(coatl))
    said.append(c.AddCard("P29", 1))
    done = apply_corrections(found, CARDS, *said)
    assert list_notations(done) == [str(coatl) for coatl in truth]
    assert [(card.id, card.coatl) for card in done.cards] == [("P29", 0)]
    assert done.sure
    assert all(seen.sure and seen.confidence == 1 for seen in done.coatls)


@settings(max_examples=example_count(150))
@given(CORRECTIONS)
def test_what_is_written_is_read_back(correction: Correction) -> None:
    assert parse_correction(str(correction), CARDS) == correction


@settings(max_examples=example_count(150))
@given(st.one_of(st.text(max_size=20), st.text("0123.=+-~/@cP <>RBok;", max_size=12)))
def test_any_text_is_a_correction_or_an_error(text: str) -> None:
    with contextlib.suppress(CoatlError):
        is_valid(fixed(make_reading("<RBB", "GG"), text))


@pytest.mark.parametrize("text", ["1.2+K", "1+K", "+<RBB", "+P29@1", "1-; +RB; +P29"])
def test_what_was_never_seen_is_drawn_around(text: str) -> None:
    path = Path("table.jpg")
    picture = Picture(path, np.full((240, 320, 3), 120, np.uint8))
    drawn = render_overlay(picture, fixed(make_reading("RRBBY"), text), load_language("en"))
    assert drawn.shape[1] >= 320


def test_every_correction_of_the_docs_is_one() -> None:
    pages = [page.read_text("utf-8") for page in DOCS.glob("photos*.md")]
    rows = [
        row.split("|")[1]
        for page in pages
        for row in page.partition("| correction |")[2].partition("\n\n")[0].splitlines()
        if row.startswith("| `")
    ]
    written = [text for row in rows for text in re.findall("`([^`]+)`", row)]
    assert len(written) > 20
    for text in written:
        parse_correction(text, CARDS)
