"""A Cóatl put together by tapping, and its score."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coatl_tools import find_best_set, load_cards, parse_coatl, score_card
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.rules.position.position_checks import split_pieces
from coatl_tools.web.pages.coatl_edit_links import EditedCoatl, build_edit_links
from tests.web.page_client import PageClient, make_app_state
from tests.web.server_process import Phone, Server

sketches = st.builds(
    EditedCoatl,
    st.lists(st.sampled_from(Colour), max_size=12).map(tuple),
    st.booleans(),
    st.booleans(),
).filter(lambda sketch: sketch.is_valid and (sketch.colours or not (sketch.head or sketch.tail)))


@pytest.fixture
def laptop(tmp_path: Path) -> PageClient:
    return PageClient(make_app_state(tmp_path))


@given(sketches)
def test_a_sketch_is_read_as_it_is_written(sketch: EditedCoatl) -> None:
    assert EditedCoatl.parse(str(sketch)) == sketch
    assert tuple(split_pieces(str(sketch))) == sketch.pieces


@given(sketches)
def test_every_change_that_is_offered_leads_to_a_coatl(sketch: EditedCoatl) -> None:
    found = build_edit_links(sketch, str)
    offered = [*found.heads, *found.bodies, *found.tails]
    for piece in found.pieces:
        offered += [*piece.colours, *piece.before, *piece.after, *piece.kind_changes]
    for change in offered:
        assert EditedCoatl.parse(change.url).coatl is not None
    assert EditedCoatl.parse(found.reverse_url).reversed() == sketch
    assert not EditedCoatl.parse(found.clear_url).colours


@given(sketches, st.sampled_from(Colour), st.data())
def test_a_piece_that_is_inserted_and_removed_leaves_no_trace(
    sketch: EditedCoatl, colour: Colour, data: st.DataObject
) -> None:
    place = data.draw(st.integers(int(sketch.head), len(sketch.colours) - int(sketch.tail)))
    longer = sketch.with_piece(colour, PieceKind.BODY, place)
    assert longer.colours[place] == colour
    assert longer.without_piece(place) == sketch


@given(sketches)
def test_heads_and_tails_go_to_their_ends(sketch: EditedCoatl) -> None:
    if not sketch.head:
        assert sketch.with_piece(Colour.R, PieceKind.HEAD).pieces[0] == "<R"
    if not sketch.tail:
        assert sketch.with_piece(Colour.R, PieceKind.TAIL).pieces[-1] == "R>"
    body = sketch.with_piece(Colour.R)
    assert (body.head, body.tail) == (sketch.head, sketch.tail)


def test_the_page_says_what_the_engine_says(laptop: PageClient) -> None:
    cards, coatl = load_cards(), parse_coatl("<BBRBBKRBBYY>")
    page = laptop.visit("/score?c=<BBRBBKRBBYY>&cards=P29,P10,T03").text
    total = sum(score_card(coatl, cards[card], [cards[c] for c in ("P29", "P10", "T03")]).points
                for card in ("P29", "P10", "T03"))  # fmt: skip
    assert f"{total} points</strong>" in page
    assert "/art/coatl.svg?c=%3CBBRBBKRBBYY%3E&lit=1,2,4,5,8,9" in unescape(page)


def test_cards_that_fit_come_first_and_the_most_points_before_others(laptop: PageClient) -> None:
    page = laptop.visit("/score?c=<RBBYYG>").text
    offers = re.findall(r'id="card-([PT]\d+)"', page)
    assert sorted(offers) == sorted(card.id for card in load_cards())
    deck = load_cards()
    worth = [
        (deck[one].set == "promo", -score_card(parse_coatl("<RBBYYG>"), deck[one]).points)
        for one in offers
    ]
    fitting = [one for one in worth if one[1]]
    assert fitting == sorted(fitting)
    assert worth[: len(fitting)] == fitting


def test_who_has_not_chosen_a_promo_card_need_not_own_them(laptop: PageClient) -> None:
    best = re.compile(r"The best set: (\d+) points")
    for cards, promo in (("", False), ("P55", True)):
        coatl, deck = parse_coatl("<YYYGBBYYGRBYGR>"), load_cards().deck(promo)
        found = best.search(laptop.visit(f"/score?c={coatl}&cards={cards}").text)
        assert found is not None
        assert int(found[1]) == find_best_set(coatl, deck).total


def test_every_link_of_the_page_leads_to_a_page(laptop: PageClient) -> None:
    page = laptop.visit("/score?c=<RB&cards=P05").text
    links = {unescape(link) for link in re.findall(r'href="(/score[^"]*)"', page)}
    assert len(links) > 40
    for link in sorted(links)[::7]:
        assert laptop.visit(link).status_code == 200
    chosen = [parse_qs(urlsplit(link).query) for link in links]
    assert {"c": ["<RB"]} in chosen  # the card is taken away again


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("c=<RQ", "Q"),
        ("c=" + "R" * 200, "150"),
        ("c=" + "R" * 5000, "150"),
        ("c=<R>", "head and a tail at once"),
        ("c=R&cards=P99", "P99"),
        ("c=R&cards=" + ",".join(["P05"] * 50), "12"),
        ("c=%00%ff%1b[31m", "x00"),
        ("c=<script>alert(1)</script>", "“s”"),
    ],
)
def test_what_makes_no_sense_is_said_on_the_page(laptop: PageClient, query: str, said: str) -> None:
    answer = laptop.visit(f"/score?{query}")
    assert answer.status_code == 400
    assert said in re.search(r'role="alert"[^>]*>([^<]*)<', answer.text)[1]  # type: ignore[index]
    assert "<script>alert" not in answer.text


def test_the_picture_to_share_is_a_png(laptop: PageClient) -> None:
    answer = laptop.visit("/score.png?c=<BBRBBKRBBYY>&cards=P29,T03")
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG\r\n")
    assert laptop.visit("/score.png").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "coatl.svg",
        "coatl.svg?c=Q",
        f"coatl.svg?c={'R' * 999}",
        "coatl.svg?c=R&lit=0,9,x,-1,²",
        "card/P99.en.svg",
        "card/P05.xx.svg",
        "card/..%2f..%2fx.en.svg",
        "piece/head-Q.svg",
        "piece/x.svg",
        "token/x.svg",
        "symbol/X.svg",
        "back/x.svg",
        "icon-181.png",
        "x.ttf",
    ],
    ids=range(14),
)
def test_a_drawing_that_is_none_is_not_found(laptop: PageClient, path: str) -> None:
    answer = laptop.visit(f"/art/{path}")
    assert answer.status_code == (200 if "lit=" in path else 404)


def test_a_drawing_is_fetched_once(laptop: PageClient) -> None:
    first = laptop.visit("/art/card/P05.fr.svg")
    assert first.headers["content-type"].startswith("image/svg+xml")
    again = laptop.visit("/art/card/P05.fr.svg", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert laptop.visit("/art/coatl.svg?c=<RFFB>").status_code == 200  # golden segments


@pytest.mark.xdist_group("web")
def test_a_coatl_is_tapped_together_and_scored(server: Server, phone: Callable[..., Phone]) -> None:
    visitor = phone(server)
    page = visitor.go("/score")
    page.get_by_text("Heads").click()
    page.get_by_role("link", name="red head").click()
    for colour in ("blue", "blue", "yellow", "yellow"):
        page.locator(".add").get_by_role("link", name=f"{colour} body segment").first.click()
    page.get_by_text("Tails").click()
    page.get_by_role("link", name="green tail").click()
    page.wait_for_url("**/score?c=%3CRBBYYG%3E")
    page.get_by_role("button", name="green tail").click()
    page.locator("#piece-6-change").get_by_role("link", name="black tail").click()
    page.wait_for_url("**/score?c=%3CRBBYYK%3E")
    page.go_back()
    page.wait_for_url("**/score?c=%3CRBBYYG%3E")
    page.get_by_role("link", name="The best set").click()
    page.locator(".scored-card").first.wait_for()
    total = page.locator(".total .points").inner_text()
    assert int(total.split()[0]) > 0
    assert visitor.axe() == []
    assert not visitor.is_wider_than_its_screen()
    page.get_by_text("Share", exact=True).click()
    assert total.split()[0] in page.locator("textarea").input_value()
