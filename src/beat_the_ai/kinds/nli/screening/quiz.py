"""A quiz that grades, and what a page may know of it.

On the wire a step is as `PairQuiz.shown` gives it, a premise being {id, title, text}:

    labelling   wordings {label: words}, premises, examples [{premise (id), hypothesis, label, why}],
                items [{id, premise (id), hypothesis}]; answered by {"labels": [label, …]}, one for each item
    writing     premise, target, wording; answered by {"hypothesis": text}

A mistake comes back as {"message", "hint"}. It does not say which labels are wrong: by that they could be guessed. Who
has labelled enough of them right is told {"labelled_right": how many, "wrong": [{id, label, why}]}, the label being
what they chose; who has written something, {"model_label"}.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.labels import Label, Pair, Prediction
from beat_the_ai.kinds.nli.saying import said
from beat_the_ai.kinds.nli.screening.content import LABELLING, WRITING, QuizContent
from beat_the_ai.kinds.nli.writing import WORDING, HypothesisWriting, Work
from beat_the_ai.messages import told
from beat_the_ai.rules.languages import is_english
from beat_the_ai.rules.protocol import Json, Value, read_value
from beat_the_ai.rules.quiz import hint, shown
from beat_the_ai.rules.screening import Grade, SampleHit

PAGE = "nli_qualification"
SAMPLE_TRIES = 5
REPEATED = "repeated"
NOT_A_STATEMENT = "not_a_statement"
WRONG = "wrong"


class Labels(Value):
    """A newcomer's labels of the hypotheses of a quiz, in their order."""

    labels: list[Label] = Field(max_length=100)


class WrittenHypothesis(Value):
    hypothesis: str


@dataclass(frozen=True)
class QuizStep:
    """`kind` is labelling or writing."""

    id: str
    kind: str


@dataclass(frozen=True)
class PairQuiz:
    """The content of a quiz, graded by the rules of a round's hypotheses."""

    content: QuizContent
    writing: HypothesisWriting

    @property
    def digest(self) -> str:
        return self.content.digest

    @property
    def tries_per_step(self) -> int:
        return self.content.tries_per_step

    @cached_property
    def steps(self) -> Sequence[QuizStep]:
        return (QuizStep(LABELLING, LABELLING), *(QuizStep(task.id, WRITING) for task in self.content.writing))

    @property
    def sample(self) -> SampleHit:
        return SampleHit(self.content.sample, 1, wins_wanted=1, max_wins=1, max_tries=SAMPLE_TRIES)

    @property
    def page_config(self) -> Json:
        return {"page": PAGE, "max_hypothesis_chars": self.writing.max_hypothesis_chars}

    def shown(self, step: str) -> Json:
        content = self.content
        if step == LABELLING:
            premises = dict.fromkeys(each.premise for each in content.labelled)
            return {
                "wordings": WORDING,
                "premises": [shown(content.context(name)) for name in premises],
                "examples": [example.model_dump() for example in content.explanations],
                "items": [task.model_dump(include={"id", "premise", "hypothesis"}) for task in content.labelling],
            }
        task_item = content.task_item(step)
        return {"premise": shown(task_item.context), **self.writing.shown(task_item)}

    def grade(self, step: str, payload: object, earlier: Sequence[Json]) -> Grade:
        if step == LABELLING:
            return self._graded_labels(read_value(Labels, payload))
        hypothesis = read_value(WrittenHypothesis, payload).hypothesis
        task_item = self.content.task_item(step)
        work = self.writing.clean(Work(hypothesis=hypothesis), task_item)
        if self.writing.flaw(work, task_item.context) is not None:
            return Grade(work, NOT_A_STATEMENT)
        known = [work["hypothesis"] for work in earlier if "hypothesis" in work]
        known += [each.hypothesis for each in self.content.labelled]
        fingerprints = {self.writing.fingerprint(Work(hypothesis=text)) for text in known}
        return Grade(work, REPEATED if self.writing.fingerprint(work) in fingerprints else None)

    def _graded_labels(self, answer: Labels) -> Grade:
        tasks = self.content.labelling
        if len(answer.labels) != len(tasks):
            raise InvalidInput("labels", f"{len(answer.labels)} labels were given; each of the {len(tasks)} needs one.")
        wrong = {task.id: label for task, label in zip(tasks, answer.labels, strict=True) if label != task.label}
        right = len(tasks) - len(wrong)
        mistake = f"{WRONG} {len(wrong)}" if right < self.content.min_right else None
        return Grade(answer, mistake, {"labelled_right": right, "wrong": wrong})

    def explanation(self, step: str, mistake: str, number: int) -> Json:
        """With the step's own hint: the last one stays."""
        if step == LABELLING:
            wrong = mistake.removeprefix(f"{WRONG} ")
            return {**told(said("nli_refusals.quiz.wrong", wrong=int(wrong))), "hint": None}
        return {
            **told(said(f"nli_refusals.{self._refusal(mistake)}")),
            "hint": hint(self.content.writing_task(step).hints, number),
        }

    def _refusal(self, mistake: str) -> str:
        """Return the message about a mistake. Where the data are not English, only the letters tell a statement."""
        is_other = mistake == NOT_A_STATEMENT and not is_english(self.writing.language)
        return "floor.letters" if is_other else f"quiz.{mistake}"

    def query(self, step: str, work: Labels | Work) -> Pair | None:
        """Return the query about a newcomer's hypothesis. The model's agreement proves nothing: it may be misled."""
        return self.writing.query(work, self.content.task_item(step)) if isinstance(work, Work) else None

    def evidence(self, work: Work, prediction: Prediction) -> Json:
        return {"model_label": prediction.label, "target": work.target}

    def disclosure(self, evidence: Json) -> Json:
        if "labelled_right" in evidence:
            wrong = evidence["wrong"]
            return {
                "labelled_right": evidence["labelled_right"],
                "wrong": [
                    {"id": task.id, "label": wrong[task.id], "why": task.wrong[wrong[task.id]]}
                    for task in self.content.labelling
                    if task.id in wrong
                ],
            }
        return {"model_label": evidence.get("model_label")}
