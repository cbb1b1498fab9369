"""The overlay: labels beside the pieces, seen on any table; and the page about a photo."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.language import load_language
from coatl_tools.pieces import Colour
from coatl_tools.vision.output.labels import (
    LabelArea,
    LabelField,
    LabelledThing,
    make_card_fields,
    make_coatl_fields,
    render_label,
    render_legend,
)
from coatl_tools.vision.output.overlay import render_overlay
from coatl_tools.vision.output.photo_report import render_report
from coatl_tools.vision.pieces.piece_search import find_coatls
from coatl_tools.vision.reading import PhotoReading, ReadingProblem, SeenCard
from coatl_tools.vision.stage_trace import Pixels, Trace
from tests.vision.photo_set import PHOTOS
from tests.vision.sample_readings import (
    SIZE,
    make_box,
    make_clear_reading,
    make_doubtful_reading,
    make_picture,
    make_placed_coatl,
)

ENGLISH = load_language("en")


def changed(drawn: Pixels, grey: int) -> Pixels:
    """Where something is drawn on a table of this grey."""
    found: Pixels = (np.abs(drawn.astype(np.int16) - grey).max(axis=2) > 40).astype(np.uint8)
    return found


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.floats(0, 800), st.floats(0, 600)), min_size=1, max_size=25),
    st.tuples(st.integers(10, 160), st.integers(10, 40)),
)
def test_labels_lie_inside_and_never_on_each_other(
    centres: list[tuple[float, float]], size: tuple[int, int]
) -> None:
    outlines = [make_box(centre, 25, 25) for centre in centres]
    ground = LabelArea((800, 600), outlines)
    towards = (0.6, -0.8)
    things = [
        LabelledThing(outline, at, towards, size)
        for outline, at in zip(outlines, centres, strict=True)
    ]
    places = [place for place in ground.place(things) if place]
    assert places
    for place in places:
        assert place.left >= 0 <= place.top
        assert place.left + place.width <= 800
        assert place.top + place.height <= 600
    assert not any(one.overlaps(other, 0) for one, other in combinations(places, 2))


@pytest.mark.parametrize("angle", [0, 30, 90, 160, -90])
def test_no_label_covers_a_piece(angle: float) -> None:
    seen = make_placed_coatl("<RGBYKRGB>", (800, 600), angle)
    ground = LabelArea((1600, 1200), [piece.outline for piece in seen.pieces])
    things = [LabelledThing(one.outline, one.centre, (0.0, -1.0), (90, 28)) for one in seen.pieces]
    for place in ground.place(things):
        assert place is not None
        for piece in seen.pieces:
            (left, top), _, (right, bottom), _ = piece.outline
            assert (
                place.left >= right
                or place.left + place.width <= left
                or place.top >= bottom
                or place.top + place.height <= top
            )


def test_a_label_lies_rather_on_a_card_than_far_away() -> None:
    seen = make_placed_coatl("<RGBYKRGB>", (800, 300), 90)
    cards = [
        make_box((800 + side * 250, 300 + row * 220), 200, 105)
        for side in (-1, 1)
        for row in (0, 1, 2)
    ]
    ground = LabelArea((1600, 1200), [piece.outline for piece in seen.pieces], cards)
    things = [LabelledThing(one.outline, one.centre, (1.0, 0.0), (90, 28)) for one in seen.pieces]
    for piece, place in zip(seen.pieces, ground.place(things), strict=True):
        assert place is not None
        middle = place.left + place.width / 2, place.top + place.height / 2
        assert math.dist(piece.centre, middle) < 160
    free = LabelArea((1600, 1200), [piece.outline for piece in seen.pieces], cards[:3])
    assert all(place and place.left > 800 for place in free.place(things))


def test_labels_of_several_coatls_are_what_corrections_call_their_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts: list[str] = []

    def noted(fields: Sequence[LabelField], height: int) -> Image.Image:
        texts.append(fields[0].text)
        return render_label(fields, height)

    monkeypatch.setattr("coatl_tools.vision.output.overlay.render_label", noted)
    render_overlay(make_picture(), make_doubtful_reading(), ENGLISH)
    assert texts == [
        *("1.1", "1.2", "1.3", "1.4", "1.5", "Cóatl 1"),
        *("2.1", "2.2 ?", "2.3", "2.4", "Cóatl 2", "c1", "c2 ?"),
    ]
    texts.clear()
    render_overlay(make_picture(), make_clear_reading(), ENGLISH)
    assert texts == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_what_is_drawn_is_seen_on_any_table(grey: int) -> None:
    drawn = changed(render_overlay(make_picture(grey=grey), make_clear_reading(), ENGLISH), grey)
    for x, y in ((270, 300), (300, 270), (365, 300)):  # outlines, and the arrow along the pieces
        assert drawn[y - 4 : y + 5, x - 4 : x + 5].any()
    assert drawn[200:262, 260:600].mean() > 0.1  # labels above


def test_a_strip_below_tells_the_coatls_and_what_is_not_sure() -> None:
    bare = render_overlay(make_picture(), PhotoReading("a.jpg", (1600, 1200)), ENGLISH)
    one, more = (
        render_overlay(make_picture(), reading, ENGLISH)
        for reading in (make_clear_reading(), make_doubtful_reading())
    )
    assert bare.shape == (1200, 1600, 3)
    assert 1200 < one.shape[0] < more.shape[0]
    assert {drawn.shape[1] for drawn in (one, more)} == {1600}


def amber(drawn: Pixels) -> int:
    """How many pixels have the colour of doubt."""
    return int((np.abs(drawn.astype(int) - (0, 176, 255)).max(axis=2) < 30).sum())


def test_a_doubtful_piece_looks_different() -> None:
    reading = make_doubtful_reading()
    for shown, marked in ((reading, True), (replace(reading, problems=()), False)):
        assert (
            amber(render_overlay(make_picture(), shown, ENGLISH)[700:1000, 250:600]) > 300
        ) == marked


def test_a_coatl_in_doubt_as_a_whole_has_a_line_around_it_and_a_mark() -> None:
    whole = ReadingProblem("joints", ("photo.joints", {"coatl": 1}), coatl=0)
    reading = replace(make_clear_reading(), problems=(whole,))
    drawn = render_overlay(make_picture(), reading, ENGLISH)
    assert amber(drawn[255:345, 597:620]) > 100  # behind the tail
    assert amber(drawn[220:320, 120:255]) > 1000  # before the head, where its name is
    assert amber(render_overlay(make_picture(), make_clear_reading(), ENGLISH)) == 0
    assert make_coatl_fields(reading, 0, ENGLISH)[0].text == "Cóatl 1 ?"
    assert [one.text for one in make_coatl_fields(make_clear_reading(), 0, ENGLISH)] == ["Cóatl 1"]


def test_a_coatl_has_its_player_beside_its_name_if_there_are_several() -> None:
    found = make_doubtful_reading()
    owned = tuple(replace(seen, player=i) for i, seen in enumerate(found.coatls))
    fields = make_coatl_fields(replace(found, coatls=owned), 1, ENGLISH)
    assert [field.text for field in fields] == ["Cóatl 2", "player 2"]


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_the_strip_says_how_many_more_problems_there_are(code: str) -> None:
    problem = ReadingProblem("few_pixels", ("file.no_input", {}), serious=False)
    strips = [
        np.asarray(
            render_legend(
                PhotoReading("a.jpg", SIZE, problems=(problem,) * count), language, 1200, 26
            )
        )
        for count in (6, 7, 12)
        for language in (load_language(code),)
    ]
    assert strips[0].shape[0] < strips[1].shape[0] == strips[2].shape[0]
    assert (strips[1] != strips[2]).any()
    assert "6" in load_language(code).label("read_more_problems", 6)


def test_the_overlay_is_of_a_size_that_can_be_looked_at() -> None:
    for size, longest in (((300, 400), 1200), ((1400, 1000), 1400), ((3000, 4000), 1600)):
        drawn = render_overlay(make_picture(size), PhotoReading("a.jpg", size), ENGLISH)
        assert max(drawn.shape[:2]) == longest
        assert drawn.shape[1] / drawn.shape[0] == pytest.approx(size[0] / size[1], rel=0.01)


def test_points_beyond_the_picture_do_no_harm() -> None:
    far = make_placed_coatl("<RGBYK>", (1590, 1190), 45)
    odd = SeenCard("P01", 0.5, make_box((1e9, -1e9), 5, 5))
    tiny = SeenCard(None, 0.5, ((5, 5),))
    reading = PhotoReading("a.jpg", (1600, 1200), (far,), cards=(odd, tiny))
    assert render_overlay(make_picture(), reading, ENGLISH).shape[1] == 1600


class Page(HTMLParser):
    """What a page holds: its text, its pictures, and whether every element is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.sources, self.open = "", [""][:0], [""][:0]
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_a_report_is_one_page_in_every_language(code: str) -> None:
    language = load_language(code)
    trace = Trace(keep_pictures=True, seconds={"open": 0.0123, "<stage>": 1.5})
    trace.add_picture("<stage>", "report_lane", lambda: np.zeros((3000, 20, 3), np.uint8))
    reading = replace(make_doubtful_reading(), file="photos/<script>&.jpg")
    drawn = np.full((600, 800, 3), 99, np.uint8)
    written = render_report(reading, drawn, trace, language)
    page = Page(written)
    assert page.open == []
    assert "<script>&.jpg" in page.text
    assert "<script" not in written
    for said in ("<stage>", "<RBBYG>", "KKYR", "<▲R", "P01, P02"):
        assert said in page.text
    assert language.label("read_no_direction") in page.text
    assert language.label("report_lane") in page.text
    assert re.search(r'<tr class="doubt"><td>2 \?</td>', written)
    assert "<td>c1</td><td>P29</td>" in written
    assert '<tr class="doubt"><td>c2 ?</td>' in written
    assert len(page.sources) == 2
    for source, size in zip(page.sources, ((600, 800), (1600, 11)), strict=True):
        head, _, data = source.partition(",")
        assert head == "data:image/jpeg;base64"
        pixels = np.frombuffer(base64.b64decode(data), np.uint8)
        shown = cv2.imdecode(pixels, cv2.IMREAD_COLOR)
        assert shown is not None
        assert shown.shape[:2] == size
    assert written == render_report(reading, drawn, trace, language)


