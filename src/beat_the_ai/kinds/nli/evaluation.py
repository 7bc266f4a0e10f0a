"""Models measured by accuracy, with Wilson's interval, on files of gold labels: in all, by label and by genre.

How far a model gets without the premise (Gururangan et al. 2018, Poliak et al. 2018) is measured in the same way, with
a model that was trained without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.answers import said
from beat_the_ai.files.values import shown
from beat_the_ai.kinds.nli.label_names import ALLOWED, label_named
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair, Prediction
from beat_the_ai.kinds.nli.pairs import LabelledPair, LabelledPairs, read_pairs
from beat_the_ai.rules.evaluation import Scores
from beat_the_ai.rules.joining import Joined, join
from beat_the_ai.statistics.intervals import wilson

FIELDS = ("label", "answer")


class InferenceEvaluation:
    """Gold files as in `pairs`; predictions are `{id: label}`."""

    def queries(self, gold: Path) -> Sequence[tuple[str, Pair]]:
        return [(labelled.id, labelled.pair) for labelled in read_pairs(gold).pairs]

    def answer(self, prediction: Prediction) -> str:
        return prediction.label

    def marks(self, gold: Path, answers: Mapping[str, Any]) -> Mapping[str, Mapping[str, float]]:
        joined = _joined(read_pairs(gold), gold, answers)
        return {"accuracy": {name: float(answer == labelled.label) for name, labelled, answer in joined.of}}

    def scores(self, gold: Path, answers: Mapping[str, Any]) -> Scores:
        """Percentages: `accuracy`, `accuracy_low` and `accuracy_high`, and the same with `.LABEL` and `.GENRE`;
        `macro_f1`; numbers of `pairs`, `missing`, `foreign`, `without_label`."""
        read = read_pairs(gold)
        joined = _joined(read, gold, answers)
        right = [(labelled, answer == labelled.label) for _, labelled, answer in joined.of]
        figures: dict[str, float] = {}
        words = []
        for name, group in _groups(right):
            correct, total = sum(group), len(group)
            rate, low, high = (100 * share for share in (correct / total, *wilson(correct, total)))
            end = f".{name}" if name else ""
            figures |= {f"accuracy{end}": rate, f"accuracy_low{end}": low, f"accuracy_high{end}": high}
            subject = f"{name}: accuracy" if name else "accuracy"
            words.append(f"{subject} {rate:.2f}% (95% interval {low:.2f} to {high:.2f}) over {total:,} pairs")
        macro_f1 = _macro_f1(read.pairs, {name: answer for name, _, answer in joined.of})
        words.insert(1, f"macro-F1 {macro_f1:.2f}%")
        words += joined.words
        if read.without_label:
            words.append(f"{read.without_label:,} pairs without a gold label were left out.")
        counts = {
            "pairs": len(read.pairs),
            "missing": joined.missing,
            "foreign": joined.foreign,
            "without_label": read.without_label,
        }
        return Scores({**figures, "macro_f1": macro_f1, **counts}, words)


def _groups(right: Sequence[tuple[LabelledPair, bool]]) -> Iterator[tuple[str, Sequence[bool]]]:
    """Yield whether answers are right: in all (""), of each gold label, and of each genre, if there are any."""
    yield "", [correct for _, correct in right]
    for label in LABELS:
        if group := [correct for labelled, correct in right if labelled.label == label]:
            yield label, group
    for genre in sorted({labelled.genre for labelled, _ in right if labelled.genre}):
        yield genre, [correct for labelled, correct in right if labelled.genre == genre]


def _macro_f1(pairs: Sequence[LabelledPair], predicted: Mapping[str, Label | None]) -> float:
    """The mean of the labels' F1, in percent, over those that occur in the gold file."""
    found = []
    for label in LABELS:
        gold = sum(labelled.label == label for labelled in pairs)
        said = sum(predicted.get(labelled.id) == label for labelled in pairs)
        both = sum(predicted.get(labelled.id) == label == labelled.label for labelled in pairs)
        if gold:
            found.append(2 * both / (gold + said))
    return 100 * sum(found) / len(found)


def _joined(read: LabelledPairs, gold: Path, answers: Mapping[str, Any]) -> Joined[LabelledPair, Label]:
    named = [(labelled.id, labelled) for labelled in read.pairs]
    return join(gold, named, answers, _label, "pairs", read.left_out)


def _label(name: str, answer: Any) -> Label | None:
    """Return the label of an answer: a name, the most probable of the three, or None. Raises `InvalidInput`.

    A number is none: models number labels in different orders.
    """
    if isinstance(answer, Mapping) and set(answer) == set(LABELS):
        answer = max(LABELS, key=lambda label: answer[label])
    try:
        found = said(answer, FIELDS)
    except ValueError as error:
        raise InvalidInput("PREDICTIONS", f"The answer to {name[:80]!r} is {error}.") from None
    label = label_named(found) if isinstance(found, str) else None
    if label is None and found is not None:
        raise InvalidInput(
            "PREDICTIONS", f"The answer to {name[:80]!r} is {shown(found)}, no label. Allowed: {ALLOWED}."
        )
    return label
