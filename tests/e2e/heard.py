"""What a page hears from the server, for tests of what it must not hear."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, Response, WebSocket


@dataclass
class Heard:
    """Everything that a page got from the server, decoded."""

    packets: list[Any] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("websocket", self._on_socket)
        page.on("response", self._on_response)

    def _on_socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self._decode(frame))

    def _on_response(self, response: Response) -> None:
        if response.url.rsplit("/", 1)[-1].startswith(("task_config", "request_agent", "submit_task")):
            self.packets.append(response.json())

    def _decode(self, frame: str | bytes) -> None:
        packet = json.loads(frame)
        if packet["packet_type"] == "client_bound_live_update":
            packet["data"]["response"] = json.loads(packet["data"]["response"])
        self.packets.append(packet)

    def text(self, passages: Iterable[str] = ()) -> str:
        """All of it but the passages, in which answers stand naturally."""
        said = json.dumps(self.packets, ensure_ascii=False)
        for passage in passages:
            said = said.replace(json.dumps(passage, ensure_ascii=False), "")
        return said


def keys_of(value: Any) -> Iterator[str]:
    """Every name of a member, at any depth."""
    if isinstance(value, dict):
        yield from value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys_of(part)
