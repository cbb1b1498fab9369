"""`components.json` is the one home of the numbers of the box: each one counts, or is refused."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coatl_tools.files.data_paths import CARDDATA
from coatl_tools.validation.carddata import validate_files

# What a game and its printout make of the numbers, in a process that reads another folder.
DESCRIBE_GAMES = """
import sys
from pathlib import Path
from coatl_tools.files import data_paths

for folder in sys.argv[1:]:
    for name in [name for name in sys.modules if name.startswith("coatl_tools.")]:
        if name != "coatl_tools.files.data_paths":
            del sys.modules[name]
    data_paths.CARDDATA = Path(folder)
    from coatl_tools.cards.catalog import load_cards
    from coatl_tools.components.components_file import load_components
    from coatl_tools.pieces import MAX_PIECES
    from coatl_tools.printing.boards.tokens import make_token_items
    from coatl_tools.printing.pictures.component_pictures import load_design
    from coatl_tools.printing.pieces.piece_items import make_single_pieces
    from coatl_tools.rules.constants import BOARD_SPACES, PIECES_PER_SPACE
    from coatl_tools.rules.table_options import TableOptions
    from coatl_tools.rules.setup import new_game
    from coatl_tools.scoring.odds import BODIES_IN_BAG
    from coatl_tools.scoring.score import locate_on_scoreboard

    seen = [MAX_PIECES, BOARD_SPACES, PIECES_PER_SPACE, BODIES_IN_BAG, locate_on_scoreboard(120)]
    names = ("Ana", "Bo", "Cy", "Di")
    tables = [TableOptions(players=names[:size]) for size in (1, 2, 3, 4)]
    tables += [TableOptions(players=names[:size], fewer_bodies=True) for size in (2, 3)]
    tables += [TableOptions(players=names[:size], golden_feathers=True) for size in (2, 3, 4)]
    for options in tables:
        state = new_game(options, load_cards())
        seen += [len(state.spaces), state.bodies, state.heads, state.tails]
    design, box = load_design("en"), load_components()
    seen.append([item.name for item in make_token_items(design, box)])
    seen.append([piece.count for piece in make_single_pieces(design, box, golden=True)])
    print(seen)
"""


def find_numbers(value: Any, location: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from find_numbers(inner, (*location, key))
    elif isinstance(value, int):
        yield location


COMPONENTS = json.loads((CARDDATA / "components.json").read_text("utf-8"))
NUMBERS = list(find_numbers(COMPONENTS))


def get(location: tuple[str, ...]) -> int:
    value: Any = COMPONENTS
    for key in location:
        value = value[key]
    number: int = value
    return number


def copy_with(folder: Path, location: tuple[str, ...], change: int) -> Path:
    """A copy of the game's data with one number changed."""
    copy = Path(shutil.copytree(CARDDATA, folder / f"{'.'.join(location)}{change:+}"))
    data = json.loads((copy / "components.json").read_text("utf-8"))
    inner = data
    for key in location[:-1]:
        inner = inner[key]
    inner[location[-1]] += change
    (copy / "components.json").write_text(json.dumps(data), "utf-8")
    return copy


