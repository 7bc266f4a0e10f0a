"""Adversarial NLI as in HAMLET (Nie et al. 2020, "Annotation details"): a premise, a target label, a hypothesis.

The model is beaten when the label that it finds most probable is not the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import ClassVar

from pydantic import Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair, Prediction
from beat_the_ai.kinds.nli.premises import load_premises
from beat_the_ai.kinds.nli.saying import said
from beat_the_ai.kinds.nli.statement_floor import StatementFloor
from beat_the_ai.rules.languages import ENGLISH, is_english
from beat_the_ai.rules.options import NO_OPTION
from beat_the_ai.rules.protocol import Context, Json, TaskItem, Value, Verdict
from beat_the_ai.rules.text import clean_line, folded

NAME = "nli"
WORDING: dict[Label, str] = {
    "entailment": "definitely correct",
    "neutral": "neither definitely correct nor definitely incorrect",
    "contradiction": "definitely incorrect",
}


class Work(Value):
    """A hypothesis, and the label that it was to have."""

    hypothesis: str
    target: Label | None = Field(default=None, description="the label that the HIT asked for")


class Scores(Value):
    """The figures on which the verdict depended."""

    target_probability: float = Field(description="the probability that the model gave the target label")
    margin: float = Field(
        description="the target's probability minus that of the most probable other label; below 0 the model is beaten"
    )


class Explanation(Value):
    """Why the label is right, and the model was not ("HAMLET"; "Discussion")."""

    label_reason: str = Field(description="why the target label is right")
    model_reason: str = Field(description="why the model may have been fooled")


@dataclass(frozen=True)
class HypothesisWriting:
    """The rules of writing hypotheses. Premises have 250 to 600 characters (Nie et al. 2020, "Round 1").

    The last three options and `min_hypothesis_words` keep a statement a statement (`StatementFloor`).
    """

    work_type: ClassVar[type[Work]] = Work
    query_type: ClassVar[type[Pair]] = Pair
    prediction_type: ClassVar[type[Prediction]] = Prediction
    scores_type: ClassVar[type[Scores]] = Scores
    explanation_type: ClassVar[type[Explanation]] = Explanation

    min_premise_chars: int = 250
    max_premise_chars: int = 600
    min_hypothesis_words: int = 2
    max_hypothesis_chars: int = 300
    min_known_share: float = 0.5
    statement_shape: bool = True
    premise_script: bool = True
    language: str = field(default=ENGLISH, metadata=NO_OPTION)

    def __post_init__(self) -> None:
        if not 1 <= self.min_premise_chars <= self.max_premise_chars:
            raise InvalidInput(
                "task.options",
                f"min_premise_chars={self.min_premise_chars} and max_premise_chars={self.max_premise_chars}: neither "
                "may be below 1, nor the first above the second.",
            )
        if self.min_hypothesis_words < 1 or self.max_hypothesis_chars < 1:
            raise InvalidInput(
                "task.options",
                f"min_hypothesis_words={self.min_hypothesis_words} and max_hypothesis_chars="
                f"{self.max_hypothesis_chars} were given; each must be at least 1.",
            )

        _ = self._floor  # checked once, when the campaign starts

    @cached_property
    def _floor(self) -> StatementFloor:
        options = (self.min_hypothesis_words, self.min_known_share, self.statement_shape, self.premise_script)
        return StatementFloor(*options, english=is_english(self.language))

    def load_contexts(self, path: Path) -> list[Context]:
        """Premises from JSON Lines (`premises.load_premises`)."""
        return load_premises(path, self.min_premise_chars, self.max_premise_chars)

    def brief(self, context: Context, slot: int, seed: int) -> Json:
        """The target label. Every three slots in a row have each label once, in the context's own order."""
        order = Random(f"{seed}/{context.id}").sample(LABELS, len(LABELS))  # noqa: S311  # to be repeated, no secret
        return {"target": order[slot % len(LABELS)]}

    def shown(self, task_item: TaskItem) -> Json:
        """The target and its wording, by which the paper asks for it."""
        target = task_item.brief["target"]
        return {"target": target, "wording": WORDING[target]}

    def check(self, work: Work, task_item: TaskItem) -> Work:
        cleaned = self.clean(work, task_item)
        flaw = self.flaw(cleaned, task_item.context)
        if flaw is not None:
            raise InvalidInput("hypothesis", flaw)
        return cleaned

    def clean(self, work: Work, task_item: TaskItem) -> Work:
        """Check all but the floor for what a statement is, which newcomers learn by falling through it.

        Raises `InvalidInput`.
        """
        premise = task_item.context.text
        most = self.max_hypothesis_chars
        hypothesis = clean_line("hypothesis", work.hypothesis, max_chars=most, context=premise, called="statement")
        words = _words(hypothesis)
        if not words:
            raise InvalidInput("hypothesis", said("nli_refusals.no_words"))
        if _stands_in(words, _words(premise)):
            raise InvalidInput("hypothesis", said("nli_refusals.copied"))
        return Work(hypothesis=hypothesis, target=task_item.brief["target"])

    def flaw(self, work: Work, context: Context) -> str | None:
        """Say why a work that is clean makes no statement about the premise, and what to do; None if it may be one."""
        return self._floor.flaw(work.hypothesis, context.text)

    def fingerprint(self, work: Work) -> str:
        """Return the fingerprint of the hypothesis, whatever its target."""
        return blake2b(folded(work.hypothesis).encode(), digest_size=16).hexdigest()

    def gold(self, context: Context) -> list[Work]:
        return gold_hypotheses(context)

    @property
    def repeated(self) -> tuple[str, str]:
        return "hypothesis", said("nli_refusals.repeated")

    def typed(self, work: Json) -> str:
        return str(work["hypothesis"])

    def chosen(self, work: Json) -> str:
        return str(work["target"])

    def query(self, work: Work, task_item: TaskItem) -> Pair:
        return Pair(premise=task_item.context.text, hypothesis=work.hypothesis)

    def judge(self, _work: Work, prediction: Prediction, task_item: TaskItem) -> Verdict:
        target = task_item.brief["target"]
        probabilities = prediction.probabilities.model_dump()
        rival = max(probability for label, probability in probabilities.items() if label != target)
        scores = Scores(target_probability=probabilities[target], margin=probabilities[target] - rival)
        return Verdict(prediction.label != target, scores)


def gold_hypotheses(context: Context) -> list[Work]:
    """Return the hypotheses that stand with a premise and are marked as gold, with their labels."""
    known = context.private.get("hypotheses", [])
    return [Work(hypothesis=each["text"], target=each["label"]) for each in known if each["gold"]]


def _words(text: str) -> list[str]:
    """Without case and punctuation."""
    return [word for word in map(folded, text.split()) if word]


def _stands_in(words: Sequence[str], text: Sequence[str]) -> bool:
    return f" {' '.join(words)} " in f" {' '.join(text)} "