def test_a_report_escapes_every_text_that_comes_from_outside() -> None:
    hostile = "\"><img src=x onerror='alert(1)'>\x1b[2J&amp;"
    card = replace(
        make_doubtful_reading().cards[0],
        id=hostile,
        candidates=(f"1{hostile}",),
        witnesses={hostile: hostile, "frame": hostile},
    )
    problem = ReadingProblem(hostile, ("file.missing", {"path": hostile}))
    reading = replace(
        make_doubtful_reading(), file=f"photos/{hostile}.jpg", cards=(card,), problems=(problem,)
    )
    trace = Trace(keep_pictures=True, seconds={hostile: 1.0})
    trace.add_picture(hostile, "report_lane", lambda: np.zeros((20, 20, 3), np.uint8))
    drawn = np.full((60, 80, 3), 99, np.uint8)
    for coatls in (reading.coatls, ()):  # without a Cóatl, the name is the picture's text
        shown = replace(reading, coatls=coatls)
        written = render_report(shown, drawn, trace, load_language("en"))
        page = Page(written)
        assert page.open == []
        assert len(page.sources) == 2
        assert "<img src=x" not in written
        assert page.text.count("onerror='alert(1)'") >= 10


def test_a_report_names_the_witnesses_of_a_card_in_its_language() -> None:
    said = {"mark": "P29", "text": "P29", "words": "P29", "frame": "temple"}
    known = replace(make_doubtful_reading().cards[0], witnesses=said)
    other = replace(known, witnesses={"frame": "red", "points": "3X=2", "row": "BY"})
    reading = replace(make_doubtful_reading(), cards=(known, other))
    drawn = np.full((60, 80, 3), 99, np.uint8)
    for code, *told in (
        (
            "en",
            "mark: P29, text: P29, words: P29, frame: Temple",
            "frame: red, points: 3X=2, row: BY",
        ),
        (
            "fr",
            "repère : P29, texte : P29, mots : P29, cadre : Temple",
            "cadre : rouge, points : 3X=2, rangée : BY",
        ),
        (
            "pl",
            "znak: P29, tekst: P29, słowa: P29, ramka: Świątynia",
            "ramka: czerwony, punkty: 3X=2, rząd: BY",
        ),
    ):
        page = render_report(reading, drawn, Trace(), load_language(code))
        assert all(f"<td>{one}</td>" in page for one in told), code


