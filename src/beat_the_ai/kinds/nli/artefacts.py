"""Artefacts of pairs: a label that is told without relating the hypothesis to its premise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from beat_the_ai.kinds.nli.writing import Work
from beat_the_ai.rules.artefacts import PART, Baseline, Features, Naming, Trace, bag, share_within
from beat_the_ai.rules.corpora import LabelledWork
from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.protocol import TaskItem

HYPOTHESIS = Baseline(
    "hypothesis only",
    "The label by the words of the hypothesis.",
    "Gururangan et al. 2018; Poliak et al. 2018",
)
PREMISE = Baseline("premise only", "The label by the words of the premise, which its writer was given.", "a control")
OVERLAP = Baseline(
    "overlap only",
    "The label by the share of the hypothesis's words that the premise has, in tenths.",
    "Naik et al. 2018; McCoy et al. 2019",
)


class PairArtefacts:
    label: ClassVar[str] = "label"
    natural: ClassVar[str] = ""
    baselines: ClassVar[Sequence[Baseline]] = (HYPOTHESIS, PREMISE, OVERLAP)

    def work(self, example: Example) -> LabelledWork:
        work = Work.model_validate({**example.work, "target": example.label or example.work["target"]})
        return LabelledWork(example.id, TaskItem(example.context), work, {PART: example.part}, example.fooled)

    def traces(self, works: Sequence[LabelledWork]) -> Sequence[Trace]:
        premises: dict[str, Features] = {}
        return [_trace(work, premises) for work in works]


def _trace(one: LabelledWork, premises: dict[str, Features]) -> Trace:
    assert isinstance(one.work, Work), "a work of this kind"
    assert one.work.target is not None, "a work with its label"
    text, premise = one.work.hypothesis, one.task_item.context.text
    if premise not in premises:
        premises[premise] = bag(premise)
    words, of_premise = bag(text), premises[premise]
    shared = share_within(words, set(of_premise))
    tenth = () if shared is None else (f"{int(10 * shared)} tenths",)
    label = one.work.target
    guesses = {
        HYPOTHESIS.name: Naming(words, label),
        PREMISE.name: Naming(of_premise, label),
        OVERLAP.name: Naming(tenth, label),
    }
    return Trace(one.id, one.groups.get(PART, ""), premise, text, label, words, shared, guesses=guesses)
