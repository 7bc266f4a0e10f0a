"""Alerts: which figures make one, that each is sent once, and what a receiver and a stranger see of it."""

from __future__ import annotations

import hmac
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import sqlalchemy as sa
from pydantic import ValidationError

from beat_the_ai.console import Site, Watched, alerts, views
from beat_the_ai.console.alerts import OVER_AFTER, AlertWatch, alerts_of
from beat_the_ai.console.channels import SECRET_VARIABLE, SIGNATURE
from beat_the_ai.console.figures import figures_of
from beat_the_ai.errors import StoreAway
from beat_the_ai.store import Store
from beat_the_ai.store.tables import campaigns
from beat_the_ai.terms.alerts import AlertTerms
from beat_the_ai.terms.campaign import BoundCampaign
from tests.console.conftest import watched_at
from tests.marketplace.people.post_office import PostOffice
from tests.mephisto.wire import wait_until
from tests.review.conftest import Clock
from tests.store.builders import NEW_YEAR

SECRET = "a secret of both sides"


@dataclass
class Receiver:
    """A webhook on this machine. It answers with `status`."""

    address: str = ""
    status: int = 204
    taken: list[tuple[Mapping[str, str], bytes]] = field(default_factory=list)

    @property
    def told(self) -> list[tuple[str, str]]:
        return [(sent["alert"], sent["state"]) for sent in (json.loads(body) for _, body in self.taken)]

    @contextmanager
    def open(self) -> Iterator[Receiver]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.taken.append((dict(self.headers), body))
                self.send_response(receiver.status)
                self.send_header("Location", f"{receiver.address}/elsewhere")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            self.address = f"http://127.0.0.1:{server.server_address[1]}"
            Thread(target=server.serve_forever, daemon=True).start()
            yield self
            server.shutdown()


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setenv(SECRET_VARIABLE, SECRET)
    with Receiver().open() as opened:
        yield opened


def want(store: Store, **alerts: object) -> None:
    """Have the campaign's requester want alerts; most attempts of it have beaten the model."""
    config = {**store.campaigns.get("pilot").config, "alerts": {"least_attempts": 10, "most_error_rate": 0.3, **alerts}}
    change = sa.update(campaigns).filter_by(id="pilot").values(config=config)
    store.database.write(lambda connection: connection.execute(change).rowcount)


def watch(site: Site, store: Store, clock: Clock) -> AlertWatch:
    boards = site.boards["pilot"]
    return AlertWatch({"pilot": watched_at(store, Path())}, {"pilot": boards.figures}, clock)


@pytest.fixture
def figures(store: Store) -> views.Figures:
    return figures_of(watched_at(store, Path()))


def names(figures: views.Figures, terms: AlertTerms, qualified: int = 1) -> set[tuple[str, str]]:
    return {(alert.name, alert.subject) for alert in alerts_of(figures, terms, qualified)}


def changed(figures: views.Figures, part: str, **values: object) -> views.Figures:
    return figures.model_copy(update={part: getattr(figures, part).model_copy(update=values)})


def test_figures_within_their_bounds_make_no_alert_and_those_outside_do(figures: views.Figures) -> None:
    terms = AlertTerms(most_error_rate=1.0, least_error_rate=0.0)
    assert names(figures, terms) == set()
    used = figures.money.used_cents
    assert names(changed(figures, "money", cap_cents=int(used / 0.79)), terms) == set()
    assert names(changed(figures, "money", cap_cents=int(used / 0.81)), terms) == {("cap", "")}
    model = figures.models[0]
    away = figures.model_copy(update={"models": (model.model_copy(update={"away_since": NEW_YEAR}),)})
    assert names(away, terms) == {("model_away", model.member)}
    screened = changed(figures, "progress", screened=views.Screened(begun=12, submitted=10, passed=0))
    assert (names(screened, terms, 0), names(screened, terms, 1)) == ({("nobody_qualified", "")}, set())
    rate = figures.course.unverified
    assert rate.share is not None
    assert names(figures, AlertTerms(least_attempts=rate.of, most_error_rate=rate.share - 0.01)) == {("error_rate", "")}
    assert names(figures, AlertTerms(least_attempts=rate.of + 1, most_error_rate=0.0)) == set()
    [of] = figures.rounds
    done = of.model_copy(
        update={
            "stages": (views.Stage(name="writing", since=NEW_YEAR), views.Stage(name="validation", since=NEW_YEAR)),
            "splits": tuple(
                each.model_copy(update={"hits": 4, "hits_submitted": 4, "decided": 4, "waiting": 0})
                for each in of.splits
            ),
        }
    )
    expected = {("stage_done", "writing 1"), ("stage_done", "validation 1")}
    assert names(figures.model_copy(update={"rounds": (done,)}), terms) == expected


