from __future__ import annotations

import socket

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.listening import listen


def test_whoever_is_told_the_address_can_connect_before_the_server_runs() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname(), timeout=5):
        pass


def test_a_port_that_somebody_was_just_given_is_taken() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(InvalidInput, match=f"{port}"):
            listen("127.0.0.1", port)
