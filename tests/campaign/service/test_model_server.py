"""A campaign's own model server: nobody but the operator is answered."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import httpx
import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from beat_the_ai.adversary.server import TOKEN_VARIABLE, parser
from beat_the_ai.campaign.service import model_server
from beat_the_ai.campaign.service.model_server import ModelServer, options_of
from beat_the_ai.mephisto import shim  # noqa: F401  # Hydra imports Mephisto, which has plugins for it
from beat_the_ai.terms.round import AdversarySettings
from tests.mephisto.wire import wait_until

SETTINGS = AdversarySettings(
    members=["onnx:bidaf-small"], device="cpu", streams=1, threads=1, precision=None, timeout_seconds=20
)
CHOICES = Path(__file__).parents[3] / "hydra_configs" / "adversary"
QUERY = {"queries": [{"context": "Rome fell in 476.", "question": "When did Rome fall?"}]}


def test_every_route_but_health_asks_for_the_token_that_no_command_line_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    with (
        ModelServer(SETTINGS.members, SETTINGS, "reading_comprehension") as server,
        httpx.Client(base_url=server.address, trust_env=False, timeout=40) as http,
    ):
        assert http.get("/health").status_code == 200
        for given in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": server.token}):
            assert http.post("/v1/predict", json=QUERY, headers=given).status_code == 401
            for path in ("/v1/models", "/metrics", "/", "/docs"):
                assert http.get(path, headers=given).status_code == 401, path
        proof = {"Authorization": f"Bearer {server.token}"}
        [prediction] = http.post("/v1/predict", json=QUERY, headers=proof).json()["predictions"]
        assert prediction["text"] == "476"
        shown = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True, check=True).stdout
        assert server.token not in shown
    assert TOKEN_VARIABLE not in os.environ


def test_one_that_dies_before_it_has_told_its_models_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = ModelServer._start, list[int]()

    def start_and_kill_the_first(self: ModelServer, port: int) -> str:
        if len(started) == 1:
            started.append(0)
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        address = start(self, port)
        started.append(self.pid)
        if len(started) == 1:
            self._process.kill()
        return address

    monkeypatch.setattr(ModelServer, "_start", start_and_kill_the_first)
    monkeypatch.setattr(model_server, "REST_SECONDS", 0.05)
    with ModelServer(SETTINGS.members, SETTINGS, "reading_comprehension") as server:
        assert list(server.models) == ["bidaf-small"]
        wait_until(lambda: started[1:] == [0, server.pid], "it is known where the second one runs")


TALKATIVE = """
import time
from pathlib import Path
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.adversary.registry import Backend
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query

class Talkative:
    query_type = Query
    identity = ModelIdentity("talkative", "reading_comprehension", "0" * 64, "fp32")

    def predict(self, queries):
        print("x" * 100_000, flush=True)
        return [Prediction(text="476", start=0, score=0.5) for _ in queries]

def load(source, options):
    print("loading", flush=True)
    loaded = Path(__file__).with_name("loaded")
    if loaded.exists():
        loaded.unlink()
        time.sleep(300)
    loaded.touch()
    return Talkative()

BACKEND = Backend(load, frozenset({"reading_comprehension"}))
"""


def test_a_model_may_print_and_one_that_loads_again_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "own.py").write_text(TALKATIVE)
    monkeypatch.setattr(model_server, "REST_SECONDS", 0.05)
    with ModelServer([f"{tmp_path}/own.py:BACKEND:talkative"], SETTINGS, "reading_comprehension") as server:
        proof = {"Authorization": f"Bearer {server.token}"}
        answered = httpx.post(f"{server.address}/v1/predict", json=QUERY, headers=proof, trust_env=False, timeout=40)
        assert answered.json()["predictions"][0]["text"] == "476"
        os.kill(server.pid, signal.SIGKILL)
        wait_until(lambda: not (tmp_path / "loaded").exists(), "it loads again")
        ended_at = time.monotonic()
    assert time.monotonic() - ended_at < 60


def test_one_that_hears_no_signal_is_killed_in_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(TALKATIVE)
    monkeypatch.setattr(model_server, "STOP_SECONDS", 0.2)
    with ModelServer([f"{tmp_path}/own.py:BACKEND:talkative"], SETTINGS, "reading_comprehension") as server:
        os.kill(server.pid, signal.SIGSTOP)
        late = threading.Timer(60, os.kill, (server.pid, signal.SIGKILL))
        late.start()
        ended_at = time.monotonic()
    late.cancel()
    assert time.monotonic() - ended_at < 40


def test_a_passage_that_would_take_too_long_is_refused_at_once_with_its_size() -> None:
    with (
        ModelServer(SETTINGS.members, SETTINGS, "reading_comprehension") as server,
        httpx.Client(base_url=server.address, trust_env=False, timeout=40) as http,
    ):
        query = {"context": "a." * 10_001, "question": "Who?"}
        proof = {"Authorization": f"Bearer {server.token}"}
        refused = http.post("/v1/predict", json={"queries": [query]}, headers=proof)
    assert refused.status_code == 400
    assert refused.json()["error"]["message"] == "queries.0.context has 20,002 characters; at most 20,000 are allowed."


def test_what_is_set_reaches_the_server_and_what_is_not_is_left_to_it() -> None:
    unset = SETTINGS.model_copy(update={"streams": None})
    assert options_of(unset) == ["--device", "cpu", "--threads", "1"]
    every = {"streams": 3, "precision": "bf16", "batch_size": 16, "memory_gib": 7.5, "device": "cuda"}
    told = parser().parse_args(["--member", "m=onnx:m", *options_of(SETTINGS.model_copy(update=every))])
    assert {name: vars(told)[name] for name in every} == every


@pytest.mark.parametrize("path", sorted(CHOICES.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_choice_of_models_is_one(path: Path) -> None:
    with initialize_config_dir(str(CHOICES.parent), version_base=None):
        chosen = compose(overrides=[f"+adversary={path.stem}"]).adversary
    if OmegaConf.is_missing(chosen, "members"):
        chosen.members = ["onnx:bidaf-small"]
    AdversarySettings.model_validate(OmegaConf.to_container(chosen, throw_on_missing=True))
