"""The network that looks at open ends of Cóatls, with its training: is one covered, or free?

Drawn photos have few covered ends, so more are made: something is painted over the pieces behind
a joint. It is often the table itself, so that only the shape of the end tells it apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from coatl_tools.vision.pieces.open_ends import END_NETWORK, END_VIEW, VIEW_AHEAD
from coatl_tools.vision.pieces.portraits import make_close_up_planes
from training.crops import CLUTTER, load_photo
from training.network_training import export_network, train_network
from training.portrait_networks import CloseUpNet, load_at_sizes, take_portrait
from training.random_values import random_factor

FREE_SHARE, PAINTED_SHARE = 0.5, 0.6  # of all samples; of those that are covered
# Uncovered shares: of a piece that is read, of one that nothing lies on, of a hidden one.
MIN_READ, MIN_FREE, MAX_HIDDEN = 0.5, 0.98, 0.4
TOUCHING_REACHES = (0.6, 0.75, 0.9)  # where something touches a free end: nobody can tell
PAINTED_FROM = (0.22, 0.66)  # pitches from the middle, where what is painted over begins
BESIDE_SHARE, BESIDE_FROM = 0.35, (0.8, 1.6)  # free ends with something painted farther away
MIN_PITCH = 9  # pixels; nobody sees ends in less
SAMPLES_PER_PHOTO = 4


class EndSample(NamedTuple):
    """A view of an open end, and whether something lies over it."""

    planes: NDArray[np.float32]
    covered: float


_make_end_net = partial(CloseUpNet, END_VIEW, (24, 32, 48, 48, 64, 64, 32), 48)


def _draw_ends(rng: np.random.Generator, name: Path) -> Iterator[EndSample]:
    """Draw free and covered ends of the Cóatls of one photo."""
    free, hidden, joints = _list_ends(name)
    for _ in range(SAMPLES_PER_PHOTO):
        if rng.random() < FREE_SHARE:
            if free:
                yield _draw_end(rng, name, free, 0.0)
        elif joints and (not hidden or rng.random() < PAINTED_SHARE):
            yield _draw_end(rng, name, joints, 1.0, painted=True)
        elif hidden:
            yield _draw_end(rng, name, hidden, 1.0)


End = tuple[NDArray[np.float64], NDArray[np.float64]]  # the middle of a piece, a pitch outwards


def _list_ends(name: Path) -> tuple[list[End], list[End], list[End]]:
    """List the free ends of Cóatls and single pieces, with tips, the hidden ones, all joints."""
    _, owners, pieces = load_photo(name)
    free, hidden, joints = list[End](), list[End](), list[End]()
    for number, piece in enumerate(pieces):
        if piece["uncovered"] < MIN_READ or not _is_seen(owners, piece):
            continue
        bare = piece["uncovered"] >= MIN_FREE
        here = np.array(piece["points"][0], float)
        for side, step in ((0, -1), (1, 1)):
            out = np.array(piece["points"][1 + side], float) - here
            inside = _look_along(owners, here, out, (1.3,))
            if np.hypot(*out) < MIN_PITCH or -1 in inside:
                continue
            if piece["joined"][side]:
                if pieces[number + step]["uncovered"] <= MAX_HIDDEN:
                    hidden.append((here, out))
                elif bare and pieces[number + step]["uncovered"] >= MIN_FREE:
                    joints.append((here, out))
            elif bare and (
                CLUTTER not in _look_along(owners, here, out, TOUCHING_REACHES)
                or _lies_on_things(owners, here, out)
            ):
                free.append((here, out))
    return free, hidden, joints


def _is_seen(owners: NDArray[np.uint8], piece: dict[str, Any]) -> bool:
    (owner,) = _look_along(owners, np.array(piece["points"][0], float), np.zeros(2), (0.0,))
    return owner not in (-1, 0, CLUTTER)


def _look_along(
    owners: NDArray[np.uint8], here: NDArray[np.float64], out: NDArray[np.float64], reaches: Any
) -> list[int]:
    """Return whose the places are that lie so many pitches outwards; -1 outside the photo."""
    found = []
    for reach in reaches:
        column, row = (int(side) for side in here + reach * out)
        within = 0 <= row < owners.shape[0] and 0 <= column < owners.shape[1]
        found.append(int(owners[row, column]) if within else -1)
    return found


def _lies_on_things(
    owners: NDArray[np.uint8], here: NDArray[np.float64], out: NDArray[np.float64]
) -> bool:
    """Tell whether a Cóatl lies on cards or a board: clutter is at both sides of it as well."""
    across = np.array([-out[1], out[0]])
    beside = [_look_along(owners, here, side * across, (0.8, 1.0)) for side in (-1, 1)]
    return all(CLUTTER in seen for seen in beside)


def _draw_end(
    rng: np.random.Generator, name: Path, ends: list[End], covered: float, painted: bool = False
) -> EndSample:
    """Draw one of these ends, as inexactly as the search finds it."""
    sizes, _, _ = load_at_sizes(name)
    here, out = ends[int(rng.integers(len(ends)))]
    pitch = float(np.hypot(*out))
    if painted or rng.random() < BESIDE_SHARE:
        begin = rng.uniform(*(PAINTED_FROM if painted else BESIDE_FROM))
        part, corner = _cut_surroundings(sizes[0], here, pitch)
        part = _paint_over(rng, part, here - corner, out, begin, owners=load_photo(name)[1])
        sizes = [part]
        while min(sizes[-1].shape[:2]) > 80:
            sizes.append(np.asarray(cv2.pyrDown(sizes[-1]), np.uint8))
        here = here - corner
    across = np.array([-out[1], out[0]])
    middle = here + (VIEW_AHEAD + rng.normal(0, 0.08)) * out + rng.normal(0, 0.06) * across
    cut = take_portrait(rng, sizes, middle, out, END_VIEW)
    if rng.random() < 0.5:
        cut = cut[::-1]
    if rng.random() < 0.5:  # pieces of any colour have the same hooks
        cut = cut[:, :, rng.permutation(3)]
    cut = np.asarray(np.clip(cut * np.exp(rng.normal(0, 0.1, 3)), 0, 255), np.uint8)
    return EndSample(make_close_up_planes(cut), covered)


def _cut_surroundings(
    picture: NDArray[np.uint8], here: NDArray[np.float64], pitch: float
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    reach = int(5 * pitch) + 2
    left, top = (max(0, int(side) - reach) for side in here)
    part = picture[top : int(here[1]) + reach, left : int(here[0]) + reach]
    return part.copy(), np.array([left, top], float)


def _paint_over(
    rng: np.random.Generator,
    part: NDArray[np.uint8],
    here: NDArray[np.float64],
    out: NDArray[np.float64],
    begin: float,
    owners: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    """Paint something over all that lies outwards from a place, `begin` pitches from a middle."""
    pitch = float(np.hypot(*out))
    ahead = out / pitch
    turn = np.radians(rng.normal(0, 18) if rng.random() < 0.7 else rng.normal(0, 40))
    cos, sin = np.cos(turn), np.sin(turn)
    way = np.array([ahead[0] * cos - ahead[1] * sin, ahead[0] * sin + ahead[1] * cos])
    rows, columns = np.mgrid[0 : part.shape[0], 0 : part.shape[1]].astype(np.float32)
    edge = here + begin * out
    along = ((columns - edge[0]) * way[0] + (rows - edge[1]) * way[1]) / pitch
    beside = ((rows - edge[1]) * way[0] - (columns - edge[0]) * way[1]) / pitch
    bend = rng.choice([0.0, 0.0, rng.normal(0, 0.35)])
    half = rng.uniform(0.55, 3.0)
    inside = (along + bend * beside**2 > 0) & (np.abs(beside + rng.normal(0, 0.1)) < half)
    inside &= along < rng.uniform(3, 6)
    soft = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), max(0.3, rng.normal(0.6, 0.3)))
    paint = _random_paint(rng, part, here, out, inside)
    painted = part + (paint - part) * soft[..., None]
    if rng.random() < 0.4:  # a shadow beside it
        reach = rng.uniform(0.03, 0.25) * pitch
        shade = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), max(reach, 0.5))
        painted *= (1 - rng.uniform(0.1, 0.6) * shade * (1 - soft))[..., None]
    return np.asarray(np.clip(painted, 0, 255), np.uint8)


def _random_paint(
    rng: np.random.Generator,
    part: NDArray[np.uint8],
    here: NDArray[np.float64],
    out: NDArray[np.float64],
    inside: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """Return the table beside the Cóatl, a plain thing, or skin, as a picture of the same size."""
    kind = rng.random()
    if kind < 0.6:  # the table at one side, moved there
        across = np.array([-out[1], out[0]]) * rng.choice([-1, 1])
        shift = across * rng.uniform(1.2, 2.4) + out * rng.uniform(-1.5, 0.5)
        move = np.array([[1, 0, -shift[0]], [0, 1, -shift[1]]], np.float32)
        size = part.shape[1], part.shape[0]
        paint = cv2.warpAffine(part, move, size, borderMode=cv2.BORDER_REFLECT)
        if rng.random() < 0.4:  # all of it smooth, as somebody retouches it
            paint = cv2.GaussianBlur(paint, (0, 0), random_factor(rng, 1, 8))
        return np.asarray(paint, np.float32)
    if kind < 0.7:
        colour = np.median(part[~inside], axis=0) if (~inside).any() else np.zeros(3)
        return np.broadcast_to(colour.astype(np.float32), part.shape).astype(np.float32)
    colour = rng.uniform(10, 245, 3)
    if kind < 0.85:  # skin
        colour = np.array([0.58, 0.72, 1.0]) * rng.uniform(60, 245)
    folds = cv2.resize(
        rng.uniform(0.75, 1.1, (4, 5)).astype(np.float32), (part.shape[1], part.shape[0])
    )
    grain = rng.normal(0, rng.uniform(0, 6), part.shape)
    return np.asarray(colour * folds[..., None] + grain, np.float32)


def compute_end_losses(said: Tensor, seen: EndSample) -> dict[str, Tensor]:
    """How far what is said is from what is true."""
    covered = torch.as_tensor(seen.covered).float()
    return {"covered": functional.binary_cross_entropy_with_logits(said[:, 0], covered)}


def train_end_network(pool: Path, weights: Path, batch: int, rate: float, minutes: float) -> None:
    """Train for some minutes, beginning from `weights`, or else from the network of the package."""
    draw, losses = _draw_ends, compute_end_losses
    train_network(_make_end_net, draw, losses, pool, weights, batch, rate, minutes, END_NETWORK)


def export_end_network(weights: Path, packed: Path, share: float = 1.0) -> None:
    """Write the network with these weights as the file that the package carries."""
    shape = (1, 3, END_VIEW.height, END_VIEW.width)
    export_network(_make_end_net(), weights, shape, packed, share=share)
