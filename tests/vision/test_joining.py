"""Several photos of one table: the same things are one, and the surer photo settles doubts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from coatl_tools.cards.catalog import load_cards
from coatl_tools.pieces import Colour
from coatl_tools.vision.corrections.corrected_reading import apply_corrections
from coatl_tools.vision.corrections.correction import SetCard, SetPiece, SetPlayer
from coatl_tools.vision.homography import map_points, to_outline
from coatl_tools.vision.joining.joined_reading import join_readings
from coatl_tools.vision.joining.photo_alignment import align_photos
from coatl_tools.vision.reading import PhotoReading, ReadingProblem, SeenCoatl
from tests.vision.sample_readings import make_problem
from tests.vision.table_layouts import LaidTable, lay_table

SEEDS = range(100, 108)


def lay(seed: int) -> LaidTable:
    """A table seen from above, whose cards lie at their Cóatls as they should."""
    table = lay_table(seed, tilts=(0, 25))
    cards = zip(table.reading.cards, table.owners, strict=True)
    ids = sorted(card.id for card in load_cards())[: len(table.owners)]
    laid = tuple(
        replace(card, coatl=owner, id=name) for (card, owner), name in zip(cards, ids, strict=True)
    )
    return replace(table, reading=replace(table.reading, cards=laid))


def view(reading: PhotoReading, coatls: tuple[int, ...], turn: float = 30) -> PhotoReading:
    """Another photo, turned and from nearer, of some Cóatls and their cards."""
    angle = math.radians(turn)
    cos, sin = 1.6 * math.cos(angle), 1.6 * math.sin(angle)
    points = [np.array(p.centre) for i in coatls for p in reading.coatls[i].pieces]
    move = np.array([(cos, -sin, 0), (sin, cos, 0), (0, 0, 1.0)])
    move[:2, 2] = (2000, 1500) - move[:2, :2] @ np.mean(points, axis=0)

    def see(index: int) -> SeenCoatl:
        seen = reading.coatls[index]
        pieces = tuple(
            replace(
                piece,
                outline=to_outline(map_points(np.array(piece.outline), move)),
                centre=to_outline(map_points(np.array([piece.centre]), move))[0],
            )
            for piece in seen.pieces
        )
        return replace(seen, pieces=pieces)

    cards = tuple(
        replace(
            card,
            outline=to_outline(map_points(np.array(card.outline), move)),
            coatl=coatls.index(card.coatl),
        )
        for card in reading.cards
        if card.coatl in coatls
    )
    return PhotoReading("part.jpg", (4000, 3000), tuple(map(see, coatls)), cards=cards)


def doubt(reading: PhotoReading, coatl: int, wrong: bool = False) -> PhotoReading:
    """Make a Cóatl doubtful: its second piece may be of another colour, or seems to be."""
    seen = reading.coatls[coatl]
    piece = seen.pieces[1]
    other = Colour((piece.colour + 1) % 5)
    share = 0.6 if not wrong else 0.4
    pieces = [*seen.pieces]
    pieces[1] = replace(piece, colours={piece.colour: share, other: 1 - share})
    coatls = [*reading.coatls]
    coatls[coatl] = replace(seen, pieces=tuple(pieces), sure=False)
    return replace(reading, coatls=tuple(coatls), problems=(make_problem(coatl, 1),))


def notations(reading: PhotoReading) -> list[str]:
    return sorted(seen.notation for seen in reading.coatls)


@pytest.mark.parametrize("seed", SEEDS)
def test_parts_of_a_table_are_found_in_the_overview(seed: int) -> None:
    table = lay(seed)
    for player in set(table.players):
        own = tuple(i for i, owner in enumerate(table.players) if owner == player)
        part = view(table.reading, own, 40 * player)
        found = align_photos(part, table.reading)
        assert found is not None
        assert found.coatls == dict(enumerate(own))
        joined = join_readings([table.reading, part], load_cards())
        assert notations(joined) == notations(table.reading)
        assert joined.cards == table.reading.cards
        assert [one.player for one in joined.coatls] == [
            one.player for one in join_readings([table.reading, table.reading], load_cards()).coatls
        ]


def test_a_sure_photo_settles_the_doubt_of_another() -> None:
    table = lay(101)
    part = view(table.reading, (0, 1))
    for wrong in (False, True):
        for readings in (
            [doubt(table.reading, 0, wrong), part],
            [table.reading, doubt(part, 0, wrong)],
        ):
            joined = join_readings(readings, load_cards())
            assert notations(joined) == notations(table.reading)
            assert joined.sure


def test_two_doubtful_photos_help_each_other() -> None:
    table = lay(101)
    both = doubt(table.reading, 0, wrong=True), doubt(view(table.reading, (0, 1)), 0, wrong=True)
    assert not join_readings(both, load_cards()).sure
    other = both[1].coatls[0]
    clear = replace(
        other, pieces=(other.pieces[0], *view(table.reading, (0, 1)).coatls[0].pieces[1:])
    )
    helped = replace(both[1], coatls=(clear, both[1].coatls[1]), problems=(make_problem(0, 2),))
    joined = join_readings([both[0], helped], load_cards())
    assert notations(joined) == notations(table.reading)


def test_two_sure_photos_that_disagree_are_a_problem() -> None:
    table = lay(101)
    part = view(table.reading, (0, 1))
    said = replace(doubt(part, 0, wrong=True), problems=())
    said = replace(said, coatls=(replace(said.coatls[0], sure=True), said.coatls[1]))
    joined = join_readings([table.reading, said], load_cards())
    assert [(one.code, one.coatl) for one in joined.problems] == [("contradiction", 0)]
    assert not joined.sure
    other = replace(part.cards[0], id="P49")
    joined = join_readings(
        [table.reading, replace(part, cards=(other, *part.cards[1:]))], load_cards()
    )
    assert [one.code for one in joined.problems] == ["contradiction"]


def test_what_a_person_said_counts_more_than_another_photo() -> None:
    table, catalog = lay(101), load_cards()
    part = view(table.reading, (0, 1))
    wrong = Colour((table.reading.coatls[0].pieces[1].colour + 1) % 5)
    mine = next(i for i, card in enumerate(table.reading.cards, start=1) if card.coatl == 0)
    said = apply_corrections(
        table.reading,
        catalog,
        SetPiece(1, 2, wrong),
        SetPlayer(1, 4),
        SetCard(mine, "P49"),
    )
    joined = join_readings([said, part], catalog)
    assert joined.problems == ()
    assert joined.coatls[0].notation == said.coatls[0].notation
    assert (joined.coatls[0].player, joined.coatls[0].player_corrected) == (3, True)
    assert joined.cards[mine - 1].id == "P49"


def test_what_only_one_photo_shows_is_added() -> None:
    table = lay(101)
    first, second = view(table.reading, (0, 1, 2)), view(table.reading, (1, 2, 3), 80)
    joined = join_readings([first, second], load_cards())
    assert notations(joined) == notations(view(table.reading, (0, 1, 2, 3)))
    assert len(joined.cards) == sum(card.coatl in (0, 1, 2, 3) for card in table.reading.cards)
    for index, seen in enumerate(joined.coatls):
        (same,) = (i for i, one in enumerate(table.reading.coatls) if one.notation == seen.notation)
        assert set(joined.cards_beside(index)) == set(table.reading.cards_beside(same))


def test_a_photo_of_another_table_is_a_problem() -> None:
    first, second = view(lay(101).reading, (0, 1)), view(lay(102).reading, (3, 4))
    second = replace(second, cards=())
    joined = join_readings([first, second], load_cards())
    assert [one.code for one in joined.problems] == ["unmatched"]
    assert len(joined.coatls) == 4


def test_problems_keep_what_they_are_about() -> None:
    table = lay(101)
    part = view(table.reading, (2, 0))
    between = ReadingProblem(
        "card_between", ("photo.card_between", {"first": 1, "second": 2}), card=0
    )
    joined = join_readings(
        [view(table.reading, (0, 1)), replace(part, problems=(between,))], load_cards()
    )
    told = [one for one in joined.problems if one.code == "card_between"]
    for one in told:
        assert {one.phrase[1]["first"], one.phrase[1]["second"]} <= {1, 2, 3}
        assert one.card is not None
        assert joined.cards[one.card].id == part.cards[0].id
