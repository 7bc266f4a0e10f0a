"""Language models behind the chat completions of OpenAI's protocol, as judges of premise and hypothesis.

Where the server tells probabilities of tokens, a label's is that of the tokens with which it can begin, among the three
labels (their first letters differ). Elsewhere the label that was named gets 1.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from beat_the_ai.adversary.language_models import model
from beat_the_ai.adversary.language_models.completion import Token
from beat_the_ai.adversary.language_models.model import Answer, LanguageModel, Questionnaire
from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair, Prediction, Probabilities


class LabelAnswer(BaseModel):
    model_config = ConfigDict(extra="forbid", title="answer")

    label: Label


def load(source: str, options: LoadOptions) -> LanguageModel[Pair, LabelAnswer, Prediction]:
    """The model of the address, the settings and the name in `source`."""
    return model.load(source, options, QUESTIONNAIRE)


def read(_pair: Pair, answer: Answer[LabelAnswer]) -> Prediction:
    shares = probabilities(answer)
    # The model's own word decides between equals.
    label = max((answer.value.label, *LABELS), key=shares.__getitem__)
    return Prediction(label=label, probabilities=Probabilities(**shares))


def probabilities(answer: Answer[LabelAnswer]) -> dict[Label, float]:
    """Return the probability of each label; they sum to 1."""
    named = answer.value.label
    start = answer.completion.content.rfind(named)
    deciding = answer.completion.tokens_of(start, start + 1) if start > answer.start else []
    weights = _weights(start, *deciding[0]) if deciding else dict.fromkeys(LABELS, 0.0)
    total = sum(weights.values())
    if not total:
        return {label: float(label == named) for label in LABELS}
    return {label: weight / total for label, weight in weights.items()}


def _weights(start: int, begin: int, token: Token) -> dict[Label, float]:
    """Return the weights of the labels that begin an alternative to the token with a label's first character."""
    before = token.token[: start - begin]  # such as the quotation mark
    texts = {each.token: each.probability for each in (token, *token.top_logprobs)}
    weights: dict[Label, float] = dict.fromkeys(LABELS, 0.0)
    for text, probability in texts.items():
        rest = text.removeprefix(before) if text.startswith(before) else ""
        for label in LABELS:
            if rest and (label.startswith(rest) or rest.startswith(label)):
                weights[label] += probability
    return weights


QUESTIONNAIRE = Questionnaire(
    task="nli",
    prompts=Path(__file__).resolve().parents[1] / "prompts",
    query_type=Pair,
    answer_type=LabelAnswer,
    read=read,
    example=Pair(
        premise="The bridge across the river was opened in 1932. A storm destroyed it two years later.",
        hypothesis="The bridge stood for less than ten years.",
    ),
)
