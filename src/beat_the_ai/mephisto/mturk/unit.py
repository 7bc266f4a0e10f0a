"""A unit offered as a HIT, and an agent who works on it."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace.answers import read_answers
from beat_the_ai.marketplace.documents import Unreadable
from beat_the_ai.mephisto.mturk.identity import DEADLINE
from beat_the_ai.mephisto.shim import Agent, AgentState, AssignmentState, MTurkAgent, MTurkUnit, Unit

SCHEMA = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"
FINAL = "final"  # the one field of the submitted form: JSON

log = logging.getLogger(__name__)


class CampaignUnit(MTurkUnit):  # type: ignore[misc]  # Mephisto is untyped
    """Its status is what this side knows; what the marketplace knows is looked up for all HITs at once.

    Mephisto asks the marketplace for every single unit, and breaks at a HIT that is gone.
    """

    def _sync_hit_mapping(self) -> None:
        """Nothing yet: Mephisto makes an object of every unit for each worker that registers."""
        self.hit_id = None
        self.mturk_assignment_id = None

    def _acceptance(self, name: str) -> str | None:
        try:
            return str(self.datastore.get_hit_mapping(self.db_id)[name])
        except IndexError:
            return None

    def get_mturk_hit_id(self) -> str | None:
        return self._acceptance("hit_id")

    def get_mturk_assignment_id(self) -> str | None:
        return self._acceptance("assignment_id")

    def get_status(self) -> str:
        return str(Unit.get_status(self))

    def launch(self, task_url: str) -> None:
        """Offer a HIT, or find the one that was offered when the last process died in the middle of this.

        Workers may have the unit before: whoever accepts the HIT at once finds it free.
        """
        self.set_db_status(AssignmentState.LAUNCHED)
        self.get_task_run().get_provider().offer(self.get_task_run(), self.db_id, task_url)

    def clear_assigned_agent(self) -> None:
        """Forget the acceptance first: once the unit is free, somebody else may have accepted it."""
        if self.db_status == AssignmentState.COMPLETED:
            return
        self.datastore.clear_hit_from_unit(self.db_id)
        Unit.clear_assigned_agent(self)

    def expire(self) -> float:
        """Here only. Before somebody accepts, no HIT is this unit's: the provider expires those of the whole run."""
        if self.get_status() in AssignmentState.incomplete():
            self.set_db_status(AssignmentState.EXPIRED)
        return 0.0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.db_id}, {self.db_status})"


def external_question(page_url: str, frame_height: int) -> str:
    return (
        f'<ExternalQuestion xmlns="{SCHEMA}"><ExternalURL>{escape(page_url)}</ExternalURL>'
        f"<FrameHeight>{frame_height}</FrameHeight></ExternalQuestion>"
    )


class CampaignAgent(MTurkAgent):  # type: ignore[misc]
    """Its decisions are the marketplace's: the status changes when the marketplace has said so."""

    @classmethod
    def new_from_provider_data(cls, db: Any, worker: Any, unit: CampaignUnit, page: Mapping[str, Any]) -> Agent:
        """The acceptance is kept with its deadline, if that is signed, before there is an agent."""
        deadline = int(page.get(DEADLINE) or 0) if unit.datastore.signs_frames else 0
        unit.datastore.register_assignment_to_hit(page["hit_id"], unit.db_id, page["assignment_id"], deadline)
        return super(MTurkAgent, cls).new_from_provider_data(db, worker, unit, page)

    def _accepted_assignment(self) -> str:
        assignment_id: str | None = self._get_mturk_assignment_id()
        if assignment_id is None:
            raise Refused(f"{self} has no assignment at the marketplace.")
        return assignment_id

    def approve_work(self) -> None:
        """Raises `PaymentError` unless the marketplace has it approved."""
        status = self.get_status()
        if status != AgentState.STATUS_APPROVED:
            overrides = status == AgentState.STATUS_REJECTED
            self.datastore.requester.approve(self._accepted_assignment(), override_rejection=overrides)
            self.update_status(AgentState.STATUS_APPROVED)

    def reject_work(self, reason: str) -> None:
        """Raises `PaymentError` unless the marketplace has it rejected."""
        if self.get_status() == AgentState.STATUS_APPROVED:
            raise Refused(f"{self} is approved; that cannot be taken back.")
        self.datastore.requester.reject(self._accepted_assignment(), reason)
        self.update_status(AgentState.STATUS_REJECTED)

    def attempt_to_reconcile_submitted_data(self, mturk_hit_id: str) -> None:
        """Take the submission from the marketplace, where its page's did not arrive here. Raises `InvalidInput`.

        The crowd has it, whatever the form says: what was done on the page until then is handed in.
        """
        mine = self._accepted_assignment()
        found = [one for one in self.datastore.requester.assignments(mturk_hit_id) if one["AssignmentId"] == mine]
        if not found:
            raise InvalidInput("assignment_id", "Somebody else has submitted this HIT.")
        try:
            final = final_data(found[0]["Answer"])
        except InvalidInput as error:
            log.warning("what %s submitted is not read: %s", self, error)
            final = {}
        self.handle_submit(final)


def final_data(answer: str) -> dict[str, Any]:
    """Return what the worker's page submitted, from QuestionFormAnswers. Raises `InvalidInput`."""
    try:
        data = json.loads(read_answers(answer)[FINAL])
    except (Unreadable, KeyError, ValueError, RecursionError):
        raise InvalidInput(FINAL, "The submitted form was not sent by this campaign's page.") from None
    if not isinstance(data, dict):
        raise InvalidInput(FINAL, "The submitted form holds no JSON object.")
    return data
