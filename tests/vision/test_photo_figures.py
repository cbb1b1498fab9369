"""The figures on labelled photos: what counts as right, as silently wrong, as not sure."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.photos import LabelsError, command, find_reader, measure
from benchmarks.photos.card_judge import judge_cards
from benchmarks.photos.figures import MeasuredShare
from benchmarks.photos.judge import JudgedCoatl, count_aligned, judge_coatls
from benchmarks.photos.labels import (
    LabelledCard,
    LabelledCoatl,
    LabelledPhoto,
    Pieces,
    format_pieces,
    load_labels,
)
from benchmarks.photos.readers import ReadCard, ReadCoatl, ReadPhoto, ReadProblem, from_reading
from benchmarks.photos.report import render_grid, write_wrong_photos
from benchmarks.photos.speed import measure_speed
from coatl_tools.errors import FileError
from coatl_tools.notation import parse_coatl
from coatl_tools.pieces import Colour, PieceKind
from coatl_tools.vision.reading import PhotoReading, SeenCoatl, SeenPiece
from coatl_tools.vision.stage_trace import Trace


def pieces(text: str) -> Pieces:
    coatl = parse_coatl(text)
    kinds = [PieceKind.BODY] * len(coatl)
    if coatl.head:
        kinds[0] = PieceKind.HEAD
    if coatl.tail:
        kinds[-1] = PieceKind.TAIL
    return tuple(zip(kinds, coatl.colours, strict=True))


def photo(*coatls: str) -> LabelledPhoto:
    """A photo of Cóatls below one another."""
    return LabelledPhoto(
        Path("photo.jpg"),
        tuple(
            LabelledCoatl(pieces(text), "<" in text or ">" in text, places(text, 100 * i))
            for i, text in enumerate(coatls)
        ),
    )


def places(text: str, y: float) -> tuple[tuple[float, float], ...]:
    return tuple((20.0 * i, y) for i in range(len(pieces(text))))


def read(text: str, *, sure: bool = True, known: bool = True, y: float = 0) -> ReadCoatl:
    return ReadCoatl(pieces(text), sure, 0.9, known, places(text, y))


def judged(label: str, coatl: ReadCoatl) -> JudgedCoatl:
    (found,) = judge_coatls(photo(label), ReadPhoto((coatl,)))
    return found


def test_a_coatl_is_exact_or_not() -> None:
    right = judged("<RGB>", read("<RGB>"))
    assert (right.exact, right.pieces_right, right.silent, right.unsure) == (True, 3, False, False)
    wrong = judged("<RGB>", read("<RKB>"))  # green taken for black
    assert (wrong.exact, wrong.pieces_right, wrong.silent, wrong.unsure) == (False, 2, True, False)


def test_whoever_is_not_sure_is_never_silent() -> None:
    doubted = judged("<RGB>", read("<RKB>", sure=False))
    assert (doubted.exact, doubted.silent, doubted.unsure) == (False, False, True)
    needless = judged("<RGB>", read("<RGB>", sure=False))
    assert (needless.exact, needless.silent, needless.unsure) == (True, False, True)


def test_a_missing_piece_does_not_make_all_behind_it_wrong() -> None:
    assert judged("<RGGGBY>", read("<RGGBY>")).pieces_right == 5
    assert count_aligned("RGGB", "GGBY") == 3
    assert count_aligned("", "R") == count_aligned("R", "") == 0


def test_a_missed_coatl_is_silent_unless_a_problem_tells_of_it() -> None:
    (missed,) = judge_coatls(photo("<RGB>"), ReadPhoto())
    assert missed.silent
    assert not missed.unsure
    (told,) = judge_coatls(photo("<RGB>"), ReadPhoto(problems=(ReadProblem("dark"),)))
    assert not told.silent
    assert told.unsure
    assert told.codes == ("dark",)
    other = (ReadProblem("colour", coatl=0), ReadProblem("gloss", serious=False))
    both = judge_coatls(photo("<RGB>", "<YYK>"), ReadPhoto((read("<RGB>"),), problems=other))
    assert [coatl.silent for coatl in both] == [False, True]


def test_a_coatl_where_there_is_none_is_silent_if_it_is_sure() -> None:
    for sure in (True, False):
        found = judge_coatls(
            photo("<RGB>"), ReadPhoto((read("<RGB>"), read("<YKB>", sure=sure, y=500)))
        )
        assert [coatl.silent for coatl in found] == [False, sure]
        assert found[1].expected is None


def test_a_direction_that_is_told_must_be_right() -> None:
    assert not judged("RGGY", read("YGGR")).exact
    assert judged("RGGY", read("RGGY")).exact
    for text in ("RGGY", "YGGR"):
        found = judged("RGGY", read(text, known=False))
        assert (found.exact, found.either_way, found.pieces_right) == (True, True, 4)
    # A head tells the direction: nobody may be unsure of it.
    assert not judged("<RGGY", read("YGGR", known=False)).exact


def test_coatls_are_told_apart_by_what_they_are_or_where_they_lie() -> None:
    label = photo("<RGB>", "<YKY>")
    swapped = ReadPhoto((read("<YKY>", y=100), read("<RGB>")))
    assert all(coatl.exact for coatl in judge_coatls(label, swapped))
    bare = label._replace(coatls=tuple(c._replace(centres=()) for c in label.coatls))
    assert all(coatl.exact for coatl in judge_coatls(bare, swapped))
    # Where it lies decides, even if it looks like the other one.
    crossed = judge_coatls(label, ReadPhoto((read("<YKY>"), read("<RGB>", y=100))))
    assert [coatl.exact for coatl in crossed] == [False, False]
    far = judge_coatls(photo("<RGB>"), ReadPhoto((read("<RGB>", y=900),)))
    assert [coatl.silent for coatl in far] == [True, True]  # one missed, one out of nothing


def test_cards_are_judged_likewise() -> None:
    label = photo("<RGB>")._replace(cards=(LabelledCard("P01", 0), LabelledCard("T03", 0)))
    coatl = (read("<RGB>"),)
    right = judge_cards(label, ReadPhoto(coatl, (ReadCard("T03", True, 0), ReadCard("P01", True))))
    assert [card.exact for card in right] == [True, True]
    assert [card.at_its_coatl for card in right] == [False, True]
    wrong = judge_cards(label, ReadPhoto(coatl, (ReadCard("P01", True, 0), ReadCard("P09", True))))
    assert [(card.exact, card.silent) for card in wrong] == [(True, False), (False, True)]
    doubt = judge_cards(label, ReadPhoto(coatl, (ReadCard("P01", True, 0), ReadCard(None, False))))
    assert [(card.exact, card.silent, card.unsure) for card in doubt] == [
        (True, False, False),
        (False, False, True),
    ]
    missed = judge_cards(label, ReadPhoto(coatl, (ReadCard("P01", True, 0),)))
    assert [(card.right_and_sure, card.missed) for card in missed] == [(True, False), (False, True)]
    extra = (ReadCard("P01", True, 0), ReadCard("T03", True, 0), ReadCard("P09", True))
    assert [card.silent for card in judge_cards(label, ReadPhoto(coatl, extra))] == [0, 0, 1]
    assert judge_cards(photo("<RGB>"), ReadPhoto()) == ()


def corners(left: float, top: float, width: float = 63) -> tuple[tuple[float, float], ...]:
    """The corners of a card, as wide as its pixels, that lies upright."""
    right, bottom = left + width, top + width / 63 * 88
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def test_cards_with_corners_are_judged_by_their_place() -> None:
    label = photo("<RGB>")._replace(
        cards=(
            LabelledCard("P01", 0, corners=corners(0, 0)),
            LabelledCard("P02", None, corners=corners(100, 0)),
        )
    )
    swapped = (
        ReadCard("P02", True, 0, corners(2, 0)),  # what the other one is
        ReadCard("P01", False, None, corners(100, 1)[2:] + corners(100, 1)[:2]),
    )
    found = judge_cards(label, ReadPhoto((read("<RGB>"),), swapped))
    assert [(card.exact, card.silent, card.unsure) for card in found] == [
        (False, True, False),
        (False, False, True),
    ]
    assert [card.corner_error for card in found] == pytest.approx([2.0, 1.0])
    assert [card.at_its_coatl for card in found] == [True, True]
    row = ReadCard("P01", True, 0, corners(10, 60, 20))  # a small part of the card
    far = judge_cards(label, ReadPhoto((), (row,)))
    assert [(card.missed, card.silent) for card in far] == [
        (True, False),
        (True, False),
        (False, True),
    ]


def test_whether_a_card_is_at_another_coatl_in_silence() -> None:
    label = photo("<RGB>", "<YYK>")._replace(cards=(LabelledCard("P01", 0),))
    both = (read("<RGB>"), read("<YYK>", y=100))
    for problems, told in (((), False), ((ReadProblem("card_between", card=0),), True)):
        (card,) = judge_cards(label, ReadPhoto(both, (ReadCard("P01", True, 1),), problems))
        assert (card.at_its_coatl, card.place_doubted) == (False, told)


def test_what_cannot_be_seen_must_be_said() -> None:
    (whole,) = photo("<RGBK>").coatls
    for hidden, sure, text, silent in (
        (whole._replace(cut=True), True, "<RGBK>", True),  # it may go on outside
        (whole._replace(cut=True), False, "<RGB", False),
        (whole._replace(covered=(3,)), True, "<RGB", True),
        (whole._replace(covered=(3,)), True, "<RGBK>", False),
        (whole._replace(covered=(3,)), False, "<RGB", False),
    ):
        label = photo()._replace(coatls=(hidden,))
        (found,) = judge_coatls(label, ReadPhoto((read(text, sure=sure),)))
        assert found.silent == silent


def test_players_are_compared_whatever_their_numbers_are() -> None:
    label = photo("<RGB>", "<YYK>", "<KKB>")
    owned = tuple(one._replace(player=i) for one, i in zip(label.coatls, (0, 0, 1), strict=True))
    texts = ("<RGB>", "<YYK>", "<KKB>")
    for players, right in (((1, 1, 0), 3), ((1, 0, 0), 2), ((5, 5, None), 2)):
        found = ReadPhoto(
            tuple(read(text, y=100 * i)._replace(player=players[i]) for i, text in enumerate(texts))
        )
        judged = judge_coatls(label._replace(coatls=owned), found)
        assert sum(bool(coatl.at_its_player) for coatl in judged) == right


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    # from published tables of the Wilson score interval
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
    ],
)
def test_intervals_are_wilsons(part: int, whole: int, low: float, high: float) -> None:
    assert MeasuredShare(part, whole).interval == pytest.approx((low, high), abs=1e-4)


def test_a_share_of_nothing_is_anywhere() -> None:
    assert MeasuredShare(0, 0).interval == (0.0, 1.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two small photos with labels, and readings of them: one right, one with a colour wrong."""
    labels = []
    for name, text in (("a-001.jpg", "<RGB>"), ("a-002.jpg", "<YYK")):
        cv2.imwrite(str(tmp_path / name), np.full((30, 40, 3), 90, np.uint8))
        words = [f"{kind.value}:{colour.word}" for kind, colour in pieces(text)]
        labels.append({"file": name, "coatls": [{"pieces": words, "complete": ">" in text}],
                       "strays": [], "conditions": {"table": "wood", "camera_deg": 45},
                       "difficulty": "easy"})  # fmt: skip
    (tmp_path / "labels.json").write_text(json.dumps(labels), "utf-8")
    (tmp_path / "readings").mkdir()
    for name, text in (("a-001", "<RGB>"), ("a-002", "<YYB")):
        found = [
            {"kind": kind.value, "colour": colour.word, "outline": [[1, 1], [3, 1], [3, 3]]}
            for kind, colour in pieces(text)
        ]
        coatl = {"coatl": text, "sure": True, "confidence": 0.8, "pieces": found}
        reading = {"file": f"{name}.jpg", "coatls": [coatl], "cards": [], "problems": []}
        (tmp_path / "readings" / f"{name}.json").write_text(json.dumps(reading), "utf-8")
    return tmp_path


