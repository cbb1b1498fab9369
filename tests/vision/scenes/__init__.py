"""Photos of printed pieces, cards and mats as a phone takes them, made from a seed.

Pages of `coatl print` are rendered and cut, laid on tables of our own, and seen through a camera.
Nothing here is shared with what trains the reader: these photos are an independent measure.

    python -m tests.vision.scenes --out DIR --count 100 --seed 1 --kind mat
"""

from tests.vision.scenes.folder import write_folder
from tests.vision.scenes.photo import KINDS, Scene, make_photo

__all__ = ["KINDS", "Scene", "make_photo", "write_folder"]
