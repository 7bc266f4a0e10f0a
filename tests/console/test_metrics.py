"""`/metrics` and `/health` of the console."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from beat_the_ai.console import Pages, Site, by_key, check_token
from beat_the_ai.errors import InvalidInput
from beat_the_ai.store import Store, open_store
from tests.console.conftest import Visitor, watched_at
from tests.mephisto.wire import Router, wait_until
from tests.review.conftest import PAGE

TOKEN = "t" * 24
Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]

OPERATOR = """
import subprocess, sys
from beat_the_ai.store import open_store
with open_store(sys.argv[1]).leases.holding("pilot writing 1/1", lambda: None):
    model = [sys.executable, "-c", "input()", "beat_the_ai.adversary.child"]
    with subprocess.Popen(model, stdin=subprocess.PIPE) as child:
        print(child.pid, flush=True)
        sys.stdin.read()
        child.kill()
"""


def site_of(store: Store, folder: Path, executor: ThreadPoolExecutor, token: str | None = TOKEN) -> Site:
    pages = Pages(folder / "page", folder / "page")
    pages.console.mkdir(exist_ok=True)
    for name, text in PAGE.items():
        (pages.console / name).write_text(text)
    return Site(by_key([watched_at(store, folder)]), pages, executor, token=token)


def scrape(client: TestClient) -> Samples:
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {
        (one.name, frozenset(one.labels.items())): one.value
        for family in text_string_to_metric_families(answer.text)
        for one in family.samples
    }


def value(samples: Samples, name: str, **labels: str) -> float:
    [found] = [each for (known, of), each in samples.items() if known == name and labels.items() <= dict(of).items()]
    return found


def test_metrics_are_the_figures_of_the_page(store: Store, tmp_path: Path, visitor: Visitor) -> None:
    figures = visitor("ann").get("/api/figures?campaign=pilot")
    with ThreadPoolExecutor(1) as executor:
        site = site_of(store, tmp_path, executor)
        client = TestClient(site.app())
        assert "beat_the_ai_work" not in {name for name, _ in scrape(client)}  # nobody made any figures yet
        site.boards["pilot"].figures.wait(30)
        samples = scrape(client)
        site.close()
    assert value(samples, "beat_the_ai_campaign_up", campaign="pilot") == 1
    progress, money = figures["progress"], figures["money"]
    for state, number in (("attempts", "attempts"), ("wins", "fooled"), ("workers", "workers")):
        assert value(samples, "beat_the_ai_work", state=state) == progress[number] > 0
    for state in ("owed", "paid", "reserved", "cap"):
        assert value(samples, "beat_the_ai_money_cents", state=state, unit=figures["unit"]) == money[f"{state}_cents"]
    assert value(samples, "beat_the_ai_waiting", what="to_review") == figures["needs"]["to_review"]
    assert value(samples, "process_resident_memory_bytes", process="console") > 1_000_000
    assert value(samples, "process_cpu_seconds_total", process="console", pid=str(os.getpid())) > 0
    assert 0 <= value(samples, "beat_the_ai_figures_age_seconds") < 60


def test_an_operator_and_its_model_server_are_seen_by_the_lease_alone(store: Store, tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPERATOR, str(tmp_path / "campaign.db")]
    with (
        ThreadPoolExecutor(1) as executor,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as operator,
    ):
        assert operator.stdin is not None
        assert operator.stdout is not None
        model = operator.stdout.readline().strip()
        site = site_of(store, tmp_path, executor)
        client, labels = TestClient(site.app()), {"campaign": "pilot", "lease": "writing 1/1"}
        began = time.monotonic()
        assert value(scrape(client), "beat_the_ai_lease_age_seconds", **labels) < 1
        wait_until(lambda: value(scrape(client), "process_cpu_seconds_total", process="operator") > 0, "it is seen")
        wait_until(lambda: time.monotonic() - began > 3, "a beat has passed")
        assert value(scrape(client), "beat_the_ai_lease_age_seconds", **labels) < 2.5
        assert value(scrape(client), "process_resident_memory_bytes", process="model", pid=model) > 0
        operator.stdin.close()
        operator.wait(30)
        assert not [name for name, of in scrape(client) if ("process", "operator") in of or "lease" in name]
        site.close()


def test_a_router_is_seen_while_it_runs(store: Store, tmp_path: Path) -> None:
    runs = tmp_path / "private" / "mephisto" / "writing" / "data" / "runs"
    old = runs / "NO_PROJECT" / "1" / "router"
    old.mkdir(parents=True)
    (old / "address.json").write_text(json.dumps({"pid": os.getpid()}))  # the number has gone to another process
    router = Router(runs / "NO_PROJECT" / "2" / "router").start()
    with ThreadPoolExecutor(1) as executor:
        site = site_of(store, tmp_path, executor)
        client = TestClient(site.app())
        labels = {"process": "router", "campaign": "pilot"}
        assert value(scrape(client), "process_resident_memory_bytes", **labels, pid=str(router.process.pid)) > 0
        router.kill()
        assert not [name for name, of in scrape(client) if ("process", "router") in of]
        site.close()


@pytest.mark.parametrize(
    ("header", "status"), [("", 401), (f"Bearer {TOKEN}x", 401), (f"Basic {TOKEN}", 401), ("Bearer ", 401)]
)
def test_nobody_without_the_token_reads_metrics(store: Store, tmp_path: Path, header: str, status: int) -> None:
    with ThreadPoolExecutor(1) as executor:
        site = site_of(store, tmp_path, executor)
        answer = TestClient(site.app()).get("/metrics", headers={"Authorization": header})
        site.close()
    assert answer.status_code == status
    assert "pilot" not in answer.text


def test_without_a_token_nobody_reads_metrics_at_all(visitor: Visitor) -> None:
    """Neither a lead who has signed in, nor somebody on this machine, through a proxy or not."""
    ann = visitor("ann")
    assert ann.get("/metrics", 403)["error"]["code"] == "no_token"
    assert ann.http.get("/metrics", headers={"Authorization": "Bearer None"}).status_code == 403
    assert ann.http.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 403


@pytest.mark.parametrize("token", ["", "short", " " * 30, "é" * 30, "a" * 19, "a" * 20 + "\n"])
def test_a_token_that_can_be_guessed_is_refused(token: str) -> None:
    with pytest.raises(InvalidInput, match="at least 20"):
        check_token(token)


def test_health_says_in_one_word_whether_the_store_answers(visitor: Visitor, store: Store, tmp_path: Path) -> None:
    stranger = visitor()
    assert stranger.get("/health") == {"server": "console", "status": "ready"}
    assert stranger.get("/review/pilot/health") == {"server": "review", "status": "ready"}
    store.close()
    (tmp_path / "campaign.db").rename(tmp_path / "away.db")
    (tmp_path / "campaign.db").mkdir()
    assert stranger.get("/health", 503) == {"server": "console", "status": "store_away"}
    assert open_store(str(tmp_path / "away.db")).campaigns.get("pilot").id == "pilot"
