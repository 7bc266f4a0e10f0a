"""Language models behind the chat completions of OpenAI's protocol, as readers of passages.

An answer is looked for in its passage (`alignment`). One that is not there is kept as it was given, at `NOWHERE`; it is
judged by its words, as any other.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from beat_the_ai.adversary.language_models import model
from beat_the_ai.adversary.language_models.model import Answer, LanguageModel, Questionnaire
from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.kinds.reading_comprehension.alignment import aligned
from beat_the_ai.kinds.reading_comprehension.writing import NAME, NOWHERE, Prediction, Query
from beat_the_ai.rules.text import printable

MAX_STRAY_CHARS = 500  # of an answer that is not in the passage


class StretchAnswer(BaseModel):
    model_config = ConfigDict(extra="forbid", title="answer")

    answer: str


def load(source: str, options: LoadOptions) -> LanguageModel[Query, StretchAnswer, Prediction]:
    """The model of the address, the settings and the name in `source`."""
    return model.load(source, options, QUESTIONNAIRE)


def read(query: Query, answer: Answer[StretchAnswer]) -> Prediction:
    span = aligned(query.context, answer.value.answer)
    if span is None:
        stray = printable(answer.value.answer, max_chars=MAX_STRAY_CHARS) or ""
        return Prediction(text=stray, start=NOWHERE, score=confidence(answer))
    return Prediction(text=span.text, start=span.start, score=confidence(answer))


def confidence(answer: Answer[StretchAnswer]) -> float | None:
    """The probability of the answer's tokens, one after the other, where the server tells it."""
    written = json.dumps(answer.value.answer, ensure_ascii=False)[1:-1]
    start = answer.completion.content.find(written, answer.start) if written else -1
    tokens = answer.completion.tokens_of(start, start + len(written)) if start >= 0 else []
    return math.exp(sum(min(0.0, token.logprob) for _, token in tokens)) if tokens else None


QUESTIONNAIRE = Questionnaire(
    task=NAME,
    prompts=Path(__file__).resolve().parents[1] / "prompts",
    query_type=Query,
    answer_type=StretchAnswer,
    read=read,
    example=Query(
        context="The bridge across the river was opened in 1932. A storm destroyed it two years later.",
        question="When was the bridge opened?",
    ),
)
