"""`python -m training scenes|learn|…`: make the network again."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2

from coatl_tools.vision.pieces.network import PIECES, PORTRAITS


def main() -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    scenes = steps.add_parser("scenes", help="draw labelled photos")
    scenes.add_argument("folder", type=Path)
    scenes.add_argument("--count", type=int, default=4000)
    scenes.add_argument("--seed", type=int, default=1)
    scenes.add_argument("--begin", type=int, default=0, help="number of the first photo")
    learning = steps.add_parser("learn", help="train on them")
    learning.add_argument("folder", type=Path)
    learning.add_argument("weights", type=Path, help="where the weights are kept; begun from there")
    learning.add_argument("--batch", type=int, default=12)
    learning.add_argument("--rate", type=float, default=2e-3)
    learning.add_argument("--minutes", type=float, default=60, help="of training")
    learning.add_argument("--rank", type=int, default=0, help="which of several processes this is")
    learning.add_argument("--ranks", type=int, default=1, help="how many there are")
    drawing = steps.add_parser("portraits", help="train the network that looks at single pieces")
    drawing.add_argument("folder", type=Path)
    drawing.add_argument("weights", type=Path, help="where the weights are kept; begun from there")
    drawing.add_argument("--batch", type=int, default=64)
    drawing.add_argument("--rate", type=float, default=2e-3)
    drawing.add_argument("--minutes", type=float, default=30, help="of training")
    exporting = steps.add_parser("export", help="write both networks as the package carries them")
    exporting.add_argument("pieces", type=Path, help="weights of `learn`")
    exporting.add_argument("portraits", type=Path, help="weights of `portraits`")
    weighing = steps.add_parser("weigh", help="make confidence honest, with photos of another seed")
    weighing.add_argument("folder", type=Path)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    if given.step == "scenes":
        from training.pool import make_pool

        make_pool(given.folder, given.count, given.seed, given.begin)
    elif given.step == "learn":
        from training.learn import learn

        learn(
            given.folder, given.weights, given.batch, given.rate, given.minutes, given.rank,
            given.ranks,
        )  # fmt: skip
    elif given.step == "portraits":
        from training.portraits import learn_portraits

        learn_portraits(given.folder, given.weights, given.batch, given.rate, given.minutes)
    elif given.step == "weigh":
        from training.weigh import weigh

        weigh(given.folder)
    else:
        from training.learn import export
        from training.portraits import export_portraits

        try:
            export(given.pieces, PIECES)
            export_portraits(given.portraits, PORTRAITS)
        except ValueError as error:
            parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
