"""Parts in balance: as many examples of each label in each genre (Nie et al. 2020, "HAMLET", of test).

What stays depends on the examples, their ids and the seed alone, not on their order or on who wrote them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args, get_origin

from beat_the_ai.dataset.columns import required
from beat_the_ai.rules.dataset import Dataset, Example

Stratum = tuple[str, ...]  # an example's values in the columns by which parts are balanced


@dataclass(frozen=True)
class Balance:
    """The columns by which a part of a round is balanced. `size` examples remain of each combination of their values.

    Of `longer` combinations one more remains, where they do not divide the size that the part is to have. `gaps` are
    the combinations without an example, which prevent balance by more columns. `left_out` holds ids.
    """

    columns: Sequence[str]
    size: int
    gaps: Sequence[Stratum]
    left_out: frozenset[str]
    longer: int = 0


@dataclass(frozen=True)
class Size:
    """The examples that a balanced part is to have, and the share of each combination that `exclusive` ones may be."""

    examples: int
    exclusive: Collection[str] = ()
    exclusive_share: float | None = None

    def chosen(self, names: Sequence[str], size: int, seed: int) -> list[str]:
        """Return up to so many of the examples of a combination."""
        order = ranked(names, seed)
        if self.exclusive_share is None:
            return order[:size]
        theirs = [name for name in order if name in self.exclusive][: round(self.exclusive_share * size)]
        others = [name for name in order if name not in self.exclusive]
        return [*theirs, *others[: size - len(theirs)]]


def stratum(example: Example, dataset: Dataset) -> Stratum:
    row = dataset.row(example)
    return tuple(str(getattr(row, column)) for column in dataset.balanced_by)


def balance(strata: Mapping[str, Stratum], dataset: Dataset, seed: int, wanted: Size | None = None) -> Balance:
    """Return the balance of a part of a round: `strata` by the ids of its examples; `wanted` is its size.

    It is balanced by as many of the columns, from the first on, as leave no combination of their values without an
    example: by none where a label has none. With a size there are no more combinations than examples. Values that a
    column may have (a `Literal`) all count, of other columns those that the part has. Of a combination those with the
    smallest hashes of their ids, keyed with the seed, stay.
    """
    columns = list(dataset.balanced_by)
    gaps: list[Stratum] = []
    while columns:
        groups: dict[Stratum, list[str]] = defaultdict(list)
        for name, values in strata.items():
            groups[values[: len(columns)]].append(name)
        new = sorted(set(product(*_values(columns, groups, dataset))) - groups.keys())
        if not new and groups and (wanted is None or wanted.examples >= len(groups)):
            if wanted is not None:
                return _sized(groups, columns, gaps, seed, wanted)
            size = min(map(len, groups.values()))
            left_out = frozenset(name for names in groups.values() for name in ranked(names, seed)[size:])
            return Balance(columns, size, gaps, left_out)
        gaps = new
        columns.pop()
    return Balance((), 0, gaps, frozenset())


def _sized(
    groups: Mapping[Stratum, Sequence[str]],
    columns: Sequence[str],
    gaps: Sequence[Stratum],
    seed: int,
    wanted: Size,
) -> Balance:
    """Return the balance of a part with a size, of combinations that all have examples."""
    size = min(wanted.examples // len(groups), *map(len, groups.values()))
    while any(len(wanted.chosen(names, size, seed)) < size for names in groups.values()):
        size -= 1  # exclusive writers have more than their share of a combination
    kept = {group: wanted.chosen(names, size, seed) for group, names in groups.items()}
    longer = 0
    if size == wanted.examples // len(groups):
        for group in sorted(groups)[: wanted.examples % len(groups)]:
            more = wanted.chosen(groups[group], size + 1, seed)
            longer += len(more) > size
            kept[group] = more
    in_it = {name for names in kept.values() for name in names}
    left_out = frozenset(name for names in groups.values() for name in names if name not in in_it)
    return Balance(columns, size, gaps, left_out, longer)


def _values(columns: Sequence[str], groups: Mapping[Stratum, Sequence[str]], dataset: Dataset) -> list[Sequence[str]]:
    """Return the values of each column."""
    found: list[Sequence[str]] = []
    for place, column in enumerate(columns):
        declared = required(dataset.example_type.model_fields[column].annotation)
        fixed = get_args(declared) if get_origin(declared) is Literal else ()
        found.append(sorted({*map(str, fixed), *(group[place] for group in groups)}))
    return found


def ranked(names: Sequence[str], seed: int) -> list[str]:
    """Return ids in the order of their hashes, keyed with the seed."""
    key = str(seed).encode()
    return sorted(names, key=lambda name: hashlib.blake2b(name.encode(), key=key).digest())
