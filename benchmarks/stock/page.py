"""A worker's page on Mephisto's stock router: the suite's client, less the secret that only our router asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beat_the_ai.simulation.page import PageClient


class StockPage(PageClient):
    """The wire protocol is the same but for the secret; the stock router does not read it."""

    async def _post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        answer = await super()._post(path, body)
        if path == "request_agent":
            answer["data"]["agent_secret"] = ""
            answer["data"]["init_task_data"] = (answer["data"]["init_task_data"] or {}).get("task_data", {})
        return answer
