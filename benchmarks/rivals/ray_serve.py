"""Ray Serve with a replica for each core."""

from __future__ import annotations

import signal
import sys
from typing import Any

import ray
from ray import serve
from starlette.requests import Request

from benchmarks.rivals import CORES, answer, port, reader


class Reader:
    def __init__(self) -> None:
        self.reader = reader(threads=1)

    async def __call__(self, request: Request) -> dict[str, Any]:
        return answer(self.reader, await request.json())


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # Beside those of the replicas there is one for the proxy.
    ray.init(num_cpus=CORES + 1, include_dashboard=False, logging_level="error", log_to_driver=False)
    serve.start(http_options={"host": "127.0.0.1", "port": port()})
    replicated = serve.deployment(num_replicas=CORES, ray_actor_options={"num_cpus": 1})(Reader)
    serve.run(replicated.bind(), route_prefix="/predict")
    signal.pause()
