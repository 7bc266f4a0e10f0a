"""Whether people can answer a question as its writer does (Bartolo et al. 2020, §4.1 and appendix B).

A question is answerable if at least one of three validators gives the writer's answer: the same text after SQuAD's
normalisation, or, by option, one whose words overlap with it. The paper leaves open what "matching" means; exact match
is the stricter reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules import squad
from beat_the_ai.rules.adjudication import OPEN, Adjudication, Label

ANSWERABLE = "answerable"
UNANSWERABLE = "unanswerable"


@dataclass(frozen=True)
class Answerability:
    """`overlap` None asks for an exact match; otherwise a word F1 above it is a match, as for the model's answers.

    Votes of a validator who is, as far as an interval can tell, below `min_gold_accuracy` do not count; 0 counts all.
    """

    name: ClassVar[str] = "reading_comprehension"
    kept: ClassVar[frozenset[str]] = frozenset({ANSWERABLE})

    votes_wanted: int = 3
    overlap: float | None = None
    min_gold_accuracy: float = 0.0

    def __post_init__(self) -> None:
        if self.votes_wanted < 1:
            raise InvalidInput("votes_wanted", f"votes_wanted={self.votes_wanted} was given; at least 1 is needed.")
        if self.overlap is not None and not 0 <= self.overlap < 1:
            raise InvalidInput("overlap", f"overlap={self.overlap} was given; it must be at least 0 and below 1.")
        if not 0 <= self.min_gold_accuracy <= 1:
            raise InvalidInput("min_gold_accuracy", f"{self.min_gold_accuracy} was given; it must be between 0 and 1.")

    def agree(self, vote: Label, author: str) -> bool:
        return vote is not None and _matches(vote, author, self.overlap)

    def adjudicate(self, author: str, votes: Sequence[Label]) -> Adjudication:
        missing = max(0, self.votes_wanted - len(votes))
        if any(self.agree(vote, author) for vote in votes):
            return Adjudication(ANSWERABLE, author, missing, settled=True)
        if missing:
            return Adjudication(OPEN, None, missing, settled=False)
        return Adjudication(UNANSWERABLE, None, 0, settled=True)


@lru_cache(65536)  # the same votes are looked at again for every HIT that is drawn
def _matches(vote: str, author: str, overlap: float | None) -> bool:
    return squad.exact_match(vote, author) if overlap is None else squad.f1(vote, author) > overlap
