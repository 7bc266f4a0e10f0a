"""Ray, as long as this process is a part of it: one of its own on this machine, or a cluster that runs already.

Ray is told to report to nobody. One of our own shows no dashboard, asks for Ray's token, and keeps to loopback, but for
the port by which Ray Serve reaches each replica; who has no token is refused there.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from beat_the_ai.errors import AdversaryError
from beat_the_ai.process.gc_control import importing

LOOPBACK = "127.0.0.1"
SILENT = {"RAY_USAGE_STATS_ENABLED": "0"}
# With the second, Ray's processes take loopback for the machine's address, on Linux as well. Without the third, Ray
# kills what listens for it unless that has started within 15 seconds, which a busy machine takes.
ALONE = {
    "RAY_AUTH_MODE": "token",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S": "60",
}
OBJECT_STORE_BYTES = 100 * 1024 * 1024  # queries and predictions do not go through it; Ray takes no less than 75 MiB
CONNECTING_SECONDS = 5


@contextmanager
def joined(address: str | None, cores: int) -> Iterator[str]:
    """`address` as Ray has it: `auto`, or HOST:PORT of the head; None for a Ray of our own with so many `cores`.

    Yields its HOST:PORT. A Ray of our own ends with the block, or with this process, however that ends. Raises
    `AdversaryError`.
    """
    own = address is None
    os.environ.update(SILENT | ALONE if own or str(address).startswith(LOOPBACK) else SILENT)
    try:
        with importing():
            import ray
    except ModuleNotFoundError as missing:
        raise AdversaryError("Ray is not installed. Run in the checkout: make ray") from missing
    quiet = {"logging_level": logging.WARNING, "log_to_driver": False}
    sizes = {"include_dashboard": False, "num_cpus": cores, "object_store_memory": OBJECT_STORE_BYTES}
    try:
        if address is not None:
            _knock(address)
        ray.init(address=address or "local", **quiet, **(sizes if own else {}))
    except (OSError, ValueError, RuntimeError) as error:
        raise AdversaryError(f"There is no Ray at {address or 'this machine'} that can be used: {error}") from error
    try:
        yield str(ray.get_runtime_context().gcs_address)
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Raises `OSError` where nobody listens, for whom Ray would wait for many minutes."""
    host, _, port = address.rpartition(":")
    if port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), CONNECTING_SECONDS).close()
