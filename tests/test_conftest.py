from __future__ import annotations

import os
import pwd
import socket
import subprocess
import sys
from pathlib import Path

import pytest

OUTSIDE = "203.0.113.1"  # an address for documentation, which nobody has (RFC 5737)


def test_tests_cannot_reach_another_machine() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as packets, socket.socket() as stream:
        for reach in (
            lambda: stream.connect((OUTSIDE, 80)),
            lambda: stream.connect_ex((OUTSIDE, 80)),
            lambda: packets.sendto(b"", (OUTSIDE, 53)),
            lambda: socket.create_connection((OUTSIDE, 80)),
            lambda: socket.getaddrinfo("example.org", 80),
            lambda: socket.gethostbyname("example.org"),
        ):
            with pytest.raises(AssertionError, match="tests may only"):
                reach()


def test_tests_can_reach_servers_of_their_own() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        socket.create_connection(("127.0.0.1", port)).close()
        socket.create_connection(("localhost", port)).close()


def test_no_test_and_nothing_that_it_starts_has_the_home_of_whoever_runs_it() -> None:
    """Mephisto makes a configuration in it when it is imported, and reads one that is there."""
    program = "from pathlib import Path; import beat_the_ai.mephisto.shim; print(Path.home())"
    started = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=True)
    assert Path(started.stdout.strip()) == Path.home() != Path(pwd.getpwuid(os.getuid()).pw_dir)
    assert (Path.home() / ".mephisto" / "config.yml").is_file()
