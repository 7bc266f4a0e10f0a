"""The model server as a process: loads models, serves them over HTTP, and ends gracefully when told to.

    python -m beat_the_ai.adversary.server --member bidaf=onnx:bidaf-small --port 0

It listens from the start (`/health` answers 503 while the models load) and prints one line of JSON with its address
once it is ready. On SIGTERM or SIGINT it takes nothing more, finishes what waits within the grace time, and ends.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import socket
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

from beat_the_ai.adversary.app import build_app
from beat_the_ai.adversary.protocol import Adversary, LoadOptions
from beat_the_ai.adversary.registry import READING, check_serves, open_streams
from beat_the_ai.adversary.service import BATCH_SIZE, Limits, Service, answer_example
from beat_the_ai.errors import AdversaryError, BeatTheAIError, InvalidInput
from beat_the_ai.listening import ConnectionLimits, Server, address_of, listen
from beat_the_ai.process.parent_death import announce

log = logging.getLogger(__name__)

TOKEN_VARIABLE = "BEAT_THE_AI_ADVERSARY_TOKEN"  # noqa: S105 - the variable's name
# What uvicorn waits for connections beyond the grace time, in which the service has answered or failed everything.
CLOSING_SECONDS = 2

Loaded = dict[str, list[Adversary[Any, Any]]]


def serve(
    specs: Mapping[str, str],
    kind: str = READING,
    host: str = "127.0.0.1",
    port: int = 0,
    options: LoadOptions | None = None,
    *,
    streams: int | None = None,
    batch_size: int | None = None,
    connection_limits: ConnectionLimits | None = None,
) -> None:
    """Serve the models `specs` (name → `backend:source`) of a kind of task until a signal. Port 0 takes a free one.

    Of each model `streams` instances work at once, on up to `batch_size` queries each: by default as many as there are
    cores for, and 1; on a GPU 1, and 32. A token in the environment variable `BEAT_THE_AI_ADVERSARY_TOKEN` is then
    asked of every client.
    """
    for spec in specs.values():
        check_serves(spec, kind)
    options = options or LoadOptions()
    options = replace(options, streams=streams or default_streams(options))
    limits = Limits(batch_size=batch_size or BATCH_SIZE[options.device])
    asyncio.run(_run(specs, kind, listen(host, port), options, limits, connection_limits or ConnectionLimits()))


def default_streams(options: LoadOptions) -> int:
    """As many as there are cores for; on a GPU one, which takes batches."""
    return max(1, _cores() // options.threads) if options.device == "cpu" else 1


def main(arguments: list[str] | None = None) -> None:
    """The command line of this module."""
    reading = parser()
    given = reading.parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    options = LoadOptions(given.device, given.threads, given.precision, memory_gib=given.memory_gib)
    sizes = {"streams": given.streams, "batch_size": given.batch_size}
    try:
        serve(dict(given.member), given.kind, given.host, given.port, options, **sizes)
    except InvalidInput as error:
        reading.error(str(error))
    except BeatTheAIError as error:
        reading.exit(1, f"{reading.prog}: {error}\n")


async def _run(
    specs: Mapping[str, str],
    kind: str,
    listener: socket.socket,
    options: LoadOptions,
    limits: Limits,
    connection_limits: ConnectionLimits,
) -> None:
    loop = asyncio.get_running_loop()
    service, stopping = Service(limits), asyncio.Event()
    server = Server(
        build_app(service, read_token()),
        listener,
        connection_limits,
        closing_seconds=int(limits.grace_seconds) + CLOSING_SECONDS,
        on_signal=partial(loop.call_soon_threadsafe, stopping.set),
    )
    running = asyncio.ensure_future(server.serve())
    running.add_done_callback(lambda _: stopping.set())
    try:
        if (loaded := await _load_unless_stopped(specs, kind, options, stopping)) is not None:
            service.start(loaded)
            announce({"address": address_of(listener)})
            await stopping.wait()
    finally:
        server.should_exit = True
        await service.stop()
        await running


async def _load_unless_stopped(
    specs: Mapping[str, str], kind: str, options: LoadOptions, stopping: asyncio.Event
) -> Loaded | None:
    """The loaded models; None if a signal came first. Loading is left to a daemon thread, as it cannot be stopped."""
    loaded: Future[Loaded] = Future()

    def load() -> None:
        try:
            models = {name: open_streams(spec, kind, options) for name, spec in specs.items()}
            for streams in models.values():
                answer_example(streams[0])
            loaded.set_result(models)
        except StopIteration as error:  # which no future of asyncio takes: whoever waits would wait for ever
            problem = AdversaryError("A model raised StopIteration while it was loaded or asked for the first time.")
            problem.__cause__ = error
            loaded.set_exception(problem)
        except BaseException as error:  # noqa: BLE001 - handed over to the thread that waits
            loaded.set_exception(error)

    threading.Thread(target=load, name="load", daemon=True).start()
    loading = asyncio.wrap_future(loaded)
    stopped = asyncio.ensure_future(stopping.wait())
    either: set[asyncio.Future[Any]] = {loading, stopped}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    return None if stopping.is_set() else loading.result()


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_token() -> str | None:
    """Return the token that every client must send, if any. Raises `InvalidInput` if the variable is set and empty."""
    token = os.environ.get(TOKEN_VARIABLE)
    if token is not None and not token.strip():
        raise InvalidInput("token", f"{TOKEN_VARIABLE} is set but empty. Give it a value or unset it.")
    return token


def _member(text: str) -> tuple[str, str]:
    name, equals, spec = text.partition("=")
    if not (name and equals and spec):
        raise argparse.ArgumentTypeError(f"{text!r}: write name=backend:source, as in bidaf=onnx:bidaf-small")
    return name, spec


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: a whole number of at least 1 is needed")
    return int(text)


def parser() -> argparse.ArgumentParser:
    """Return the parser of this module's command line."""
    options = argparse.ArgumentParser(
        prog="python -m beat_the_ai.adversary.server", description="Serve models over HTTP."
    )
    options.add_argument("--member", type=_member, action="append", required=True, metavar="NAME=BACKEND:SOURCE")
    options.add_argument("--kind", default=READING, help="the kind of task, by its own name")
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=0, help="0 takes a free one, which is printed")
    options.add_argument(
        "--streams", type=_positive, help="of each model, at once; default: as many as cores, 1 on a GPU"
    )
    options.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    options.add_argument("--threads", type=_positive, default=1, help="per stream")
    options.add_argument("--precision", help="as the backend offers: fp32, fp16, bf16, int8")
    options.add_argument("--batch-size", type=_positive, help="default: 1 on a CPU, 32 on a GPU")
    options.add_argument("--memory-gib", type=float, help="of a GPU, for all models; default: what is free")
    return options


if __name__ == "__main__":
    main()
