"""The options of every command that listens: who may connect, and by which name."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from beat_the_ai.listening.connection_limits import THIS_MACHINE, ConnectionLimits
from beat_the_ai.listening.root_path import check_root_path


def connection_options(command: Callable[..., None]) -> Callable[..., None]:
    """Hands them on as `limits`."""

    @click.option(
        "--allow-host", "hosts", multiple=True, metavar="NAME", help="A name that it answers to; may be given again."
    )
    @click.option(
        "--proxy",
        "proxies",
        multiple=True,
        default=THIS_MACHINE,
        show_default=True,
        metavar="ADDRESS",
        help="Of a proxy before it, which may hold any number of connections; may be given again.",
    )
    @click.option(
        "--connections-per-address",
        type=click.IntRange(0),
        default=ConnectionLimits.connections_per_address,
        show_default=True,
        help="That anybody else may hold; 0 for any number.",
    )
    @click.option(
        "--root-path",
        default="",
        metavar="PATH",
        callback=lambda _context, _parameter, path: check_root_path(path),
        help="Under which a proxy has it: links and cookies begin with it.",
    )
    @wraps(command)
    def with_limits(
        *args: Any,
        connections_per_address: int,
        proxies: tuple[str, ...],
        hosts: tuple[str, ...],
        root_path: str,
        **given: Any,
    ) -> None:
        limits = ConnectionLimits(connections_per_address, proxies, hosts, root_path=root_path)
        command(*args, limits=limits, **given)

    return with_limits
