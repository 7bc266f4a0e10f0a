"""Language models in a campaign: each question is answered once for all, and what they cost stays within the cap.

At temperature 0, too, a language model may answer the same question otherwise. Its first answer is kept in the store
before anybody is judged by it, and judges whoever asks the same again: after a crash, in the screening, on any server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from beat_the_ai.adversary.budget import most_microcents
from beat_the_ai.adversary.client import NOT_UNDERSTOOD
from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.adversary.kept import digest_of
from beat_the_ai.adversary.prices import Prices
from beat_the_ai.adversary.protocol import ModelIdentity, NoAnswer
from beat_the_ai.errors import AdversaryBusy, AdversaryError, InvalidInput
from beat_the_ai.messages import said
from beat_the_ai.rules.adversary import MICROCENTS, Asker, Reply
from beat_the_ai.rules.protocol import Value
from beat_the_ai.store import ModelQuestion, OverSpent, Spending, Store, now

HINTS_SHARE = 0.5  # of the limit: what writers see while they type leaves the rest for what they submit
NO_BUDGETS = {  # by whether it is a draft, and whether the asker's own allowance is used up
    (False, False): "refusals.ai.budget",
    (True, False): "refusals.ai.draft_budget",
    (False, True): "refusals.ai.own_budget",
    (True, True): "refusals.ai.own_draft_budget",
}


@dataclass(frozen=True)
class RecordedAnswers:
    """A model in the loop whose language models answer each question once. `prices` are theirs, by members' names.

    All of the campaign's costs stay within `allowance()` cents, unless that is None. A HIT may use what its tries can
    cost, and a worker what the tries that were made and those of one more HIT can cost. Failures and drafts count as
    tries do. Drafts are not asked about when half of any of these is spent.
    """

    model: ModelInTheLoop
    prediction_type: type[Value]
    store: Store
    campaign_id: str
    prices: Mapping[str, Prices]
    allowance: Callable[[], int] | None

    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        """Raises `AdversaryError` or `AdversaryBusy` with a message for the worker."""
        member, identity = self.model.drawn(key, asker)
        if identity is None or identity.is_repeatable:
            return self.model.ask(query, key=key, asker=asker, patient=patient)
        digest = digest_of(query)
        question = ModelQuestion(self.campaign_id, identity.hash, digest)
        kept = self.store.model_answers.find(question)
        if kept is not None:
            return self._reply(kept, member, identity)
        if self.store.model_answers.is_unreadable(question):
            raise NoAnswer(said(NOT_UNDERSTOOD))
        asked = self._begin(question, member, query, asker, patient=patient)
        try:
            reply = self.model.ask(query, key=key, asker=asker, patient=patient)
        except (AdversaryBusy, InvalidInput):  # the model was not asked
            self.store.model_answers.forget(asked)
            raise
        except AdversaryError as error:
            self.store.model_answers.fail(asked, error.microcents, unreadable=isinstance(error, NoAnswer))
            raise
        stands = self.store.model_answers.answer(asked, question, reply.prediction.model_dump(), reply.microcents)
        return replace(reply, prediction=self.prediction_type.model_validate(stands))

    def _reply(self, prediction: Mapping[str, object], member: str, identity: ModelIdentity) -> Reply:
        value = self.prediction_type.model_validate(prediction)
        return Reply(value, member, identity.name, identity.hash, identity.precision)

    def _begin(self, question: ModelQuestion, member: str, query: Value, asker: Asker, *, patient: bool) -> int:
        """Set aside what the question may cost. Raises `AdversaryError` where that is too much."""
        most = {name: most_microcents(prices, query) for name, prices in self.prices.items()}
        spending = Spending(
            most=most.get(member, 0),
            limit=None if self.allowance is None else self.allowance() * MICROCENTS,
            per_try=max(most.values(), default=0),
            tries=asker.tries,
            share=HINTS_SHARE if patient else 1.0,
        )
        try:
            return self.store.model_answers.ask(question, asker.assignment_id, spending, now())
        except OverSpent as error:
            raise AdversaryError(said(NO_BUDGETS[patient, error.own])) from error
