"""Arrivals: who comes from Prolific, by its signed link and by asking for the submission."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from threading import BoundedSemaphore, Lock

from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.crowds.prolific.documents import UNDER_WAY
from beat_the_ai.crowds.prolific.external_study import PERSON, SESSION, STUDY
from beat_the_ai.crowds.prolific.hooks import Hooks
from beat_the_ai.crowds.prolific.mirror import Mirror
from beat_the_ai.crowds.prolific.offers import FollowedStudy, follow
from beat_the_ai.crowds.prolific.signed_links import PARAMETER, KeySet, check_token
from beat_the_ai.crowds.prolific.token import read_token
from beat_the_ai.errors import Declined, InvalidInput, PaymentError, Refused
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import store
from beat_the_ai.marketplace.people.studies import Study

ID = re.compile(r"[0-9a-f]{24}", re.ASCII)
TRIES = 2
TIMEOUT_SECONDS = 10.0
MOST_AT_ONCE = 8  # of the portal's forty threads: while Prolific hangs, the others serve everybody else
WAITS_SECONDS = 2.0  # for one of these to become free
NO_PLACE = "Prolific does not know this place in the study as yours. Open the study from Prolific's page again."
NOT_OPEN = "Your place in this study is not open at Prolific: it is {status}. Take a place there first."
LATER = "Prolific cannot be asked at the moment. Please reload this page in a minute; your place is kept there."

log = logging.getLogger(__name__)


class ProlificRecruiters:
    """`Recruiters` for the studies of a marketplace that stand at Prolific; all others pass."""

    def __init__(self, market: Market, place: str) -> None:
        self._market = market
        self._place = place
        self._clients: dict[str, ProlificClient] = {}
        self._keys: dict[str, KeySet] = {}
        self._lock = Lock()
        self._places = BoundedSemaphore(MOST_AT_ONCE)
        self._hooks = Hooks()
        self._mirror = Mirror(market, self._connect, self._hooks)

    def check_link(self, study: Study, asked: Mapping[str, str], now: datetime) -> None:
        if not study.is_signed:
            return
        followed, portal = self._followed(study)
        client = self._client(followed)
        with self._lock:
            keys = self._keys.setdefault(followed.terms.api_url, KeySet(client.get_study_jwks))
        said = {name: asked.get(name, "") for name in (PERSON, SESSION)}
        said |= {STUDY: followed.external_id or "", "workspace_id": followed.terms.workspace}
        address = f"{portal}/worker/study/{study.key}"
        with self._asking():
            check_token(keys, asked.get(PARAMETER, ""), said, address, said[SESSION], now)

    def check_place(self, study: Study, person: str, session: str) -> None:
        if not study.is_paid_by_recruiter:
            return
        followed, _ = self._followed(study)
        if not (ID.fullmatch(person) and ID.fullmatch(session)) or followed.external_id is None:
            raise Refused(NO_PLACE)
        client = self._client(followed)
        try:
            with self._asking():
                submission = client.get_submission(session)
        except Declined as error:
            raise Refused(LATER if error.crowd_code in ("", "401", "403") else NO_PLACE) from error
        except PaymentError as error:
            raise Refused(LATER) from error
        if (submission.study_id, submission.participant) != (followed.external_id, person):
            raise Refused(NO_PLACE)
        if submission.status not in UNDER_WAY:
            raise Refused(NOT_OPEN.format(status=submission.status.lower()))

    def notify(self, headers: Mapping[str, str], body: bytes) -> None:
        if self._hooks.check(headers, body, self._market.clock.now()):
            self._mirror.wake()

    @contextmanager
    def running(self) -> Iterator[None]:
        try:
            with self._mirror.running():
                yield
        finally:
            for client in self._clients.values():
                client.close()

    def _followed(self, study: Study) -> tuple[FollowedStudy, str]:
        with self._market.reading() as moment:
            return follow(moment, study), store.portal_address(moment)

    def _client(self, followed: FollowedStudy) -> ProlificClient:
        """Return the client that arrivals share: somebody waits for its answer, so it is not patient."""
        try:
            token = read_token(self._place)
        except (InvalidInput, Refused) as error:  # the requester's business, and not for participants to read
            log.error("nobody can begin at %s: %s", followed.study.title, error)
            raise Refused(LATER) from error
        with self._lock:
            url = followed.terms.api_url
            client = self._clients.get(url) or ProlificClient(url, token, tries=TRIES, timeout_seconds=TIMEOUT_SECONDS)
            client.use_token(token)
            self._clients[url] = client
            return client

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Take one of few places for the time of a request. Raises `Refused` where none becomes free."""
        if not self._places.acquire(timeout=WAITS_SECONDS):
            raise Refused(LATER)
        try:
            yield
        finally:
            self._places.release()

    def _connect(self, followed: FollowedStudy) -> ProlificClient:
        return ProlificClient(followed.terms.api_url, read_token(self._place))