def test_an_alert_is_sent_once_signed_and_its_end_too(
    site: Site, store: Store, clock: Clock, receiver: Receiver
) -> None:
    want(store, webhook=f"{receiver.address}/hook")
    first, second = watch(site, store, clock), watch(site, store, clock)
    for each in (first, second, first):
        each.look("pilot")
    watch(site, store, clock).look("pilot")  # after a restart
    assert receiver.told == [("error_rate", "began")]
    [(headers, body)] = receiver.taken
    signed_at, _, given = headers[SIGNATURE].removeprefix("t=").partition(",v1=")
    assert hmac.new(SECRET.encode(), f"{signed_at}.".encode() + body, "sha256").hexdigest() == given
    assert json.loads(body)["campaign"] == "pilot"
    want(store, webhook=f"{receiver.address}/hook", most_error_rate=1.0)
    first.look("pilot")
    clock.advance(seconds=OVER_AFTER.total_seconds() - 1)
    first.look("pilot")
    assert len(receiver.taken) == 1  # it may come back
    clock.advance(seconds=1)
    for each in (first, second, first):
        each.look("pilot")
    assert receiver.told == [("error_rate", "began"), ("error_rate", "over")]
    assert len({json.loads(body)["id"] for _, body in receiver.taken}) == 2


@pytest.mark.parametrize("status", [500, 404, 302])
def test_what_does_not_arrive_is_sent_again_later_and_no_redirect_is_followed(
    site: Site, store: Store, clock: Clock, receiver: Receiver, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)  # as `--verbose` does
    want(store, webhook=f"{receiver.address}/hook/T0PSECRET")
    watched, receiver.status = watch(site, store, clock), status
    watched.look("pilot")
    watched.look("pilot")
    assert len(receiver.taken) == 1
    assert f"the webhook answered {status}" in caplog.text
    assert "T0PSECRET" not in caplog.text
    receiver.status = 200
    clock.advance(seconds=31)
    watched.look("pilot")
    watched.look("pilot")
    assert receiver.told == [("error_rate", "began")] * 2
    assert store.alerts.of_campaign("pilot")[0].told == "began"


def test_nothing_is_sent_unsigned_or_to_nobody(
    site: Site, store: Store, clock: Clock, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch(site, store, clock).look("pilot")
    assert store.alerts.of_campaign("pilot") == []
    want(store, webhook=receiver.address)
    monkeypatch.delenv(SECRET_VARIABLE)
    watch(site, store, clock).look("pilot")
    assert receiver.taken == []
    clock.advance(seconds=timedelta(minutes=1).total_seconds())
    monkeypatch.setenv(SECRET_VARIABLE, SECRET)
    watch(site, store, clock).look("pilot")
    assert receiver.told == [("error_rate", "began")]


class Away(Watched):
    """A campaign whose store does not answer."""

    def bound(self) -> BoundCampaign:
        raise StoreAway


def test_a_store_that_is_away_at_the_start_ends_no_watch(
    site: Site, store: Store, clock: Clock, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alerts, "LOOK_SECONDS", 0.01)
    want(store, webhook=receiver.address)
    pilot = watched_at(store, Path())
    figures = site.boards["pilot"].figures
    watched = AlertWatch({"away": Away("", pilot.desk), "pilot": pilot}, {"pilot": figures}, clock)
    with watched.running():
        wait_until(lambda: bool(receiver.taken), "the other campaign's alert is sent")


def test_an_alert_goes_out_by_e_mail(site: Site, store: Store, clock: Clock) -> None:
    with PostOffice().open() as office:
        want(store, mail=["ann@example.org", "bob@example.org"], smtp=office.url, sender="The lab <lab@example.org>")
        watched = watch(site, store, clock)
        watched.look("pilot")
        watched.look("pilot")
    assert [to for to, _ in office.taken] == ["ann@example.org", "bob@example.org"]
    letter = office.taken[0][1]
    assert letter["Subject"] == "pilot: error rate"
    assert "unverified error rate" in letter.get_content()


@pytest.mark.parametrize(
    "webhook",
    ["http://hooks.example.org/x", "http://169.254.169.254/latest", "http://10.0.0.1/", "ftp://example.org/",
     "https://user:secret@example.org/", "https://", "file:///etc/passwd", "https://exa mple.org/", "http://127.0.0.1:x/",
     "http://localhost.example.org/", "https://example.org/\n", f"https://example.org/{'x' * 2000}"],
)  # fmt: skip
def test_a_webhook_is_of_https_or_of_this_machine(webhook: str) -> None:
    with pytest.raises(ValidationError):
        AlertTerms(webhook=webhook)
    for usable in ("https://hooks.example.org/x?y=1", "http://127.0.0.1:9000/", "http://[::1]/", "http://localhost/"):
        assert AlertTerms(webhook=usable).is_on
