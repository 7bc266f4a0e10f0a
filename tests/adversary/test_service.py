from __future__ import annotations

import asyncio

import pytest

from beat_the_ai.adversary.scheduler import NotReady
from beat_the_ai.adversary.service import EXAMINER, Limits, Service
from beat_the_ai.adversary.wire import PredictRequest
from beat_the_ai.errors import AdversaryBusy, AdversaryError
from beat_the_ai.kinds.reading_comprehension.writing import Query
from tests.adversary.fakes import FakeAdversary, query


def test_a_service_refuses_work_until_it_is_started_and_after_it_is_stopped() -> None:
    async def test() -> None:
        service = Service(Limits())
        with pytest.raises(NotReady, match="is loading"):
            service.model(None)
        service.start({"bidaf": [FakeAdversary()]})
        assert service.model(None) is service.model("bidaf")
        await service.stop()
        with pytest.raises(NotReady, match="is stopping"):
            service.model("bidaf")

    asyncio.run(test())


def test_stopping_answers_or_fails_everything_within_the_grace_time() -> None:
    async def test() -> None:
        fake = FakeAdversary(closed=True)
        service = Service(Limits(grace_seconds=0.05))
        service.start({"bidaf": [fake]})
        asked = [
            asyncio.ensure_future(service.model(None).answer(PredictRequest[Query](queries=[query(question)])))
            for question in ("running", "waiting")
        ]
        await asyncio.to_thread(fake.wait_until_entered)
        await service.stop()
        fake.gate.set()
        running, waiting = await asyncio.gather(*asked, return_exceptions=True)
        assert not isinstance(running, BaseException)
        assert running.predictions[0].text == "running"
        assert isinstance(waiting, NotReady)

    asyncio.run(test())


def test_who_waits_for_what_a_patient_one_has_asked_is_answered_before_the_others() -> None:
    async def test() -> None:
        fake = FakeAdversary(closed=True)
        service = Service(Limits(grace_seconds=5))
        service.start({"bidaf": [fake]})
        model = service.model(None)

        async def ask(question: str, *, patient: bool = True) -> None:
            await model.answer(PredictRequest[Query](queries=[query(question)], requester=question, patient=patient))

        asked = [asyncio.ensure_future(ask("running"))]
        await asyncio.to_thread(fake.wait_until_entered)
        asked += [asyncio.ensure_future(ask(question)) for question in "abc"]
        asked.append(asyncio.ensure_future(ask("b", patient=False)))
        await asyncio.sleep(0)
        fake.gate.set()
        await asyncio.gather(*asked)
        await service.stop()
        assert fake.batches == [["running"], ["b"], ["a"], ["c"]]

    asyncio.run(test())


def test_the_first_failure_of_a_request_takes_the_rest_out_of_the_line() -> None:
    async def test() -> None:
        fake = FakeAdversary(closed=True)
        service = Service(Limits(queue_capacity=2, grace_seconds=5))
        service.start({"bidaf": [fake]})
        model = service.model(None)
        running = asyncio.ensure_future(model.answer(PredictRequest[Query](queries=[query("running")])))
        await asyncio.to_thread(fake.wait_until_entered)
        with pytest.raises(AdversaryBusy, match="too much to answer"):
            await model.answer(PredictRequest[Query](queries=[query(question) for question in "abc"]))
        await asyncio.sleep(0)
        assert model.scheduler.waiting == 0
        fake.gate.set()
        await running
        await service.stop()
        assert fake.batches == [["running"]]

    asyncio.run(test())


def test_a_model_whose_full_line_stands_still_is_ill_and_one_whose_line_moves_is_not() -> None:
    async def test() -> None:
        fake = FakeAdversary(closed=True)
        service = Service(Limits(queue_capacity=1, grace_seconds=5))
        service.start({"bidaf": [fake]})
        model = service.model(None)

        async def ask(question: str) -> None:
            await model.answer(PredictRequest[Query](queries=[query(question)], requester=EXAMINER))

        asked = [asyncio.ensure_future(ask("running"))]
        await asyncio.to_thread(fake.wait_until_entered)
        asked.append(asyncio.ensure_future(ask("waiting")))
        await asyncio.sleep(0)
        assert model.scheduler.waiting == 1
        with pytest.raises(AdversaryError, match=r"has answered nobody for 0\.2 seconds"):
            await model.check(0.2)
        check = asyncio.ensure_future(model.check(60))
        await asyncio.sleep(0)
        fake.gate.set()
        await check
        await asyncio.gather(*asked)
        await service.stop()

    asyncio.run(test())
