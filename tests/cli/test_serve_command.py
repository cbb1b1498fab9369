"""`coatl serve`: where it listens, what it says, how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pexpect
import pytest

from tests.conftest import Run
from tests.programs import needs_posix

pytestmark = needs_posix

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a server that is stopped in the end."""
    running: list[subprocess.Popen[str]] = []

    def run(*options: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "coatl_tools", "serve", "--dir", str(tmp_path), *options]
        running.append(
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
            )
        )
        return running[-1]

    yield run
    for one in running:
        one.kill()
        one.communicate()


def told(server: subprocess.Popen[str]) -> dict[str, object]:
    assert server.stdout is not None
    found: dict[str, object] = json.loads(server.stdout.readline())
    return found


def listening_at(port: int) -> set[str]:
    """The addresses that somebody listens at, as the system says."""
    found = set()
    for table in ("tcp", "tcp6"):
        path = Path("/proc/net") / table
        if not path.exists():
            pytest.skip("this system does not say who listens")
        for line in path.read_text().splitlines()[1:]:
            _, local, _, state, *_ = line.split()
            address, _, hexadecimal = local.rpartition(":")
            if state == "0A" and int(hexadecimal, 16) == port:
                found.add(address)
    return found


def test_nothing_listens_on_the_network_without_lan(start: Start) -> None:
    said = told(start("--json", "--port", "0"))
    port = int(str(said["url"]).rpartition(":")[2])
    assert said["lan"] is False
    assert "code" not in said
    assert listening_at(port) == {"0100007F"}  # 127.0.0.1
    with urlopen(f"{said['url']}/", timeout=10) as page:
        assert b"C\xc3\xb3atl Tools" in page.read()


def test_with_lan_it_listens_to_all_and_has_a_code(start: Start) -> None:
    said = told(start("--json", "--port", "0", "--lan"))
    port = int(str(said["url"]).rpartition(":")[2])
    assert listening_at(port) == {"00000000"}
    assert str(said["code"]) in str(said["link"])
    assert len(str(said["code"])) == 6


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_an_address_of_the_network_needs_lan(run: Run, host: str) -> None:
    done = run("serve", "--host", host)
    assert done.code == 2
    assert "--lan" in done.err
    assert done.out == ""


def test_it_says_who_can_open_the_pages_and_ends_with_ctrl_c(start: Start) -> None:
    server = start("--port", "0", "--lang", "fr")
    assert server.stdout is not None
    first, second, third = (server.stdout.readline() for _ in range(3))
    assert "http://127.0.0.1:" in first
    assert "--lan" in second
    assert "Ctrl-C" in third
    server.send_signal(signal.SIGINT)
    rest, _ = server.communicate(timeout=20)
    assert rest.strip() == ""
    assert server.returncode == 130


def test_a_port_that_is_taken_is_told(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port), COATL_LANG="pl")
    assert done.code == 2
    assert str(port) in done.err
    assert "--port" in done.err


def test_a_table_that_is_not_there_is_told(run: Run) -> None:
    done = run("serve", "--table", "nowhere")
    assert done.code == 1
    assert "nowhere" in done.err


def test_a_terminal_shows_a_qr_code(tmp_path: Path) -> None:
    words = ["-m", "coatl_tools", "serve", "--lan", "--port", "0", "--dir", str(tmp_path)]
    server = pexpect.spawn(
        sys.executable, words, encoding="utf-8", timeout=20, dimensions=(60, 100)
    )
    server.expect("type the code ([A-Z0-9]{6})")
    server.expect("[█▄▀]{10}")
    server.expect("Ctrl-C ends it")
    server.sendintr()
    server.expect(pexpect.EOF)
    server.close()
    assert server.exitstatus == 130


def test_a_folder_has_one_server(start: Start, run: Run, tmp_path: Path) -> None:
    first = start("--json", "--port", "0")
    told(first)
    second = run("serve", "--port", "0", "--dir", tmp_path)
    assert second.code == 2
    assert str(tmp_path) in second.err
    first.kill()
    first.wait()
    assert told(start("--json", "--port", "0"))["lan"] is False


def test_who_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from coatl_tools.web.server import http_server

    class Silent:
        closed = False

        def close(self) -> None:
            self.closed = True

    quiet = http_server.LimitedConnection.__new__(http_server.LimitedConnection)
    quiet.cycle, quiet.transport = None, Silent()  # type: ignore[assignment] # all that is asked
    quiet._close_if_idle()
    assert quiet.transport.closed  # type: ignore[attr-defined]
