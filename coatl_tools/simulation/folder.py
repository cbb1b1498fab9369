"""A simulation stored in a folder: it can be stopped at any time, and continued.

| file | holds |
|---|---|
| `simulation.json` | the plan |
| `parts/*.jsonl` | the chunks of games played so far; everything else is made from them |
| `games.csv`, `players.csv`, `coatls.csv`, `cards.csv`, and as `.parquet` | the datasets |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from coatl_tools.cards.card_files import CardFile
from coatl_tools.cards.catalog import load_base_cards, restore_deck
from coatl_tools.errors import CoatlError, FileError, Phrase, SimulationError
from coatl_tools.files.atomic_writes import wrap_os_errors, write_file_atomically
from coatl_tools.files.json_files import parse_json_object, read_limited_file
from coatl_tools.files.json_models import StrictModel, validate_journal_data
from coatl_tools.rules.constants import BOX_COUNTS
from coatl_tools.rules.table_options import TableOptions
from coatl_tools.simulation.chunks import (
    Chunk,
    ChunkState,
    check_chunk_file,
    play_chunk_as_text,
    read_chunk,
    split_into_chunks,
)
from coatl_tools.simulation.datasets import open_dataset_writer
from coatl_tools.simulation.executors import ChunkExecutor
from coatl_tools.simulation.plan import PLAN_FORMAT, PLAN_MARKER, SimulationPlan, make_seat_names
from coatl_tools.simulation.statistics import SimulationSummary, summarize_games

MAX_VALUE_LENGTH = 60  # letters of a value that is shown


class SimulationPlanModel(StrictModel):
    """The shape of the file; what the values mean is checked by `SimulationPlan` itself."""

    mark: Literal[1] = Field(alias="coatl-simulation")
    program: str
    games: int
    players: list[str]
    seed: int
    levels: list[list[int]]
    options: dict[str, Any]
    box: dict[str, int] = Field(default_factory=BOX_COUNTS.copy)
    base_cards: str
    more_cards: list[CardFile]


def format_plan(plan: SimulationPlan) -> str:
    """Format a plan as the text of its file."""
    return json.dumps(plan.data(), ensure_ascii=False, indent=2) + "\n"


def parse_plan_data(text: bytes) -> dict[str, Any]:
    """Parse the data of a plan's file and check its shape; JournalError or SimulationError."""
    data = parse_json_object(text)
    if PLAN_MARKER not in data:
        raise SimulationError("simulation.no_mark", mark=PLAN_MARKER)
    if type(data[PLAN_MARKER]) is not int or data[PLAN_MARKER] != PLAN_FORMAT:
        raise SimulationError(
            "simulation.format", version=str(data[PLAN_MARKER])[:20], known=PLAN_FORMAT
        )
    validate_journal_data(SimulationPlanModel, data)
    return data


def parse_plan(text: bytes) -> SimulationPlan:
    """Parse the plan that a file holds; CoatlError says what is wrong with it.

    A plan of another version of this program, or with another box, cannot be played on.
    """
    data = parse_plan_data(text)
    if data["base_cards"] != load_base_cards()[1]:
        raise SimulationError("simulation.other_cards")
    if data.get("box", BOX_COUNTS) != BOX_COUNTS:
        raise SimulationError("simulation.other_box")
    options = {**data["options"], "players": make_seat_names(data["players"])}
    return SimulationPlan(
        games=data["games"],
        players=tuple(data["players"]),
        options=TableOptions.from_data(options),
        cards=restore_deck(data["more_cards"]),
        seed=data["seed"],
        levels=tuple(tuple(levels) for levels in data["levels"]),
        program=data["program"],
    )


def find_plan_differences(theirs: dict[str, Any], ours: dict[str, Any]) -> list[Phrase]:
    """List what differs in two plans besides their numbers of games; empty if one continues."""
    found: list[Phrase] = []
    for name in ("program", "players", "seed", "levels"):
        if theirs[name] != ours[name]:
            found.append(_describe_difference(name, theirs[name], ours[name]))
    for one, other in (
        (theirs["options"], ours["options"]),
        (theirs.get("box", BOX_COUNTS), ours["box"]),
    ):
        for name in dict.fromkeys((*one, *other)):
            if one.get(name) != other.get(name):
                found.append(_describe_difference(name, one.get(name), other.get(name)))
    if any(theirs[name] != ours[name] for name in ("base_cards", "more_cards")):
        found.append(("simulation.differs_cards", {}))
    return found


