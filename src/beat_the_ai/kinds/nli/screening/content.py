"""A quiz as it stands in its file: examples of each label, hypotheses to label, premises to write about.

The labels of `labelling`, and every `reference`, are keys and stay here.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from beat_the_ai.data_file import read_data_file
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.labels import LABELS, Label
from beat_the_ai.kinds.nli.writing import HypothesisWriting, Work
from beat_the_ai.rules.protocol import Context, Piece, Value

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,80}$")]
Text = Annotated[str, Field(pattern=r"\S")]
LABELLING = "labelling"
WRITING = "writing"
SAMPLE = "sample"


class LabelledPair(Value):
    """A pair with its label and why it has it: an example, or, where newcomers have to find the label, a key."""

    premise: Text
    hypothesis: Text
    label: Label
    why: Text


class WritingTask(Value):
    """A premise and a target label; a good writer could have written `reference`."""

    premise: Text
    target: Label
    reference: Text


class Sample(Value):
    """The sample HIT; each HIT's target is drawn as in a campaign, so there is a reference for each label."""

    premise: Text
    references: dict[Label, Text]
    max_tries: int = Field(default=5, ge=1)


class QuizContent(Value):
    """A whole quiz. Of the pairs in `labelling` at least `min_right` have to be labelled right."""

    name: Name
    tries_per_step: int = Field(default=2, ge=1)
    min_right: int = Field(ge=1)
    explanations: tuple[LabelledPair, ...]
    labelling: tuple[LabelledPair, ...]
    writing: tuple[WritingTask, ...] = ()
    sample: Sample

    @cached_property
    def digest(self) -> str:
        """Names the exact content, for those who later ask which quiz a worker took."""
        return sha256(self.model_dump_json().encode()).hexdigest()

    @property
    def labels(self) -> list[Label]:
        return [pair.label for pair in self.labelling]

    def piece(self, step: str) -> Piece:
        """What the step of writing asks for, as a HIT does."""
        task = self.writing[int(step.removeprefix(f"{WRITING}-")) - 1]
        return Piece(Context(step, task.premise), {"target": task.target})

    def right_response(self, step: str) -> dict[str, Any]:
        """What a page would send for a step if it knew the keys."""
        if step == LABELLING:
            return {"labels": self.labels}
        return {"hypothesis": self.writing[int(step.removeprefix(f"{WRITING}-")) - 1].reference}


def load_content(path: Path, writing: HypothesisWriting) -> QuizContent:
    """A quiz, checked as a whole. Raises `InvalidInput` that says where in the file and what is wrong there."""
    quiz = read_data_file(path, QuizContent, "quiz")
    try:
        _check_labels(quiz)
        _check_references(quiz, writing)
    except InvalidInput as error:
        raise InvalidInput("quiz", f"The quiz {path} is not as it should be. {error}") from None
    return quiz


def _check_labels(quiz: QuizContent) -> None:
    """An example of each label, a pair of each label to be found, and a bound that can be missed and reached."""
    for place, pairs in (("explanations", quiz.explanations), (LABELLING, quiz.labelling)):
        counts = Counter(pair.label for pair in pairs)
        missing = [label for label in LABELS if not counts[label]]
        if missing:
            raise InvalidInput("quiz", f"{place}: there is nothing with the label {missing[0]}; each label is needed.")
    most = max(Counter(quiz.labels).values())
    if not most < quiz.min_right <= len(quiz.labelling):
        raise InvalidInput(
            "quiz",
            f"min_right={quiz.min_right}: with {len(quiz.labelling)} pairs it must be {most + 1} to "
            f"{len(quiz.labelling)}, so that saying the same of all of them is not enough.",
        )


def _check_references(quiz: QuizContent, writing: HypothesisWriting) -> None:
    missing = [label for label in LABELS if label not in quiz.sample.references]
    if missing:
        raise InvalidInput("quiz", f"{SAMPLE}.references: there is none for {missing[0]}; each label needs one.")
    for number, task in enumerate(quiz.writing):
        _check_reference(f"{WRITING}.{number}", task.premise, task.target, task.reference, writing)
    for label, reference in quiz.sample.references.items():
        _check_reference(f"{SAMPLE}.references.{label}", quiz.sample.premise, label, reference, writing)


def _check_reference(where: str, premise: str, target: Label, reference: str, writing: HypothesisWriting) -> None:
    if "\0" in premise:
        raise InvalidInput("quiz", f"{where}: the premise has a NUL, which no store can keep.")
    try:
        writing.check(Work(hypothesis=reference), Piece(Context(where, premise), {"target": target}))
    except InvalidInput as error:
        raise InvalidInput("quiz", f"{where}: its own reference breaks a rule: {error}") from None
