"""The desk where people answer the forms of a campaign before they work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.forms.form import Form
from beat_the_ai.forms.page import page_forms
from beat_the_ai.store import now
from beat_the_ai.store.form_answers import DECLINED, FAILED, GIVEN, FormAnswers
from beat_the_ai.terms.campaign import BoundCampaign

FAILED_CHECK = (
    "Thank you for your time. Some answers did not fit what the questions asked for, so you cannot go on with this "
    "study. Please return the HIT."
)


class FormsPending(Refused):
    """Forms have to be answered before any work counts."""

    code = "forms"

    def __init__(self) -> None:
        super().__init__("Please answer the form on this page first. Reload the page if you do not see it.")


class FormDesk:
    """Forms that everybody answers once before they work in a campaign. Safe to use from threads."""

    def __init__(self, campaign: BoundCampaign, before: Sequence[Form], clock: Callable[[], datetime] = now) -> None:
        self._store = campaign.store
        self._campaign_id = campaign.id
        self._before = {form.digest: form for form in before}
        self._clock = clock
        self._through: set[str] = set()  # who has answered everything: nothing is asked of them any more
        for form in before:
            self._store.forms.keep(campaign.id, form.digest, form.model_dump(mode="json"), clock())

    @property
    def asks(self) -> bool:
        """Return whether there are any forms."""
        return bool(self._before)

    def pending(self, worker: str) -> list[Form]:
        """Return the forms that a worker has yet to answer; one that was declined is asked again.

        Raises `Refused` for a worker who has failed an attention check that refuses, even if its form has been changed
        or removed since.
        """
        if worker in self._through:
            return []
        answered = self._store.forms.of_worker(self._campaign_id, worker)
        if any(one.outcome == FAILED for one in answered.values()):
            raise Refused(FAILED_CHECK)
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
            raise InvalidInput("form", "This form is not asked any more. Please reload the page.")
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
        kept = FormAnswers(worker, form.digest, outcome, answers, self._clock())
        self._store.forms.answer(self._campaign_id, kept)
        return self.page(worker)
