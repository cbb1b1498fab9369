"""`python -m benchmarks NAME`: run one benchmark, or list them."""

from __future__ import annotations

import sys
from collections.abc import Callable

from benchmarks import marks, printing, rules, scoring, table

BENCHMARKS: dict[str, Callable[[], None]] = {
    "marks": marks.main,
    "print": printing.main,
    "rules": rules.main,
    "scoring": scoring.main,
    "table": table.main,
}


def main() -> None:
    """Run the benchmark that is named."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in BENCHMARKS:
        sys.exit(f"usage: python -m benchmarks {{{'|'.join(BENCHMARKS)}}}")
    BENCHMARKS[name]()


main()