def describe_games(folders: list[Path]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", DESCRIBE_GAMES, *map(str, folders)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_changed_number_changes_the_game_or_is_refused(tmp_path: Path) -> None:
    accepted: dict[tuple[str, ...], Path] = {}
    for location in NUMBERS:
        for change in (1, -1):
            folder = copy_with(tmp_path, location, change)
            problems = validate_files([folder]).problems
            if not problems:
                accepted[*location, f"{change:+}"] = folder
            assert all("components.json" in problem.path for problem in problems)
    usual, *others = describe_games([CARDDATA, *accepted.values()])
    assert len(others) == len(accepted)
    unseen = [name for name, game in zip(accepted, others, strict=True) if game == usual]
    assert unseen == []
    assert {name[0] for name in accepted} == {
        "golden_bodies",
        "supply_board",
        "player_boards",
        "bodies_per_colour",
        "golden_bodies_in_play",
    }


@pytest.mark.parametrize(
    ("location", "change", "problem"),
    [
        (("pieces", "body"), 1, "pieces: 150 are promised, but there are 155"),
        (("totals", "temple"), 1, "temple: 16 are promised, but there are 15"),
        (("player_boards", "count"), 1, "player_boards.count: there must be 4: one for each"),
        (("sacrifice_tokens", "back"), -1, "back: 49 must be the same as scoreboard.last_position"),
        (("sacrifice_tokens", "sets"), 1, "sets: 5 must be the same as player_boards.count"),
        (("scoreboard", "last_position"), 1, "which is 51"),
        (("bodies_per_colour", "solo"), 9, "solo: 25 are more than the 24 in the box"),
        (("first_player_markers",), 1, "first_player_markers: there must be 1"),
        (("first_player_markers",), -1, "first_player_markers: there must be 1"),
        (("supply_board", "body_spaces"), 1, "body_spaces: 7 cannot be drawn: layouts/boards.json"),
        (("supply_board", "bodies_per_space"), 1, "bodies_per_space: 3 cannot be drawn"),
        (("player_boards", "spaces"), 2, "player_boards.spaces: 10 cannot be drawn"),
        (("player_boards", "spaces"), -7, "nobody could take the 2 body segments of a space"),
        (("bodies_per_colour", "solo"), -14, "12 pieces are needed to fill them, but a game may"),
        (("golden_bodies",), -1, "golden_bodies_in_play.4: 6 are more than the 5 in the box"),
    ],
)
def test_a_contradiction_is_told_in_a_sentence(
    tmp_path: Path, location: tuple[str, ...], change: int, problem: str
) -> None:
    problems = validate_files([copy_with(tmp_path, location, change)]).problems
    assert any(problem in str(found) for found in problems), problems


@pytest.mark.parametrize("location", NUMBERS, ids=".".join)
def test_no_number_is_without_limits(tmp_path: Path, location: tuple[str, ...]) -> None:
    for number in (10**9, 0 if location[-1] not in ("promo", "temple", "prophecy") else -1):
        problems = validate_files([copy_with(tmp_path, location, number - get(location))]).problems
        assert any(".".join(location) in str(found) for found in problems), problems


def run_with(tmp_path: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process whose `components.json` is this text."""
    copy = Path(shutil.copytree(CARDDATA, tmp_path / "carddata"))
    (copy / "components.json").write_text(text, "utf-8")
    script = (
        "import sys; from pathlib import Path; from coatl_tools.files import data_paths;"
        "data_paths.CARDDATA = Path(sys.argv.pop(1));"
        "from coatl_tools.__main__ import main; main()"
    )
    return subprocess.run(
        [sys.executable, "-c", script, str(copy), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "components.json:1:2: is not JSON"),
        ('{"totals": {}}', '"totals.pieces" is missing'),
        ('{"totals": {"pieces": "many"}}', ':1:23: "totals.pieces" must be a whole number'),
        ('{"totals": {"pieces": NaN}}', ":1:23: NaN is not allowed in JSON"),
        ('{"totals": 1, "totals": 2}', ':1:15: "totals" stands twice'),
    ],
)
def test_a_broken_file_is_told_in_a_sentence(tmp_path: Path, text: str, problem: str) -> None:
    done = run_with(tmp_path, text, "score", "RBB", "P01")
    assert done.returncode == 1
    assert problem in done.stderr
    assert done.stderr.startswith("Error: The numbers of the box have errors:\n")


def test_validate_tells_every_wrong_number_of_the_program_itself(tmp_path: Path) -> None:
    text = json.dumps(COMPONENTS, indent=1).replace('"body_spaces": 6', '"body_spaces": 1000000000')
    text = text.replace('"head": 3', '"head": 0').replace('"solo": 16', '"solo": "16"')
    done = run_with(tmp_path, text, "cards", "validate")
    assert done.returncode == 1
    wrong = re.findall(r'components\.json:\d+:\d+: "(\S+)" must be', done.stderr)
    assert wrong == ["pieces.head", "supply_board.body_spaces", "bodies_per_colour.solo"]
    assert "coatl cards validate" not in done.stderr
