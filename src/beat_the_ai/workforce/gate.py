"""The crowd's side of standing: a qualification that HITs ask for, granted and withdrawn on the marketplace.

All methods raise `Declined` when the crowd certainly did nothing and `Unanswered` when nobody can know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Protocol

from beat_the_ai.errors import Declined
from beat_the_ai.messages import said
from beat_the_ai.requester import Label, Requester, listed
from beat_the_ai.store import Campaign

VALUE = 1  # what HITs ask for: EqualTo 1
NAME_TAKEN = "QualificationTypeAlreadyExists"
ANSWERED = {"InvalidQualificationRequestState", "QualificationRequestDoesNotExist"}
NOT_HELD = {"QualificationDoesNotExist", "InvalidQualificationState"}  # never granted; revoked


@dataclass(frozen=True)
class GateRequest:
    """A worker asks the crowd to be let in. `id` is the crowd's own name for it."""

    id: str
    worker: str
    at: datetime


class Gate(Protocol):
    """The crowd's admission of workers."""

    def grant(self, worker: str) -> None:
        """Let a worker in and tell them; a request of theirs is accepted. What is held already stays as it is."""

    def requests(self) -> list[GateRequest]:
        """Return the unanswered requests for this campaign, oldest first."""

    def reject(self, request: GateRequest) -> None:
        """Turn a request down. It says nothing about the worker's standing."""

    def withdraw(self, worker: str) -> None:
        """Let a worker in no more. Withdrawing what is not held changes nothing."""

    def holds(self, worker: str) -> bool:
        """Return whether the crowd would let the worker in."""

    def holders(self) -> set[str]:
        """All whom it would let in."""

    def blocked(self) -> set[str]:
        """All whom the requester has blocked there."""

    def tell(self, worker: str, subject: str, text: str) -> bool:
        """Send a worker a message. Returns False where the crowd does not deliver it."""


class MTurkGate:
    """`Gate` over MTurk's protocol: one qualification type for each campaign, found by its name or created once.

    `told` puts messages into the language of workers. Reviewers' reasons stay here: they may speak of other workers.
    """

    def __init__(self, client: Requester, campaign: Campaign, told: Callable[[str], str] = str) -> None:
        self._client = client
        self._told = told
        self._campaign = campaign
        self._name = f"Beat the AI: {campaign.crowd_name}"

    @cached_property
    def type_id(self) -> str:
        """The qualification type's id, for the requirements of HIT types: `{type} EqualTo 1`.

        Asked for again when no answer comes: nothing can be offered without it.
        """
        found = self._find_type(self._client.ask)
        if found is not None:
            return found
        names = {
            "Name": self._name,
            "Description": self._told(said("notices.qualification")),
            "QualificationTypeStatus": "Active",
        }
        try:
            created = self._client.ask("create_qualification_type", **names)
        except Declined as error:
            found = self._find_type(self._client.ask) if error.crowd_code == NAME_TAKEN else None
            if found is None:
                raise
            return found
        return str(created["QualificationType"]["QualificationTypeId"])

    def _find_type(self, call: Callable[..., Any]) -> str | None:
        return _type_named(self._name, call) or self._type_of_older_version(call)

    def _type_of_older_version(self, call: Callable[..., Any]) -> str | None:
        """Return the type that all campaigns of one id shared, if HITs of this campaign ask for it."""
        shared = _type_named(f"Beat the AI: {self._campaign.id}", call)
        if shared is None:
            return None
        asks = any(
            requirement["QualificationTypeId"] == shared
            for hit in listed(call, "list_hits", "HITs")
            if (label := Label.of(hit)) and label.campaign.startswith(f"{self._campaign.crowd_name}-")
            for requirement in hit.get("QualificationRequirements", ())
        )
        return shared if asks else None

    def grant(self, worker: str) -> None:
        """MTurk leaves a request open whose worker is granted the qualification otherwise [assumed]."""
        names = {"QualificationTypeId": self.type_id, "WorkerId": worker}
        if not self._accepts_request(worker):
            self._client.call("associate_qualification_with_worker", **names, IntegerValue=VALUE, SendNotification=True)

    def _accepts_request(self, worker: str) -> bool:
        """False also for a request that was answered meanwhile."""
        accepted = False
        for request in self.requests():
            if request.worker == worker:
                names = {"QualificationRequestId": request.id}
                try:
                    self._client.call("accept_qualification_request", **names, IntegerValue=VALUE)
                    accepted = True
                except Declined as error:
                    if error.crowd_code not in ANSWERED:
                        raise
        return accepted

    def requests(self) -> list[GateRequest]:
        """Return the requests for this campaign's own type alone. A type that nobody has needed yet is not created."""
        type_id = self._find_type(self._client.call)
        if type_id is None:
            return []
        found = listed(
            self._client.call, "list_qualification_requests", "QualificationRequests", QualificationTypeId=type_id
        )
        return [GateRequest(one["QualificationRequestId"], one["WorkerId"], one["SubmitTime"]) for one in found]

    def reject(self, request: GateRequest) -> None:
        reason = self._told(said("notices.qualification.refused"))
        self._client.call("reject_qualification_request", QualificationRequestId=request.id, Reason=reason)

    def withdraw(self, worker: str) -> None:
        names = {"QualificationTypeId": self.type_id, "WorkerId": worker}
        reason = self._told(said("notices.qualification.ended"))
        self._unless_not_held(
            lambda: self._client.call("disassociate_qualification_from_worker", **names, Reason=reason)
        )

    def holds(self, worker: str) -> bool:
        names = {"QualificationTypeId": self.type_id, "WorkerId": worker}
        reply = self._unless_not_held(lambda: self._client.call("get_qualification_score", **names))
        return reply is not None and _lets_in(reply["Qualification"])

    @staticmethod
    def _unless_not_held(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Declined as error:
            if error.crowd_code not in NOT_HELD:
                raise
            return None

    def holders(self) -> set[str]:
        query = {"QualificationTypeId": self.type_id, "Status": "Granted"}
        held_by = listed(self._client.call, "list_workers_with_qualification_type", "Qualifications", **query)
        return {held["WorkerId"] for held in held_by if _lets_in(held)}

    def blocked(self) -> set[str]:
        return {block["WorkerId"] for block in listed(self._client.call, "list_worker_blocks", "WorkerBlocks")}

    def tell(self, worker: str, subject: str, text: str) -> bool:
        return self._client.notify(worker, subject, text)


def _type_named(name: str, call: Callable[..., Any]) -> str | None:
    query = {"Query": name, "MustBeOwnedByCaller": True, "MustBeRequestable": False}
    for found in listed(call, "list_qualification_types", "QualificationTypes", **query):
        if found["Name"] == name:
            return str(found["QualificationTypeId"])
    return None


def _lets_in(held: Any) -> bool:
    return bool(held.get("Status", "Granted") == "Granted" and held.get("IntegerValue") == VALUE)
