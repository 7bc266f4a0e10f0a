"""Splits that are handed in: the part of each context, from a file such as another campaign's `contexts.jsonl`.

Three campaigns against three models so have the same passages in the same parts (Bartolo et al. 2020, §3.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from beat_the_ai.contexts.draw import same_text
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.records import read_rows
from beat_the_ai.rules.protocol import Context

KEY = "dataset.splits"


class _Placed(BaseModel):
    """One line."""

    context_id: str
    part: Literal["train", "dev", "test"]


def read_splits(path: Path) -> dict[str, str]:
    """Return `{context id: part}`. Raises `InvalidInput` for a file of other records, and a context in two parts."""
    found: dict[str, str] = {}
    for where, placed in read_rows(path, _Placed, KEY, "'context_id' and 'part'"):
        if found.setdefault(placed.context_id, placed.part) != placed.part:
            raise InvalidInput(KEY, f"{where}: {placed.context_id[:80]!r} is in {found[placed.context_id]} already.")
    return found


def handed_in(path: Path, contexts: Sequence[Context], kept: Mapping[str, str]) -> dict[str, str]:
    """Return the parts of those contexts that are in none of the `kept` parts.

    Raises `InvalidInput` for a context that the file does not name, and for one text in two parts.
    """
    new = [context for context in contexts if context.id not in kept]
    if not new:
        return {}
    parts = read_splits(path)
    if missing := [context.id for context in new if context.id not in parts]:
        raise InvalidInput(
            KEY,
            f"{path} does not name the part of {len(missing):,} contexts of the round, such as {missing[0][:80]!r}. "
            "Add them to it, or leave them out of the round.",
        )
    of_text: dict[str, str] = {}
    for context in contexts:
        part = kept.get(context.id) or parts[context.id]
        if of_text.setdefault(same_text(context.text), part) != part:
            raise InvalidInput(KEY, f"{path} puts the text of {context.id[:80]!r} into two parts.")
    return {context.id: parts[context.id] for context in new}
