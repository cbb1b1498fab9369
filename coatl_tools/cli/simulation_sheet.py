"""The summary of a simulation on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.text import Text

from coatl_tools.cli.screen import Column, Screen
from coatl_tools.language import Language
from coatl_tools.rules.box import ADAM_NAME
from coatl_tools.simulation.rows import ADAM_BOT
from coatl_tools.simulation.tables import parquet_works


def print_summary(found: dict[str, Any], language: Language, out: Path | None) -> None:
    """Players, seats or levels, endings; where the tables are, if there are any."""
    _Sheet(found, Screen(language)).print()
    if out is None:
        return
    screen = Screen(language)
    screen.print("", Text(screen.label("sim_written", folder=out)))
    if not parquet_works():
        screen.print(screen.label("sim_parquet"))


class _Sheet:
    """One summary."""

    def __init__(self, found: dict[str, Any], screen: Screen) -> None:
        self.found, self.screen, self.label = found, screen, screen.label
        self.solo = "adam" in found

    def print(self) -> None:
        """All of it."""
        found = self.found
        title = self.label(
            "sim_title", found["games"], seed=found["seed"], edition=found["edition"]
        )
        self.screen.print(Text(title, "bold"), "")
        self.table(
            [self.label("sim_player")],
            [([f"{one['player']} {_name(one['bot'])}"], one) for one in found["players"]],
        )
        if self.solo:
            none = self.label("none")
            levels = [([one["levels"] or none, str(one["games"])], one) for one in found["adam"]]
            self.table([self.label("sim_levels"), self.label("sim_games")], levels)
        else:
            seats = [([str(one["seat"])], one) for one in found["seats"]]
            self.table([self.label("sim_seat")], seats)
        self.screen.print(Text(self.label("sim_note"), "dim"))
        third, bodies, passed = (self.share(n / found["games"]) for n in found["endings"].values())
        ends = self.label("sim_endings", third=third, bodies=bodies, passed=passed)
        turns = self.label("sim_turns", turns=self.number(found["mean_turns"]))
        self.screen.print(ends, turns)

    def table(self, names: list[str], lines: list[tuple[list[str], dict[str, Any]]]) -> None:
        """Records of players, seats or levels; A.D.A.M. shares no victory."""
        counts = {"wins": self.label("sim_wins"), "shared": self.label("sim_shared")}
        if self.solo:
            del counts["shared"]
        labels = [*counts.values(), self.label("sim_rate"), self.label("points")]
        columns = [*map(Column, names), *(Column(label, justify="right") for label in labels)]
        rows = []
        for lead, one in lines:
            cells = [*lead, *(str(one[count]) for count in counts), self.rate(one), self.score(one)]
            rows.append([*map(Text, cells)])
        self.screen.table(columns, rows)
        self.screen.print("")

    def rate(self, one: dict[str, Any]) -> str:
        """The part of games won, and between which bounds it lies."""
        low, high = (self.number(100 * bound) for bound in one["win_interval"])
        return f"{self.share(one['win_rate'])} ({low}–{high})"

    def score(self, one: dict[str, Any]) -> str:
        """The mean number of points, and how far off it may be, if that is known."""
        mean, (_, high) = one["mean_score"], one["score_interval"]
        more = "" if high is None else f" ± {self.number(high - mean)}"
        return self.number(mean) + more

    def share(self, value: float) -> str:
        """A part of 1, in percent."""
        return self.number(100 * value) + "\u00a0%"

    def number(self, value: float) -> str:
        """A number as people of this language write it."""
        return f"{value:.1f}".replace(".", self.label("sim_decimal"))


def _name(bot: str) -> str:
    return ADAM_NAME if bot == ADAM_BOT else bot
