"""A quiz as it stands in its file: examples of each label, hypotheses to label, premises to write about.

In `labelling` the label and what is `wrong` with the others are keys, and so is every `reference`: they stay here.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from pydantic import Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.labels import LABELS, Label
from beat_the_ai.kinds.nli.writing import HypothesisWriting, Work
from beat_the_ai.rules.protocol import Context, TaskItem, Value
from beat_the_ai.rules.quiz import Name, QuizFile, QuizText, Text, check_texts, read_quiz

LABELLING = "labelling"
WRITING = "writing"


class LabelledHypothesis(Value):
    premise: Name
    hypothesis: Text
    label: Label


class Explanation(LabelledHypothesis):
    """An example of a label, and why it is right."""

    why: Text


class LabellingTask(LabelledHypothesis):
    """A hypothesis to label; `wrong` tells those who chose another label why it is not right."""

    id: Name
    wrong: dict[Label, Text]


class WritingTask(Value):
    """A hypothesis to write that has the label; `reference` is one. `hints[n]` is shown after mistake number n + 1."""

    id: Name
    premise: Name
    label: Label
    hints: tuple[Text, ...] = ()
    reference: Text


class QuizContent(QuizFile):
    """A whole quiz. Of the hypotheses in `labelling` at least `min_right` have to be labelled right.

    The sample HIT is about the premise of the last of `writing`.
    """

    min_right: int = Field(default=8, ge=1)
    premises: dict[Name, QuizText]
    explanations: tuple[Explanation, ...]
    labelling: tuple[LabellingTask, ...]
    writing: tuple[WritingTask, ...] = Field(min_length=1)

    @property
    def labelled(self) -> list[LabelledHypothesis]:
        """All that newcomers are shown, examples first."""
        return [*self.explanations, *self.labelling]

    @property
    def labels(self) -> list[Label]:
        return [task.label for task in self.labelling]

    @property
    def sample(self) -> Context:
        return self.context(self.writing[-1].premise)

    def context(self, premise: str) -> Context:
        return Context(premise, self.premises[premise].text, self.premises[premise].title)

    def writing_task(self, step: str) -> WritingTask:
        return next(task for task in self.writing if task.id == step)

    def task_item(self, step: str) -> TaskItem:
        """Return the demand of a step of writing, as a HIT has it."""
        task = self.writing_task(step)
        return TaskItem(self.context(task.premise), {"target": task.label})

    def right_response(self, step: str) -> dict[str, Any]:
        """Return what a page would send for a step if it knew the keys."""
        if step == LABELLING:
            return {"labels": self.labels}
        return {"hypothesis": self.writing_task(step).reference}


def load_content(path: Path, writing: HypothesisWriting) -> QuizContent:
    """A quiz, checked as a whole. Raises `InvalidInput` that says where in the file and what is wrong there."""

    def check(quiz: QuizContent) -> None:
        _check_names(quiz)
        _check_labels(quiz)
        _check_references(quiz, writing)

    return read_quiz(path, QuizContent, check)


def _check_names(quiz: QuizContent) -> None:
    ids = [*(task.id for task in quiz.labelling), *(task.id for task in quiz.writing)]
    for name, times in Counter(ids).items():
        if times > 1 or name == LABELLING:
            raise InvalidInput("quiz", f"The id {name!r} is used {times} times, or by the quiz; each needs its own.")
    used = {
        "explanations": [each.premise for each in quiz.explanations],
        LABELLING: [task.premise for task in quiz.labelling],
        WRITING: [task.premise for task in quiz.writing],
    }
    places = [(f"{place}.{number}", name) for place, names in used.items() for number, name in enumerate(names)]
    check_texts(quiz.premises, "premise", places)


def _check_labels(quiz: QuizContent) -> None:
    """An example of each label, a hypothesis of each label to be found, and a bound that can be missed and reached."""
    for place, labels in (("explanations", [each.label for each in quiz.explanations]), (LABELLING, quiz.labels)):
        for label in LABELS:
            if label not in labels:
                raise InvalidInput("quiz", f"{place}: there is nothing with the label {label}; each label is needed.")
    for number, task in enumerate(quiz.labelling):
        if {task.label, *task.wrong} != set(LABELS) or task.label in task.wrong:
            raise InvalidInput("quiz", f"{LABELLING}.{number}.wrong: both labels but {task.label} are needed.")
    most = max(Counter(quiz.labels).values())
    if not most < quiz.min_right <= len(quiz.labelling):
        raise InvalidInput(
            "quiz",
            f"min_right={quiz.min_right}: with {len(quiz.labelling)} hypotheses it must be {most + 1} to "
            f"{len(quiz.labelling)}, so that saying the same of all of them is not enough.",
        )


def _check_references(quiz: QuizContent, writing: HypothesisWriting) -> None:
    for number, task in enumerate(quiz.writing):
        try:
            writing.check(Work(hypothesis=task.reference), quiz.task_item(task.id))
        except InvalidInput as error:
            message = f"{WRITING}.{number}: its own reference breaks a rule: {error}"
            raise InvalidInput("quiz", message) from None
