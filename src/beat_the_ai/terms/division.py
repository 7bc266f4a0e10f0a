"""Parts of a dataset: train, dev and test, divided by context before anything is written.

A context is in one part, and so is the same text under another id. Contexts are divided when a round offers them, in
the order of their draw (`contexts.draw`), and the store keeps the part of each. Contexts that a round adds later fill
up the proportions. Work of exclusive writers is test work: a context on which one of them wrote moves there with all
its works, and stays there if the writer is revoked (Nie et al. 2019: writers who are in no training set).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from beat_the_ai.contexts.draw import draw_contexts, same_text
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.folders import PART_NAMES
from beat_the_ai.rules.protocol import Context

if TYPE_CHECKING:
    from beat_the_ai.store import ContextText

TRAIN, DEV, TEST = PARTS = PART_NAMES
EXCLUSIVE = "test_exclusive"  # the examples of test whose writers are in no training set (Nie et al. 2020, "Results")


@dataclass(frozen=True)
class Division:
    """The relative sizes of the parts, in contexts, and who writes for test only. `seed` is the campaign's.

    Exclusive are the workers listed, and `exclusive_share` of all others, drawn by a keyed hash of their ids. The
    parts in `balanced` are brought into balance (`balance`).
    """

    seed: int
    train: int = 10
    dev: int = 1
    test: int = 1
    exclusive_writers: frozenset[str] = frozenset()
    exclusive_share: float = 0.0
    balanced: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if min(self.sizes) < 0 or not sum(self.sizes):
            raise InvalidInput(
                "dataset", f"The parts' sizes are {self.sizes}; none may be negative, nor all of them 0."
            )
        if not 0 <= self.exclusive_share <= 1:
            raise InvalidInput("dataset.exclusive_share", f"{self.exclusive_share} was given; it goes from 0 to 1.")

    @property
    def sizes(self) -> tuple[int, int, int]:
        return self.train, self.dev, self.test

    @property
    def parts(self) -> frozenset[str]:
        """The parts that contexts may be in."""
        sized = {part for part, size in zip(PARTS, self.sizes, strict=True) if size}
        return frozenset(sized | {TEST} if self.may_move else sized)

    @property
    def may_move(self) -> bool:
        """Return whether any writer may be exclusive, so that their work moves contexts into test."""
        return bool(self.exclusive_writers or self.exclusive_share)

    def is_exclusive(self, worker: str) -> bool:
        if not self.may_move:
            return False
        digest = hashlib.blake2b(worker.encode(), key=str(self.seed).encode(), digest_size=8).digest()
        drawn = int.from_bytes(digest, "big") < self.exclusive_share * 2**64
        return drawn or worker in self.exclusive_writers


def divide(
    rounds: Mapping[int, Sequence[Context | ContextText]],
    kept: Mapping[str, str],
    written: Iterable[tuple[str, str]],
    divisions: Mapping[int, Division],
) -> dict[str, str]:
    """Return `{context id: part}` of all contexts of a campaign, given by round.

    `kept` has the parts of the contexts that were divided before, `written` has (context id, worker) pairs, and
    `divisions` has one for each round.
    """
    texts = {context.id: text_key(context.text) for contexts in rounds.values() for context in contexts}
    part_of_text = {text: kept[context_id] for context_id, text in texts.items() if context_id in kept}
    for number in sorted(rounds):
        division = divisions[number]
        drawn = [texts[each.id] for each in draw_contexts(rounds[number], division.seed, len(rounds[number]))]
        distinct = dict.fromkeys(drawn)
        new = [text for text in distinct if text not in part_of_text]
        sizes = Counter(part_of_text[text] for text in distinct if text in part_of_text)
        part_of_text.update(zip(new, _in_proportion(division.sizes, sizes, len(new)), strict=True))
    division_of = {context.id: divisions[number] for number, contexts in rounds.items() for context in contexts}
    for context_id, worker in written:
        if division_of[context_id].is_exclusive(worker):
            part_of_text[texts[context_id]] = TEST
    return {context_id: part_of_text[text] for context_id, text in texts.items()}


def text_key(text: str) -> bytes:
    """Return a short key of `same_text`, since a campaign has many."""
    return hashlib.blake2b(same_text(text).encode(errors="surrogatepass"), digest_size=16).digest()


def _in_proportion(sizes: Sequence[int], so_far: Mapping[str, int], count: int) -> Iterable[str]:
    """Yield `count` parts, each the one that lacks most of its share so far; of equals the first."""
    given = [so_far.get(part, 0) for part in PARTS]
    for number in range(sum(given) + 1, sum(given) + count + 1):
        chosen = max(range(len(sizes)), key=lambda part: sizes[part] * number - given[part] * sum(sizes))
        given[chosen] += 1
        yield PARTS[chosen]
