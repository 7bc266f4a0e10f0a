"""The desk where people answer the forms of a campaign: some before they work, some after their HITs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.forms.form import Form, notices
from beat_the_ai.forms.page import page_forms
from beat_the_ai.messages import said
from beat_the_ai.store import now
from beat_the_ai.store.form_answers import DECLINED, FAILED, GIVEN, FormAnswers
from beat_the_ai.terms.campaign import BoundCampaign

ANSWERING = timedelta(minutes=10)  # for which a stage waits for a form after its last HITs
FAILED_CHECK, WITHDRAWN = "refusals.form.failed_check", "refusals.form.withdrawn"


class FormsPending(Refused):
    """Forms have to be answered before any work counts."""

    code = "forms"

    def __init__(self) -> None:
        super().__init__(said("refusals.form.pending"))


class FormDesk:
    """Forms that everybody answers once: those `before` the work, which waits for them, and those `after` it.

    Nothing waits for the forms `after`: they are offered whenever a HIT is submitted until they are answered. Safe to
    use from threads.

    `has_withdrawn(worker)` tells who takes part no more, where the crowd knows that: their consent ended with it.
    """

    def __init__(
        self,
        campaign: BoundCampaign,
        before: Sequence[Form],
        clock: Callable[[], datetime] = now,
        has_withdrawn: Callable[[str], bool] | None = None,
        after: Sequence[Form] = (),
    ) -> None:
        self._store = campaign.store
        self._campaign_id = campaign.id
        self._before = {form.digest: form for form in before}
        self._after = {form.digest: form for form in after}
        self._clock = clock
        self._has_withdrawn = has_withdrawn
        self._through: set[str] = set()  # who has answered everything: nothing is asked of them any more
        self._expected: dict[str, datetime] = {}  # workers who are about to answer a form after their HIT, since when
        for form in (*before, *after):
            self._store.forms.keep(campaign.id, form.digest, form.model_dump(mode="json"), clock())

    @property
    def asks(self) -> bool:
        """Return whether there are any forms."""
        return bool(self._before)

    @property
    def follows(self) -> bool:
        """Return whether there are any forms after the HITs."""
        return bool(self._after)

    @property
    def guards(self) -> bool:
        """Return whether anybody may have to be refused."""
        return self.asks or self._has_withdrawn is not None

    def has_withdrawn(self, worker: str) -> bool:
        """Return whether a worker takes part no more."""
        return self._has_withdrawn is not None and self._has_withdrawn(worker)

    def pending(self, worker: str) -> list[Form]:
        """Return the forms that a worker has yet to answer; one that was declined is asked again.

        Raises `Refused` for a worker who has withdrawn, or has failed an attention check that refuses, even if its
        form has been changed or removed since.
        """
        if self.has_withdrawn(worker):
            raise Refused(said(WITHDRAWN))
        if worker in self._through:
            return []
        answered = self._store.forms.of_worker(self._campaign_id, worker)
        if any(one.outcome == FAILED for one in answered.values()):
            raise Refused(said(FAILED_CHECK))
        done = {digest for digest, one in answered.items() if one.outcome == GIVEN}
        missing = [form for digest, form in self._before.items() if digest not in done]
        if not missing:
            self._through.add(worker)
        return missing

    def check(self, worker: str) -> None:
        """Raise `FormsPending`, or `Refused` with words for the worker, unless they have answered everything."""
        if self.pending(worker):
            raise FormsPending

    def admit(self, worker: str, _identity_verified: bool) -> None:
        """Raise `Refused` for a worker who can never answer what is asked: a gate before a HIT is given."""
        self.pending(worker)

    def is_through(self, worker: str) -> bool:
        """Return whether a worker has answered everything, and may go on."""
        try:
            return not self.pending(worker)
        except Refused:
            return False

    def page(self, worker: str) -> dict[str, Any]:
        """Return the forms that a worker's page shows, one after the other."""
        return page_forms(self.pending(worker))

    def answer(self, worker: str, form_id: str, given: object, *, declined: bool) -> dict[str, Any]:
        """Keep a worker's answers, durably, and return what the page shows then.

        Forms are answered in order. Sent again, the first answers stand. Raises `InvalidInput` for answers that are not
        allowed, `FormsPending` for a form before which another comes, and `Refused` for answers that end the work.
        """
        form = self._before.get(form_id)
        if form is None:
            raise InvalidInput("form", said("refusals.form.not_asked"))
        if declined and form.kind != "consent":
            raise InvalidInput("declined", f"Only consent can be declined, and {form.title!r} is a {form.kind}.")
        if not isinstance(given, Mapping):
            raise InvalidInput("answers", "The answers must be a JSON object.")
        answers = {} if declined else form.read(given)
        outcome = DECLINED if declined else GIVEN
        if form.refuses and form.failed_checks(answers):
            outcome = FAILED
        if form in self.pending(worker)[1:]:
            raise FormsPending
        self._keep(worker, form, outcome, answers)
        if declined:
            return page_forms(self.pending(worker), self._debriefing(worker))
        return self.page(worker)

    def _debriefing(self, worker: str) -> list[Form]:
        """Return the notices for somebody who declines: all of them, if they have submitted a HIT before."""
        shown = notices(self._after.values())
        has_worked = self._store.assignments.has_submitted(self._campaign_id, worker)
        return [form for form in shown if has_worked or form.also_when_declined]

    def offered(self, worker: str) -> list[Form]:
        """Return the forms that a worker may answer after a HIT: none for somebody who takes part no more."""
        if not self.is_through(worker):
            return []
        answered = self._store.forms.of_worker(self._campaign_id, worker)
        return [form for digest, form in self._after.items() if digest not in answered]

    def page_after(self, worker: str) -> dict[str, Any]:
        """Return the forms that a worker's page offers after a HIT, one after the other."""
        return page_forms(self.offered(worker))

    def answer_after(self, worker: str, form_id: str, given: object) -> dict[str, Any]:
        """Keep a worker's answers to a form after the HITs, durably, and return what the page offers then.

        Sent again, the first answers stand. Raises as `answer`.
        """
        form = self._after.get(form_id)
        if form is None:
            raise InvalidInput("form", said("refusals.form.not_asked"))
        if not isinstance(given, Mapping):
            raise InvalidInput("answers", "The answers must be a JSON object.")
        answers = form.read(given)
        self.check(worker)
        self._keep(worker, form, GIVEN, answers)
        if not self.offered(worker):
            self.dismiss(worker)
        return self.page_after(worker)

    def expect(self, worker: str) -> None:
        """Note that a worker has submitted a HIT, and is about to be offered the forms that they have yet to answer."""
        if self.offered(worker):
            self._expected[worker] = self._clock()

    def dismiss(self, worker: str) -> None:
        """Note that a worker answers nothing more for now."""
        self._expected.pop(worker, None)

    def is_expecting(self) -> bool:
        """Return whether somebody has just submitted a HIT, and may still be at the forms after it."""
        latest = self._clock() - ANSWERING
        return any(since > latest for since in list(self._expected.values()))

    def _keep(self, worker: str, form: Form, outcome: str, answers: Mapping[str, Any]) -> None:
        kept = FormAnswers(worker, form.digest, outcome, answers, self._clock())
        self._store.forms.answer(self._campaign_id, kept)
