"""One process of a deployment on Ray Serve: the same service behind the same HTTP as `server` has, run by Ray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ray import serve
from starlette.types import ASGIApp

from beat_the_ai.adversary.app import build_app
from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import open_streams
from beat_the_ai.adversary.service import Limits, Service


@serve.ingress()
class Replica:
    """Loads its models when it starts. Ray calls what is below, and sends it no more before it stops it."""

    def __init__(
        self,
        specs: Mapping[str, str],
        kind: str,
        streams: int,
        options: LoadOptions,
        limits: Limits,
        token: str | None,
    ) -> None:
        self._service = Service(limits)
        options = replace(options, streams=streams)
        self._service.start({name: open_streams(spec, kind, options) for name, spec in specs.items()})
        self._token = token

    def __serve_build_asgi_app__(self) -> ASGIApp:
        return build_app(self._service, self._token)

    async def check_health(self) -> None:
        """Raise if the model server is not healthy. Ray replaces a replica that raises three times in a row."""
        await self._service.check()
