"""A campaign's marketplace, a local recruiter in a process of its own, and participants between the two."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from beat_the_ai.crowds.prolific import external_study, new_codes
from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.crowds.prolific.documents import FREE_AGAIN
from beat_the_ai.crowds.prolific.hooks import Hooks
from beat_the_ai.crowds.prolific.mirror import Mirror
from beat_the_ai.crowds.prolific.offers import FollowedStudy, follow
from beat_the_ai.marketplace.clock import ShiftedClock
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import payouts, store, studies
from beat_the_ai.marketplace.workplace import Workplace
from beat_the_ai.terms.crowd import ProlificTerms
from tests.contracts.prolific import Contract
from tests.marketplace.desk import Desk
from tests.marketplace.rehearsal import NUMBERS
from tests.recruiter.running import Exchange, Participant, Running

REWARD = "2.00"


@dataclass
class CheckedTransport(httpx.BaseTransport):
    """Real requests, each held against Prolific's document with its answer.

    `before` and `after` may raise; `instead` may answer in the recruiter's place.
    """

    contract: Contract | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    before: Callable[[httpx.Request], None] = lambda request: None
    after: Callable[[httpx.Request], None] = lambda request: None
    instead: Callable[[httpx.Request], httpx.Response | None] = lambda request: None

    def __post_init__(self) -> None:
        self._http = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.before(request)
        if (answer_instead := self.instead(request)) is not None:
            return answer_instead
        response = self._http.handle_request(request)
        response.read()
        body = json.loads(request.content) if request.content else None
        is_json = response.headers.get("content-type", "").startswith("application/json")
        answer = json.loads(response.content) if is_json else None
        query = {name: values[0] for name, values in parse_qs(request.url.query.decode()).items()}
        headers = dict(request.headers)
        exchange = Exchange(request.method, request.url.path, query, headers, body, response.status_code, answer)
        self.exchanges.append(exchange)
        if self.contract is not None and is_json:
            exchange.check(self.contract)
        self.after(request)
        return response

    def close(self) -> None:
        """Close the connections; the next client opens others."""
        self._http.close()
        self._http = httpx.HTTPTransport()

    def asked(self, method: str, path: str) -> int:
        """Return how many requests there were of this kind; `path` is the end of theirs."""
        return sum(one.method == method and one.path.endswith(path) for one in self.exchanges)


@dataclass
class Scene:
    """One study, here and at the recruiter."""

    market: Market
    desk: Desk
    recruiter: Running
    transport: CheckedTransport
    key: str
    prefix: str
    people: dict[str, Participant] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.hooks = Hooks()
        self.mirror = Mirror(self.market, lambda followed: self.client(), self.hooks)
        self.workplace = Workplace(self.market)

    def client(self, tries: int = 3) -> ProlificClient:
        token = self.recruiter.printed["token"]
        return ProlificClient(
            self.recruiter.address, token, tries=tries, sleep=lambda seconds: None, transport=self.transport
        )

    def offer(self, hits: int = 1, **changes: Any) -> list[str]:
        named = [f"{self.prefix}unit-{next(NUMBERS)}" for _ in range(hits)]
        return [self.desk.new_hit(**{"Reward": REWARD, "RequesterAnnotation": name, **changes}) for name in named]

    def look(self, rounds: int = 1) -> str | None:
        """Let the mirror look. Return what needs a person."""
        for _ in range(rounds):
            self.mirror.look()
        return self.followed.problem

    @property
    def followed(self) -> FollowedStudy:
        with self.market.reading() as moment:
            return follow(moment, studies.get_study(moment, self.key))

    @property
    def external_id(self) -> str:
        assert self.followed.external_id is not None
        return self.followed.external_id

    @property
    def record(self) -> Any:
        return self.recruiter.researcher().study(self.external_id)

    @property
    def free_places(self) -> int:
        counts = self.statuses()
        taken = sum(count for status, count in counts.items() if status not in FREE_AGAIN)
        return int(self.record["total_available_places"]) - taken

    def statuses(self) -> dict[str, int]:
        found = self.recruiter.researcher().ask("GET", f"/api/v1/studies/{self.external_id}/submissions/")["results"]
        return {status: sum(one["status"] == status for one in found) for status in {one["status"] for one in found}}

    def take_place(self, participant: Participant) -> str:
        """Return the session with which a participant opens the study."""
        session = participant.take(self.external_id)
        asked = parse_qs(urlsplit(participant.open(session)).query)
        assert asked["SESSION_ID"] == [session]
        self.people[session] = participant
        return session

    def accept(self, session: str) -> str:
        """Begin the visit of a session, and return the accepted assignment."""
        person, browser = self.people[session].id, f"browser of {session}"
        with self.market.writing() as moment:
            study = studies.get_study(moment, self.key)
            visit = studies.begin(moment, study, person, session, browser[:40])
            hit_id = studies.next_hit(moment, study, visit)
            assert hit_id is not None
            return self.workplace.accept_at(moment, visit.worker_id, hit_id).id

    def submit(self, assignment_id: str, session: str) -> None:
        with self.market.reading() as moment:
            _, visit = studies.get_visit(moment, self.key, session)
        self.workplace.submit(visit.worker_id, assignment_id, [("final", "{}")])
        with self.market.writing() as moment:
            studies.end(moment, *studies.get_visit(moment, self.key, session))

    def work(self, participant: Participant | None = None, *, brings_code: bool = True) -> tuple[str, str]:
        """Let a participant do a HIT. Return the session and the assignment."""
        participant = participant or self.recruiter.participant()
        session = self.take_place(participant)
        assignment_id = self.accept(session)
        self.submit(assignment_id, session)
        if brings_code:
            participant.come_back(self.code("done"))
        return session, assignment_id

    def code(self, name: str) -> str:
        return str(self.followed.study.terms[name])

    def worker_of(self, session: str) -> str:
        with self.market.reading() as moment:
            return studies.get_visit(moment, self.key, session)[1].worker_id

    def give_bonus(self, session: str, assignment_id: str, amount: str = "0.50") -> None:
        named = {"WorkerId": self.worker_of(session), "AssignmentId": assignment_id}
        self.desk.ask("SendBonus", **named, BonusAmount=amount, Reason="beat the AI")

    def paid_here(self, session: str) -> int:
        with self.market.reading() as moment:
            return payouts.paid_cents(moment, self.worker_of(session))

    def submission(self, session: str) -> Any:
        return self.recruiter.researcher().submission(session)

    def wait(self, seconds: float) -> None:
        """Let time pass on both sides."""
        assert isinstance(self.market.clock, ShiftedClock)
        self.market.clock.advance(timedelta(seconds=seconds))
        self.recruiter.control("clock", {"advance_seconds": seconds})


def registered(market: Market, recruiter: Running, unit: str = "GBP", **changes: Any) -> tuple[str, str]:
    """Return the key and the prefix of a new study."""
    terms = ProlificTerms(
        workspace=recruiter.printed["workspace"],
        minutes=5,
        api_url=recruiter.address,
        site_url=recruiter.address,
        signed=bool(changes.get("signed")),
    )
    prefix = f"beat-the-ai:prolific {next(NUMBERS)}:"
    described = {
        **new_codes(),
        "person": external_study.PERSON,
        "session": external_study.SESSION,
        "finish_url": f"{recruiter.address}/submissions/complete?cc={{code}}",
        "hits_each": 1,
        "prolific": {**terms.model_dump(mode="json"), **changes.pop("prolific", {})},
        **changes,
    }
    described["partial"] = described["done"]
    with market.writing() as moment:
        store.agree_on_unit(moment, unit)
        return studies.register(moment, prefix, "Write questions", described), prefix
