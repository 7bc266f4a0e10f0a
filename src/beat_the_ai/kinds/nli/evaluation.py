"""Models measured by accuracy and macro-F1 on files of gold labels: in all, by label, round, genre and exclusiveness.

How far a model gets without the premise (Gururangan et al. 2018, Poliak et al. 2018) is measured in the same way, with
a model that was trained without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.answers import said
from beat_the_ai.files.values import shown
from beat_the_ai.kinds.nli.label_names import ALLOWED, NON_ENTAILMENT, GoldLabel, gold_label_named
from beat_the_ai.kinds.nli.labels import LABELS, Pair, Prediction
from beat_the_ai.kinds.nli.pairs import LabelledPair, read_pairs
from beat_the_ai.rules.evaluation import NO_REFERENCES, Measure, Measured, MeasuredItem
from beat_the_ai.rules.joining import Joined, join

if TYPE_CHECKING:
    from beat_the_ai.statistics.jackknife import Matrix

FIELDS = ("label", "answer")
ENTAILMENT = LABELS[0]


class InferenceEvaluation:
    """Gold files as in `pairs`; predictions are `{id: label}`.

    Where gold has two labels, neutral and contradiction count as non-entailment, as HANS scores (McCoy et al. 2019).
    """

    reference: ClassVar[None] = None

    def queries(self, gold: Path) -> Sequence[tuple[str, Pair]]:
        return [(labelled.id, labelled.pair) for labelled in read_pairs(gold).pairs]

    def answer(self, prediction: Prediction) -> str:
        return prediction.label

    def measured(
        self, gold: Path, answers: Mapping[str, Any], _references: Mapping[str, Sequence[str]] = NO_REFERENCES
    ) -> Measured:
        read = read_pairs(gold)
        named = [(labelled.id, labelled) for labelled in read.pairs]
        joined: Joined[LabelledPair, GoldLabel] = join(gold, named, answers, _label, "pairs", read.left_out)
        is_two_way = any(labelled.label == NON_ENTAILMENT for labelled in read.pairs)
        items = [_item(name, labelled, answer, is_two_way=is_two_way) for name, labelled, answer in joined.of]
        return Measured(
            items,
            MEASURES,
            "pairs",
            "premises",
            joined.missing,
            joined.foreign,
            [*joined.words, *read.notes],
            {"without_label": read.without_label},
        )


def _item(name: str, labelled: LabelledPair, answer: GoldLabel | None, *, is_two_way: bool) -> MeasuredItem:
    if is_two_way and answer not in (None, ENTAILMENT):
        answer = NON_ENTAILMENT
    if answer == NON_ENTAILMENT and not is_two_way:
        raise InvalidInput(
            "PREDICTIONS", f"The answer to {name[:80]!r} is {answer}, and gold has three labels: {ALLOWED}."
        )
    marks = {"accuracy": float(answer == labelled.label)}
    groups = {"label": labelled.label, **labelled.groups}
    if is_two_way and labelled.genre:
        groups["heuristic and label"] = f"{labelled.genre}, {labelled.label}"
    if labelled.model_label is not None:
        groups["beat the model"] = "no" if labelled.model_label == labelled.label else "yes"
    return MeasuredItem(name, labelled.pair.premise, labelled.label, answer, marks, groups)


def _counts(item: MeasuredItem) -> Sequence[float]:
    """Return for each label whether it is gold, the answer, and both."""
    sides = [(item.gold == label, item.answer == label) for label in (*LABELS, NON_ENTAILMENT)]
    return [float(each) for gold, said in sides for each in (gold, said, gold and said)]


def _macro_f1(sums: Matrix) -> Matrix:
    """Return the mean of the labels' F1, 0 to 1, over those that occur in the gold file."""
    gold, said, both = (sums[:, place::3] for place in range(3))
    f1: Matrix = 2 * both / (gold + said).clip(1)
    means: Matrix = (f1 * (gold > 0)).sum(axis=1) / (gold > 0).sum(axis=1).clip(1)
    return means


MEASURES = (
    Measure("accuracy", "accuracy", column="accuracy", is_right=True),
    Measure("macro_f1", "macro-F1", by_group=False, parts=_counts, of=_macro_f1),
)


def _label(name: str, answer: Any) -> GoldLabel | None:
    """Return the label of an answer: a name, the most probable of the three, or None. Raises `InvalidInput`.

    A number is none: models number labels in different orders.
    """
    if isinstance(answer, Mapping) and set(answer) == set(LABELS):
        answer = max(LABELS, key=lambda label: answer[label])
    try:
        found = said(answer, FIELDS)
    except ValueError as error:
        raise InvalidInput("PREDICTIONS", f"The answer to {name[:80]!r} is {error}.") from None
    label = gold_label_named(found)
    if label is None and found is not None:
        raise InvalidInput(
            "PREDICTIONS", f"The answer to {name[:80]!r} is {shown(found)}, no label. Allowed: {ALLOWED}."
        )
    return label
