"""A kind of task as somebody else would write it, in a file of their own: hypotheses that have a target label.

The model is beaten when it gives another label than the target. Votes are labels; two that agree decide, and what the
model said after all is no error of its own. Nobody's work is discarded.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Literal
from zlib import crc32

from pydantic import Field

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.adversary.registry import Backend
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.adjudication import OPEN, Adjudication, Label, Outcome
from beat_the_ai.rules.checking import CheckingText
from beat_the_ai.rules.dataset import CardText, Example, OwnFormat
from beat_the_ai.rules.evaluation import NO_REFERENCES, Measure, Measured, MeasuredItem
from beat_the_ai.rules.kind import Judgement, Kind, Words
from beat_the_ai.rules.options import configured
from beat_the_ai.rules.protocol import Context, Json, TaskItem, Value, Verdict, read_value
from beat_the_ai.rules.screening import Grade, SampleHit
from beat_the_ai.statistics.agreement import krippendorff_alpha
from beat_the_ai.statistics.figure import Figure

LABELS = ("entailment", "neutral", "contradiction")


class Work(Value):
    hypothesis: str
    target: str = ""  # the server's, whatever a page says


class Query(Value):
    premise: str
    hypothesis: str


class Prediction(Value):
    label: str
    sure: float


class Scores(Value):
    surprise: float = Field(description="how sure the model was of what it said")


class Explanation(Value):
    why: str


class Vote(Value):
    label: Literal["entailment", "neutral", "contradiction"]


@dataclass(frozen=True)
class Writing:
    work_type: ClassVar[type[Work]] = Work
    query_type: ClassVar[type[Query]] = Query
    prediction_type: ClassVar[type[Prediction]] = Prediction
    scores_type: ClassVar[type[Scores]] = Scores
    explanation_type: ClassVar[type[Explanation]] = Explanation

    most_words: int = 20

    def load_contexts(self, path: Path) -> list[Context]:
        return [Context(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]

    def brief(self, context: Context, slot: int, seed: int) -> Json:
        """Each context's first three slots have each label once."""
        return {"target": Random(f"{seed}/{context.id}").sample(LABELS, 3)[slot % 3]}  # no secret

    def shown(self, task_item: TaskItem) -> Json:
        return dict(task_item.brief)

    def check(self, work: Work, task_item: TaskItem) -> Work:
        if len(work.hypothesis.split()) > self.most_words:
            raise InvalidInput("hypothesis", f"At most {self.most_words} words are allowed.")
        return Work(hypothesis=work.hypothesis.strip(), target=task_item.brief["target"])

    def fingerprint(self, work: Work) -> str:
        return work.hypothesis.lower()[:64]

    def gold(self, context: Context) -> Sequence[Work]:
        return [Work.model_validate(each) for each in context.private.get("known", ())]

    @property
    def repeated(self) -> tuple[str, str]:
        return "hypothesis", "Somebody has written this already."

    def typed(self, work: Json) -> str:
        return str(work["hypothesis"])

    def chosen(self, work: Json) -> str:
        return str(work["target"])

    def query(self, work: Work, task_item: TaskItem) -> Query:
        return Query(premise=task_item.context.text, hypothesis=work.hypothesis)

    def judge(self, work: Work, prediction: Prediction, task_item: TaskItem) -> Verdict:
        return Verdict(prediction.label != task_item.brief["target"], Scores(surprise=prediction.sure))


