"""A site as a patient visitor uses it: whatever gets no answer is asked again."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any
from urllib.parse import urljoin

import httpx

from beat_the_ai.simulation.html import Document, Form
from beat_the_ai.simulation.page import AWAY, RETRY_SECONDS

SECONDS = 90


class Site:
    """The pages at an address, in one browser. The site may be away at any moment."""

    def __init__(self, address: str, http: httpx.AsyncClient) -> None:
        self.address = address
        self._http = http

    async def get(self, path: str) -> httpx.Response:
        while (response := await self._answer("GET", path)) is None:
            pass
        return response

    async def post(self, form: Form) -> httpx.Response | None:
        """Send a form. Return None when nobody knows what became of it."""
        return await self._answer("POST", form.action, data=form.fields)

    async def _answer(self, method: str, path: str, **content: Any) -> httpx.Response | None:
        """Return None, after a pause, when the answer was lost or the site is away."""
        url = urljoin(self.address, path)
        with contextlib.suppress(httpx.TransportError):
            response = await self._http.request(method, url, follow_redirects=True, timeout=SECONDS, **content)
            if response.status_code not in AWAY:
                return response
        await asyncio.sleep(RETRY_SECONDS)
        return None


def alert_of(response: httpx.Response) -> str:
    """Return the error message of a page."""
    return Document(response.text).alert.strip() or f"status {response.status_code}"
