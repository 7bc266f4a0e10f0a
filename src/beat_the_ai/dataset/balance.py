"""Parts in balance: as many examples of each label in each genre (Nie et al. 2020, "HAMLET", of test).

What stays depends on the examples, their ids and the seed alone, not on their order or on who wrote them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args, get_origin

from beat_the_ai.dataset.columns import required
from beat_the_ai.rules.dataset import Dataset, Example

Stratum = tuple[str, ...]  # an example's values in the columns by which parts are balanced


@dataclass(frozen=True)
class Balance:
    """The columns by which a part of a round is balanced. `size` examples remain of each combination of their values.

    `gaps` are the combinations without an example, which prevent balance by more columns. `left_out` holds ids.
    """

    columns: Sequence[str]
    size: int
    gaps: Sequence[Stratum]
    left_out: frozenset[str]


def stratum(example: Example, dataset: Dataset) -> Stratum:
    row = dataset.row(example)
    return tuple(str(getattr(row, column)) for column in dataset.balanced_by)


def balance(strata: Mapping[str, Stratum], dataset: Dataset, seed: int) -> Balance:
    """`strata` are those of a part of a round, by the ids of its examples.

    It is balanced by as many of the columns, from the first on, as leave no combination of their values without an
    example: by none where a label has none. Values that a column may have (a `Literal`) all count, of other columns
    those that the part has. Of a combination those with the smallest hashes of their ids, keyed with the seed, stay.
    """
    columns = list(dataset.balanced_by)
    gaps: list[Stratum] = []
    while columns:
        groups: dict[Stratum, list[str]] = defaultdict(list)
        for name, values in strata.items():
            groups[values[: len(columns)]].append(name)
        new = sorted(set(product(*_values(columns, groups, dataset))) - groups.keys())
        if not new and groups:
            size = min(map(len, groups.values()))
            left_out = frozenset(name for names in groups.values() for name in _ranked(names, seed)[size:])
            return Balance(columns, size, gaps, left_out)
        gaps = new
        columns.pop()
    return Balance((), 0, gaps, frozenset())


def _values(columns: Sequence[str], groups: Mapping[Stratum, Sequence[str]], dataset: Dataset) -> list[Sequence[str]]:
    """Return the values of each column."""
    found: list[Sequence[str]] = []
    for place, column in enumerate(columns):
        declared = required(dataset.example_type.model_fields[column].annotation)
        fixed = get_args(declared) if get_origin(declared) is Literal else ()
        found.append(sorted({*map(str, fixed), *(group[place] for group in groups)}))
    return found


def _ranked(names: Sequence[str], seed: int) -> list[str]:
    key = str(seed).encode()
    return sorted(names, key=lambda name: hashlib.blake2b(name.encode(), key=key).digest())
