"""A requester at a crowd that speaks the Mechanical Turk protocol: money, HITs that are made once, decisions.

Mephisto's own calls create a second HIT when a reply is lost, take any failure of an approval for success, and read
the first page of lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from beat_the_ai.errors import Declined, PaymentError, TokenSpent, Unanswered
from beat_the_ai.requester.client import PAUSES_SECONDS, Client, listed
from beat_the_ai.requester.label import Label
from beat_the_ai.rules.amounts import cents_of, dollars
from beat_the_ai.web.fees import HEADER as FEES_HEADER
from beat_the_ai.web.fees import NONE
from beat_the_ai.web.signed_assignment import ALGORITHM, HEADER

LONG_AGO = datetime(2015, 1, 1, tzinfo=timezone.utc)  # whatever the marketplace's clock says
GONE = ("HITDoesNotExist", "InvalidHITState")
NOT_SUBMITTED = ("AssignmentDoesNotExist", "InvalidAssignmentState", "PermissionDenied")


@dataclass(frozen=True)
class BookedBonus:
    """One bonus as the crowd lists it."""

    worker: str
    assignment: str
    cents: int
    reason: str


class Requester(Client):
    """Raises `PaymentError`: `Declined` when nothing was done, `Unanswered` when nobody knows."""

    def balance_cents(self) -> int:
        """Return the amount that can be spent."""
        return cents_of(self.call("get_account_balance")["AvailableBalance"])

    def send_bonus(self, worker: str, assignment: str, cents: int, reason: str, token: str) -> None:
        """Pay, at most once for a token while the crowd remembers it (MTurk: 24 hours)."""
        names = {"WorkerId": worker, "AssignmentId": assignment, "UniqueRequestToken": token}
        self.call("send_bonus", **names, BonusAmount=dollars(cents), Reason=reason)

    def bonuses_paid(self, assignment: str) -> list[BookedBonus]:
        """Every bonus ever paid for an assignment."""
        found = listed(self.call, "list_bonus_payments", "BonusPayments", AssignmentId=assignment)
        return [
            BookedBonus(each["WorkerId"], each["AssignmentId"], cents_of(each["BonusAmount"]), each["Reason"])
            for each in found
        ]

    def signs_frames(self) -> bool:
        """Return whether the addresses of workers' pages are signed here (`beat_the_ai.web.signed_assignment`)."""
        answer = self.ask("get_account_balance")
        return str(answer["ResponseMetadata"]["HTTPHeaders"].get(HEADER)) == ALGORITHM

    def charges_fees(self) -> bool:
        """Return False only where the marketplace says that it charges none."""
        answer = self.ask("get_account_balance")
        return str(answer["ResponseMetadata"]["HTTPHeaders"].get(FEES_HEADER)) != NONE

    def assignment(self, assignment_id: str) -> dict[str, Any] | None:
        """One that was submitted to this requester; None when there is none."""
        try:
            found: dict[str, Any] = self.ask("get_assignment", AssignmentId=assignment_id)["Assignment"]
        except Declined as error:
            if error.crowd_code in NOT_SUBMITTED:
                return None
            raise
        return found

    def hit_type(self, **properties: Any) -> str:
        """The id of the HIT type with these properties; the same properties have the same one [doc]."""
        return str(self.ask("create_hit_type", **properties)["HITTypeId"])

    def create_hit(self, label: Label, hit_type_id: str, question: str, lifetime_seconds: int) -> str:
        """The id of the one HIT with this label, as long as its token counts (24 hours); look for it before [doc]."""
        try:
            reply = self.ask(
                "create_hit_with_hit_type",
                HITTypeId=hit_type_id,
                MaxAssignments=1,
                LifetimeInSeconds=lifetime_seconds,
                Question=question,
                UniqueRequestToken=label.token,
                RequesterAnnotation=label.annotation,
            )
        except TokenSpent:
            return self._created(label)
        return str(reply["HIT"]["HITId"])

    def _created(self, label: Label) -> str:
        """Made by a request whose answer was lost. A list may lag behind, so it is read again."""
        for pause in (*PAUSES_SECONDS, None):
            for hit in self.hits():
                if Label.of(hit) == label:
                    return str(hit["HITId"])
            if pause is not None:
                self._sleep(pause)
        raise Unanswered(f"The HIT {label.annotation} was created once and is not listed any more; was it deleted?")

    def hits(self) -> Iterator[dict[str, Any]]:
        """All that were not deleted."""
        return listed(self.ask, "list_hits", "HITs")

    def labelled_hits(self) -> Iterator[tuple[Label, dict[str, Any]]]:
        """Yield the HITs of this suite's campaigns."""
        for hit in self.hits():
            label = Label.of(hit)
            if label is not None:
                yield label, hit

    def hit(self, hit_id: str) -> dict[str, Any] | None:
        """None when the marketplace has no such HIT (any more)."""
        try:
            found: dict[str, Any] = self.ask("get_hit", HITId=hit_id)["HIT"]
        except Declined as error:
            if error.crowd_code == "HITDoesNotExist":
                return None
            raise
        return found

    def assignments(self, hit_id: str) -> Iterator[dict[str, Any]]:
        """Yield the submitted assignments, decided or not."""
        return listed(self.ask, "list_assignments_for_hit", "Assignments", HITId=hit_id)

    def notify(self, worker: str, subject: str, text: str) -> bool:
        """Send a message, and return whether the crowd took it: only to workers whose work was decided on [doc]."""
        reply = self.call("notify_workers", WorkerIds=[worker], Subject=subject, MessageText=text)
        return not reply.get("NotifyWorkersFailureStatuses")

    def blocks(self) -> Iterator[dict[str, Any]]:
        return listed(self.ask, "list_worker_blocks", "WorkerBlocks")

    def expire(self, hit_id: str) -> None:
        """Nobody may accept it any more; whoever has accepted it may finish. Does nothing to a HIT that is gone."""
        try:
            self.ask("update_expiration_for_hit", HITId=hit_id, ExpireAt=LONG_AGO)
        except Declined as error:
            if error.crowd_code not in GONE:
                raise

    def approve(self, assignment_id: str, *, override_rejection: bool = False) -> None:
        """Approving what is approved already is success; a rejection is taken back only where that is said."""
        request = {"AssignmentId": assignment_id, "OverrideRejection": override_rejection}
        self._decide("Approved", "approve_assignment", request)

    def reject(self, assignment_id: str, feedback: str) -> None:
        request = {"AssignmentId": assignment_id, "RequesterFeedback": feedback}
        self._decide("Rejected", "reject_assignment", request)

    def _decide(self, status: str, operation: str, request: dict[str, Any]) -> None:
        try:
            self.call(operation, **request)
        except PaymentError:  # it may be so all the same: an answer was lost, or automatic approval came first
            found = self.call("get_assignment", AssignmentId=request["AssignmentId"])["Assignment"]
            if found["AssignmentStatus"] != status:
                raise
