"""One heap for all threads, as glibc tells of its heaps, and connections that are read in small pieces."""

from __future__ import annotations

import asyncio
import ctypes
import socket
import subprocess
import sys

import pytest

from beat_the_ai.process.malloc import READ_BYTES, read_in_small_pieces

CODE = """
import ctypes, os, sys, threading
from beat_the_ai.process.malloc import share_one_heap
if sys.argv[1] == "shared":
    share_one_heap()
c = ctypes.CDLL(None)
c.malloc.restype = ctypes.c_void_p
ready = threading.Barrier(5)
def take():
    c.malloc(100_000)  # without the interpreter's lock
    ready.wait()
threads = [threading.Thread(target=take) for _ in range(4)]
for thread in threads:
    thread.start()
ready.wait()
c.fdopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(c.fdopen(1, b"w"))
c.malloc_info(0, file)
c.fflush(file)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="this C library is not glibc")
@pytest.mark.parametrize(("heaps", "is_one"), [("own", False), ("shared", True)])
def test_threads_share_one_heap(heaps: str, is_one: bool) -> None:
    told = subprocess.run([sys.executable, "-c", CODE, heaps], capture_output=True, text=True, check=True).stdout
    assert (told.count("<heap nr=") == 1) == is_one


def test_a_connection_is_read_in_small_pieces() -> None:
    sizes = asyncio.run(sizes_of_pieces(4 * READ_BYTES))
    assert sum(sizes) == 4 * READ_BYTES
    assert max(sizes) == READ_BYTES


async def sizes_of_pieces(sent: int) -> list[int]:
    sizes = []

    class Reading(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            read_in_small_pieces(transport)

        def data_received(self, data: bytes) -> None:
            sizes.append(len(data))

    ours, theirs = socket.socketpair()
    theirs.sendall(bytes(sent))
    transport, _ = await asyncio.get_running_loop().create_connection(Reading, sock=ours)
    while sum(sizes) < sent:
        await asyncio.sleep(0)
    transport.close()
    theirs.close()
    return sizes


FREED = """
import ctypes
from pathlib import Path
from beat_the_ai.process.malloc import give_back_what_is_free
def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 // 2**20
c = ctypes.CDLL(None)
c.malloc.restype = ctypes.c_void_p
blocks = [c.malloc(10_000) for _ in range(10_000)]
for block in blocks:
    ctypes.memset(block, 1, 10_000)
for block in blocks[:-1]:  # the last one keeps the heap from shrinking by itself
    c.free(ctypes.c_void_p(block))
before = resident_mb()
give_back_what_is_free()
print(before - resident_mb())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the C library is not glibc")
def test_memory_that_was_freed_is_given_back() -> None:
    assert int(subprocess.check_output([sys.executable, "-c", FREED], text=True)) > 50
