"""The option that says where the people of one's own are."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from beat_the_ai.marketplace.people import store

DEFAULT_PEOPLE = "out/people"
people_option = click.option(
    "--people", "place", default=DEFAULT_PEOPLE, show_default=True, metavar="PLACE", help="Their folder or database."
)


def on_people(command: Callable[..., None]) -> Callable[..., None]:
    """Open the store of people, and pass it to the command as `market`."""

    @people_option
    @wraps(command)
    def with_people(*args: Any, place: str, **given: Any) -> None:
        with store.people_at(place, create=True) as market:
            command(*args, market=market, **given)

    return with_people
