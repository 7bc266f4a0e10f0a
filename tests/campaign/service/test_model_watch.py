"""Faults of model servers, kept in the store while a stage is served."""

from __future__ import annotations

import socketserver
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.adversary.pool import Member, Pool
from beat_the_ai.campaign.service.model_watch import ModelWatch
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.errors import AdversaryError, StoreAway
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.rules.adversary import Asker
from beat_the_ai.store import Store, Trouble, now
from tests.cli.launching import TASK
from tests.ports import free_port

NAME = "watched"
QUERY = Query(context="Rome fell in 476.", question="When did Rome fall?")


@pytest.fixture
def planned(store: Store, tmp_path: Path) -> PlannedRound:
    made = PlannedRound(store, read_settings(TASK, [], name=NAME, out=tmp_path))
    begin_or_resume(made)
    return made


class Broken(BaseHTTPRequestHandler):
    """Says that it is ready, and answers nothing."""

    def do_GET(self) -> None:
        self._answer(200)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(500)

    def log_message(self, *_: object) -> None: ...

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


@contextmanager
def broken_server(port: int) -> Iterator[socketserver.BaseServer]:
    with ThreadingHTTPServer(("127.0.0.1", port), Broken) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_server_is_away_since_the_first_look_and_until_it_is_back(store: Store, planned: PlannedRound) -> None:
    port, began_at = free_port(), now()
    pool = Pool([Member("one", f"http://127.0.0.1:{port}", None)], 1)
    with closing(ModelInTheLoop(pool, Prediction, 0.5)) as model:
        watch = ModelWatch(model, planned, "writing")
        watch.look()
        assert store.model_servers.of_campaign(NAME) == {}  # it may be starting again
        first_look_at = now()
        watch.look()
        watch.look()
        with pytest.raises(AdversaryError):
            model.ask(QUERY, key="a", asker=Asker("a", "w", 5))
        watch.look()
        trouble = store.model_servers.of_campaign(NAME)["one"]
        assert trouble.failures == 1
        assert trouble.away_since is not None
        assert began_at <= trouble.away_since <= first_look_at
        with broken_server(port):
            watch.look()
            assert store.model_servers.of_campaign(NAME) == {"one": Trouble(1, None)}
            with pytest.raises(AdversaryError):
                model.ask(QUERY, key="a", asker=Asker("a", "w", 5))
            watch.look()
            watch.look()
        assert store.model_servers.of_campaign(NAME) == {"one": Trouble(2, None)}


def test_what_could_not_be_kept_is_kept_at_the_next_look(
    store: Store, planned: PlannedRound, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, keep = free_port(), store.model_servers.keep

    def away(*_: object) -> None:
        raise StoreAway

    pool = Pool([Member("one", f"http://127.0.0.1:{port}", None)], 1)
    with closing(ModelInTheLoop(pool, Prediction, 0.5)) as model:
        watch = ModelWatch(model, planned, "writing")
        watch.look()
        with pytest.raises(AdversaryError):
            model.ask(QUERY, key="a", asker=Asker("a", "w", 5))
        monkeypatch.setattr(store.model_servers, "keep", away)
        with pytest.raises(StoreAway):
            watch.look()
        monkeypatch.setattr(store.model_servers, "keep", keep)
        watch.look()
        trouble = store.model_servers.of_campaign(NAME)["one"]
        assert (trouble.failures, trouble.away_since is None) == (1, False)
        monkeypatch.setattr(store.model_servers, "keep", away)
        with broken_server(port):
            with pytest.raises(StoreAway):
                watch.look()
            monkeypatch.setattr(store.model_servers, "keep", keep)
            watch.look()
    assert store.model_servers.of_campaign(NAME) == {"one": Trouble(1, None)}


def test_whoever_begins_or_ends_leaves_no_server_away(store: Store, planned: PlannedRound) -> None:
    for asked_by in ("writing", "screening"):
        store.model_servers.keep(NAME, asked_by, "one", Trouble(2, now()))
    pool = Pool([Member("one", f"http://127.0.0.1:{free_port()}", None)], 1)
    with closing(ModelInTheLoop(pool, Prediction, 0.5)) as model, ModelWatch(model, planned, "writing"):
        with pytest.raises(AdversaryError):
            model.ask(QUERY, key="a", asker=Asker("a", "w", 5))
        assert store.model_servers.of_campaign(NAME)["one"].away_since is not None  # to the screening
        store.model_servers.forget_absences(NAME, "screening")
        assert store.model_servers.of_campaign(NAME) == {"one": Trouble(4, None)}
    assert store.model_servers.of_campaign(NAME) == {"one": Trouble(5, None)}
