"""`python -m benchmarks NAME`: run one benchmark, or list them."""

from __future__ import annotations

import sys
from importlib import import_module

# Where each stands; only what is asked for is loaded.
BENCHMARKS = {
    "marks": "benchmarks.marks",
    "photos": "benchmarks.photos.command",
    "play": "benchmarks.play",
    "print": "benchmarks.printing",
    "rules": "benchmarks.rules",
    "scoring": "benchmarks.scoring",
    "simulate": "benchmarks.simulation",
    "strength": "benchmarks.strength",
    "table": "benchmarks.table",
    "web": "benchmarks.web",
}
ASKING = {"photos", "strength"}  # these are told what to measure


def main(name: str = "", *arguments: str) -> None:
    """Run the benchmark that is named."""
    if name not in BENCHMARKS or (arguments and name not in ASKING):
        sys.exit(f"usage: python -m benchmarks {{{'|'.join(BENCHMARKS)}}}")
    run = import_module(BENCHMARKS[name]).main
    if name in ASKING:
        run(arguments)
    else:
        run()


main(*sys.argv[1:])
