"""The mirror: brings Prolific to what stands in the marketplace, and the marketplace to what happens at Prolific.

Every round looks at both sides and does the next thing for each study and submission. What was done is seen in the next
round, so a lost reply or a killed process costs a round and nothing else; only payments keep a state of their own
(`bonuses`).
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Event, Thread

from beat_the_ai.crowds.prolific import bonuses, external_study, groups, messages
from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.crowds.prolific.documents import ListedSubmission
from beat_the_ai.crowds.prolific.hooks import Hooks
from beat_the_ai.crowds.prolific.offers import (
    FollowedStudy,
    Offer,
    Work,
    follow,
    followed_studies,
    keep,
    offer_of,
    reward_reference,
    works_of,
)
from beat_the_ai.crowds.prolific.settlement import NO_WORK_REASON, Step, next_step, rejection
from beat_the_ai.errors import BeatTheAIError, PaymentError
from beat_the_ai.marketplace import assignments, settings
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import store, studies
from beat_the_ai.marketplace.people.payouts import note_paid_by_recruiter

LOOKS_EVERY_SECONDS = 10.0
ENDS_WITHIN_SECONDS = 5.0  # with a request that hangs, too: it may be cut off at any time
LEASE = "recruiter_mirror"  # the name of a row: who looks, and until when nobody else does
LEASE_LASTS = timedelta(seconds=15)
MOST_PROBLEMS = 20
BY_HAND = (
    "Submission {session} is approved here and {status} at Prolific: its reward has to be paid by hand. Pay it as a "
    "bonus there, and note it: beat-the-ai people paid FILE --as '{reference}'."
)

TO_REJECT = (
    "Submission {session} is rejected here, without a reason and a category that Prolific takes. Reject it at "
    "Prolific, or approve it here."
)

WITHOUT_WORK = (
    "Submission {session} came with a code and without a HIT, and was not returned within a week. Ask the participant "
    "if a HIT was lost, then approve or reject it at Prolific."
)
FOR_A_PERSON: dict[Step, str] = {
    "a person decides": BY_HAND,
    "a person rejects": TO_REJECT,
    "a person judges": WITHOUT_WORK,
}

log = logging.getLogger(__name__)


class Mirror:
    """A thread that looks at both sides; `wake` lets it look at once."""

    def __init__(
        self, market: Market, connect: Callable[[FollowedStudy], ProlificClient], hooks: Hooks | None = None
    ) -> None:
        self._market = market
        self._connect = connect
        self._name = secrets.token_hex(8)
        self._wake = Event()
        self._hooks = hooks
        self._is_over = False

    @contextmanager
    def running(self) -> Iterator[None]:
        thread = Thread(target=self._run, name="prolific", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._is_over = True
            self.wake()
            thread.join(ENDS_WITHIN_SECONDS)

    def wake(self) -> None:
        self._wake.set()

    def _run(self) -> None:
        while not self._is_over:
            self._wake.clear()
            pause = LOOKS_EVERY_SECONDS
            try:
                pause = self.look()
            except Exception:  # whatever it was, the next round may succeed
                if not self._is_over:
                    log.exception("Prolific could not be brought up to date")
            self._wake.wait(pause)

    def look(self) -> float:
        """Look once at all studies. Return the seconds until the next round."""
        with self._market.reading() as moment:
            followed = followed_studies(moment)
        if not followed:
            return LOOKS_EVERY_SECONDS
        for one in followed:
            if not self._has_lease():
                return LEASE_LASTS.total_seconds()
            problem = None
            try:
                problem = self._follow(one)
            except BeatTheAIError as error:
                problem = str(error)
            if problem != one.problem:
                if problem is not None:
                    log.warning("study %s: %s", one.study.title, problem)
                with self._market.writing() as moment:
                    keep(moment, one.study.key, problem=problem)
        return min(one.terms.check_seconds for one in followed)

    def _has_lease(self) -> bool:
        """Take or renew the lease: of several portals on one database, one looks.

        A round may outlast its lease. Then two look, which costs requests and no money: the first study and group that
        were made are kept, batches of bonuses change hands by their state, and messages are noted before they are sent.
        """
        with self._market.writing() as moment:
            owner, _, until = (settings.get(moment, LEASE) or "").partition(" ")
            if owner not in ("", self._name) and datetime.fromisoformat(until) > moment.now:
                return False
            settings.put(moment, LEASE, f"{self._name} {(moment.now + LEASE_LASTS).isoformat()}")
            return True

    def _follow(self, followed: FollowedStudy) -> str | None:
        """Bring one study up to date. Return what a person has to see to, a line each.

        Work is settled and bonuses are paid even while nothing can be offered.
        """
        problems: list[str] = []
        client = self._connect(followed)
        try:
            with noted_in(problems):
                followed = self._set_up(client, followed)
            is_set_up = not problems
            if followed.external_id is not None:
                submissions = client.get_study_submissions(followed.external_id)
                problems += self._settle(client, followed, submissions)
                if is_set_up:
                    with noted_in(problems):
                        self._match_places(client, followed, submissions)
                with noted_in(problems):
                    bonuses.pay(client, self._market, followed.study, followed.external_id)
                with noted_in(problems):
                    messages.forward(client, self._market, followed.study, followed.external_id)
                problems += self._doubts(followed)
            return "\n".join(problems[:MOST_PROBLEMS]) or None
        finally:
            client.close()

    def _set_up(self, client: ProlificClient, followed: FollowedStudy) -> FollowedStudy:
        """Make the study and its group at Prolific, once a HIT is on offer, and bring the group up to date."""
        with self._market.reading() as moment:
            offer = offer_of(moment, followed.study)
            portal = store.portal_address(moment)
        if offer is None:
            return followed
        if self._hooks is not None:
            self._hooks.subscribe(client, followed, portal)
        followed = self._with_group(client, followed, offer)
        return followed if followed.external_id is not None else self._with_study(client, followed, offer)

    def _with_group(self, client: ProlificClient, followed: FollowedStudy, offer: Offer) -> FollowedStudy:
        asked = groups.requirements_of(offer)
        if not asked:
            return followed
        if followed.group_id is None:
            group_id = groups.find_or_create(client, followed)
            with self._market.writing() as moment:
                group_id = follow(moment, followed.study).group_id or group_id
                keep(moment, followed.study.key, group_id=group_id)
            followed = replace(followed, group_id=group_id)
        assert followed.group_id is not None
        with self._market.reading() as moment:
            wanted = groups.members(moment, followed, asked)
        groups.bring_up_to_date(client, followed.group_id, wanted)
        return followed

    def _with_study(self, client: ProlificClient, followed: FollowedStudy, offer: Offer) -> FollowedStudy:
        if not offer.open:
            return followed
        with self._market.reading() as moment:
            portal = store.portal_address(moment)
        external_id = external_study.find_or_create(client, followed, offer, portal)
        with self._market.writing() as moment:  # of two portals at once, the first one's study is the one
            external_id = follow(moment, followed.study).external_id or external_id
            keep(moment, followed.study.key, external_id=external_id)
        return replace(followed, external_id=external_id)

    def _match_places(
        self, client: ProlificClient, followed: FollowedStudy, submissions: list[ListedSubmission]
    ) -> None:
        """Open as many places as there are HITs, as they are now."""
        assert followed.external_id is not None
        record = client.get_study(followed.external_id)
        with self._market.reading() as moment:
            offer, works, now = offer_of(moment, followed.study), works_of(moment, followed.study), moment.now
        assert offer is not None
        is_idle = not (offer.open or offer.in_progress)
        idle_since = (followed.idle_since or now) if is_idle else None
        if idle_since != followed.idle_since:
            with self._market.writing() as moment:
                keep(moment, followed.study.key, idle_since=idle_since)
        change = external_study.next_change(record, submissions, works, offer, idle_since, now)
        if change is not None:
            if change.action in ("PUBLISH", "START"):
                external_study.check_funds(client, followed, offer, offer.open)
            elif change.places is not None:
                external_study.check_funds(client, followed, offer, change.places - record.total_available_places)
            external_study.apply(client, followed.external_id, change)

    def _settle(
        self, client: ProlificClient, followed: FollowedStudy, submissions: list[ListedSubmission]
    ) -> list[str]:
        """Do the next thing about each submission. Return the problems."""
        with self._market.reading() as moment:
            works, now = works_of(moment, followed.study), moment.now
        problems = []
        for one in submissions:
            work = works.get(one.id)
            if work is not None and work.participant != one.participant_id:
                problems.append(f"Submission {one.id} is another participant's at Prolific: its work is not paid.")
                continue
            step = next_step(work, one.status, now, return_asked_at=one.return_requested)
            try:
                if step in FOR_A_PERSON:
                    told = {"session": one.id, "status": one.status.lower(), "reference": reward_reference(one.id)}
                    problems.append(FOR_A_PERSON[step].format(**told))
                elif step is not None:
                    self._do(client, followed, one, work, step)
            except PaymentError as error:
                problems.append(f"submission {one.id}: {error}")
        return problems

    def _do(
        self, client: ProlificClient, followed: FollowedStudy, one: ListedSubmission, work: Work | None, step: Step
    ) -> None:
        if step == "ask for return":
            client.request_submission_return(one.id, [NO_WORK_REASON])
            return
        assert work is not None, "only a return is asked of somebody who never arrived"
        if step == "complete":
            code = followed.study.terms["finished"]
            client.transition_submission(one.id, {"action": "COMPLETE", "completion_code": code})
        elif step == "reject":
            decision = rejection(work.feedback)
            assert decision is not None, "otherwise a person rejects"
            client.transition_submission(one.id, decision)
        elif step == "approve there":
            if client.transition_submission(one.id, {"action": "APPROVE"}).status == "APPROVED":
                self._note(work)
        elif step == "note the payment":
            self._note(work)
        elif step == "approve here":
            self._approve(work)
        else:
            self._give_back(followed, work)

    def _note(self, work: Work) -> None:
        with self._market.writing() as moment:
            note_paid_by_recruiter(moment, reward_reference(work.session), {work.worker_id: work.reward_cents})

    def _approve(self, work: Work) -> None:
        """Follow an approval that was made at Prolific."""
        assert work.assignment_id is not None
        with self._market.writing() as moment:
            assignment = assignments.get_assignment(moment, work.assignment_id)
            if assignment.status == "Submitted":
                assignments.approve(moment, assignment)

    def _give_back(self, followed: FollowedStudy, work: Work) -> None:
        """Free the HIT of a place that is somebody else's by now, and end the visit."""
        with self._market.writing() as moment:
            if work.assignment_id is not None:
                assignment = assignments.get_assignment(moment, work.assignment_id)
                if assignment.status == "Accepted":
                    assignments.give_back(moment, assignment)
            study, visit = studies.get_visit(moment, followed.study.key, work.session)
            studies.end(moment, study, visit)

    def _doubts(self, followed: FollowedStudy) -> list[str]:
        with self._market.reading() as moment:
            open_batches = bonuses.batches_of(moment, followed.study.key, unpaid=True)
        return [problem for batch in open_batches if (problem := batch.problem(followed.currency))]


@contextmanager
def noted_in(problems: list[str]) -> Iterator[None]:
    """Add the error that ends the block to the problems."""
    try:
        yield
    except BeatTheAIError as error:
        problems.append(str(error))
