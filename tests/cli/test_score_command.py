"""`coatl score`, as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from coatl_tools import load_cards, parse_coatl, score_card
from coatl_tools.files.data_paths import LANGUAGE_CODES
from tests.conftest import Run
from tests.programs import needs_posix

EXAMPLE = "<BBRBBKRBBYY>"
SOAK = pytest.mark.soak


def test_rule_5_4_the_rulebooks_example_is_17(run: Run) -> None:
    result = run("score", EXAMPLE, "P29", "P10", "P05", "T03", "--json")
    data = json.loads(result.out)
    assert result.code == 0
    assert data["coatl"] == EXAMPLE
    assert data["total"] == 17
    assert [card["points"] for card in data["cards"]] == [4, 5, 5, 3]
    assert data["cards"][1] == {
        "id": "P10",
        "count": 3,
        "level": 2,
        "points": 5,
        "occurrences": [[1, 2], [4, 5], [8, 9]],
        "next": None,
    }
    assert data["cards"][2]["occurrences"] == [[1], [2], [4], [5], [8], [9]]
    temple = data["cards"][3]
    assert (temple["met"], temple["level"]) == ([True, False], 1)
    assert temple["next"] == {"level": 2, "points": 7, "pieces": None}


@pytest.mark.parametrize("lang", LANGUAGE_CODES)
def test_golden_score_sheets(run: Run, lang: str, golden: Callable[[str, str], None]) -> None:
    sheets = [
        run("score", EXAMPLE, "P29", "P10", "P05", "T03", "--lang", lang),
        run("score", "RBBYY", "p10", "P41,P33", "P53", "T03", "T16", "--lang", lang),
        run("score", "<RBBYYG>", "--lang", lang),
        run("score", "<RGBYKRGBYKR>", "--promo", "--level3", "--lang", lang),
        run("score", "K", "--lang", lang),
    ]
    assert all(sheet.code == 0 and not sheet.err for sheet in sheets)
    golden(f"score.{lang}.txt", "\n".join(sheet.out for sheet in sheets))


def test_nothing_is_wider_than_the_terminal(run: Run) -> None:
    for width in (40, 80, 120):
        for arguments in (("K" * 60,), ("<" + "RGBYK" * 8, "P33", "P53", "T16")):
            result = run("score", *arguments, COLUMNS=str(width))
            assert result.code == 0
            assert max(map(len, result.out.splitlines())) <= width


def test_colours_are_never_told_by_colour_alone(run: Run) -> None:
    plain = run("score", "RGBYK").out
    coloured = run("score", "RGBYK", FORCE_COLOR="1", NO_COLOR="").out
    assert "▲R  ●G  ■B  ★Y  ◆K" in plain
    assert "\x1b[" not in plain
    assert "\x1b[" in coloured


def test_without_unicode_letters_remain(program: Run) -> None:
    result = program("score", "<RGBYK>", "--lang", "pl", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.code == 0
    assert "<R  G  B  Y  K>" in result.out
    assert result.out.isascii()
    assert "Coatl spelnia" in result.out


def test_the_language_comes_from_the_locale(run: Run) -> None:
    assert "Razem" in run("score", "RGB", LANG="pl_PL.UTF-8").out
    assert "Summe" in run("score", "RGB", LANG="de_AT.UTF-8").out
    assert "Total" in run("score", "RGB", LANG="xx_XX.UTF-8").out
    assert "Razem" in run("score", "RGB", LANG="fr_FR.UTF-8", COATL_LANG="pl").out
    assert "est vide" in run("score", "", LANG="fr_FR.UTF-8").err


def test_a_language_may_be_named_with_its_country(run: Run) -> None:
    for code in ("de_AT", "de-AT", "DE", "de_AT.UTF-8"):
        given = run("score", "RGB", "--lang", code)
        assert given == run("score", "RGB", COATL_LANG=code)
        assert "Summe" in given.out


@pytest.mark.parametrize("code", ["xx", "../en", "english"])
def test_an_unknown_language_is_told(run: Run, code: str) -> None:
    assert run("score", "RGB", "--lang", code).code == 2
    done = run("score", "RGB", COATL_LANG=code, LANG="de_DE.UTF-8")
    assert "Summe" in done.out  # the locale decides instead
    assert done.err.startswith("Warnung: COATL_LANG")
    assert code in done.err
    assert "en, de, fr, pl" in done.err


def test_a_promo_temple_sees_the_cards_beside_it(run: Run) -> None:
    alone = json.loads(run("score", "<YKYKRGB>", "T17", "--json").out)
    beside_red = json.loads(run("score", "<YKYKRGB>", "T17", "P01", "--json").out)
    assert alone["cards"][0]["met"] == [True, True]
    assert beside_red["cards"][0]["met"] == [False, True]


def test_closed_ends_is_ruling_9_11(run: Run) -> None:
    usual = json.loads(run("score", "RRB", "P07", "--json").out)
    closed = json.loads(run("score", "RRB", "P07", "--json", "--closed-ends").out)
    headed = json.loads(run("score", "<RRB", "P07", "--json", "--closed-ends").out)
    assert [data["total"] for data in (usual, closed, headed)] == [2, 0, 2]


def test_rule_5_3_the_scoreboard_counts_on_from_50(run: Run, tmp_path: Path) -> None:
    card = {"id": "X01", "kind": "temple", "requires": {"count": "R"}, "points": {"1": 63}}
    file = tmp_path / "rich.json"
    file.write_text(json.dumps({"cards": [card]}))
    data = json.loads(run("score", "R", "X01", "--cards", file, "--json").out)
    assert data["scoreboard"] == {"tokens": 1, "position": 13}
    assert "1 token (50) and position 13" in run("score", "R", "X01", "--cards", file).out


def test_notes_say_what_the_rules_say(run: Run) -> None:
    many = json.loads(run("score", "BBR", *["P10"] * 5, "T01", "T02", "--json").out)
    assert many["complete"] is False
    said = ["there are 5", "P10", "there are 2", "not complete"]
    assert [words in note for words, note in zip(said, many["notes"], strict=True)] == [True] * 4
    temple_only = json.loads(run("score", "<RYR>", "--json").out)
    assert "rule 3.10" in temple_only["notes"][0]
    assert json.loads(run("score", EXAMPLE, "P10", "--json").out)["notes"] == []


def test_with_closed_ends_the_missing_piece_may_have_to_be_a_tail(run: Run) -> None:
    arguments = ["P10", "--closed-ends", "--json"]
    following = json.loads(run("score", "<BBR", *arguments).out)["cards"][0]["next"]
    assert (following["head_end"], following["tail_end"]) == ("", "BB>")
    made = json.loads(run("score", f"<BBR{following['tail_end']}", *arguments).out)
    assert made["cards"][0]["level"] == following["level"]


def test_json_is_json_in_any_encoding(program: Run, tmp_path: Path) -> None:
    (tmp_path / "empty" / "x.txt").write_text("RXG\n")
    result = program("score", "--batch", "x.txt", PYTHONIOENCODING="ascii")
    assert "“X”" in json.loads(result.out)["error"]
    shown = program("cards", "show", "P10", "--json", "--lang", "pl", PYTHONIOENCODING="latin-1")
    assert "rzędu" in json.loads(shown.out)["text"]


def test_missing_pieces_are_named_for_each_end(run: Run) -> None:
    data = json.loads(run("score", "KRG", "P33", "--json").out)
    assert data["cards"][0]["next"] == {
        "level": 1,
        "points": 7,
        "pieces": 2,
        "head_end": "Y",
        "tail_end": "B",
    }


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["score", ""], 1, "The Cóatl is empty"),
        (["score", "<RBQYG>"], 1, "Piece 3 is unknown"),
        (["score", "<R<BG>"], 1, "Piece 2 is a head"),
        (["score", "R" * 100_000], 1, "too long"),
        (["score", "RBB", "P99"], 1, "There is no card “P99”"),
        (["score"], 2, "Missing argument COATL"),
        (["score", "--batch"], 2, "requires an argument"),
        (["score", "RBB", "--batch", "x"], 2, "--batch takes its Cóatls"),
        (["score", "RBB", "P10", "--level3"], 2, "--level3 only applies to the best set"),
        (["score", "RBB", "--lang", "xx"], 2, "'xx' is not one of"),
        (["score", "RBB", "--cards", "none.json"], 3, "There is no file “none.json”"),
        (["score", "RBB", "--cards", "."], 3, "is a folder"),
        (["score", "--batch", "none.txt"], 3, "There is no file “none.txt”"),
        (["score", "--batch", "."], 3, "is a folder"),
        (["scor", "RBB"], 2, "No such command"),
        (["score", "RBB", "--jsn"], 2, "No such option"),
    ],
)
def test_mistakes_get_a_sentence_and_an_exit_code(
    run: Run, arguments: list[str], code: int, message: str
) -> None:
    result = run(*arguments)
    assert result.code == code
    assert message in result.err
    assert not result.out


def test_a_mistake_is_pointed_at(run: Run) -> None:
    assert "  <RBQYG>\n     ^\n" in run("score", "<RBQYG>").err


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("score RBB > /dev/full", 3, "The output cannot be written: No space left"),
        ("score --batch - > /dev/full < /dev/null", 0, ""),
        ("score --batch big.txt > /dev/full", 3, "The output cannot be written: No space left"),
        pytest.param("--help > /dev/full", 3, "The output cannot be written", marks=SOAK),
        pytest.param("cards schema > /dev/full", 3, "The output cannot be written", marks=SOAK),
        ("score --batch /proc/self/mem", 3, "cannot be read"),
        ("score --batch loop", 3, "cannot be read"),
        ("score RBB >&-", 0, ""),
        ("score QQQ >&- 2>&-", 1, ""),
        ("score --batch - <&-", 3, "Standard input is closed"),
        ("score --batch big.txt | head -1", 0, ""),
        pytest.param("cards list | head -1", 0, "", marks=SOAK),
    ],
)
@needs_posix
def test_output_that_nobody_takes(tmp_path: Path, command: str, code: int, message: str) -> None:
    (tmp_path / "big.txt").write_text("RGBYK\n" * 100_000)
    (tmp_path / "loop").symlink_to("loop")
    done = subprocess.run(
        f'"{sys.executable}" -m coatl_tools {command}',
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == code
    assert message in done.stderr
    assert message or not done.stderr


@needs_posix
def test_a_reader_who_leaves_is_exit_code_141(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("RGBYK\n" * 100_000)
    for command in ("score --batch big.txt", "cards schema"):
        script = f'"{sys.executable}" -m coatl_tools {command} | true; echo ${{PIPESTATUS[0]}}'
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, check=True, text=True
        )
        assert done.stdout.strip() == "141", command
        assert done.stderr == ""


class TestBatch:
    def test_one_object_a_line_in_order(self, program: Run) -> None:
        lines = ["<RBBYYG>", "head red, blue, blue", "kkk", "<RGBYK>"] * 10
        result = program("score", "--batch", "-", typed="\n".join(lines) + "\n")
        rows = [json.loads(line) for line in result.out.splitlines()]
        assert result.code == 0
        assert not result.err
        assert len(rows) == len(lines)
        for line, row in zip(lines, rows, strict=True):
            coatl = parse_coatl(line)
            scores = {card.id: score_card(coatl, card).points for card in load_cards().deck()}
            assert row["coatl"] == str(coatl)
            assert row["points"] == {key: value for key, value in scores.items() if value}
        assert result.out.splitlines()[0].startswith(
            '{"coatl": "<RBBYYG>", "points": {"P06": 2, "P10": 2, "P16": 1,'
        )

    def test_promo_adds_the_six_prophecies_and_no_temple(self, run: Run, tmp_path: Path) -> None:
        file = tmp_path / "table.txt"
        file.write_text("<YYGGRBKKBBRRY>\n")
        result = run("score", "--batch", file, "--promo")
        points = json.loads(result.out)["points"]
        assert {"P50", "P51", "P52", "P53", "P54", "P55"} <= set(points)
        assert not {"T16", "T17", "T18", "T19", "T20"} & set(points)

    def test_a_bad_line_is_said_and_the_rest_goes_on(self, run: Run, tmp_path: Path) -> None:
        file = tmp_path / "table.txt"
        file.write_bytes(
            b"\xef\xbb\xbfRBB\r\n\r\n<RQ\n\xff\xfe\x00\n" + b"R" * 3_000_000 + b"\nGGG"
        )
        result = run("score", "--batch", file)
        rows = [json.loads(line) for line in result.out.splitlines()]
        assert result.code == 1
        assert [row.get("line") for row in rows] == [None, 2, 3, 4, 5, None]
        assert "empty" in rows[1]["error"]
        assert "Piece 2" in rows[2]["error"]
        assert "65536" in rows[4]["error"]
        assert rows[5]["coatl"] == "GGG"

    def test_the_end_of_a_line_that_is_too_long_is_no_coatl(self, run: Run, tmp_path: Path) -> None:
        file = tmp_path / "table.txt"
        for length in range(2**18 - 1, 2**18 + 3):  # it is read in portions of 2**18 bytes
            file.write_bytes(b"R" * length + b"\nGGG")
            result = run("score", "--batch", file)
            long, good = (json.loads(line) for line in result.out.splitlines())
            assert (result.code, long["line"], good["coatl"]) == (1, 1, "GGG")
            assert "65536" in long["error"]

    def test_an_empty_file_gives_nothing(self, run: Run) -> None:
        assert run("score", "--batch", os.devnull).out == ""

    @needs_posix
    def test_progress_goes_to_the_terminal_and_results_to_the_file(self, tmp_path: Path) -> None:
        terminal, end = os.openpty()
        with (tmp_path / "out.jsonl").open("wb") as out:
            program = subprocess.Popen(
                [sys.executable, "-m", "coatl_tools", "score", "--batch", "-"],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=end,
                env=os.environ | {"TERM": "xterm", "COLUMNS": "80"},
            )
            assert program.stdin
            for _ in range(5):  # a slow pipe: each line is answered, the bar comes after a second
                size = os.fstat(out.fileno()).st_size
                program.stdin.write(b"RGB\n")
                program.stdin.flush()
                while os.fstat(out.fileno()).st_size == size:
                    assert program.poll() is None
                    time.sleep(0.05)
                time.sleep(0.4)
            program.stdin.close()
            assert program.wait(60) == 0
        assert os.read(terminal, 10_000)
        os.close(end)
        rows = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(row)["coatl"] for row in rows] == ["RGB"] * 5

    def test_own_cards_are_scored_too(self, run: Run, tmp_path: Path) -> None:
        card = {"id": "X01", "kind": "temple", "requires": {"length": 3}, "points": {"1": 5}}
        file = tmp_path / "own.json"
        file.write_text(json.dumps({"cards": [card]}))
        (tmp_path / "table.txt").write_text("RGB")
        result = run("score", "--batch", tmp_path / "table.txt", "--cards", file)
        assert json.loads(result.out)["points"]["X01"] == 5
