"""The verification of a hypothesis's label by other people (Nie et al. 2020, "HAMLET").

Two verifiers who agree decide: with the writer, the hypothesis is verified; on another label, they overrule the writer.
If they leave it open, a third one is asked. If no two of three agree, the hypothesis is discarded. It is a verified
model error if the model's label differs from the final one; if they are the same, the model was right.

The writer's bonus is for hypotheses that verifiers confirm ("Annotation details"), so an overruled writer gets none.
The paper only says that verifiers "occasionally" overrule writers. It says nothing of hypotheses that have no label at
all: those are reported with a reason, and two reports discard one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli import labels
from beat_the_ai.kinds.nli.label_names import ALLOWED, label_named
from beat_the_ai.kinds.nli.writing import gold_hypotheses
from beat_the_ai.rules.adjudication import OPEN, Adjudication, Label, Outcome
from beat_the_ai.rules.checking import CheckingText
from beat_the_ai.rules.protocol import Context, Json, Value, read_value
from beat_the_ai.rules.text import folded
from beat_the_ai.statistics.agreement import krippendorff_alpha
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.figure import Figure

VERIFIED = "verified"
OVERRULED = "overruled"
DISCARDED = "discarded"
MAJORITY = 2
VERIFIERS = 3

Flag = Literal["not_a_statement", "not_understandable", "offensive", "other"]


class Vote(Value):
    """A verifier's label, or why the hypothesis should have none."""

    label: labels.Label | None
    flag: Flag | None = Field(default=None, description="the reason why the example is bad; empty if there is a label")

    @model_validator(mode="after")
    def _says_one_thing(self) -> Vote:
        if (self.label is None) == (self.flag is None):
            raise ValueError("either a label or a flag is needed, and not both")
        return self


@dataclass(frozen=True)
class Verification:
    """Votes of a verifier who is, as far as an interval can tell, below `min_gold_accuracy` do not count; 0: all do."""

    vote_type: ClassVar[type[Vote]] = Vote
    most_votes: ClassVar[int] = VERIFIERS
    text: ClassVar[CheckingText] = CheckingText(
        title="Verified model errors",
        kept="verified model errors",
        meaning=(
            "Hypotheses that beat the model, whose label two verifiers confirmed, or replaced by another one that was "
            "not the model's either, of those that were decided."
        ),
        performance=(
            "Of the verified model errors in the dataset: the first verifier of each against its writer; 95% "
            "intervals by a jackknife of the verifiers."
        ),
    )

    min_gold_accuracy: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.min_gold_accuracy <= 1:
            raise InvalidInput("min_gold_accuracy", f"{self.min_gold_accuracy} was given; it must be between 0 and 1.")

    def shown(self, work: Json) -> Json:
        """Neither the target, nor the model's label."""
        return {"hypothesis": work["hypothesis"]}

    def read_vote(self, payload: object, _context: Context) -> Vote:
        return read_value(Vote, payload)

    def author_label(self, work: Json) -> str:
        return str(work["target"])

    def model_label(self, prediction: Json) -> Label:
        return str(prediction["label"])

    def vote_label(self, vote: Json) -> Label:
        """None for a bad example."""
        return None if vote["label"] is None else str(vote["label"])

    def read_labels(self, author: Label, model: Label, votes: Sequence[Label]) -> tuple[Label, Label, Sequence[Label]]:
        """Labels by their names or first letters; of an author None, where it is not known."""
        return _label(author), _label(model), [_label(vote) for vote in votes]

    def references(self, context: Context) -> list[Json]:
        return [work.model_dump() for work in gold_hypotheses(context)]

    def identity(self, work: Json) -> str:
        return folded(str(work["hypothesis"]))

    def agree(self, vote: Label, author: Label) -> bool:
        return vote is not None and vote == author

    def adjudicate(self, author: Label, model: Label, votes: Sequence[Label]) -> Adjudication:
        """Two who agree on a label count as overruling an author whose label is not known."""
        counts = Counter(votes)
        label = max(counts, key=counts.__getitem__, default=None)
        decided = counts[label] >= MAJORITY and list(counts.values()).count(counts[label]) == 1
        if decided and label is not None:
            confirmed, model_right = label == author, label == model
            status = VERIFIED if confirmed else OVERRULED
            return Adjudication(
                status, label, 0, settled=True, kept=not model_right, confirmed=confirmed, model_right=model_right
            )
        if not decided and len(votes) < VERIFIERS:
            return Adjudication(OPEN, None, max(1, MAJORITY - len(votes)), settled=False)
        return Adjudication(DISCARDED, None, 0, settled=True)

    def performance(self, outcomes: Sequence[Outcome], _seed: int, *, adaptive: bool) -> list[Figure]:
        """The first verifier's: a later vote may be there because the first two disagreed."""
        del adaptive  # asking always stops where the status is certain
        right = Clustered()
        for each in outcomes:
            for vote in each.votes[:1]:
                right.add(vote.worker, self.agree(vote.label, self.author_label(each.work)))
        return [Figure.percent("accuracy", right.share, round(right.of))]

    def agreement(self, outcomes: Sequence[Outcome]) -> list[Figure]:
        right = Clustered()
        for each in outcomes:
            author = self.author_label(each.work)
            for vote in each.votes:
                right.add(vote.worker, self.agree(vote.label, author))
        alpha = krippendorff_alpha([[vote.label for vote in each.votes] for each in outcomes])
        return [
            Figure.of("alpha, labels", alpha),
            Figure.of("share of votes with the writer's label", right.share, round(right.of)),
        ]

    def discards(self, _kept: Sequence[bool]) -> bool:
        """Nobody's work for what verifiers say of it; the paper has no such rule."""
        return False


def _label(name: Label) -> Label:
    if name is None:
        return None
    if (label := label_named(name)) is None:
        raise InvalidInput("label", f"{name[:40]!r} is no label. Allowed: {ALLOWED}.")
    return label
