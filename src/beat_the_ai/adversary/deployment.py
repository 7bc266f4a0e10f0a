"""Models on Ray Serve: replicas on one machine or on many, which come, die and go behind one address that stays.

Ray starts more of them when many ask, replaces those that die or whose models answer no more, and, when the models
change, stops no old one before a new one is ready.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from beat_the_ai.adversary.cluster import joined
from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import READING, check_serves
from beat_the_ai.adversary.server import CLOSING_SECONDS, read_token
from beat_the_ai.adversary.service import BATCH_SIZE, Limits
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName
from beat_the_ai.listening import listen
from beat_the_ai.process.parent_death import announce

CLASS = "Replica"  # within each deployment of ours, as Ray Serve calls it
HEALTH_SECONDS = 10.0
LISTENING_SECONDS = 300  # until a machine does, however busy it is
POLL_SECONDS = 0.1
STARTS = 3  # of a replica whose models cannot be loaded
SURGE_PERCENT = 50  # so many more, rounded up, while all are replaced
BUSY_STREAM = 2  # requests per stream, one that is answered and one that waits: with more on average, more replicas


@dataclass(frozen=True)
class Deployment:
    """`specs` (name → `backend:source`) of a kind of task, all of them in each replica, under a name on the cluster.

    Each replica has `streams` instances of each model. There are `min_replicas` at least, and up to `max_replicas`.
    """

    name: str
    specs: Mapping[str, str]
    kind: str = READING
    min_replicas: int = 1
    max_replicas: int = 1
    streams: int = 1
    options: LoadOptions = field(default_factory=LoadOptions)

    def __post_init__(self) -> None:
        if not self.name.replace("-", "").isidentifier():
            raise InvalidInput("name", f"{self.name!r} is given; a name has letters, digits, - and _ alone.")
        if self.min_replicas > self.max_replicas:
            raise InvalidInput(
                "max_replicas", f"{self.max_replicas} is given; there are {self.min_replicas} replicas at least."
            )
        for spec in self.specs.values():
            check_serves(spec, self.kind)

    @property
    def limits(self) -> Limits:
        """Return the limits of each replica: those of a server on its device."""
        return Limits(batch_size=BATCH_SIZE[self.options.device])

    @property
    def cores(self) -> int:
        """Return the cores of one replica."""
        return self.streams * self.options.threads


def deploy(deployment: Deployment, ray_address: str | None, host: str, port: int) -> None:
    """Deploy it, or replace what has its name; then print its address and Ray's as JSON.

    Into the cluster at `ray_address` (`cluster.joined`), where it stays; with None, into a Ray of our own, until a
    signal. Each of Ray's machines listens on `host` and `port`, unless Ray Serve has begun to listen elsewhere; port 0
    takes a free one here. A token in the environment variable `BEAT_THE_AI_ADVERSARY_TOKEN` is then asked of every
    client. Raises `AdversaryError` and `InvalidInput`.
    """
    token = read_token()
    if ray_address is not None and port == 0:
        raise InvalidInput("port", "0 was given; all machines of a cluster listen on the same port. Name one.")
    with joined(ray_address, deployment.cores * 2 * deployment.max_replicas) as joined_at:
        if ray_address is None:
            port = _free_port(host, port)  # now that Ray has taken its own
        announce({"address": _run(deployment, token, host, port), "ray": joined_at})
        if ray_address is None:
            _wait_for_a_signal()
            _stop_everything()


def undeploy(name: str, ray_address: str) -> None:
    """Take it from the cluster, once it has answered what it was asked. Raises `AdversaryError` and `UnknownName`."""
    with joined(ray_address, 0):
        from ray import serve

        running = serve.status().applications
        if name not in running:
            raise UnknownName("deployment", name, running)
        serve.delete(name)


def deployed(ray_address: str) -> dict[str, dict[str, Any]]:
    """Return by name the status, Ray's message, and the number of replicas by state. Raises `AdversaryError`."""
    with joined(ray_address, 0):
        from ray import serve

        return {
            name: {
                "status": application.status.value,
                "message": application.message,
                "replicas": dict(application.deployments[CLASS].replica_states),
            }
            for name, application in serve.status().applications.items()
            if CLASS in application.deployments
        }


def _run(deployment: Deployment, token: str | None, host: str, port: int) -> str:
    """The address at which it answers."""
    from ray import serve
    from ray.exceptions import RayError
    from ray.serve.context import _get_global_client

    from beat_the_ai.adversary.replica import Replica

    logging.getLogger("ray.serve").setLevel(logging.WARNING)
    limits, options = deployment.limits, deployment.options
    request_seconds = limits.deadline_seconds + CLOSING_SECONDS
    replica = serve.deployment(
        name=CLASS,
        autoscaling_config={
            "min_replicas": deployment.min_replicas,
            "max_replicas": deployment.max_replicas,
            "target_ongoing_requests": BUSY_STREAM * deployment.streams,
        },
        max_ongoing_requests=2 * limits.queue_capacity,  # so that it is the service that turns away, and is fair
        ray_actor_options={"num_cpus": deployment.cores, "num_gpus": 1 if options.device == "cuda" else 0},
        health_check_period_s=HEALTH_SECONDS,
        health_check_timeout_s=request_seconds,
        graceful_shutdown_timeout_s=limits.grace_seconds,
        max_constructor_retry_count=STARTS,
        max_surge_percent=SURGE_PERCENT,
    )(Replica)
    bound = replica.bind(dict(deployment.specs), deployment.kind, deployment.streams, options, limits, token)
    try:
        listening = {"host": host, "port": port, "request_timeout_s": request_seconds}
        with suppress(TimeoutError):  # Ray waits for a minute for all to listen; we for longer
            serve.start(proxy_location="EveryNode", http_options=listening)
        serve.run(bound, name=deployment.name, route_prefix=f"/{deployment.name}")
        _wait_until_all_listen()
    except (RuntimeError, TimeoutError, RayError) as error:
        raise AdversaryError(f"Ray did not deploy {deployment.name!r}: {error}") from error
    config = _get_global_client().http_config
    return f"http://{config.host}:{config.port}/{deployment.name}"


def _wait_until_all_listen() -> None:
    """Raises `TimeoutError`."""
    from ray import serve
    from ray.serve.schema import ProxyStatus

    deadline = time.monotonic() + LISTENING_SECONDS
    while True:
        proxies = Counter(serve.status().proxies.values())
        if proxies[ProxyStatus.HEALTHY] and not proxies[ProxyStatus.STARTING]:
            return
        if time.monotonic() > deadline:
            raise TimeoutError(f"Not all machines listen after {LISTENING_SECONDS} s: {dict(proxies)}.")
        time.sleep(POLL_SECONDS)


def _free_port(host: str, port: int) -> int:
    with listen(host, port) as listener:
        return int(listener.getsockname()[1])


def _wait_for_a_signal() -> None:
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    stopping.wait()


def _stop_everything() -> None:
    from ray import serve

    serve.shutdown()
