"""The answerability of a question: whether people answer as its writer does (Bartolo et al. 2020, §3.3, Appendix B).

A question is answerable if at least one of three validators gives the writer's answer. That is the same text after
SQuAD's normalisation, or, by option, a text whose words overlap with it. The paper leaves open what "matching" means;
exact match is the stricter reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.agreement import span_alpha
from beat_the_ai.kinds.reading_comprehension.performance import human_performance
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension, Span, cuts_words_of
from beat_the_ai.rules.adjudication import OPEN, Adjudication, Label, Outcome
from beat_the_ai.rules.checking import CheckingText
from beat_the_ai.rules.options import NO_OPTION
from beat_the_ai.rules.protocol import Context, Json, Value, read_value
from beat_the_ai.statistics.agreement import krippendorff_alpha
from beat_the_ai.statistics.figure import Figure

ANSWERABLE = "answerable"
UNANSWERABLE = "unanswerable"
LEAST_ANSWERABLE_SHARE = 0.5


class Vote(Value):
    """A validator's answer; None says that the question cannot be answered from the passage."""

    answer: Span | None


@dataclass(frozen=True)
class Answerability:
    """`overlap` None asks for an exact match; otherwise a word F1 above it, as SQuAD evaluates, is a match.

    Votes of a validator who is, as far as an interval can tell, below `min_gold_accuracy` do not count; 0 counts all.
    """

    vote_type: ClassVar[type[Vote]] = Vote
    text: ClassVar[CheckingText] = CheckingText(
        title="Answerability",
        kept="answerable",
        meaning=(
            "Questions that somebody else answered as their writer did, of those that were decided, before the writers "
            "with less than half of their questions answerable are discarded."
        ),
        performance=(
            "Exact match and word-overlap F1 of the writer's answer and that of one validator for each question, drawn "
            "at random (the first one where asking stopped early). It is of the questions in the dataset that "
            "validators answered, without those that are unanswerable; 95% intervals by a "
            "jackknife of the validators."
        ),
        discarded="less than half of the questions were valid",
    )

    votes_wanted: int = 3
    overlap: float | None = None
    min_gold_accuracy: float = 0.0
    writing: ReadingComprehension = field(default_factory=ReadingComprehension, metadata=NO_OPTION)

    def __post_init__(self) -> None:
        if self.votes_wanted < 1:
            raise InvalidInput("votes_wanted", f"votes_wanted={self.votes_wanted} was given; at least 1 is needed.")
        if self.overlap is not None and not 0 <= self.overlap < 1:
            raise InvalidInput("overlap", f"overlap={self.overlap} was given; it must be at least 0 and below 1.")
        if not 0 <= self.min_gold_accuracy <= 1:
            raise InvalidInput("min_gold_accuracy", f"{self.min_gold_accuracy} was given; it must be between 0 and 1.")

    @property
    def most_votes(self) -> int:
        return self.votes_wanted

    def shown(self, work: Json) -> Json:
        return {"question": work["question"]}

    def read_vote(self, payload: object, context: Context) -> Vote:
        vote = read_value(Vote, payload)
        if vote.answer is not None:
            self.writing.check_answer(vote.answer, context)
        return vote

    def author_label(self, work: Json) -> str:
        return str(work["answer"]["text"])

    def model_label(self, prediction: Json) -> Label:
        return str(prediction["text"])

    def vote_label(self, vote: Json) -> Label:
        return None if vote["answer"] is None else str(vote["answer"]["text"])

    def read_labels(self, author: Label, model: Label, votes: Sequence[Label]) -> tuple[Label, Label, Sequence[Label]]:
        if author is None:
            raise InvalidInput("author", "author: null was given; the writer's answer is needed.")
        if not self.writing.normal(author):
            raise InvalidInput("author", f"author: {author[:80]!r} has no word that counts; an answer is needed.")
        return author, model, votes

    def references(self, context: Context) -> list[Json]:
        """Return the gold, but for questions whose answer cuts words: nobody could give it."""
        return [work.model_dump() for work in self.writing.gold(context) if not cuts_words_of(context, work.answer)]

    def identity(self, work: Json) -> str:
        """Return the identity of the question, whatever its answer."""
        return " ".join(str(work["question"]).lower().split())

    def agree(self, vote: Label, author: Label) -> bool:
        return vote is not None and author is not None and _matches(vote, author, self.overlap, self.writing.normal)

    def adjudicate(self, author: Label, _model: Label, votes: Sequence[Label]) -> Adjudication:
        missing = max(0, self.votes_wanted - len(votes))
        if any(self.agree(vote, author) for vote in votes):
            return Adjudication(ANSWERABLE, author, missing, settled=True, kept=True, confirmed=True)
        if missing:
            return Adjudication(OPEN, None, missing, settled=False)
        return Adjudication(UNANSWERABLE, None, 0, settled=True)

    def performance(self, outcomes: Sequence[Outcome], seed: int, *, adaptive: bool) -> list[Figure]:
        return human_performance(outcomes, self.author_label, seed, adaptive=adaptive, normal=self.writing.normal)

    def agreement(self, outcomes: Sequence[Outcome]) -> list[Figure]:
        said = [[vote.label for vote in each.votes] for each in outcomes]
        answered = krippendorff_alpha([[label is None for label in labels] for labels in said])
        return [
            Figure.of("alpha, answered or not", answered),
            Figure.of("alpha, answers by word overlap", span_alpha(said, self.writing.normal)),
        ]

    def discards(self, kept: Sequence[bool]) -> bool:
        """§3.3: "discard all data from any workers with less than half of their questions answerable"."""
        return sum(kept) < LEAST_ANSWERABLE_SHARE * len(kept)


@lru_cache(65536)  # the same votes are looked at again for every HIT that is drawn
def _matches(vote: str, author: str, overlap: float | None, normal: squad.Normal) -> bool:
    return squad.exact_match(vote, author, normal) if overlap is None else squad.f1(vote, author, normal) > overlap
