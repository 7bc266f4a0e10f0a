"""A crowd that cannot sign: a real marketplace behind a wire on which nothing is heard of signatures."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from beat_the_ai.web.signed_assignment import HEADER, SIGNED

UNSIGNED = dict.fromkeys(SIGNED, "")
"""What a page adds to its registration where the marketplace has signed nothing."""


@contextmanager
def unsigned(address: str) -> Iterator[str]:
    """The address of such a wire to the marketplace at `address`, as at Mechanical Turk."""
    host, port = address.removeprefix("http://").split(":")
    loop = asyncio.new_event_loop()

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65_536):
                writer.write(data.replace(HEADER.encode(), b"x" * len(HEADER)))
                await writer.drain()
        finally:
            writer.close()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answers, requests = await asyncio.open_connection(host, int(port))
        except OSError:  # the marketplace is away
            writer.close()
            return
        await asyncio.gather(pass_on(reader, requests), pass_on(answers, writer), return_exceptions=True)

    server = loop.run_until_complete(asyncio.start_server(connected, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever, name="unsigned-wire", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        asyncio.run_coroutine_threadsafe(_close(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _close(server: asyncio.Server) -> None:
    server.close()
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0)  # until what was closed is gone
