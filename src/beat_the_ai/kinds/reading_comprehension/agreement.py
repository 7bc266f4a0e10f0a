"""The agreement of validators' answers, word by word."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence

from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.rules.adjudication import Label
from beat_the_ai.statistics.agreement import alpha_of

Words = tuple[str, ...]


def span_alpha(units: Iterable[Sequence[Label]], normal: squad.Normal = squad.normalise) -> float | None:
    """Alpha of marked answers, at a distance of 1 - word F1; "cannot be answered" is at a distance of 1 from all."""
    pairable = [[_words(label, normal) for label in unit] for unit in units if len(unit) > 1]
    counts = Counter(words for unit in pairable for words in unit)
    total, unsaid = counts.total(), counts[None]
    pairs = (total * (total - 1) - unsaid * (unsaid - 1)) / 2
    return alpha_of(pairable, span_distance, pairs - _sum_of_f1(counts))


def span_distance(one: Hashable, other: Hashable) -> float:
    """Between two bags of words, or None for no answer."""
    if one == other:
        return 0.0
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return 1.0
    return 1.0 - 2 * (Counter(one) & Counter(other)).total() / (len(one) + len(other))


def _words(label: Label, normal: squad.Normal) -> Words | None:
    return None if label is None else tuple(sorted(normal(label).split()))


def _sum_of_f1(counts: Counter[Words | None]) -> float:
    """The sum of F1 over all pairs of answers, without looking at the pairs.

    F1 is 2 * common / (words + words), and two answers have a word in common min(times, times) times: as often as there
    are k such that both have it at least k times. So it takes, for every word and k, how many answers of each length
    have it that often.
    """
    holding: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    answers = 0
    for words, count in counts.items():
        if words:
            answers += count
            for word, times in Counter(words).items():
                for least in range(1, times + 1):
                    holding[word, least][len(words)] += count
    ordered_pairs = sum(
        one * other * 2 / (length + other_length)
        for lengths in holding.values()
        for length, one in lengths.items()
        for other_length, other in lengths.items()
    )
    without_words = counts[()]
    return (ordered_pairs - answers + without_words * (without_words - 1)) / 2
