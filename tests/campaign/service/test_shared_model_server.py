"""Two operators at a time, each with a campaign of its own, and one model server for both."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from beat_the_ai.rules.stage import Stage
from tests.attacks.served import Served, marketplace, serving
from tests.cli.launching import NAME
from tests.model_servers import TOKEN, VARIABLE, serving_models

FAR = "far=onnx:bidaf-small"


def models_that_answered(served: Served) -> set[tuple[str, str]]:
    return {(row.attempt.member, row.attempt.model_hash) for row in served.store.attempts.of_campaign(NAME)}


def test_both_ask_it_and_it_outlives_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, TOKEN)
    with ExitStack() as stack:
        address = stack.enter_context(serving_models(FAR))
        market = stack.enter_context(marketplace(tmp_path))
        options = [
            *("adversary.members=[]", "round.max_hits=4", f"+adversary.servers.far.address={address}"),
            f"+adversary.servers.far.token_variable={VARIABLE}",
        ]
        one, other = (
            stack.enter_context(serving(Stage.WRITING, tmp_path / name, market, *options, signs=True))
            for name in ("one", "other")
        )
        assert [each.operator.printed["model_server"] for each in (one, other)] == [None, None]

        async def at_once() -> None:
            await asyncio.gather(*(each.serve(each.honest()) for each in (one, other)))

        asyncio.run(asyncio.wait_for(at_once(), 90))
        [answered] = models_that_answered(one)
        assert answered[0] == "far"
        assert models_that_answered(other) == {answered}

        one.operator.kill()
        writer = asyncio.run(asyncio.wait_for(other.serve(other.honest()), 90))
        assert writer in other.counted()
