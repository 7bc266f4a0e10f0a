"""Words that tell a label: those that more of its examples have than would by accident."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.analysis.artefacts.findings import LabelWord
from beat_the_ai.rules.artefacts import Trace
from beat_the_ai.rules.text import printable
from beat_the_ai.statistics.association import pmi, share_p
from beat_the_ai.statistics.intervals import CONFIDENCE
from beat_the_ai.statistics.significance import holm

FEWEST_EXAMPLES = 20  # with a word, for which the test is right
MOST_WORDS = 10  # of a label
MOST_IDS, MOST_TEXTS, MOST_CHARS = 100, 3, 200  # of a word


def label_words(traces: Sequence[Trace]) -> tuple[list[LabelWord], int]:
    """Return for each label the words with the greatest PMI whose share of it is significantly above that of all.

    With how many words were tested.
    """
    carriers: dict[str, list[int]] = {}
    for number, trace in enumerate(traces):
        for word in trace.words:
            carriers.setdefault(word, []).append(number)
    labels = Counter(trace.label for trace in traces)
    if len(labels) < 2 or not carriers:
        return [], 0
    numbers = {label: number for number, label in enumerate(labels)}
    label_of = np.array([numbers[trace.label] for trace in traces])
    table = _Table(
        list(carriers),
        np.stack([np.bincount(label_of[places], minlength=len(labels)) for places in carriers.values()]),
        np.array(list(labels.values())) / len(traces),
    )
    information, adjusted = pmi(table.counts.astype(float)), table.adjusted()
    found = []
    for label, column in numbers.items():
        telling = [row for row in table.frequent if adjusted[row, column] < 1 - CONFIDENCE and table.tells(row, column)]
        for row in sorted(telling, key=lambda row: (-information[row, column], table.words[row]))[:MOST_WORDS]:
            word = table.words[row]
            with_both = [traces[place] for place in carriers[word] if traces[place].label == label]
            found.append(
                LabelWord(
                    word=word,
                    label=label,
                    pmi=float(information[row, column]),
                    examples=int(table.totals[row]),
                    with_label=len(with_both),
                    p=adjusted[row, column],
                    ids=[trace.id for trace in with_both[:MOST_IDS]],
                    texts=[printable(trace.text, max_chars=MOST_CHARS) or "" for trace in with_both[:MOST_TEXTS]],
                )
            )
    return found, len(table.frequent)


@dataclass(frozen=True)
class _Table:
    """The numbers of examples that have a word and a label, (words, labels), and the share of each label in all."""

    words: Sequence[str]
    counts: NDArray[np.intp]
    shares: NDArray[np.float64]

    @cached_property
    def totals(self) -> NDArray[np.intp]:
        totals: NDArray[np.intp] = self.counts.sum(axis=1)
        return totals

    @cached_property
    def frequent(self) -> list[int]:
        """Return the rows of words that are tested."""
        return [row for row, total in enumerate(self.totals) if total >= FEWEST_EXAMPLES]

    def tells(self, row: int, column: int) -> bool:
        """Return whether examples with the word have the label more often than others."""
        return bool(self.counts[row, column] > self.shares[column] * self.totals[row])

    def adjusted(self) -> dict[tuple[int, int], float]:
        """Return the p of each tested word and label, by Holm's procedure."""
        return holm(
            {
                (row, column): share_p(int(self.counts[row, column]), int(self.totals[row]), float(share))
                for row in self.frequent
                for column, share in enumerate(self.shares)
            }
        )
