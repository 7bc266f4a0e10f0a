"""The pool of a campaign: models that it loads itself, and servers that run elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.adversary.pool import Member, Pool
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.campaign.service.adversaries import model_in_the_loop
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.rules.adversary import Asker
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store
from tests.cli.launching import TASK
from tests.model_servers import ROOT, TOKEN, VARIABLE, serving_models

ASKER = Asker("a", "w1", 25)
QUERY = Query(context="Rome fell in 476.", question="When did Rome fall?")
OTHER = ROOT / "tests" / "kinds" / "labels.py"


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    with serving_models("far=onnx:bidaf-small") as address:
        yield address


def settings(folder: Path, address: str, *overrides: str, name: str = "far") -> Settings:
    own = [f"+adversary.servers.{name}.address={address}", f"+adversary.servers.{name}.token_variable={VARIABLE}"]
    return read_settings(TASK, ["adversary.members=[]", *own, *overrides], out=folder)


def begun(store: Store, of: Settings) -> Settings:
    begin_or_resume(PlannedRound(store, of))
    return of


def test_a_model_elsewhere_answers_and_none_is_started_here(
    elsewhere: str, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, TOKEN)
    of = begun(store, settings(tmp_path, elsewhere))
    with model_in_the_loop(PlannedRound(store, of), Stage.WRITING) as (model, pid):
        assert model is not None
        reply = model.ask(QUERY, key="a1", asker=ASKER)
    assert isinstance(reply.prediction, Prediction)
    assert (reply.prediction.text, reply.member, pid) == ("476", "far", None)
    [kept] = store.rounds.get(of.name, 1).models
    assert (kept["member"], kept["hash"]) == ("far", reply.model_hash)
    assert TOKEN not in json.dumps(of.model_dump(mode="json"))


def test_models_here_and_elsewhere_are_one_pool(
    elsewhere: str, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, TOKEN)
    of = begun(store, settings(tmp_path, elsewhere, "adversary.members=['onnx:bidaf-small']"))
    with model_in_the_loop(PlannedRound(store, of), Stage.WRITING) as (model, pid):
        assert model is not None
        assert pid is not None
        members = {model.ask(QUERY, key=f"a{number}", asker=ASKER).member for number in range(20)}
    assert members == {"far", "bidaf-small"}


def refusal(store: Store, of: Settings) -> str:
    with (
        pytest.raises((InvalidInput, AdversaryError)) as caught,
        model_in_the_loop(PlannedRound(store, of), Stage.WRITING),
    ):
        pass
    return str(caught.value)


def test_what_is_wrong_with_a_server_is_said_before_anything_starts(
    elsewhere: str, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = begun(store, settings(tmp_path, elsewhere))
    monkeypatch.delenv(VARIABLE, raising=False)
    assert f"{VARIABLE} is not set" in refusal(store, of)
    monkeypatch.setenv(VARIABLE, "guess")
    assert "401" in refusal(store, of)
    monkeypatch.setenv(VARIABLE, TOKEN)
    unknown = refusal(store, settings(tmp_path, elsewhere, name="near"))
    assert "has no model 'near'. It has: far." in unknown
    away = refusal(store, settings(tmp_path, "http://127.0.0.1:9"))
    assert "does not list its models" in away
    assert "Start it with `beat-the-ai adversary serve`, and give adversary.servers.far.address what it prints." in away
    assert store.rounds.get(of.name, 1).models == []


def test_a_server_for_another_kind_of_task_is_refused(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, TOKEN)
    with serving_models(f"far={OTHER}:BACKEND:any", f"{OTHER}:kind") as address:
        assert "and this task asks with context, question" in refusal(store, begun(store, settings(tmp_path, address)))


@pytest.mark.parametrize("name", ["far", "gone"])
def test_a_server_that_has_another_model_by_now_answers_nobody(elsewhere: str, name: str) -> None:
    """Under the same name, or under another one."""
    before = ModelIdentity("before", "reading_comprehension", "0" * 64, "fp32")
    pool = Pool([Member(name, elsewhere, TOKEN)], seed=1)
    asked = closing(ModelInTheLoop(pool, Prediction, 20, {name: before}))
    with asked as model, pytest.raises(AdversaryError, match="not answering right now"):
        model.ask(QUERY, key="a1", asker=ASKER)


def test_an_empty_pool_is_an_error_of_the_configuration(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="the pool is empty"):
        read_settings(TASK, ["adversary.members=[]"], out=tmp_path)
