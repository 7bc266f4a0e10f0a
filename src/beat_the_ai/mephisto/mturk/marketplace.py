"""A requester at a marketplace that speaks the Mechanical Turk protocol: HITs that are made once, decisions that hold.

Mephisto's own calls create a second HIT when a reply is lost, take any failure of an approval for success, and read
the first page of lists.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from beat_the_ai.errors import Declined, PaymentError, TokenSpent, Unanswered
from beat_the_ai.mephisto.mturk.label import Label
from beat_the_ai.payments.crowd import PAUSES_SECONDS, MTurkCrowd, listed
from beat_the_ai.web.holding import ALGORITHM, HEADER

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

LONG_AGO = datetime(2015, 1, 1, tzinfo=timezone.utc)  # whatever the marketplace's clock says
GONE = ("HITDoesNotExist", "InvalidHITState")
NOT_SUBMITTED = ("AssignmentDoesNotExist", "InvalidAssignmentState", "PermissionDenied")


class Marketplace:
    """Raises `PaymentError`: `Declined` when nothing was done, `Unanswered` when nobody knows."""

    def __init__(self, crowd: MTurkCrowd, sleep: Callable[[float], None] = time.sleep) -> None:
        self._crowd = crowd
        self._sleep = sleep

    @classmethod
    def connect(
        cls, endpoint_url: str | None = None, sleep: Callable[[float], None] = time.sleep, **options: Any
    ) -> Marketplace:
        """As `MTurkCrowd.connect`: keys are looked for where boto3 looks for them, no profile is needed."""
        return cls(MTurkCrowd.connect(endpoint_url, sleep, **options), sleep)

    @property
    def client(self) -> MTurkClient:
        return self._crowd.client

    @property
    def secret_key(self) -> str:
        """The requester's secret access key."""
        return self._crowd.secret_key

    def close(self) -> None:
        self._crowd.close()

    def signs_frames(self) -> bool:
        """Whether the addresses of workers' pages are signed here, as `beat_the_ai.web.holding` has it."""
        answer = self._ask("get_account_balance")
        return str(answer["ResponseMetadata"]["HTTPHeaders"].get(HEADER)) == ALGORITHM

    def assignment(self, assignment_id: str) -> dict[str, Any] | None:
        """One that was submitted to this requester; None when there is none."""
        try:
            found: dict[str, Any] = self._ask("get_assignment", AssignmentId=assignment_id)["Assignment"]
        except Declined as error:
            if turk_code(error) in NOT_SUBMITTED:
                return None
            raise
        return found

    def hit_type(self, **properties: Any) -> str:
        """The id of the HIT type with these properties; the same properties have the same one [doc]."""
        return str(self._ask("create_hit_type", **properties)["HITTypeId"])

    def create_hit(self, label: Label, hit_type_id: str, question: str, lifetime_seconds: int) -> str:
        """The id of the one HIT with this label, as long as its token counts (24 hours); look for it before [doc]."""
        try:
            reply = self._ask(
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
        return self._listed("list_hits", "HITs")

    def hits_of(self, campaign: str) -> Iterator[tuple[Label, dict[str, Any]]]:
        for hit in self.hits():
            label = Label.of(hit)
            if label is not None and label.campaign == campaign:
                yield label, hit

    def hit(self, hit_id: str) -> dict[str, Any] | None:
        """None when the marketplace has no such HIT (any more)."""
        try:
            found: dict[str, Any] = self._ask("get_hit", HITId=hit_id)["HIT"]
        except Declined as error:
            if turk_code(error) == "HITDoesNotExist":
                return None
            raise
        return found

    def assignments(self, hit_id: str) -> Iterator[dict[str, Any]]:
        """Those that were submitted, decided or not."""
        return self._listed("list_assignments_for_hit", "Assignments", HITId=hit_id)

    def blocks(self) -> Iterator[dict[str, Any]]:
        return self._listed("list_worker_blocks", "WorkerBlocks")

    def expire(self, hit_id: str) -> None:
        """Nobody may accept it any more; whoever has accepted it may finish. Does nothing to a HIT that is gone."""
        try:
            self._ask("update_expiration_for_hit", HITId=hit_id, ExpireAt=LONG_AGO)
        except Declined as error:
            if turk_code(error) not in GONE:
                raise

    def delete(self, hit_id: str) -> bool:
        """Whether it is gone; False as long as somebody works on it or waits for a decision."""
        try:
            self._ask("delete_hit", HITId=hit_id)
        except Declined as error:
            if turk_code(error) not in GONE:
                raise
            hit = self.hit(hit_id)
            return hit is None or hit["HITStatus"] == "Disposed"
        return True

    def approve(self, assignment_id: str, *, override_rejection: bool = False) -> None:
        """Approving what is approved already is success; a rejection is taken back only where that is said."""
        request = {"AssignmentId": assignment_id, "OverrideRejection": override_rejection}
        self._decide("Approved", "approve_assignment", request)

    def reject(self, assignment_id: str, feedback: str) -> None:
        request = {"AssignmentId": assignment_id, "RequesterFeedback": feedback}
        self._decide("Rejected", "reject_assignment", request)

    def _decide(self, status: str, operation: str, request: dict[str, Any]) -> None:
        try:
            self._ask(operation, **request)
        except PaymentError:  # it may be so all the same: an answer was lost, or automatic approval came first
            found = self._ask("get_assignment", AssignmentId=request["AssignmentId"])["Assignment"]
            if found["AssignmentStatus"] != status:
                raise

    def _listed(self, operation: str, member: str, **query: Any) -> Iterator[dict[str, Any]]:
        return listed(self._ask, operation, member, **query)

    def _ask(self, operation: str, **parameters: Any) -> Any:
        """Asked again when no answer came: everything here may be carried out twice, or has a token against it."""
        for pause in (*PAUSES_SECONDS, None):
            try:
                return self._crowd.call(operation, **parameters)
            except TokenSpent:
                raise
            except Unanswered:
                if pause is None:
                    raise
                self._sleep(pause)
        raise AssertionError("the last try either returns or raises")


def turk_code(error: Declined) -> str:
    """The protocol's name for why: HITDoesNotExist."""
    cause = error.__cause__
    code = cause.response.get("TurkErrorCode", "") if isinstance(cause, ClientError) else ""
    return str(code).rpartition(".")[2]