@dataclass(frozen=True)
class Checking:
    vote_type: ClassVar[type[Vote]] = Vote
    text: ClassVar[CheckingText] = CheckingText("Error rate", "verified", "Hypotheses as labelled.", "All votes.")
    most_votes: ClassVar[int] = 3
    min_gold_accuracy: ClassVar[float] = 0.0

    majority: int = 2

    def shown(self, work: Json) -> Json:
        return {"hypothesis": work["hypothesis"]}

    def read_vote(self, payload: object, _context: Context) -> Vote:
        return read_value(Vote, payload)

    def author_label(self, work: Json) -> str:
        return str(work["target"])

    def model_label(self, prediction: Json) -> Label:
        return str(prediction["label"])

    def vote_label(self, vote: Json) -> Label:
        return str(vote["label"])

    def read_labels(self, author: Label, model: Label, votes: Sequence[Label]) -> tuple[Label, Label, Sequence[Label]]:
        return author, model, votes

    def references(self, context: Context) -> Sequence[Json]:
        return [work.model_dump() for work in Writing().gold(context)]

    def identity(self, work: Json) -> str:
        return str(work["hypothesis"]).lower()

    def agree(self, vote: Label, author: str) -> bool:
        return vote == author

    def adjudicate(self, author: Label, model: Label, votes: Sequence[Label]) -> Adjudication:
        label, most = Counter(votes).most_common(1)[0] if votes else (None, 0)
        if most >= self.majority:
            status = "verified" if label == author else "relabelled"
            kept, confirmed = label != model, label == author
            return Adjudication(status, label, 0, settled=True, kept=kept, confirmed=confirmed)
        if len(votes) < self.most_votes:
            return Adjudication(OPEN, None, max(1, self.majority - len(votes)), settled=False)
        return Adjudication("disputed", None, 0, settled=True)

    def performance(self, outcomes: Sequence[Outcome], _seed: int, *, adaptive: bool) -> list[Figure]:
        del adaptive
        right = [vote.label == self.author_label(each.work) for each in outcomes for vote in each.votes]
        return [Figure("accuracy", 100 * sum(right) / len(right) if right else None, None, len(right), "%")]

    def agreement(self, outcomes: Sequence[Outcome]) -> list[Figure]:
        return [Figure.of("alpha", krippendorff_alpha([[vote.label for vote in each.votes] for each in outcomes]))]

    def discards(self, _kept: Sequence[bool]) -> bool:
        return False


class Row(Value):
    uid: str
    premise: str
    hypothesis: str
    label: str = Field(description="e, n or c, as most people say")


class AnliFile:
    def __init__(self, folder: Path) -> None:
        self.paths = [folder / "anli.json"]
        self.labels: dict[str, list[str | None]] = {}

    def write(self, part: str, examples: Sequence[Example]) -> None:
        self.labels.setdefault(part, []).extend(one.label for one in examples)


@contextmanager
def anli_file(folder: Path) -> Iterator[AnliFile]:
    file = AnliFile(folder)
    yield file
    [path] = file.paths
    path.write_text(json.dumps(file.labels), encoding="utf-8")


class Dataset:
    example_type: ClassVar[type[Row]] = Row
    parts_with_model_right: ClassVar[Collection[str]] = ()
    balanced_by: ClassVar[Sequence[str]] = ()
    formats: ClassVar[Mapping[str, OwnFormat]] = {"anli": anli_file}
    card: ClassVar[CardText] = CardText(
        introduction="Hypotheses that a model mistook.", limits="Many.", task_categories=("text-classification",)
    )

    def aims(self, _item: TaskItem) -> Sequence[str]:
        return ()

    def row(self, example: Example) -> Row:
        label = example.label or example.work["target"]
        return Row(uid=example.id, premise=example.context.text, hypothesis=example.work["hypothesis"], label=label[0])

    def told(self, row: Json) -> tuple[str, Context]:
        return row["uid"], Context("", row["premise"])

    def beaten_means(self, _options: Json) -> str:
        return "another label than the target"


class People:
    """Writers name the label in what they write, so that validators can tell."""

    def works(self, _persona: str, task_item: TaskItem, rng: Random, _memory: Sequence[Judgement] = ()) -> list[Json]:
        return [{"hypothesis": f"A {task_item.brief['target']} claim, {rng.random():.6f}."} for _ in range(5)]

    def explanation(self, work: Json, _piece: TaskItem) -> Json:
        return {"why": f"It says so: {work['hypothesis']}"}

    def vote(self, shown: Json, context: Context, seed: str, *, careful: bool) -> Json:
        rng = Random(f"{seed}/{context.id}/{shown['hypothesis']}")  # a simulation, not a secret
        return {"label": shown["hypothesis"].split()[1] if careful else rng.choice(LABELS)}

    def is_wrong(self, _work: Json, _context: Context) -> bool:
        return False


class QuizFile(Value):
    premise: str
    hypotheses: tuple[tuple[str, str], ...] = Field(description="and their labels, which no page is told")


