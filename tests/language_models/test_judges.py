"""Language models as judges of premise and hypothesis: labels, and how probable each is."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import NLI, open_adversary
from beat_the_ai.kinds.nli.labels import Pair, Prediction
from tests.language_models.chat_server import ChatServer
from tests.language_models.injections import INJECTIONS, check_is_data

PAIR = Pair(premise="The bridge was opened in 1932.", hypothesis="The bridge is a hundred years old.")
AT = '{"label": "'


def predicted(chat: ChatServer, settings: str = "seed=1", pair: Pair = PAIR) -> Prediction:
    adversary: Any = open_adversary(f"openai:{chat.address}?{settings}#tiny", NLI, LoadOptions())
    [prediction] = adversary.predict([pair])
    assert isinstance(prediction, Prediction)
    return prediction


def said(label: str) -> str:
    return json.dumps({"label": label})


def test_without_probabilities_the_label_that_was_named_is_certain(chat: ChatServer) -> None:
    chat.answer = lambda data: said("neutral")
    prediction = predicted(chat)
    assert prediction.label == "neutral"
    assert prediction.probabilities.model_dump() == {"entailment": 0, "neutral": 1, "contradiction": 0}


@pytest.mark.parametrize("beginnings", [("n", "e", "c"), ("neutral", "entail", "contr")])
def test_probabilities_are_those_of_the_tokens_with_which_labels_begin(
    chat: ChatServer, beginnings: tuple[str, str, str]
) -> None:
    """Among the labels: what else the model might have said is left aside."""
    shares = dict(zip(beginnings, (0.4, 0.3, 0.1), strict=True))
    chat.answer = lambda data: said("neutral")
    chat.alternatives = (len(AT), {text: math.log(share) for text, share in {**shares, "yes": 0.2}.items()})
    found = predicted(chat).probabilities
    if beginnings[0] == "n":
        assert (found.neutral, found.entailment, found.contradiction) == pytest.approx((0.5, 0.375, 0.125))
    assert found.entailment == pytest.approx(3 * found.contradiction)
    assert sum(found.model_dump().values()) == pytest.approx(1)


def test_a_label_that_was_drawn_against_the_odds_is_not_the_most_probable(chat: ChatServer) -> None:
    """With a temperature above 0 the word may be another one; the rule asks for the most probable label."""
    chat.answer = lambda data: said("neutral")
    chat.alternatives = (len(AT), {"n": math.log(0.2), "c": math.log(0.7)})
    assert predicted(chat, "temperature=1").label == "contradiction"


@pytest.mark.parametrize("text", INJECTIONS)
def test_what_people_wrote_reaches_the_judge_as_data_that_no_text_leaves(chat: ChatServer, text: str) -> None:
    chat.answer = lambda data: said("contradiction")
    pair = Pair(premise=f"{text} {PAIR.premise}", hypothesis=f"{PAIR.hypothesis} {text}")
    prediction = predicted(chat, pair=pair)
    check_is_data(chat, pair)
    assert prediction.label == "contradiction"


def test_probabilities_of_other_tokens_are_none_of_a_label(chat: ChatServer) -> None:
    chat.answer = lambda data: said("neutral")
    chat.alternatives = (0, {"{": -0.1, "c": -0.2})
    assert predicted(chat).label == "neutral"
