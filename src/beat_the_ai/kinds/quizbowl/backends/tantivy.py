"""Retrieval over texts about pages, in this process: no network, no server ("Trick Me If You Can", §3.2).

A source is the name of a shipped collection (`sample`), or a file of questions.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.kinds.quizbowl.collection import collection_file, missing, read_questions
from beat_the_ai.kinds.quizbowl.guesses import Prediction, Query
from beat_the_ai.kinds.quizbowl.reader import Guesser, QuestionReader, Ranking, Reasons
from beat_the_ai.kinds.quizbowl.retrieval import Retrieval, Source
from beat_the_ai.kinds.quizbowl.writing import NAME

PRECISION = "exact"
TEMPERATURE = 3.0  # of BM25's scores


def load(source: str, options: LoadOptions) -> RetrievalModel:
    """Build the index of a file of questions; where the threads run is tantivy's."""
    if options.precision is not None:
        raise InvalidInput("precision", f"{options.precision!r} was given; retrieval has no precision to choose.")
    if (path := collection_file(source)) is None:
        raise AdversaryError(missing(source))
    questions = read_questions(path, "adversary")
    retrieval = Retrieval.build(Source(question.page, question.text) for question in questions if question.page)
    identity = ModelIdentity(path.stem, NAME, hashlib.sha256(path.read_bytes()).hexdigest(), PRECISION)
    return RetrievalModel(identity, RetrievalGuesser(retrieval))


@dataclass(frozen=True)
class RetrievalModel:
    """Retrieval behind a guesser, which any number of threads may ask."""

    query_type: ClassVar[type[Query]] = Query

    identity: ModelIdentity
    guesser: Guesser

    def stream(self) -> RetrievalModel:
        return RetrievalModel(self.identity, self.guesser)

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        return self._reader.predict(queries)

    @cached_property
    def _reader(self) -> QuestionReader:
        return QuestionReader(self.guesser)


@dataclass(frozen=True)
class RetrievalGuesser:
    """Confidence is a softmax over the scores of the pages that were found."""

    retrieval: Retrieval
    temperature: float = TEMPERATURE

    def rankings(self, texts: Sequence[str]) -> list[Ranking]:
        return [ranking(self.retrieval.scores(text), self.temperature) for text in texts]

    def reasons(self, text: str, page: str) -> Reasons:
        evidence = self.retrieval.evidence(text, page)
        return Reasons(evidence, self.retrieval.importance(text, evidence))


def ranking(scores: Sequence[tuple[str, float]], temperature: float) -> Ranking:
    """Of pages by their scores, the best first."""
    weights = [math.exp((score - scores[0][1]) / temperature) for _, score in scores]
    return Ranking([page for page, _ in scores], [weight / sum(weights) for weight in weights])
