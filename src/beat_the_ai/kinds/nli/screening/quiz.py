"""A quiz that grades, and what a page may know of it.

On the wire a step is as `Quiz.shown` gives it:

    labelling   instruction, wordings {label: words}, examples [{premise, hypothesis, label, why}],
                items [{premise, hypothesis}]; answered by {"labels": [label, …]}, one for each item
    writing     instruction, premise, target, wording; answered by {"hypothesis": text}

A mistake comes back as {"message"}. Whoever has labelled enough pairs right is told {"right", "items": [{label, why}]},
and whoever has written something {"model_label"}.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.labels import Label, Pair, Prediction
from beat_the_ai.kinds.nli.screening.content import LABELLING, SAMPLE, WRITING, QuizContent
from beat_the_ai.kinds.nli.writing import WORDING, HypothesisWriting, Work
from beat_the_ai.rules.protocol import Context, Json, Value, read_value
from beat_the_ai.rules.screening import Grade, SampleHit

PAGE = "nli_qualification"
REPEATED = "repeated"
WRONG = "wrong"
INSTRUCTIONS = {
    LABELLING: "Read each text, and say whether the statement about it is correct, incorrect or neither. Judge by the "
    "text and by what everybody knows.",
    WRITING: "Write a statement about the text that is {wording}.",
}


class Labels(Value):
    """What a newcomer says of the pairs of a quiz, in their order."""

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
        writing = (QuizStep(f"{WRITING}-{number + 1}", WRITING) for number in range(len(self.content.writing)))
        return (QuizStep(LABELLING, LABELLING), *writing)

    @property
    def sample(self) -> SampleHit:
        sample = self.content.sample
        return SampleHit(Context(SAMPLE, sample.premise), 1, 1, 1, sample.max_tries)

    @property
    def page_config(self) -> Json:
        return {"page": PAGE, "max_hypothesis_chars": self.writing.max_hypothesis_chars}

    def shown(self, step: str) -> Json:
        if step == LABELLING:
            pairs = self.content.labelling
            return {
                "instruction": INSTRUCTIONS[LABELLING],
                "wordings": WORDING,
                "examples": [example.model_dump() for example in self.content.explanations],
                "items": [{"premise": pair.premise, "hypothesis": pair.hypothesis} for pair in pairs],
            }
        piece = self.content.piece(step)
        aim = self.writing.shown(piece)
        return {"instruction": INSTRUCTIONS[WRITING].format(**aim), "premise": piece.context.text, **aim}

    def grade(self, step: str, payload: object, earlier: Sequence[Json]) -> Grade:
        if step == LABELLING:
            return self._graded_labels(read_value(Labels, payload))
        hypothesis = read_value(WrittenHypothesis, payload).hypothesis
        work = self.writing.check(Work(hypothesis=hypothesis), self.content.piece(step))
        known = [work["hypothesis"] for work in earlier if "hypothesis" in work]
        known += [pair.hypothesis for pair in (*self.content.explanations, *self.content.labelling)]
        fingerprints = {self.writing.fingerprint(Work(hypothesis=text)) for text in known}
        return Grade(work, REPEATED if self.writing.fingerprint(work) in fingerprints else None)

    def _graded_labels(self, answer: Labels) -> Grade:
        keys = self.content.labels
        if len(answer.labels) != len(keys):
            raise InvalidInput("labels", f"{len(answer.labels)} labels were given; each of the {len(keys)} needs one.")
        wrong = [number for number, label in enumerate(answer.labels) if label != keys[number]]
        right = len(keys) - len(wrong)
        mistake = f"{WRONG} {len(wrong)}" if right < self.content.min_right else None
        return Grade(answer, mistake, {"right": right})

    def explained(self, _step: str, mistake: str, _number: int) -> Json:
        if mistake == REPEATED:
            return {"message": "This stands in this quiz already. Please write a statement of your own."}
        wrong = mistake.removeprefix(f"{WRONG} ")
        return {"message": f"{wrong} of these are wrong. Look at the examples once more."}

    def query(self, step: str, work: Labels | Work) -> Pair | None:
        """What newcomers wrote. A model that is beaten speaks for nobody: a person has to confirm the label."""
        return self.writing.query(work, self.content.piece(step)) if isinstance(work, Work) else None

    def evidence(self, work: Work, prediction: Prediction) -> Json:
        return {"model_label": prediction.label, "target": work.target}

    def told(self, evidence: Json) -> Json:
        if "right" in evidence:
            items = [{"label": pair.label, "why": pair.why} for pair in self.content.labelling]
            return {"right": evidence["right"], "items": items}
        return {"model_label": evidence.get("model_label")}
