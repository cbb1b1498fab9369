"""Make a folder of photos: `python -m tests.vision.scenes --out DIR --count N --seed S`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from coatl_tools.printing.layouts import ThemeName
from tests.vision.scenes import KINDS, Scene, make_photo, write_folder
from tests.vision.scenes.table_tops import TABLES


def main() -> None:
    """Read the command line, write the folder."""
    parser = argparse.ArgumentParser(prog="python -m tests.vision.scenes", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="of the first photo")
    parser.add_argument("--kind", choices=[*KINDS, "all"], default="all")
    parser.add_argument("--megapixels", type=float, help="otherwise 0.5 to 12")
    parser.add_argument("--table", choices=[*TABLES])
    parser.add_argument("--theme", choices=get_args(ThemeName), default="full")
    given = parser.parse_args()
    kinds = KINDS if given.kind == "all" else (given.kind,)

    def scenes() -> Iterator[Scene]:
        for i in range(given.count):
            kind = kinds[i % len(kinds)]
            yield make_photo(given.seed + i, kind, given.megapixels, given.table, given.theme)

    write_folder(given.out, scenes())


if __name__ == "__main__":
    main()
