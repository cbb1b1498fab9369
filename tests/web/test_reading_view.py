"""What the page of a photo offers: corrections as links that are right, cards that are scored."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coatl_tools import load_cards
from coatl_tools.language import load_language
from coatl_tools.notation import parse_coatl
from coatl_tools.scoring.score_sheet import score_card_set
from coatl_tools.vision.corrections.session import Corrections, replay_corrections
from coatl_tools.vision.reading import PhotoReading
from coatl_tools.web.pages.photo.correction_links import PAGE_LIMITS, PhotoLinks
from coatl_tools.web.pages.photo.outlines import build_outlines
from coatl_tools.web.pages.photo.photo_address import TallyReturn
from coatl_tools.web.pages.photo.reading_view import PhotoCoatlView, ReadingView, build_reading_view
from coatl_tools.web.work.photo_jobs import PhotoResult, ShownPhoto
from tests.strategies import example_count
from tests.vision.sample_readings import make_doubtful_reading, make_reading, make_seen_card

CARDS, ENGLISH = load_cards(), load_language("en")


def address(corrections: Corrections) -> str:
    return "\n".join(map(str, corrections))


def page(read: PhotoReading, *said: str) -> ReadingView:
    """The page after these corrections, which must all make sense."""
    session, errors = replay_corrections(read, CARDS, said, PAGE_LIMITS)
    assert errors == ()
    return build_reading_view(PhotoLinks(session, address), ENGLISH)


def links(coatl: PhotoCoatlView) -> list[str]:
    """All that can be tapped to change a Cóatl."""
    changes, editing = coatl.changes, coatl.changes.editing
    found = [editing.reverse_url, editing.clear_url, changes.right, coatl.best]
    found += [*changes.pieces_right.values(), *changes.splits.values(), *changes.joins.values()]
    more = [*editing.heads, *editing.bodies, *editing.tails]
    for piece in editing.pieces:
        more += [*piece.colours, *piece.before, *piece.after, *piece.kind_changes]
        found.append(piece.remove_url)
    assert coatl.scored is not None
    found += [coatl.toggle(offer.card) for offer in coatl.scored.offers[:8]]
    return [link for link in [*found, *(change.url for change in more)] if link]


READS = [
    make_reading("<RBBYG>", "KKYR", cards=[make_seen_card("P29", 0), make_seen_card("P05", 1)]),
    make_reading("<R", "G>", "B"),
    make_reading("<RBG>"),
    make_doubtful_reading(),
]


@settings(max_examples=example_count(12))
@given(st.sampled_from(READS), st.data())
def test_whatever_is_tapped_one_after_the_other_makes_sense(
    read: PhotoReading, data: st.DataObject
) -> None:
    said: list[str] = []
    for _ in range(data.draw(st.integers(1, 4))):
        seen = page(read, *said)
        choices = [link for coatl in seen.coatls if coatl.scored for link in links(coatl)]
        choices += [change.url for change in seen.missed] + ([seen.right] if seen.right else [])
        said = data.draw(st.sampled_from(choices)).split("\n")
        said = [one for one in said if one]
    page(read, *said)


def test_a_doubtful_piece_is_named_its_likeliest_colours_come_first_and_a_word_settles_it() -> None:
    seen = page(make_doubtful_reading())
    assert not seen.sure
    second = seen.coatls[1]
    assert set(second.piece_doubts) == {2}
    assert not second.settled
    assert second.changes.editing.pieces[1].colours[0].piece == "B"  # which it may as well be
    told = page(make_doubtful_reading(), *second.changes.pieces_right[2].split("\n"))
    assert told.coatls[1].piece_doubts == {}
    said_blue = page(make_doubtful_reading(), "2.2=B").coatls[1]
    assert said_blue.notation == "KBYR"


def test_another_colour_of_the_same_piece_takes_the_place_of_the_first_one() -> None:
    seen = page(READS[0], "1.2=G")
    black = next(c for c in seen.coatls[0].changes.editing.pieces[1].colours if c.piece == "K")
    assert black.url == "1.2=K"


def test_a_piece_more_goes_before_the_tail_and_an_end_more_to_its_end() -> None:
    read = make_reading("<RBG>", "YK")
    closed, open_ended = (coatl.changes.editing for coatl in page(read).coatls)
    assert page(read, closed.bodies[0].url).coatls[0].notation == "<RBRG>"
    assert (closed.heads, closed.tails) == ((), ())
    assert page(read, open_ended.heads[1].url).coatls[1].notation == "<GYK"
    assert page(read, open_ended.tails[1].url).coatls[1].notation == "YKG>"


def test_a_card_is_laid_scored_as_the_engine_does_and_taken_away_again() -> None:
    read = make_reading("<RBBYG>")
    first = page(read).coatls[0]
    assert first.scored is not None
    card = next(offer.card for offer in first.scored.offers if offer.points)
    laid = page(read, *first.toggle(card).split("\n"))
    found = laid.coatls[0].scored
    assert found is not None
    assert found.total == score_card_set(parse_coatl("<RBBYG>"), [CARDS[card]]).total > 0
    assert found.rows[0].highlighted
    assert laid.coatls[0].toggle(card) == ""  # nothing is left to say
    assert laid.tallied == (f"<RBBYG>.{card}",)
    assert laid.total == found.total
    read_there = page(make_reading("<RBBYG>", cards=[make_seen_card(card)])).coatls[0]
    assert read_there.toggle(card) == "c1-"  # of what was read it must be said


def test_points_are_settled_once_the_cards_beside_the_coatl_are_sure() -> None:
    cards = [make_seen_card("P29", 0, "P30"), make_seen_card("P05", None, "P10")]
    read = make_reading("<BBRBBKRBBYY>", cards=cards)
    assert not page(read).coatls[0].settled
    assert page(read, "c1 ok").coatls[0].settled  # the other card lies apart


def test_the_best_cards_take_the_place_of_those_that_lie_there() -> None:
    read = make_reading(
        "<RBBYG>", cards=[make_seen_card("T03"), make_seen_card("P32"), make_seen_card("P37")]
    )
    before = page(read).coatls[0]
    assert before.scored is not None
    after = page(read, *before.best.split("\n")).coatls[0]
    assert set(after.beside) == set(before.scored.best)
    assert after.scored is not None
    assert after.scored.total == before.scored.best_total


def test_a_card_that_the_game_has_once_moves_to_the_other_coatl() -> None:
    read = make_reading("<RBBYG>", "KKYR", cards=[make_seen_card("P29", 0)])
    moved = page(read, *page(read).coatls[1].toggle("P29").split("\n"))
    assert [coatl.beside for coatl in moved.coatls] == [(), ("P29",)]


def test_a_head_on_a_tail_is_no_coatl_and_the_page_still_shows_it() -> None:
    seen = make_reading("<RBG>")
    pieces = seen.coatls[0].pieces
    broken = replace(seen, coatls=(replace(seen.coatls[0], pieces=(pieces[0], pieces[2])),))
    shown_one = page(broken).coatls[0]
    assert (shown_one.scored, shown_one.notation) == (None, "<RG>")
    assert page(broken).tallied == ()


def test_no_word_of_a_command_line_is_said_at_a_page() -> None:
    for problem in (p for read in READS for p in page(read).doubts):
        assert "--" not in problem.advice


def test_cards_that_were_not_read_are_offered_what_they_may_be() -> None:
    (card,) = page(make_doubtful_reading()).loose
    assert (card.number, card.id) == (2, None)
    assert [name for name, _ in card.candidates] == ["P01", "P02"]
    assert page(make_doubtful_reading(), "c2=P01").loose[0].id == "P01"


def test_outlines_lie_where_the_pieces_were_seen() -> None:
    read = make_doubtful_reading()
    seen = PhotoResult(read, ShownPhoto(b"", (800, 600), 0.5))
    whole, near = build_outlines(seen, read, True), build_outlines(seen, read, False)
    assert whole.view == (0, 0, 800, 600)
    left, top, width, height = near.view
    assert width * height < 800 * 600
    for shape in near.shapes:
        if shape.kind == "stray":
            continue
        assert left <= shape.x <= left + width
        assert top <= shape.y <= top + height
    first = near.shapes[0]
    assert (first.x, first.y, first.lines) == (150, 150, ("1", "▲R"))
    assert first.points == "135,135 165,135 165,165 135,165"
    unsure = [shape for shape in near.shapes if shape.doubtful]
    assert [shape.lines[0] for shape in unsure if shape.kind == "piece"] == ["2?"]
    assert {shape.opens for shape in near.shapes if shape.kind == "card"} == {"card-1", "card-2"}


@pytest.mark.parametrize(("seat", "place"), [("1", 2), ("2", 4), ("9", 4)])
def test_the_tally_gets_the_coatls_behind_those_of_the_player(seat: str, place: int) -> None:
    tally_return = TallyReturn.read(
        {"for": "player=Ana&coatl=%3CRB%3E&player=Bo+%26+co&coatl=G", "seat": seat}
    )
    url = tally_return.tally_url({0: ["<BYG>.P05"]}, ENGLISH)
    assert url.startswith("/tally?")
    fields = parse_qsl(urlsplit(url).query)
    assert fields[place] == ("coatl", "<BYG>.P05")
    assert len(fields) == 5
    assert [value for key, value in fields if key == "player"] == ["Ana", "Bo & co"]
    assert dict(tally_return.fields)["seat"] == seat


def test_a_tally_of_its_own_has_one_player() -> None:
    url = TallyReturn().tally_url({0: ["<BYG>"]}, ENGLISH)
    assert parse_qsl(urlsplit(url).query) == [("player", "Player 1"), ("coatl", "<BYG>")]
    polish = TallyReturn().tally_url({0: ["<BYG>"]}, load_language("pl"))
    assert parse_qsl(urlsplit(polish).query)[0] == ("edition", "pl")


@settings(max_examples=example_count(20))
@given(st.lists(st.text(max_size=30), max_size=70))
def test_no_text_in_the_address_is_too_much(said: list[str]) -> None:
    session, errors = replay_corrections(READS[0], CARDS, said, PAGE_LIMITS)
    assert len(session.corrections) <= 60
    assert all(re.search(r"\w", error.text("en")) for error in errors)
