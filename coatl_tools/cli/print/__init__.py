"""`coatl print`: the game on paper."""

from __future__ import annotations

from coatl_tools.cli.print.calibrate import calibrate
from coatl_tools.cli.print.check import check
from coatl_tools.cli.print.game import print_game
from coatl_tools.cli.print.layouts import layouts
from coatl_tools.cli.print.profile import profile

for _command in (calibrate, check, profile, layouts):
    print_game.add_command(_command)

__all__ = ["print_game"]