def test_a_folder_is_measured(folder: Path) -> None:
    figures = measure(folder, find_reader(str(folder / "readings")), name="stored")
    tally = figures.tally()
    assert (tally.exact, tally.pieces, tally.silent) == (
        MeasuredShare(1, 2),
        MeasuredShare(5, 6),
        MeasuredShare(1, 2),
    )
    shown = "\n".join(render_grid(figures))
    assert "rendered or composed photos: 2, with 2 Cóatls of 6 pieces" in shown
    assert "50.0% [9.5%–90.5%] of 2" in shown
    assert "a-002.jpg  silently wrong <YYK → <YYB  0.80" in shown
    assert "a-001.jpg" not in shown
    assert {"all", "easy", "table: wood", "camera below 50°"} <= {
        line[:26].strip() for line in shown.splitlines()
    }
    assert measure(folder, find_reader(str(folder / "readings")), only="001").tally().exact.part


def test_the_cards_of_a_folder_are_measured(folder: Path) -> None:
    labels = json.loads((folder / "labels.json").read_text("utf-8"))
    for entry, card in zip(labels, ("P01", "P02"), strict=True):
        entry["cards"] = [{"id": card, "corners": corners(0, 0), "coatl": 0, "covered": 0.3}]
        entry["conditions"] |= {"case": "window", "glare": card == "P01", "no": card}
        path = folder / "readings" / f"{entry['file'][:-4]}.json"
        reading = json.loads(path.read_text("utf-8"))
        seen = {"id": "P01", "sure": True, "coatl": 0, "outline": corners(0, 1)}
        path.write_text(json.dumps(reading | {"cards": [seen]}), "utf-8")
    (folder / "labels.json").write_text(json.dumps(labels), "utf-8")
    figures = measure(folder, find_reader(str(folder / "readings")), name="stored")
    cards = figures.tally().cards
    assert cards is not None
    assert (cards.right, cards.silent, cards.missed) == (
        MeasuredShare(1, 2),
        MeasuredShare(1, 2),
        MeasuredShare(0, 2),
    )
    assert cards.at_coatl == MeasuredShare(2, 2)
    assert cards.corner_error == pytest.approx(1.0)
    shown = "\n".join(render_grid(figures))
    for words in ("case: window", "no glare", "20–40 % covered", "corners are off by 1.0 mm"):
        assert words in shown
    assert "no: P01" not in shown  # it names one photo
    assert "a-002.jpg  wrong, sure    P02 → P01" in shown
    for path in folder.glob("*.jpg"):
        cv2.imwrite(str(path), np.full((300, 400, 3), 90, np.uint8))
    assert write_wrong_photos(figures, folder / "wrong") == 1


