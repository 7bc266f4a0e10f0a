"""The names to which a server answers. A page elsewhere whose name leads to this machine must not speak for it."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
UNKNOWN = (
    "This server does not answer to the name in the request's Host header. "
    "Whoever runs it can allow a name: profile.hosts of a campaign, --allow-host of a command."
)


class KnownHosts:
    """Answers 421 to requests for other names than `names`, the address that was bound, and this machine's own.

    Bound to every address, and with no names, it cannot know which are right, and takes all.
    """

    def __init__(self, app: ASGIApp, names: Collection[str], bound: str) -> None:
        self._app = app
        address = ipaddress.ip_address(bound)
        self._takes_all = address.is_unspecified and not names
        shown = f"[{bound}]" if address.version == 6 else bound
        self._names = {name.lower() for name in (*LOOPBACK_NAMES, shown, *names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app if self._takes_all or self._is_known(Headers(scope=scope)) else _UNKNOWN
        await app(scope, receive, send)

    def _is_known(self, headers: Headers) -> bool:
        name, colon, port = headers.get("host", "").lower().rpartition(":")
        return (name if colon and port.isdecimal() else f"{name}{colon}{port}") in self._names


_UNKNOWN = PlainTextResponse(UNKNOWN, 421)