def _describe_difference(name: str, theirs: object, ours: object) -> Phrase:
    values = {"theirs": _format_value(theirs), "ours": _format_value(ours)}
    return "simulation.differs", {"name": name, **values}


def _format_value(value: object) -> str:
    """Format a value as people write it: lists without brackets, levels joined by a plus."""
    if isinstance(value, list) and all(isinstance(item, list) for item in value):
        value = ["+".join(map(str, item)) or "none" for item in value]
    if isinstance(value, list):
        value = ",".join(map(str, value))
    text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[:MAX_VALUE_LENGTH]}…"


PLAN_FILE, CHUNK_FOLDER = "simulation.json", "parts"
GamesProgress = Callable[[int], None]  # told how many more games are done


class SimulationFolder:
    """The folder of one simulation."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def stored_seed(self) -> int | None:
        """Return the seed of the simulation that is stored here; None if there is none yet."""
        if not (self.path / PLAN_FILE).exists():
            return None
        seed: int = self._stored_plan_data()["seed"]
        return seed

    def plan(self) -> SimulationPlan:
        """Load the plan that is stored here; SimulationError or FileError if there is none."""
        with self._wrap_plan_errors():
            return parse_plan(read_limited_file(self.path / PLAN_FILE))

    def begin(self, plan: SimulationPlan) -> None:
        """Create the folder, or check that it has the same plan; SimulationError if it has not."""
        _make_folder(self.path)
        theirs = self._stored_plan_data() if (self.path / PLAN_FILE).exists() else None
        if theirs is None:
            _check_empty(self.path)
        elif found := find_plan_differences(theirs, plan.data()):
            raise SimulationError("simulation.other", path=self.path, differences=found)
        if theirs is None or theirs["games"] != plan.games:
            write_file_atomically(self.path / PLAN_FILE, format_plan(plan))
        _make_folder(self.path / CHUNK_FOLDER)

    def play(
        self,
        plan: SimulationPlan,
        crew: ChunkExecutor,
        progress: GamesProgress,
        warn: Callable[[CoatlError], None],
    ) -> None:
        """Have all chunks played that are missing or damaged; `warn` is told of damaged ones."""
        wanted = self._missing_chunks(plan, progress, warn)
        with closing(crew(play_chunk_as_text, plan, wanted)) as played:
            for chunk, text in played:
                write_file_atomically(self._file(chunk), text)
                progress(chunk.games)

    def _missing_chunks(
        self, plan: SimulationPlan, progress: GamesProgress, warn: Callable[[CoatlError], None]
    ) -> Iterator[Chunk]:
        digest = plan.digest
        for chunk in split_into_chunks(plan.games):
            path = self._file(chunk)
            found = check_chunk_file(path, digest, chunk)
            if found is ChunkState.WHOLE:
                progress(chunk.games)
                continue
            if found is ChunkState.DAMAGED:
                warn(SimulationError("simulation.damaged", path=path))
            yield chunk

    def write_datasets(self, plan: SimulationPlan, progress: GamesProgress) -> SimulationSummary:
        """Write the datasets from all chunks, and count the games on the way."""
        found = SimulationSummary()
        with open_dataset_writer(self.path) as files:
            for chunk in split_into_chunks(plan.games):
                games = read_chunk(self._file(chunk), chunk)
                files.add(games)
                found += summarize_games(games)
                progress(chunk.games)
        return found

    def _file(self, chunk: Chunk) -> Path:
        return self.path / CHUNK_FOLDER / chunk.file_name

    def _stored_plan_data(self) -> dict[str, Any]:
        with self._wrap_plan_errors():
            return parse_plan_data(read_limited_file(self.path / PLAN_FILE))

    @contextmanager
    def _wrap_plan_errors(self) -> Iterator[None]:
        """Add the file to errors about the plan."""
        path = self.path / PLAN_FILE
        try:
            yield
        except FileError:
            raise
        except CoatlError as error:
            raise SimulationError("simulation.not_one", path=path, reason=error.spoken) from error


def _make_folder(folder: Path) -> None:
    """Make a folder; FileError if that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise FileError("export.no_folder", path=folder) from None
    except OSError as error:
        raise FileError("file.unwritable", path=folder, reason=error.strerror) from None


def _check_empty(folder: Path) -> None:
    """Raise SimulationError if a folder holds other files, which must not be touched."""
    with wrap_os_errors(folder, "file.unreadable"):
        others = [other for other in folder.iterdir() if other.name[0] != "."]
    if others:
        raise SimulationError("simulation.not_empty", path=folder, file=PLAN_FILE)
