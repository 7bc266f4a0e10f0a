"""What servers say that an answer costs is believed as far as it can be true."""

from __future__ import annotations

import logging
from decimal import Decimal

import pytest

from beat_the_ai.adversary.claims import MOST_FALSE_CLAIMS
from beat_the_ai.adversary.prices import Prices, fewest_tokens
from beat_the_ai.errors import AdversaryError
from beat_the_ai.kinds.nli.labels import Pair
from tests.language_models.chat_server import ChatServer, body, dies, status
from tests.language_models.test_loading import loaded, refusal

PRICES = "cents_per_million_tokens_in=1000&cents_per_million_tokens_out=10000"
PAIR = Pair(premise="Rome fell in 476.", hypothesis="Rome fell.")


@pytest.fixture(autouse=True)
def answers(chat: ChatServer) -> None:
    chat.answer = lambda data: '{"label": "neutral"}'


def most_microcents() -> int:
    """What a call about the pair can cost."""
    prices = Prices(
        cents_per_million_tokens_in=Decimal(1000), cents_per_million_tokens_out=Decimal(10000), max_answer_tokens=256
    )
    return prices.most_microcents(PAIR.model_dump_json().encode())


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 10_000_000, "completion_tokens": 10},
        {"prompt_tokens": 100, "completion_tokens": 10**30},
        {"prompt_tokens": 0, "completion_tokens": 0},
        {"prompt_tokens": 1, "completion_tokens": 1},
        {"prompt_tokens": 0, "completion_tokens": 256},
        None,
    ],
)
def test_a_count_that_is_impossible_counts_as_the_most_and_after_a_few_the_model_is_refused(
    chat: ChatServer, usage: dict[str, int] | None, caplog: pytest.LogCaptureFixture
) -> None:
    model = loaded(chat, PRICES)
    chat.usage = usage
    with caplog.at_level(logging.WARNING):
        for _ in range(MOST_FALSE_CLAIMS):
            model.predict([PAIR])
            assert model.microcents == most_microcents()
    assert caplog.text.count("claims an impossible cost") == MOST_FALSE_CLAIMS
    asked = len(chat.requests)
    with pytest.raises(AdversaryError, match=r"impossible costs for 3 answers, and is not asked any more"):
        model.predict([PAIR])
    assert (len(chat.requests), model.microcents) == (asked, 0)


@pytest.mark.parametrize("tokens", [0, 10_000_000])
def test_a_server_that_counts_impossibly_from_the_start_is_refused(chat: ChatServer, tokens: int) -> None:
    chat.usage = {"prompt_tokens": tokens, "completion_tokens": 10}
    assert f"claims {tokens} tokens in and 10 out for the example" in refusal(chat, PRICES)


def test_a_model_without_a_price_may_count_as_it_likes(chat: ChatServer) -> None:
    model = loaded(chat)
    chat.usage = {"prompt_tokens": 10_000_000}
    for _ in range(5):
        model.predict([PAIR])
        assert model.microcents == 0


def test_a_failure_costs_what_it_may_have_cost(chat: ChatServer) -> None:
    """An answer that cannot be read is counted as any other, one that was lost at its most, a refusal not at all."""
    model = loaded(chat, PRICES)
    for trouble, cost in (
        ([status(401)], 0),
        ([status(500)] * 3, 0),
        ([dies, status(400)], most_microcents()),
        ([dies, status(500), status(500)], most_microcents()),
        ([dies] * 3, 3 * most_microcents()),
        ([body(b"[]")], 3 * most_microcents()),
    ):
        chat.troubles += trouble
        with pytest.raises(AdversaryError):
            model.predict([PAIR])
        assert model.microcents == cost
    chat.answer = lambda data: "I would rather not say."
    with pytest.raises(AdversaryError):
        model.predict([PAIR])
    assert model.microcents == 200_000


def test_a_text_has_fewer_tokens_than_words_in_no_language_that_is_written() -> None:
    """And a run of the same signs, which may be one token, counts once."""
    assert fewest_tokens("") == 0
    assert fewest_tokens("Rome fell in 476 after all, and nobody had seen it coming.") == 3
    assert fewest_tokens("= " * 5000) == 1