def test_a_refusal_is_a_problem_and_not_silent(folder: Path) -> None:
    def refuse(path: Path, trace: Trace) -> ReadPhoto:
        raise FileError("file.missing", path=path)

    tally = measure(folder, refuse).tally()
    assert (tally.exact.part, tally.silent.part, tally.unsure.part) == (0, 0, 2)


def test_a_reading_of_the_package_is_judged(folder: Path) -> None:
    seen = tuple(
        SeenPiece({c: float(c is colour) for c in Colour}, {kind: 1.0}, (), (5.0, 5.0))
        for kind, colour in pieces("RGY")
    )
    found = from_reading(PhotoReading("a.jpg", (40, 30), (SeenCoatl(seen, 0.9, 0.5, sure=True),)))
    assert format_pieces(found.coatls[0].pieces) == "RGY"
    assert not found.coatls[0].orientation_known
    assert found.coatls[0].confidence == pytest.approx(0.45)


def test_the_time_of_a_photo_stands_beside_decoding_it(folder: Path) -> None:
    def reader(path: Path, trace: Trace) -> ReadPhoto:
        with trace.stage("decode"):
            pixels = cv2.imread(str(path))
        assert pixels is not None
        assert pixels.shape == (150, 200, 3)
        return ReadPhoto()

    shown = "\n".join(measure_speed(folder / "a-001.jpg", reader, rounds=2, megapixels=0.03))
    assert "200 × 150" in shown
    assert "lower bound: decoding" in shown
    assert "rendered or composed photos" in shown


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (None, "is not there"),
        ("[", "cannot be read"),
        ("{}", "not a list"),
        ("[]", "no photo"),
        ('[{"file": "../x.jpg"}]', 'without a "file"'),
        ('[{"file": "x.jpg"}]', "the label of x.jpg is wrong"),
        ('[{"file": "x.jpg", "coatls": [{"pieces": ["head:pink"]}]}]', "label of x.jpg is wrong"),
        ('[{"file": "x.jpg", "coatls": []}]', "labelled, but is not there"),
    ],
)
def test_a_folder_that_is_none_is_refused(
    labels: str | None, sentence: str, tmp_path: Path
) -> None:
    if labels is not None:
        (tmp_path / "labels.json").write_text(labels, "utf-8")
    with pytest.raises(LabelsError, match=sentence):
        load_labels(tmp_path)


def test_the_command_prints_and_stores(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.main([str(folder), f"--reader={folder / 'readings'}", f"--json={folder / 'f.json'}"])
    assert "rendered or composed photos" in capsys.readouterr().out
    stored = json.loads((folder / "f.json").read_text("utf-8"))
    assert stored["photos"] == "rendered or composed photos"
    assert stored["all"]["exact"]["part"] == 1


def test_the_command_refuses_in_a_sentence(tmp_path: Path) -> None:
    asked = [sys.executable, "-m", "benchmarks", "photos", str(tmp_path)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "labels.json is not there" in done.stderr
    assert "Traceback" not in done.stderr
