from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.language_models.chat_server import ChatServer, serving


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with serving() as server:
        yield server
