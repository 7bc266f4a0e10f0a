"""The agreement of validators' answers, word by word."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache

from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.rules.adjudication import Label
from beat_the_ai.statistics.agreement import alpha_of
from beat_the_ai.statistics.figure import Estimate

Words = tuple[str, ...]


def span_alpha(units: Iterable[Sequence[Label]], normal: squad.Normal = squad.normalise) -> Estimate | None:
    """Alpha of marked answers, at a distance of 1 - word F1; "cannot be answered" is at a distance of 1 from all."""
    pairable = [[_words(label, normal) for label in unit] for unit in units if len(unit) > 1]
    return alpha_of(pairable, span_distance, _distances(Counter(words for unit in pairable for words in unit)))


def span_distance(one: Hashable, other: Hashable) -> float:
    """Between two bags of words, or None for no answer."""
    if one == other:
        return 0.0
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return 1.0
    return 1.0 - 2 * (Counter(one) & Counter(other)).total() / (len(one) + len(other))


def _words(label: Label, normal: squad.Normal) -> Words | None:
    return None if label is None else tuple(sorted(normal(label).split()))


def _distances(counts: Counter[Words | None]) -> Callable[[Hashable], float]:
    """Return the sum of the distances of an answer to all answers, without looking at pairs.

    F1 is 2 * common / (words + words), and two answers have a word in common min(times, times) times: as often as there
    are k such that both have it at least k times. So it takes, for every word and k, how many answers of each length
    have it that often.
    """
    total = counts.total()
    holding: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    for words, count in counts.items():
        for held in _held(words or ()):
            holding[held][len(words or ())] += count

    @cache
    def f1s(held: tuple[str, int], length: int) -> float:
        return sum(count * 2 / (length + other) for other, count in holding[held].items())

    @cache
    def distance(answer: Hashable) -> float:
        if not isinstance(answer, tuple) or not answer:
            return float(total - counts[answer])  # type: ignore[index]  # None, or no words
        return total - sum(f1s(held, len(answer)) for held in _held(answer))

    return distance


def _held(words: Words) -> Iterator[tuple[str, int]]:
    """Yield each word with each number of times that it is there at least."""
    for word, times in Counter(words).items():
        for least in range(1, times + 1):
            yield word, least
