"""The built wheel in an empty environment, in an empty folder, works like the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.xdist_group("wheel")  # it is built and installed once
ROOT = Path(__file__).parents[1]
COMMANDS = [
    ["--version"],
    ["cards", "list"],
    ["cards", "show", "P43", "T16", "--lang", "pl"],
    ["cards", "validate"],
    ["cards", "schema"],
    ["score", "<BBRBBKRBBYY>", "P29", "P10", "P05", "T03"],
    ["score", "głowa czerwona, żółty, czarny", "--lang", "fr", "--json"],
    ["score", "--batch", "-"],
    ["score", "<RBQ>"],
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run([sys.executable, *build], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """Of this environment, the other packages alone can be seen; nothing is fetched."""
    home = wheel.parent / "env"
    venv.create(home)
    packages = sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)})
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python")]
    install = ["install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, *install], check=True, capture_output=True)
    others = {sysconfig.get_path(kind): None for kind in ("purelib", "platlib")}
    Path(packages, "others.pth").write_text("\n".join(others), "utf-8")
    return home / "bin"


def outcome(command: list[str], folder: Path) -> tuple[int, bytes, bytes]:
    environment = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(folder),
        "COLUMNS": "80",
    }
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        input=b"<RBBYYG>\nxyz\n",
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_the_installed_command_answers_like_the_checkout(installed: Path, tmp_path: Path) -> None:
    for arguments in COMMANDS:
        here = outcome([sys.executable, "-m", "coatl_tools", *arguments], tmp_path)
        there = outcome([str(installed / "coatl"), *arguments], tmp_path)
        assert there == here, arguments
        assert b"Traceback" not in there[2]
    assert list(tmp_path.iterdir()) == []


def test_the_installed_command_prints_the_same_bytes(installed: Path, tmp_path: Path) -> None:
    arguments = ["print", "--what", "cards,rules", "--only", "P01,T16", "--lang", "pl", "--out"]
    here = outcome([sys.executable, "-m", "coatl_tools", *arguments, "here"], tmp_path)
    there = outcome([str(installed / "coatl"), *arguments, "there"], tmp_path)
    assert (here[0], there[0]) == (0, 0)
    for name in ("coatl-cards-pl-a4.pdf", "coatl-rules-pl-a4.pdf"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


def test_the_wheel_carries_every_file_of_the_package(wheel: Path) -> None:
    files = [path for path in (ROOT / "coatl_tools").rglob("*") if path.is_file()]
    kept = {
        path.relative_to(ROOT).as_posix() for path in files if path.parent.name != "__pycache__"
    }
    assert "coatl_tools/vision/pieces/confidence.json" in kept
    with ZipFile(wheel) as carried:
        assert kept <= set(carried.namelist())


def test_the_installed_library_is_typed_and_carries_its_data(installed: Path) -> None:
    code = (
        "import coatl_tools, pathlib; from coatl_tools.files import data_paths as r; "
        "home = pathlib.Path(coatl_tools.__file__).parent; "
        "assert (home / 'py.typed').is_file(); "
        "assert r.CARDDATA.is_relative_to(home) and r.LAYOUTS.is_relative_to(home); "
        "print(len(coatl_tools.load_cards()))"
    )
    done = subprocess.run(
        [installed / "python", "-I", "-c", code],
        cwd="/",
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "75\n"


@pytest.mark.soak
def test_an_empty_environment_gets_all_that_it_needs(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    home = tmp_path / "env" / "bin"
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run([home / "python", *install], check=True, capture_output=True)
    photo = ROOT / "docs" / "example-photo.jpg"
    commands = [["print", "--out", str(tmp_path)], ["read", str(photo), "--json"]]
    for arguments in (*COMMANDS, *commands):
        here = outcome([sys.executable, "-m", "coatl_tools", *arguments], tmp_path)
        assert outcome([str(home / "coatl"), *arguments], tmp_path) == here
