"""The address from which somebody tries passwords: that of a named proxy's client, and no claim of anybody else."""

from __future__ import annotations

import json
import subprocess
import sys

import httpx
import pytest

from beat_the_ai.listening import THIS_MACHINE

SERVE = """
import sys
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.review.server import serve_app

async def who(request):
    return PlainTextResponse(request.client.host)

serve_app(Starlette(routes=[Route("/who", who)]), "127.0.0.1", 0, ConnectionLimits(proxies=tuple(sys.argv[1:])))
"""


@pytest.mark.parametrize(
    ("proxies", "address"),
    [(THIS_MACHINE, "127.0.0.1"), (("127.0.0.1",), "192.0.2.7"), (("192.0.2.1",), "127.0.0.1")],
    ids=["nobody named one", "this machine's was named", "another one was named"],
)
def test_a_proxy_is_believed_once_it_is_named(proxies: tuple[str, ...], address: str) -> None:
    with subprocess.Popen([sys.executable, "-c", SERVE, *proxies], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            url = json.loads(server.stdout.readline())["address"]
            answer = httpx.get(f"{url}/who", headers={"X-Forwarded-For": "192.0.2.7"}, trust_env=False)
        finally:
            server.terminate()
    assert answer.text == address
