from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.language_models.chat_server import ChatServer, ChatServers, serving


@pytest.fixture(scope="module")
def chat_servers() -> Iterator[ChatServers]:
    with serving() as servers:
        yield servers


@pytest.fixture
def chat(chat_servers: ChatServers) -> ChatServer:
    return chat_servers.new()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of the test's own: commands keep what language models answer in the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
