"""Reading Cóatls leniently, writing them canonically, pointing at what is wrong."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coatl_tools import Coatl, Colour, NotationError, parse_coatl
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from tests.rules.random_games import pieces_of
from tests.strategies import colour_rows, make_coatl


@given(colour_rows(30), st.booleans(), st.booleans())
def test_what_is_written_is_read_back(word: str, head: bool, tail: bool) -> None:
    coatl = make_coatl(word, head, tail)
    assert parse_coatl(str(coatl)) == coatl


@given(colour_rows(12), st.booleans(), st.booleans(), st.sampled_from(LANGUAGE_CODES))
def test_words_of_every_language_are_read(word: str, head: bool, tail: bool, code: str) -> None:
    coatl, language = make_coatl(word, head, tail), load_language(code)
    said = []
    for piece in pieces_of(str(coatl)):
        colour = language.colours[Colour[piece.strip("<>")]]["name"]
        kind = language.words["head"][0] if piece[0] == "<" else ""
        kind += language.words["tail"][0] if piece[-1] == ">" else ""
        said.append(f"{kind} {colour}")
    assert parse_coatl(", ".join(said)) == coatl
    assert parse_coatl(" ".join(said).upper()) == coatl


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("<RBBYG>", "<RBBYG>"),
        ("  < r b b y g >  ", "<RBBYG>"),
        ("rbbyg", "RBBYG"),
        ("R-B-B", "RBB"),
        ("head red, blue, blue, tail green", "<RBBG>"),
        ("red head, blue, green tail", "<RBG>"),
        ("red head blue green tail", "<RBG>"),
        ("Head R, B, B", "<RBB"),
        ("tête rouge, bleu, bleue, queue verte", "<RBBG>"),
        ("tete rouge bleu noir", "<RBK"),
        ("głowa czerwona, żółty, czarny, ogon zielony", "<RYKG>"),
        ("glowa czerwona zolty ogon zielony", "<RYG>"),
        ("body red then body blue", "RB"),
        ("segment de corps bleu, puis pièce noire", "BK"),
        ("niebieski fragment i czarny segment ciała", "BK"),
        ("▲●■★◆", "RGBYK"),
        ("<▲R  ●G  ■B>", "<RGB>"),
        ("head red, blue, green tail", "<RBG>"),
        ("głowa czerwona i niebieski i żółty ogon", "<RBY>"),
        (unicodedata.normalize("NFD", "tête rouge, żółty"), "<RY"),
        ("\ufeffＲＢＧ", "RBG"),
        ("‹RBG›", "<RBG>"),
        ("BB", "BB"),
        ("K", "K"),
    ],
)
def test_lenient_reading(text: str, canonical: str) -> None:
    assert str(parse_coatl(text)) == canonical


@pytest.mark.parametrize(
    ("text", "key", "position"),
    [
        ("", "notation.empty", 0),
        ("   ", "notation.empty", 0),
        (", ;", "notation.empty", 0),
        ("<RBQYG>", "notation.unknown_letter", 3),
        ("<RB5YG>", "notation.unknown_letter", 3),
        ("red, blu, green", "notation.unknown_word", 2),
        ("<R<BG", "notation.head_not_first", 2),
        ("head red, head blue, green", "notation.head_not_first", 2),
        ("blue, head red", "notation.head_not_first", 2),
        ("red, head, green", "notation.dangling", 2),
        ("red tail, blue, green", "notation.tail_not_last", 1),
        ("head red, head blue, head green, tail red", "notation.head_not_first", 2),
        ("▲G", "notation.unknown_letter", 1),
        ("<<RBG>", "notation.marked_twice", 1),
        ("R>BG", "notation.tail_not_last", 1),
        ("<RBG>>", "notation.marked_twice", 3),
        ("<RG>", "notation.head_on_tail", 2),
        ("<R>", "notation.head_and_tail", 1),
        ("RB<", "notation.dangling", 3),
        (">RB", "notation.dangling", 1),
        ("<", "notation.dangling", 1),
        ("head", "notation.dangling", 1),
        ("R" * 151, "notation.long", 0),
        ("R" * 10_000_000, "notation.long", 0),
        ("N", "notation.unknown_letter", 1),
        ("\x00", "notation.unknown_letter", 1),
    ],
)
def test_errors_name_the_piece(text: str, key: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_coatl(text)
    assert (caught.value.key, caught.value.position) == (key, position)
    for code in LANGUAGE_CODES:
        message = caught.value.text(code)
        assert message
        assert "{" not in message
        assert not position or str(position) in message


def test_the_pointer_stands_under_the_piece() -> None:
    with pytest.raises(NotationError) as caught:
        parse_coatl("<RBQYG>")
    assert caught.value.pointer() == "<RBQYG>\n   ^"


def test_nothing_steers_the_terminal() -> None:
    with pytest.raises(NotationError) as caught:
        parse_coatl("R\x1b[31m\u202eG")
    shown = f"{caught.value}{caught.value.pointer()}"
    assert shown.replace("\n", "").isprintable()


def test_the_pointer_of_a_long_text_shows_its_surroundings() -> None:
    with pytest.raises(NotationError) as caught:
        parse_coatl("R" * 100 + "Q" + "B" * 20)
    line, caret = caught.value.pointer().splitlines()
    assert len(line) < 80
    assert line[len(caret) - 1] == "Q"


def test_a_hint_names_the_nearest_word() -> None:
    with pytest.raises(NotationError, match="“blue”"):
        parse_coatl("red, blu, green")
    with pytest.raises(NotationError, match="“żółty”"):
        parse_coatl("czerwony, zolti")


@given(st.text(max_size=40))
def test_any_text_is_a_coatl_or_a_notation_error(text: str) -> None:
    try:
        outcome = str(parse_coatl(text))
    except NotationError as error:
        outcome = f"{error}{error.pointer()}"
    else:
        assert str(parse_coatl(outcome)) == outcome
    assert outcome


@pytest.mark.parametrize("word", ["", "R" * 151])
def test_no_coatl_is_empty_or_larger_than_the_box(word: str) -> None:
    with pytest.raises(ValueError, match="1 to 150"):
        make_coatl(word)


def test_a_head_never_touches_a_tail() -> None:
    with pytest.raises(ValueError, match=r"rule 3\.10"):
        Coatl((Colour.R, Colour.B), head=True, tail=True)
