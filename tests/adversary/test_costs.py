"""What a model server claims that its answers cost, in a campaign and outside of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from decimal import Decimal

import pytest

from beat_the_ai.adversary.budget import most_microcents
from beat_the_ai.adversary.claims import MOST_FALSE_CLAIMS
from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.adversary.pool import Member, Pool
from beat_the_ai.adversary.prices import Prices
from beat_the_ai.adversary.protocol import NoAnswer
from beat_the_ai.adversary.served import ServedModel
from beat_the_ai.errors import AdversaryError
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.rules.adversary import Asker
from tests.adversary.conftest import Serve
from tests.adversary.fakes import FakeAdversary, query

PRICES = Prices(
    cents_per_million_tokens_in=Decimal(1000), cents_per_million_tokens_out=Decimal(10000), max_answer_tokens=256
)
MOST = most_microcents(PRICES, query("question 0"))
ASKER = Asker("a", "W1", 25)

Costs = Callable[[Query], int]
Asking = Callable[[str], AbstractContextManager[Costs]]


class Charging(FakeAdversary):
    """Claims `microcents` for each answer. A question that begins with "silent" gets none, and is charged."""

    def __init__(self, microcents: int) -> None:
        super().__init__()
        self.microcents = microcents
        self.prices = PRICES

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        if queries[0].question.startswith("silent"):
            raise NoAnswer("It said something else.")
        return super().predict(queries)


@contextmanager
def in_the_loop(address: str) -> Iterator[Costs]:
    model = ModelInTheLoop(Pool([Member("m", address)], 1), Prediction, 10, prices={"m": PRICES})
    yield lambda asked: model.ask(asked, key=asked.question, asker=ASKER).microcents
    model.close()


@contextmanager
def outside(address: str) -> Iterator[Costs]:
    with ServedModel(f"{address}#m", Query, Prediction) as model:

        def cost(asked: Query) -> int:
            model.predict([asked])
            return model.microcents

        yield cost


@pytest.mark.parametrize("asking", [in_the_loop, outside])
@pytest.mark.parametrize("claimed", [12_500_000_000, MOST + 1, 0, 1])
def test_an_impossible_cost_counts_as_the_most_and_after_a_few_the_server_is_refused(
    serve: Serve, asking: Asking, claimed: int, caplog: pytest.LogCaptureFixture
) -> None:
    with serve({"m": [Charging(claimed)]}) as address, asking(address) as cost:
        for number in range(MOST_FALSE_CLAIMS):
            assert cost(query(f"question {number}")) == MOST
        with pytest.raises(AdversaryError, match=r"impossible costs for 3 answers|not answering right now"):
            cost(query("one more"))
    assert caplog.text.count("claims an impossible cost") == MOST_FALSE_CLAIMS


@pytest.mark.parametrize("asking", [in_the_loop, outside])
def test_what_is_possible_is_believed_and_what_is_remembered_costs_nothing(serve: Serve, asking: Asking) -> None:
    with serve({"m": [Charging(200_000)]}) as address, asking(address) as cost:
        assert [cost(query(text)) for text in ("who?", "who?", "when?")] == [200_000, 0, 200_000]


@pytest.mark.parametrize(("claimed", "counted"), [(200_000, 200_000), (12_500_000_000, MOST)])
def test_an_answer_that_cannot_be_read_costs_what_the_server_tells(serve: Serve, claimed: int, counted: int) -> None:
    with (
        serve({"m": [Charging(claimed)]}) as address,
        in_the_loop(address) as cost,
        pytest.raises(NoAnswer) as caught,
    ):
        cost(query("silent 000"))
    assert caught.value.microcents == counted


def test_a_model_without_a_price_costs_nothing_whatever_its_server_claims(serve: Serve) -> None:
    with serve({"m": [Charging(12_500_000_000)]}) as address:
        model = ModelInTheLoop(Pool([Member("m", address)], 1), Prediction, 10)
        assert model.ask(query("who?"), key="a", asker=ASKER).microcents == 0
        model.close()
