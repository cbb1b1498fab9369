"""`python -m training scenes|learn|…`: make the network again."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2

from coatl_tools.vision.pieces.networks import FACING_NETWORK, PIECE_NETWORK, PORTRAIT_NETWORK
from coatl_tools.vision.pieces.open_ends import END_NETWORK

CARD_STEPS = {
    "card-faces": "tells faces of published cards from other things, and their families",
    "card-rows": "reads rows of published cards",
    "card-plates": "reads levels of published cards",
}


def main() -> None:
    """Run one step."""
    parser = _parser()
    given = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        _run(given)
    except ValueError as error:
        parser.exit(1, f"{error}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    scenes = steps.add_parser("scenes", help="draw labelled photos")
    scenes.add_argument("folder", type=Path)
    scenes.add_argument("--count", type=int, default=4000)
    scenes.add_argument("--seed", type=int, default=1)
    scenes.add_argument("--begin", type=int, default=0, help="number of the first photo")
    scenes.add_argument("--side", type=int, default=640, help="pixels of the longer side")
    scenes.add_argument("--near", action="store_true", help="from near, of a few pieces")
    measured = steps.add_parser("photos", help="draw photos that measure the reader")
    measured.add_argument("folder", type=Path)
    measured.add_argument("--count", type=int, default=100)
    measured.add_argument("--seed", type=int, required=True, help="of no photo to learn from")
    measured.add_argument("--side", type=int, default=1600, help="pixels of the longer side")
    learning = steps.add_parser("learn", help="train the network that finds pieces")
    learning.add_argument("--rank", type=int, default=0, help="which of several processes this is")
    learning.add_argument("--ranks", type=int, default=1, help="how many there are")
    portraits = steps.add_parser("portraits", help="train the network that looks at single pieces")
    facing = steps.add_parser("facing", help="train the network that tells directions")
    ends = steps.add_parser("ends", help="train the network that tells covered ends")
    cards = steps.add_parser("cards", help="draw labelled views of published cards")
    cards.add_argument("folder", type=Path)
    cards.add_argument("--count", type=int, default=300, help="of files, each of 60 photos")
    cards.add_argument("--seed", type=int, default=1)
    cards.add_argument("--begin", type=int, default=0, help="number of the first file")
    faces = steps.add_parser("faces", help="draw faces of published cards")
    faces.add_argument("folder", type=Path)
    faces.add_argument("--count", type=int, default=900)
    faces.add_argument("--seed", type=int, default=1)
    plaques = steps.add_parser("plaques", help="train the network that finds published cards")
    places = steps.add_parser("places", help="train the network that corrects their corners")
    readers = [
        (steps.add_parser(step, help=f"train the network that {what}"), 48, 15)
        for step, what in CARD_STEPS.items()
    ]
    learners = [
        (learning, 12, 60),
        (portraits, 64, 30),
        (facing, 64, 30),
        (ends, 64, 30),
        (plaques, 16, 60),
        (places, 48, 40),
        *readers,
    ]
    for step, batch, minutes in learners:
        step.add_argument("folder", type=Path)
        step.add_argument(
            "weights", type=Path, help="where they are kept; begun from there, or from the package"
        )
        step.add_argument("--batch", type=int, default=batch)
        step.add_argument("--rate", type=float, default=2e-3)
        step.add_argument("--minutes", type=float, default=minutes, help="of training")
    exporting = steps.add_parser("export", help="write networks as the package carries them")
    exporting.add_argument("--pieces", type=Path, help="weights of `learn`")
    exporting.add_argument("--portraits", type=Path, help="weights of `portraits`")
    exporting.add_argument("--facing", type=Path, help="weights of `facing`")
    exporting.add_argument("--ends", type=Path, help="weights of `ends`")
    exporting.add_argument(
        "--share", type=float, default=1.0, help="of these weights; the rest is the package's"
    )
    exporting.add_argument("--plaques", type=Path, help="weights of `plaques`")
    exporting.add_argument("--places", type=Path, help="weights of `places`")
    for name in CARD_STEPS:
        exporting.add_argument(f"--{name}", type=Path, help=f"weights of `{name}`")
    weighing = steps.add_parser("weigh", help="make confidence honest, with photos of another seed")
    weighing.add_argument("folder", type=Path)
    return parser


def _run(given: argparse.Namespace) -> None:
    if given.step == "scenes":
        from training.photo_pool import make_pool

        make_pool(given.folder, given.count, given.seed, given.begin, given.side, given.near)
    elif given.step == "photos":
        from training.measured_photos import make_measured_photos

        make_measured_photos(given.folder, given.count, given.seed, given.side)
    elif given.step == "cards":
        from training.card_pool import make_card_pool

        make_card_pool(given.folder, given.count, given.seed, given.begin)
    elif given.step == "faces":
        from training.card_tables import draw_faces

        draw_faces(given.folder, given.count, given.seed)
    elif given.step in ("learn", "portraits", "facing", "ends", "plaques", "places", *CARD_STEPS):
        _train(given)
    elif given.step == "weigh":
        from training.confidence_fit import fit_confidence

        fit_confidence(given.folder)
    else:
        _export(given)


def _train(given: argparse.Namespace) -> None:
    from training.card_networks import train_card_network
    from training.end_network import train_end_network
    from training.piece_network import train_piece_network
    from training.plaque_network import train_place_network, train_plaque_network
    from training.portrait_networks import train_facing_network, train_portrait_network

    how = given.folder, given.weights, given.batch, given.rate, given.minutes
    if given.step == "learn":
        train_piece_network(*how, given.rank, given.ranks)
    elif given.step == "portraits":
        train_portrait_network(*how)
    elif given.step == "ends":
        train_end_network(*how)
    elif given.step == "plaques":
        train_plaque_network(*how)
    elif given.step == "places":
        train_place_network(*how)
    elif given.step in CARD_STEPS:
        train_card_network(given.step.removeprefix("card-"), *how)
    else:
        train_facing_network(*how)


def _export(given: argparse.Namespace) -> None:
    from training.card_networks import export_card_network
    from training.end_network import export_end_network
    from training.piece_network import export_piece_network
    from training.plaque_network import export_place_network, export_plaque_network
    from training.portrait_networks import export_facing_network, export_portrait_network

    for weights, write, packed in (
        (given.pieces, export_piece_network, PIECE_NETWORK),
        (given.portraits, export_portrait_network, PORTRAIT_NETWORK),
        (given.facing, export_facing_network, FACING_NETWORK),
        (given.ends, export_end_network, END_NETWORK),
    ):
        if weights is not None:
            write(weights, packed, given.share)
    if given.plaques is not None:
        export_plaque_network(given.plaques)
    if given.places is not None:
        export_place_network(given.places)
    for step in CARD_STEPS:
        weights = vars(given)[step.replace("-", "_")]
        if weights is not None:
            export_card_network(step.removeprefix("card-"), weights)


if __name__ == "__main__":
    main()
