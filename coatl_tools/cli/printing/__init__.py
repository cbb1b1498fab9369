"""`coatl print` and `coatl export`: the game on paper and for other targets."""

from __future__ import annotations

from coatl_tools.cli.printing.checks import check, layouts
from coatl_tools.cli.printing.game import print_game
from coatl_tools.cli.printing.printers import calibrate, profile

for _command in (calibrate, check, profile, layouts):
    print_game.add_command(_command)

__all__ = ["print_game"]
