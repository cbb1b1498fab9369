"""A simulation that is kept in a folder, where it can be stopped at any time and goes on.

| file | holds |
|---|---|
| `simulation.json` | the plan |
| `parts/*.jsonl` | the games played so far: what counts, the rest is made from it |
| `games.csv`, `players.csv`, `coatls.csv`, `cards.csv`, and as `.parquet` | the tables |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from coatl_tools.documents import read_document, write_document
from coatl_tools.errors import CoatlError, FileError, SimulationError
from coatl_tools.simulation.parts import Kept, Part, kept, part_text, parts_of, read_part
from coatl_tools.simulation.plan import Plan
from coatl_tools.simulation.plan_file import checked_data, differences, plan_text, read_plan
from coatl_tools.simulation.summary import Tally, tally
from coatl_tools.simulation.tables import table_files
from coatl_tools.simulation.workers import Crew

PLAN, PARTS = "simulation.json", "parts"
Progress = Callable[[int], None]  # told how many more games are done


class SimulationFolder:
    """The folder of one simulation."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def kept_seed(self) -> int | None:
        """The seed of the simulation that is kept here; None if there is none yet."""
        if not (self.path / PLAN).exists():
            return None
        seed: int = self._kept_data()["seed"]
        return seed

    def plan(self) -> Plan:
        """The plan that is kept here; SimulationError or FileError if there is none."""
        with self._in_plan():
            return read_plan(read_document(self.path / PLAN))

    def begin(self, plan: Plan) -> None:
        """Make the folder, or see that it holds games of the same plan; else SimulationError."""
        self._make()
        if (self.path / PLAN).exists():
            theirs = self._kept_data()
            found = differences(theirs, plan.data())
            if found:
                raise SimulationError("simulation.other", path=self.path, differences=found)
            if theirs["games"] == plan.games:
                return
        write_document(self.path / PLAN, plan_text(plan))

    def play(
        self, plan: Plan, crew: Crew, progress: Progress, warn: Callable[[CoatlError], None]
    ) -> None:
        """Have all parts played that are not there yet, or are damaged, which is told."""
        wanted = self._wanted(plan, progress, warn)
        with closing(crew(part_text, plan, wanted)) as played:
            for part, text in played:
                write_document(self._file(part), text)
                progress(part.games)

    def _wanted(
        self, plan: Plan, progress: Progress, warn: Callable[[CoatlError], None]
    ) -> Iterator[Part]:
        digest = plan.digest
        for part in parts_of(plan.games):
            path = self._file(part)
            found = kept(path, digest, part)
            if found is Kept.WHOLE:
                progress(part.games)
                continue
            if found is Kept.DAMAGED:
                warn(SimulationError("simulation.damaged", path=path))
            yield part

    def write_tables(self, plan: Plan, progress: Progress) -> Tally:
        """Write the tables from all parts, and count the games on the way."""
        found = Tally()
        with table_files(self.path) as files:
            for part in parts_of(plan.games):
                games = read_part(self._file(part), part)
                files.add(games)
                found += tally(games)
                progress(part.games)
        return found

    def _file(self, part: Part) -> Path:
        return self.path / PARTS / part.file_name

    def _make(self) -> None:
        """Make the folder; SimulationError if it holds other things, FileError if it is none."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not (self.path / PLAN).exists():
                others = (other for other in self.path.iterdir() if other.name[0] != ".")
                if any(others):
                    raise SimulationError("simulation.not_empty", path=self.path, file=PLAN)
            (self.path / PARTS).mkdir(exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise FileError("export.no_folder", path=self.path) from None
        except OSError as error:
            raise FileError("file.unwritable", path=self.path, reason=error.strerror) from None

    def _kept_data(self) -> dict[str, Any]:
        with self._in_plan():
            return checked_data(read_document(self.path / PLAN))

    @contextmanager
    def _in_plan(self) -> Iterator[None]:
        """What is wrong with the plan says in which file."""
        path = self.path / PLAN
        try:
            yield
        except FileError:
            raise
        except CoatlError as error:
            raise SimulationError("simulation.not_one", path=path, reason=error.spoken) from error
