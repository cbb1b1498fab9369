"""How well photos are read: a folder of labelled photos, a reader, and the figures.

`measure` does it for a program or a test, `python -m benchmarks photos FOLDER` for a person.
"""

from benchmarks.photos.figures import PhotoFigures, measure
from benchmarks.photos.labels import LabelsError
from benchmarks.photos.readers import find_reader

__all__ = ["LabelsError", "PhotoFigures", "find_reader", "measure"]
