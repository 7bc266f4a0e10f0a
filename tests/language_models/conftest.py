from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.language_models.chat_server import ChatServer, ChatServers, serving


@pytest.fixture(scope="module")
def chat_servers() -> Iterator[ChatServers]:
    with serving() as servers:
        yield servers


@pytest.fixture
def chat(chat_servers: ChatServers) -> ChatServer:
    return chat_servers.new()
