"""What a reader does, stage by stage: how long it takes, pictures for a report, first findings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from coatl_tools.vision.picture import Picture
    from coatl_tools.vision.reading import PhotoReading

Pixels = NDArray[np.uint8]  # rows of BGR, as OpenCV has them


@dataclass
class Trace:
    """Collects stages. Pictures are only made and kept if `keep_pictures` is set."""

    keep_pictures: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    stage_pictures: list[tuple[str, str, Pixels]] = field(
        default_factory=list
    )  # stage, label, picture

    shows_findings: ClassVar[bool] = False  # whether `show_findings` does something

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time that is spent inside to the stage of this name."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begin

    def add_picture(self, stage: str, label: str, picture: Callable[[], Pixels]) -> None:
        """Make and keep a picture of a stage, if pictures are wanted."""
        if self.keep_pictures:
            self.stage_pictures.append((stage, label, picture()))

    def show_picture(self, picture: Picture) -> None:
        """Take the photo as soon as it is open; a trace that shows it overrides this."""

    def show_findings(self, reading: PhotoReading) -> None:
        """Take what was found so far, not checked yet; a trace that shows it overrides this."""
