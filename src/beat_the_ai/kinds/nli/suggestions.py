"""Suggestions of a model to those who write hypotheses: a hypothesis for a target label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from beat_the_ai.kinds.nli.labels import Label
from beat_the_ai.kinds.nli.writing import HypothesisWriting, Work
from beat_the_ai.rules.protocol import Context, TaskItem, Value


class SuggestedHypothesis(Value):
    """A hypothesis, and the label that it is to have."""

    hypothesis: str
    target: Label


@dataclass(frozen=True)
class HypothesisSuggestions:
    """Suggestions of hypotheses under the rules of writing them."""

    suggestion_type: ClassVar[type[SuggestedHypothesis]] = SuggestedHypothesis

    writing: HypothesisWriting

    def check(self, suggestion: SuggestedHypothesis, context: Context) -> SuggestedHypothesis:
        aim = TaskItem(context, {"target": suggestion.target})
        work = self.writing.check(Work(hypothesis=suggestion.hypothesis), aim)
        return SuggestedHypothesis(hypothesis=work.hypothesis, target=suggestion.target)

    def suits(self, suggestion: SuggestedHypothesis, task_item: TaskItem) -> bool:
        """Return whether the HIT has its target."""
        return bool(task_item.brief["target"] == suggestion.target)