def test_a_report_shows_what_the_networks_saw() -> None:
    trace = Trace(keep_pictures=True)
    pixels = cv2.imread(str(PHOTOS / "dev-005.jpg"))
    assert pixels is not None
    found = find_coatls(np.asarray(pixels, np.uint8), trace)
    shown = {label: picture for _, label, picture in trace.stage_pictures}
    assert set(shown) == {"report_maps", "report_portraits"}
    assert max(shown["report_maps"].shape) == 768
    rows, columns = len(found.coatls), max(len(coatl.pieces) for coatl in found.coatls)
    assert shown["report_portraits"].shape == (rows * 70 + 26, columns * 102 + 6, 3)
    above = (shown["report_portraits"][:22].max(axis=2) < 128).any(axis=0)
    assert all(above[column * 102 : column * 102 + 102].any() for column in range(columns))


def test_two_cards_that_could_not_be_read_have_their_numbers() -> None:
    unread = SeenCard(None, 0.5, make_box((1000, 300), 80, 110))
    assert [[one.text for one in make_card_fields(index, unread)] for index in (0, 1)] == [
        ["c1 ?"],
        ["c2 ?"],
    ]
    assert [
        one.text for one in make_card_fields(1, replace(unread, candidates=("P01", "P02")))
    ] == [*("c2 ?", "P01", "P02")]
    assert [one.text for one in make_card_fields(0, make_doubtful_reading().cards[0])] == [
        "c1",
        "P29",
    ]


def test_a_piece_names_both_colours_that_it_may_have() -> None:
    piece = make_doubtful_reading().coatls[1].pieces[1]
    assert [colour for colour, _ in piece.guesses()] == [Colour.K, Colour.B]
