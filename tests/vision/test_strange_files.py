"""Whatever is in a file: an answer that is sound, or a refusal in words. Never anything else."""

from __future__ import annotations

import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from coatl_tools.errors import CoatlError
from coatl_tools.files.data_paths import LANGUAGE_CODES
from coatl_tools.vision.picture import Picture, load_picture
from tests.conftest import Run
from tests.strategies import example_count
from tests.vision.photo_set import reading_of
from tests.vision.reading_checks import check_sound
from tests.vision.strange_files import broken_file, strange_file, whole_file

ENDINGS = (".jpg", ".png", ".webp", ".heic", ".JPEG", "")
MOST_MEMORY = 1_500  # megabytes, for photos of up to 50 megapixels
MOST_GROWTH = 150  # megabytes, from the first rounds to the last


def check_strange(folder: Path, seed: int) -> str:
    """Read a strange picture; answers what came of it."""
    path = folder / f"strange-{seed}{ENDINGS[seed % 3]}"
    path.write_bytes(strange_file(seed))
    try:
        reading = reading_of(path)
    except CoatlError as error:
        _check_words(error)
        return "refused"
    except Exception as error:
        error.add_note(f"strange_file({seed})")
        raise
    finally:
        path.unlink()
    check_sound(reading)
    return "read"


def check_broken(folder: Path, seed: int) -> Picture | None:
    """Open a broken file; nothing if it was refused."""
    path = folder / f"broken-{seed}{ENDINGS[seed % len(ENDINGS)]}"
    path.write_bytes(broken_file(seed))
    try:
        picture = load_picture(path)
    except CoatlError as error:
        _check_words(error)
        return None
    except Exception as error:
        error.add_note(f"broken_file({seed})")
        raise
    finally:
        path.unlink()
    assert picture.pixels.ndim == 3
    assert picture.pixels.shape[2] == 3
    assert min(picture.size) > 0
    return picture


def _ever_new(count: int) -> range:
    """So many seeds from anywhere; a failure names its own."""
    begin = secrets.randbelow(10**9)
    return range(begin, begin + count)


def _check_words(error: CoatlError) -> None:
    for code in LANGUAGE_CODES:
        assert error.text(code).strip()


def test_a_strange_picture_is_read_or_refused(tmp_path: Path) -> None:
    done = {check_strange(tmp_path, seed) for seed in range(5)}
    assert "read" in done


def test_a_broken_file_is_opened_or_refused(tmp_path: Path) -> None:
    opened = [check_broken(tmp_path, seed) is not None for seed in range(300)]
    assert not all(opened), "some are broken beyond repair"


@pytest.mark.soak
def test_many_strange_pictures_are_read_or_refused(tmp_path: Path) -> None:
    for seed in _ever_new(example_count(20_000) // 10):
        check_strange(tmp_path, seed)


@pytest.mark.soak
def test_many_broken_files_are_opened_or_refused(tmp_path: Path) -> None:
    for seed in _ever_new(example_count(20_000)):
        check_broken(tmp_path, seed)


@pytest.mark.parametrize("name", ["words.jpg", "cut.jpg"])
def test_the_command_refuses_what_is_no_picture(run: Run, tmp_path: Path, name: str) -> None:
    data = {"words.jpg": b"no picture\n" * 50, "cut.jpg": whole_file("JPEG")[:300]}
    (tmp_path / name).write_bytes(data[name])
    done = run("read", tmp_path / name)
    assert done.code == 3
    assert name in done.out + done.err


@pytest.mark.soak
def test_memory_stays_bounded_while_large_photos_are_read(tmp_path: Path) -> None:
    """In a process of its own: what OpenCV holds, only the system counts."""
    code = (
        f"from tests.vision.test_strange_files import read_large; read_large({str(tmp_path)!r}, 12)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    used = [int(line) for line in done.stdout.split()]
    assert max(used) < MOST_MEMORY
    assert used[-1] - used[2] < MOST_GROWTH, used


def read_large(folder: str, rounds: int) -> None:
    """Read photos of 12 and 48 megapixels in turn; print the most memory so far, in megabytes."""
    import cv2
    import numpy as np

    from tests.vision.photo_set import PHOTOS

    photo = np.asarray(cv2.imread(str(sorted(PHOTOS.glob("*.jpg"))[0])))
    paths = []
    for side in (4000, 8000):
        paths.append(Path(folder) / f"large-{side}.jpg")
        large = cv2.resize(photo, (side, side * 3 // 4), interpolation=cv2.INTER_CUBIC)
        cv2.imwrite(str(paths[-1]), large)
        del large
    for _ in range(rounds):
        for path in paths:
            reading_of(path)
        print(measure_peak_memory())


def measure_peak_memory() -> int:
    """Measure the most memory of this process so far, in megabytes."""
    status = Path("/proc/self/status")
    if status.exists():  # Linux: `ru_maxrss` has the peak of the process that started this one
        peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(peak.split()[1]) // 1_000
    import resource

    unit = 1_000_000 if sys.platform == "darwin" else 1_000  # bytes there, kilobytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit
