"""A photo of a whole table: whose each Cóatl is, questions where it is not clear, one tally."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest

from coatl_tools import load_cards
from coatl_tools.language import load_language
from coatl_tools.vision.corrections.session import Corrections, replay_corrections
from coatl_tools.vision.reading import PhotoReading
from coatl_tools.web.pages.photo.correction_links import PAGE_LIMITS, PhotoLinks
from coatl_tools.web.pages.photo.photo_address import TallyReturn
from coatl_tools.web.pages.photo.player_flags import build_player_flags
from coatl_tools.web.pages.photo.players_view import PlayersView, build_players_view
from coatl_tools.web.pages.photo.reading_view import build_reading_view
from coatl_tools.web.pages.tally.result_view import build_tally_view
from coatl_tools.web.pages.tally.tally_url import TallyDraft
from coatl_tools.web.work.photo_jobs import PhotoResult, ShownPhoto
from tests.vision.sample_readings import make_reading, make_seen_card

CARDS, ENGLISH = load_cards(), load_language("en")
NEW = TallyReturn()
TALLY = TallyReturn.read(
    {"for": "player=Ana&player=Bo&coatl=%3CRB%3E&player=Cy&golden=1&edition=pl", "seat": "2"}
)


def address(corrections: Corrections) -> str:
    return "\n".join(map(str, corrections))


def table(*players: int | None) -> PhotoReading:
    """A photo with a Cóatl of each of these players."""
    texts = ["<RBBYG>", "<KKYR>", "<YRG>", "<GG"][: len(players)]
    read = make_reading(*texts, cards=[make_seen_card("P29", 0), make_seen_card("P05", 1)])
    coatls = [
        replace(seen, player=player) for seen, player in zip(read.coatls, players, strict=True)
    ]
    return replace(read, coatls=tuple(coatls))


def view(read: PhotoReading, *said: str, tally: TallyReturn = NEW) -> PlayersView | None:
    session, errors = replay_corrections(read, CARDS, said, PAGE_LIMITS)
    assert errors == ()
    links = PhotoLinks(session, address)
    return build_players_view(links, build_reading_view(links, ENGLISH).coatls, tally, ENGLISH)


def seen(read: PhotoReading, *said: str, tally: TallyReturn = NEW) -> PlayersView:
    found = view(read, *said, tally=tally)
    assert found is not None
    return found


def numbers(players: PlayersView) -> dict[str, list[int]]:
    return {one.player.name: [own.coatl.number for own in one.coatls] for one in players.players}


def fields(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query)


def test_one_coatl_is_nobodys_question() -> None:
    assert view(table(0)) is None
    assert view(table(None)) is None


def test_coatls_of_several_players_become_one_tally() -> None:
    found = seen(table(2, 0, 2))
    assert numbers(found) == {"Player 1": [2], "Player 3": [1, 3]}
    assert found.unclear == ()
    assert fields(found.tally) == [
        ("player", "Player 1"),
        ("coatl", "<KKYR>.P05"),
        ("player", "Player 3"),
        ("coatl", "<RBBYG>.P29"),
        ("coatl", "<YRG>"),
    ]
    draft = TallyDraft.parse(fields(found.tally), CARDS)
    assert [len(seat.coatls) for seat in draft.seats] == [1, 2]


def test_what_is_not_clear_is_asked_and_a_tap_answers() -> None:
    read = table(0, None, 1)
    found = seen(read)
    assert found.tally == ""
    (question,) = found.unclear
    assert question.coatl.number == 2
    assert [name.name for name, _ in question.moves] == ["Player 1", "Player 2", "Player 3"]
    for player, (_, link) in enumerate(question.moves):
        answered = seen(read, *link.split("\n"))
        assert answered.unclear == ()
        assert answered.owners[2].number == player + 1
        assert answered.tally
    assert numbers(seen(read, *found.all_mine.split("\n"))) == {"Player 1": [1, 2, 3]}


def test_a_coatl_that_was_missed_is_asked_about() -> None:
    found = seen(table(0, 1), "+<RBB")
    assert [one.coatl.number for one in found.unclear] == [3]
    assert seen(table(0, 1), "+<RBB", "3@2").tally.endswith("coatl=%3CRBB")


def test_any_coatl_can_be_moved_to_any_player_and_one_who_was_not_seen() -> None:
    read = table(0, 1, 1)
    found = seen(read)
    moves = {name.number: link for name, link in found.players[1].coatls[0].moves}
    assert set(moves) == {1, 3}
    assert numbers(seen(read, moves[3])) == {"Player 1": [1], "Player 2": [3], "Player 3": [2]}
    four = seen(table(0, 1, 2, 3))
    assert [len(own.coatls[0].moves) for own in four.players] == [3, 3, 3, 3]  # no fifth


def test_players_of_a_tally_follow_the_one_who_asked() -> None:
    found = seen(table(0, 1, 2), tally=TALLY)
    assert numbers(found) == {"Bo": [1], "Cy": [2], "Ana": [3]}
    assert [one.player.initial for one in found.players] == ["B", "C", "A"]
    draft = TallyDraft.parse(fields(found.tally), CARDS)
    tallied = build_tally_view(draft, CARDS, ENGLISH).seats
    assert {one.player.name: one.player.colour for one in found.players} == {
        seat.name: seat.colour for seat in tallied
    }
    told = [(seat.name, [str(coatl) for coatl in seat.coatls], seat.golden) for seat in draft.seats]
    assert told == [
        ("Ana", ["<YRG>"], 0),
        ("Bo", ["<RB>", "<RBBYG>.P29"], 0),
        ("Cy", ["<KKYR>.P05"], 1),
    ]
    assert draft.edition == "pl"
    more = seen(table(0, 3), tally=TALLY)
    assert numbers(more) == {"Bo": [1], "Player 4": [2]}
    assert [value for key, value in fields(more.tally) if key == "player"] == [
        "Ana", "Bo", "Cy", "Player 4",
    ]  # fmt: skip


@pytest.mark.parametrize("seat", ["0", "9", "-1", "x"])
def test_a_seat_that_is_none_loses_no_coatl(seat: str) -> None:
    tally = TallyReturn.read({"for": "player=Ana&player=Bo", "seat": seat})
    draft = TallyDraft.parse(fields(seen(table(0, 1), tally=tally).tally), CARDS)
    assert sum(len(one.coatls) for one in draft.seats) == 2


def test_flags_lie_in_the_photo_beside_the_head_and_are_seen_on_a_phone() -> None:
    read = table(0, 1)
    shown = PhotoResult(read, ShownPhoto(b"", (800, 600), 0.5))
    owners = seen(read).owners
    near, whole = (build_player_flags(shown, read, owners, way) for way in (False, True))
    assert [flag.player.number for flag in near] == [1, 2]
    for flag in (*near, *whole):
        assert 0 < flag.x < 50  # the second piece lies there
        assert 0 < flag.y < 600
    assert whole[0].scale * 20 >= 0.03 * 800 > near[0].scale * 20
    added = replace(read, coatls=(*read.coatls, make_reading("<RB").coatls[0]))
    pieces = tuple(replace(piece, outline=()) for piece in added.coatls[2].pieces)
    added = replace(added, coatls=(*read.coatls, replace(added.coatls[2], pieces=pieces)))
    assert len(build_player_flags(shown, added, {3: owners[1]}, True)) == 0  # nowhere to be seen
