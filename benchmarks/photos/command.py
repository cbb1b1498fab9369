"""`python -m benchmarks photos`: the command line of the figures."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.photos.figures import measure
from benchmarks.photos.labels import LabelsError
from benchmarks.photos.readers import find_reader
from benchmarks.photos.report import render_grid, write_wrong_photos
from benchmarks.photos.speed import limit_to_one_core, measure_speed


def main(arguments: Sequence[str] = ()) -> None:
    """Print the figures of a folder of photos, or the speed of one photo."""
    asked = _parser().parse_args(arguments)
    try:
        if asked.speed:
            for line in measure_speed(asked.speed, find_reader(asked.reader)):
                print(line)
        elif asked.folder:
            _figures(asked)
        else:
            raise LabelsError("give a folder of photos with their labels.json, or --speed IMAGE")
    except LabelsError as error:
        sys.exit(f"benchmarks photos: {error}")


def _figures(asked: argparse.Namespace) -> None:
    with limit_to_one_core():
        figures = measure(
            asked.folder,
            find_reader(asked.reader),
            name=asked.reader,
            only=asked.only,
            progress=_progress,
        )
    for line in render_grid(figures):
        print(line)
    if asked.json:
        text = json.dumps(figures.as_json(), indent=1, ensure_ascii=False)
        asked.json.write_text(f"{text}\n", "utf-8")
    if asked.show_wrong:
        print(
            f"pictures written: {write_wrong_photos(figures, asked.show_wrong)} "
            f"to {asked.show_wrong}"
        )


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {of} photos", end="\n" if done == of else "", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks photos",
        description="How well photos are read: exact Cóatls, pieces, silent mistakes, time.",
    )
    parser.add_argument("folder", nargs="?", type=Path, help="photos with their labels.json")
    parser.add_argument(
        "--reader",
        default="network",
        metavar="NAME",
        help="network, or a folder with a JSON file for each photo",
    )
    parser.add_argument("--only", default="", metavar="001-024", help="photos by their numbers")
    parser.add_argument("--json", type=Path, metavar="OUT", help="also write the figures as JSON")
    parser.add_argument(
        "--show-wrong", type=Path, metavar="DIR", help="write a picture of each photo read wrongly"
    )
    parser.add_argument(
        "--speed", type=Path, metavar="IMAGE", help="time one photo, scaled to 12 megapixels"
    )
    return parser
