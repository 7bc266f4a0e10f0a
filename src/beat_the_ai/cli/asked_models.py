"""Models that a command asks: loaded here (`backend:source`), or served elsewhere (`http://HOST:PORT#NAME`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from beat_the_ai.adversary.budget import Budgeted, check_budget, within_budget
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.kind import Kind

if TYPE_CHECKING:
    from beat_the_ai.adversary.protocol import Adversary, LoadOptions

token_option = click.option(
    "--token-variable", metavar="NAME", help="The environment variable with the token of the server at http://…"
)

max_cents_option = click.option(
    "--max-cents", type=click.IntRange(1), metavar="CENTS", help="What the answers of a model with a price may cost."
)


kept_option = click.option(
    "--kept",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("out/answers"),
    show_default=True,
    help="Keeps what a language model answers: the same command asks only for what is missing.",
)


@contextmanager
def asked_model(
    spec: str,
    kind: Kind,
    options: LoadOptions,
    token_variable: str | None,
    max_cents: int | None,
    kept: Path | None = None,
) -> Iterator[Adversary[Any, Any]]:
    """Yield a model to ask. The answers of a language model are kept in `kept`, if that is given.

    Raises `InvalidInput` for a model of another kind of task, and for one that charges without a `max_cents`. Raises
    `AdversaryError` for a model that cannot be used.
    """
    from beat_the_ai.adversary.kept import keeping
    from beat_the_ai.adversary.registry import open_adversary
    from beat_the_ai.adversary.served import ServedModel, is_address

    writing = kind.writing
    if not is_address(spec):
        check_budget(spec, max_cents)
        with (
            _cost_told(within_budget(open_adversary(spec, kind.name, options), max_cents)) as loaded,
            keeping(loaded, writing.prediction_type, kept) as keeper,
        ):
            yield keeper
        return
    with (
        ServedModel(spec, writing.query_type, writing.prediction_type, _token(token_variable)) as model,
        _cost_told(within_budget(model, max_cents)) as loaded,
        keeping(loaded, writing.prediction_type, kept) as keeper,
    ):
        yield keeper


@contextmanager
def _cost_told(model: Adversary[Any, Any]) -> Iterator[Adversary[Any, Any]]:
    """On standard error, when the block ends, however it does."""
    try:
        yield model
    finally:
        if isinstance(model, Budgeted):
            click.echo(f"{model.identity.name}: {model.told}", err=True)


def _token(variable: str | None) -> str | None:
    if variable is None:
        return None
    token = os.environ.get(variable, "").strip()
    if not (token and token.isascii() and token.isprintable()):
        raise InvalidInput("--token-variable", f"The environment variable {variable} is not set, or no line of ASCII.")
    return token
