"""Models measured by accuracy, with Wilson's interval, on files of gold labels: in all, by label and by genre.

How far a model gets without the premise (Gururangan et al. 2018, Poliak et al. 2018) is measured in the same way, with
a model that was trained without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.label_names import ALLOWED, label_named
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair, Prediction
from beat_the_ai.kinds.nli.pairs import LabelledPair, read_pairs
from beat_the_ai.rules.evaluation import Scores
from beat_the_ai.statistics.intervals import wilson


class InferenceEvaluation:
    """Gold files as in `pairs`; predictions are `{id: label}`."""

    def queries(self, gold: Path) -> Sequence[tuple[str, Pair]]:
        return [(labelled.id, labelled.pair) for labelled in read_pairs(gold).pairs]

    def answer(self, prediction: Prediction) -> str:
        return prediction.label

    def marks(self, gold: Path, answers: Mapping[str, Any]) -> Mapping[str, Mapping[str, float]]:
        predicted = {name: _label(name, answer) for name, answer in answers.items()}
        pairs = read_pairs(gold).pairs
        return {"accuracy": {one.id: float(predicted.get(one.id) == one.label) for one in pairs}}

    def scores(self, gold: Path, answers: Mapping[str, Any]) -> Scores:
        """Percentages: `accuracy`, `accuracy_low` and `accuracy_high`, and the same with `.LABEL` and `.GENRE`;
        `macro_f1`; numbers of `pairs`, `missing`, `without_label`."""
        predicted = {name: _label(name, answer) for name, answer in answers.items()}
        read = read_pairs(gold)
        right = [(labelled, predicted.get(labelled.id) == labelled.label) for labelled in read.pairs]
        missing = sum(labelled.id not in predicted for labelled in read.pairs)
        figures: dict[str, float] = {}
        words = []
        for name, group in _groups(right):
            correct, total = sum(group), len(group)
            rate, low, high = (100 * share for share in (correct / total, *wilson(correct, total)))
            end = f".{name}" if name else ""
            figures |= {f"accuracy{end}": rate, f"accuracy_low{end}": low, f"accuracy_high{end}": high}
            subject = f"{name}: accuracy" if name else "accuracy"
            words.append(f"{subject} {rate:.2f}% (95% interval {low:.2f} to {high:.2f}) over {total:,} pairs")
        macro_f1 = _macro_f1(read.pairs, predicted)
        words.insert(1, f"macro-F1 {macro_f1:.2f}%")
        if missing:
            words.append(f"{missing:,} pairs have no prediction and count as wrong.")
        if read.without_label:
            words.append(f"{read.without_label:,} pairs without a gold label were left out.")
        counts = {"pairs": len(read.pairs), "missing": missing, "without_label": read.without_label}
        return Scores({**figures, "macro_f1": macro_f1, **counts}, words)


def _groups(right: Sequence[tuple[LabelledPair, bool]]) -> Iterator[tuple[str, Sequence[bool]]]:
    """Who is right: in all (""), of each gold label, and of each genre, if there are any."""
    yield "", [correct for _, correct in right]
    for label in LABELS:
        if group := [correct for labelled, correct in right if labelled.label == label]:
            yield label, group
    for genre in sorted({labelled.genre for labelled, _ in right if labelled.genre}):
        yield genre, [correct for labelled, correct in right if labelled.genre == genre]


def _macro_f1(pairs: Sequence[LabelledPair], predicted: Mapping[str, Label]) -> float:
    """The mean of the labels' F1, in percent, over those that occur in the gold file."""
    found = []
    for label in LABELS:
        gold = sum(labelled.label == label for labelled in pairs)
        said = sum(predicted.get(labelled.id) == label for labelled in pairs)
        both = sum(predicted.get(labelled.id) == label == labelled.label for labelled in pairs)
        if gold:
            found.append(2 * both / (gold + said))
    return 100 * sum(found) / len(found)


def _label(name: str, answer: Any) -> Label:
    label = label_named(answer) if isinstance(answer, str) else None
    if label is None:
        raise InvalidInput(
            "PREDICTIONS", f"The answer to {name[:80]!r} is {str(answer)[:40]!r}, no label. Allowed: {ALLOWED}."
        )
    return label
