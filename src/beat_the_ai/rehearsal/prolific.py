"""The venue of `crowd=prolific`: a local recruiter with Prolific's API, and the portal of the campaign's people."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.crowds.prolific import bonuses, external_study, groups
from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.crowds.prolific.offers import FollowedStudy, followed_studies, offer_of, works_of
from beat_the_ai.errors import PaymentError, ProcessFailed
from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import store
from beat_the_ai.marketplace.people.person import MAY_WORK, NewPerson, add_people
from beat_the_ai.marketplace.tables import recruited
from beat_the_ai.rehearsal.processes import LOG_FILE, ServerProcess, heavy_faults
from beat_the_ai.rules.amounts import dollars
from beat_the_ai.simulation.marketplace import Account
from beat_the_ai.simulation.participants import enrol_participants, participant_workplaces
from beat_the_ai.simulation.workplaces import Workplaces

PATIENCE_SECONDS = 120
LOOK_SECONDS = 0.3
DECIDED_AFTER_SECONDS = 6  # the recruiter pays a batch within two
FUNDS_FACTOR = 3  # of the campaign's cap: the recruiter sets rewards, fees and VAT aside, and more places are added
PAGES = "ParticipantPages"


class RecruiterProcess(ServerProcess):
    """A local recruiter."""

    def __init__(self, file: Path, currency: str, cents: int) -> None:
        super().__init__("recruiter", file.with_name(LOG_FILE))
        self._options = ["--store", str(file), "--currency", currency, "--balance", dollars(cents)]

    def command(self) -> list[str]:
        command = [sys.executable, "-m", "beat_the_ai.cli", "recruiter", "serve", "--rehearsal"]
        return [*command, *self._options, "--port", str(self._port)]


class PortalProcess(ServerProcess):
    """The portal of the people whom the recruiter sends."""

    def __init__(self, people: str, log: Path, token: str) -> None:
        super().__init__("portal", log)
        self._people = people
        self._token = token

    def command(self) -> list[str]:
        command = [sys.executable, "-m", "beat_the_ai.cli", "people", "serve", "--rehearsal"]
        return [*command, "--people", self._people, "--port", str(self._port)]

    def environment(self) -> dict[str, str]:
        return {**os.environ, "PROLIFIC_TOKEN": self._token}


class ProlificVenue:
    """Participants of a local recruiter who come to the portal."""

    def __init__(self, recruiter: RecruiterProcess, portal: PortalProcess, market: Market, people: str) -> None:
        self._recruiter = recruiter
        self._portal = portal
        self._market = market
        self._people = people
        self._doubts: dict[str, float] = {}
        self.servers = (recruiter, portal)
        key = store.requester_key(market)
        self.keys: Mapping[str, str] = {"aws_access_key_id": key.id, "aws_secret_access_key": key.secret}

    @classmethod
    @contextmanager
    def opened(cls, private: Path, settings: Settings) -> Iterator[ProlificVenue]:
        assert settings.crowd.prolific is not None, "the configuration has it"
        people = f"sqlite:///{private / 'people.db'}"
        currency, cents = settings.crowd.unit, FUNDS_FACTOR * settings.pay.cap_cents
        with (
            store.people_at(people, create=True) as market,
            RecruiterProcess(private / "recruiter.db", currency, cents) as recruiter,
            PortalProcess(people, private / LOG_FILE, str(recruiter.printed["token"])) as portal,
        ):
            with market.writing() as moment:
                store.keep_address(moment, portal.address)
            yield cls(recruiter, portal, market, people)

    def located(self, settings: Settings) -> Settings:
        assert settings.crowd.prolific is not None, "the configuration has it"
        at = {"api_url": self._recruiter.address, "site_url": self._recruiter.address}
        workspace = {"workspace": str(self._recruiter.printed["workspace"]), "check_seconds": LOOK_SECONDS}
        prolific = settings.crowd.prolific.model_copy(update={**at, **workspace})
        crowd = {"endpoint_url": self._portal.address, "people": self._people, "prolific": prolific}
        return settings.model_copy(update={"crowd": settings.crowd.model_copy(update=crowd)})

    def enrol(self, names: Sequence[str]) -> list[Account]:
        """Make participants of the recruiter's, whom the portal knows by the ids of the rehearsal's workers."""
        accounts = [Account(name, hashlib.sha256(name.encode()).hexdigest()[:24]) for name in names]
        enrol_participants(
            self._recruiter.address, self._recruiter.control_token, [one.access_code for one in accounts]
        )
        host = urlsplit(self._recruiter.address).hostname
        with self._market.writing() as moment:
            known = set(moment.connection.scalars(sa.select(recruited.c.worker_id)))
            new = [one for one in accounts if one.worker_id not in known]
            described = [NewPerson(one.access_code) for one in new]
            add_people(moment, described, MAY_WORK, ids=[one.worker_id for one in new])
            for one in new:
                row = {"worker_id": one.worker_id, "recruiter": host, "external_id": one.access_code}
                moment.connection.execute(sa.insert(recruited).values(row))
                credentials.begin(moment, one.worker_id)
        return accounts

    def workplaces(self, accounts: Sequence[Account]) -> Workplaces:
        participants = [one.access_code for one in accounts]
        return participant_workplaces(self._recruiter.address, self._portal.address, participants)

    def begin_faults(self, seed: int) -> None:
        self._portal.switch_faults(heavy_faults(seed))
        self._recruiter.switch_faults(heavy_faults(seed, PAGES))

    def end_faults(self) -> None:
        """The recruiter goes on failing until everybody is paid."""
        self._portal.switch_faults({"rules": []})

    def follows(self) -> bool:
        """Return whether the recruiter has the places and the groups, and nobody is on the way."""
        try:
            with self._market.reading() as moment:
                followed = followed_studies(moment)
            return all(self._has_followed(one) for one in followed)
        except PaymentError:
            return False

    def _has_followed(self, followed: FollowedStudy) -> bool:
        with closing(self._client(followed)) as client, self._market.reading() as moment:
            offer = offer_of(moment, followed.study)
            if offer is None or followed.external_id is None:
                return offer is None or not offer.open
            submissions = client.get_study_submissions(followed.external_id)
            record, works = client.get_study(followed.external_id), works_of(moment, followed.study)
            change = external_study.next_change(record, submissions, works, offer, None, moment.now)
            return change is None and self._has_group(client, moment, followed, groups.requirements_of(offer))

    def _has_group(self, client: ProlificClient, moment: Moment, followed: FollowedStudy, asked: Any) -> bool:
        if not asked:
            return True
        if followed.group_id is None:
            return False
        return groups.differences(client, followed.group_id, groups.members(moment, followed, asked)) == ([], [])

    def _client(self, followed: FollowedStudy) -> ProlificClient:
        return ProlificClient(followed.terms.api_url, str(self._recruiter.printed["token"]))

    def settle(self) -> Mapping[str, int]:
        """Wait until the recruiter has paid everything, deciding as a person would where its answers were lost.

        Raises `ProcessFailed` when it does not come about, and for bonuses that were paid twice.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._is_settled():
            if time.monotonic() > deadline:
                raise ProcessFailed(f"After {PATIENCE_SECONDS} seconds the recruiter has not paid everything.")
            time.sleep(LOOK_SECONDS)
        self._recruiter.switch_faults({"rules": []})
        books = self._recruiter.control("GET", "books")
        if books["paid_twice"]:
            raise ProcessFailed(f"Bonuses were paid twice: {books['paid_twice']}")
        with self._market.reading() as moment:
            rows = moment.connection.execute(sa.select(recruited.c.external_id, recruited.c.worker_id)).all()
        workers = {row.external_id: row.worker_id for row in rows}
        paid = books["participants"].items()
        return {workers[name]: one["rewards_cents"] + one["bonuses_cents"] for name, one in paid if name in workers}

    def _is_settled(self) -> bool:
        with self._market.reading() as moment:
            followed = followed_studies(moment)
            works = [work for one in followed for work in works_of(moment, one.study).values()]
            batches = bonuses.batches_of(moment, unpaid=True)
            waiting = any(bonuses.are_waiting(moment, one.study) for one in followed)
        for batch in batches:
            self._decide(batch)
        is_paid = all(work.is_paid for work in works if work.status == "Approved" and work.reward_cents)
        return is_paid and not batches and not waiting

    def _decide(self, batch: bonuses.Batch) -> None:
        """Look at the recruiter's books about a batch that is in doubt, as a person looks at its page."""
        if batch.state not in ("sent", "doubtful"):
            self._doubts.pop(batch.id, None)
            return
        if time.monotonic() - self._doubts.setdefault(batch.id, time.monotonic()) < DECIDED_AFTER_SECONDS:
            return
        del self._doubts[batch.id]
        booked = self._recruiter.control("GET", "books")["participants"].values()
        paid = {session: one["bonuses_cents"] for person in booked for session, one in person["submissions"].items()}
        with self._market.writing() as moment:
            shown = bonuses.shown(batch, lambda session: Counter(paid[session]))
            bonuses.decide(moment, batch.id, is_paid=len(shown) == len(batch.unpaid))