@dataclass(frozen=True)
class OneStep:
    """The only step: label a hypothesis."""

    id: str = "label"
    kind: str = "label"


@dataclass(frozen=True)
class Quiz:
    """Label the first hypothesis; then write one in a sample HIT."""

    file: QuizFile
    digest: str
    tries_per_step: ClassVar[int] = 2
    steps: ClassVar[Sequence[OneStep]] = (OneStep(),)
    page_config: ClassVar[Json] = {"page": "label_quiz"}

    @property
    def sample(self) -> SampleHit:
        return SampleHit(Context("quiz", self.file.premise), 1, wins_wanted=1, max_wins=2, max_tries=3)

    def shown(self, _step: str) -> Json:
        return {"premise": self.file.premise, "hypothesis": self.file.hypotheses[0][0]}

    def grade(self, _step: str, payload: object, _earlier: Sequence[Json]) -> Grade:
        vote = read_value(Vote, payload)
        return Grade(vote, None if vote.label == self.file.hypotheses[0][1] else "other_label")

    def explanation(self, _step: str, mistake: str, _number: int) -> Json:
        return {"message": f"Most people say something else ({mistake})."}

    def query(self, _step: str, work: Vote) -> Query:
        return Query(premise=self.file.premise, hypothesis=work.label)

    def evidence(self, work: Vote, prediction: Prediction) -> Json:
        return {"model_agrees": prediction.label == work.label}

    def disclosure(self, _evidence: Json) -> Json:
        return {}


@dataclass(frozen=True)
class Newcomers:
    """The malicious always say the same, which is wrong."""

    file: QuizFile

    def response(self, persona: str, _step: str, _rng: Random) -> Json:
        return {"label": "contradiction" if persona == "malicious" else self.file.hypotheses[0][1]}

    def works(self, _persona: str, _brief: Json, _rng: Random) -> list[Json]:
        return [{"hypothesis": "A neutral claim."}]


class Screening:
    def load_quiz(self, path: Path) -> Quiz:
        text = path.read_text("utf-8")
        return Quiz(QuizFile.model_validate_json(text), f"{crc32(text.encode()):064x}")

    def newcomers(self, path: Path) -> Newcomers:
        return Newcomers(self.load_quiz(path).file)


class Evaluation:
    """A gold file has a label for each hypothesis: `[[id, premise, hypothesis, label], …]`."""

    reference: ClassVar[None] = None

    def queries(self, gold: Path) -> list[tuple[str, Query]]:
        rows = json.loads(gold.read_text("utf-8"))
        return [(name, Query(premise=premise, hypothesis=hypothesis)) for name, premise, hypothesis, _ in rows]

    def answer(self, prediction: Prediction) -> str:
        return prediction.label

    def measured(
        self, gold: Path, answers: Mapping[str, Any], _references: Mapping[str, Sequence[str]] = NO_REFERENCES
    ) -> Measured:
        items = [
            MeasuredItem(name, premise, label, answers.get(name), {"accuracy": float(answers.get(name) == label)})
            for name, premise, _, label in json.loads(gold.read_text("utf-8"))
        ]
        accuracy = Measure("accuracy", "accuracy", "accuracy", is_right=True)
        missing = sum(item.answer is None for item in items)
        return Measured(items, [accuracy], "hypotheses", "premises", missing, len(answers) + missing - len(items))


def kind(options: Mapping[str, Any], rules: Mapping[str, Any], _language: str) -> Kind:
    return Kind(
        "labels",
        Words("hypothesis", "hypotheses", "premise", "premises"),
        configured(Writing, "task.options", options),
        Dataset(),
        configured(Checking, "validation.rules", rules),
        people=People(),
        screening=Screening(),
        evaluation=Evaluation(),
    )


class Stubborn:
    """A model that always says the same: its name."""

    query_type: ClassVar[type[Query]] = Query

    def __init__(self, label: str, _options: LoadOptions) -> None:
        self._label = label
        self.identity = ModelIdentity(label, "labels", "0" * 64, "fp32")

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        return [Prediction(label=self._label, sure=0.75) for _ in queries]


BACKEND = Backend(Stubborn, frozenset({"labels"}))
