"""The training data of models of any kind of task: files with weights, and parts that must stay apart from them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from beat_the_ai.errors import InvalidInput
from beat_the_ai.networks.schedule import MACHINE

Example = TypeVar("Example")


@dataclass(frozen=True)
class Corpus:
    """A file of examples, and how often an epoch has each; of a broken weight the rest is drawn anew each time."""

    path: Path
    weight: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Sources:
    """`dev` decides when to stop; without it a share of the contexts of `data` does, drawn under the seed.

    Nothing of `dev` and `apart` may be in `data`.
    """

    data: tuple[Corpus, ...]
    out: Path
    dev: tuple[Path, ...] = ()
    apart: tuple[Path, ...] = ()
    held_out_share: float = 0.04  # of the contexts, where there is no `dev`


def settings_of(config: Sources, start: str | None) -> dict[str, Any]:
    """All that decides the weights, files by their contents; `start` is the hash of the model to go on from."""
    names = [field.name for field in fields(config) if field.name not in MACHINE]
    return {name: _identity(getattr(config, name)) for name in names} | {"start": start}


def hold_out(
    corpora: Sequence[Sequence[Example]], share: float, seed: int, identity: Callable[[Example], str]
) -> tuple[list[list[Example]], list[Example]]:
    """The rest of each corpus, and a share of all identities in them with every example that has one of these."""
    identities = sorted({identity(example) for examples in corpora for example in examples})
    out = set(random.Random(seed).sample(identities, round(share * len(identities))))  # noqa: S311 - a draw, not a secret
    rest = [[example for example in examples if identity(example) not in out] for examples in corpora]
    held = [example for examples in corpora for example in examples if identity(example) in out]
    return rest, held


def refuse_shared(called: str, training: Path, part: Path, shared: Sequence[str]) -> None:
    """Raises `InvalidInput` for examples of a corpus that are in a part on which models are chosen or measured, too.

    `shared` has what tells them to a reader, `called` what they are.
    """
    if shared:
        shown = ", ".join(each[:80] for each in shared[:5]) + (" …" if len(shared) > 5 else "")
        raise InvalidInput(
            "data",
            f"{len(shared):,} {called} of {training} are also in {part}, on which a model that was trained on them "
            f"would look too good. Take them out of the training data: {shown}.",
        )


def refuse_too_few(called: str, *, is_held_out: bool) -> NoReturn:
    """Raises `InvalidInput` where nothing is left to train on, or to choose by; `called` are the examples."""
    if is_held_out:
        raise InvalidInput(
            "data", f"There are too few {called} to train on some and hold out others. Name a dev part, or more data."
        )
    raise InvalidInput(
        "data",
        f"There are too few {called}: --data has not one for an epoch, or --dev none. Name files that have more.",
    )


def _identity(value: Any) -> Any:
    if isinstance(value, Corpus):
        return [_identity(value.path), value.weight]
    if isinstance(value, Path):
        return hashlib.sha256(value.read_bytes()).hexdigest() if value.is_file() else str(value)
    if isinstance(value, tuple):
        return [_identity(each) for each in value]
    return value
