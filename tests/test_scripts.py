"""The scripts behind `make`: what they install, how long they wait, what they say instead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts"
LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (other)"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no make on Windows")


def write_program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


class System:
    """A system with an apt-get of its own; what it was asked is kept in a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked = folder / "asked"
        self.asked.touch()

    def apt_get(self, text: str) -> None:
        write_program(self.folder / "apt-get", f'echo "$@" >>{self.asked}\n{text}')

    def user(self, number: int) -> None:
        write_program(self.folder / "id", f"echo {number}")

    def install(self, *packages: str, wait: int = 1) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", SCRIPTS / "install_packages", *packages],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ
            | {"PATH": f"{self.folder}:{os.environ['PATH']}", "LOCK_WAIT": str(wait)},
        )


@pytest.fixture
def system(tmp_path: Path) -> System:
    made = System(tmp_path)
    made.user(0)
    return made


def test_packages_are_installed_by_root(system: System) -> None:
    system.apt_get("exit 0")
    done = system.install("zsh", "fish")
    assert (done.returncode, done.stdout) == (0, "")
    assert system.asked.read_text() == "-qq install -y --no-install-recommends zsh fish\n"


def test_the_lists_of_packages_are_fetched_where_there_are_none(system: System) -> None:
    system.apt_get(f"grep -q update {system.asked} || {{ echo 'E: Unable to locate'; exit 100; }}")
    done = system.install("zsh")
    assert (done.returncode, done.stdout) == (0, "")
    words = [line.split()[1] for line in system.asked.read_text().splitlines()]
    assert words == ["install", "update", "install"]


def test_a_user_without_rights_is_told_so_at_once(system: System) -> None:
    system.user(1000)
    system.apt_get("exit 0")
    done = system.install("zsh")
    assert (done.returncode, done.stdout) == (1, "this user may not install packages\n")
    assert system.asked.read_text() == ""


def test_a_lock_is_waited_for(system: System) -> None:
    system.apt_get(f"[ $(wc -l <{system.asked}) -gt 1 ] || {{ echo '{LOCKED}'; exit 100; }}")
    done = system.install("zsh", wait=60)
    assert (done.returncode, done.stdout) == (0, "")
    assert "holds the package manager's lock; waiting 60 seconds at most" in done.stderr


def test_a_lock_that_stays_is_named_and_not_the_rights(system: System) -> None:
    system.apt_get(f"echo '{LOCKED}' >&2; exit 100")
    done = system.install("zsh", wait=1)
    assert done.returncode == 1
    assert done.stdout == "another program held the package manager's lock for 1 seconds\n"


def test_another_failure_is_passed_on(system: System) -> None:
    system.apt_get("echo 'W: something else'; echo 'E: No space left on device'; exit 100")
    done = system.install("zsh")
    assert done.returncode == 1
    assert done.stdout == "apt-get failed: E: No space left on device\n"
