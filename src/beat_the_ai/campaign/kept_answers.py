"""Language models in a campaign: each question is answered once for all, and what they cost stays within the cap.

At temperature 0, too, a language model may answer the same question otherwise. Its first answer is kept in the store
before anybody is judged by it, and judges whoever asks the same again: after a crash, in the screening, on any server.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from beat_the_ai.adversary.budget import most_microcents
from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.adversary.prices import Prices
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.errors import AdversaryBusy, AdversaryError
from beat_the_ai.rules.protocol import Value
from beat_the_ai.store import ModelQuestion, Store, now
from beat_the_ai.writing import Reply

HINTS_SHARE = 0.5  # of the limit: what writers see while they type leaves the rest for what they submit
NO_BUDGET_FOR_HINTS = (
    "The AI says nothing of this draft: what the requester may spend on drafts is nearly used up. It still answers "
    "what you submit."
)
NO_BUDGET = (
    "The AI cannot be asked any more: what the requester may spend on it is used up. What you have so far is kept and "
    "paid; please hand the HIT in, or return it if there was nothing that you could try."
)


@dataclass(frozen=True)
class KeptAnswers:
    """A model in the loop whose language models answer each question once. `prices` are theirs, by members' names.

    All of the campaign's costs stay within `limit_microcents`, unless that is None; drafts are not asked about when
    half of it is spent.
    """

    model: ModelInTheLoop
    prediction_type: type[Value]
    store: Store
    campaign_id: str
    prices: Mapping[str, Prices]
    limit_microcents: int | None

    def ask(self, query: Value, *, key: str, requester: str, patient: bool = False) -> Reply:
        """Raises `AdversaryError` or `AdversaryBusy` with a message for the worker."""
        member, identity = self.model.drawn(key)
        if identity is None or identity.is_repeatable:
            return self.model.ask(query, key=key, requester=requester, patient=patient)
        digest = hashlib.sha256(query.model_dump_json().encode()).hexdigest()
        question = ModelQuestion(self.campaign_id, identity.hash, digest)
        kept = self.store.model_answers.find(question)
        if kept is not None:
            return self._reply(kept, member, identity)
        limit = self.limit_microcents
        if limit is not None and patient:
            limit = int(HINTS_SHARE * limit)
        asked = self.store.model_answers.ask(question, self._most_microcents(member, query), limit, now())
        if asked is None:
            raise AdversaryError(NO_BUDGET_FOR_HINTS if patient else NO_BUDGET)
        try:
            reply = self.model.ask(query, key=key, requester=requester, patient=patient)
        except AdversaryBusy:
            self.store.model_answers.forget(asked)
            raise
        stands = self.store.model_answers.answer(asked, question, reply.prediction.model_dump(), reply.microcents)
        return replace(reply, prediction=self.prediction_type.model_validate(stands))

    def _reply(self, prediction: Mapping[str, object], member: str, identity: ModelIdentity) -> Reply:
        value = self.prediction_type.model_validate(prediction)
        return Reply(value, member, identity.name, identity.hash, identity.precision)

    def _most_microcents(self, member: str, query: Value) -> int:
        prices = self.prices.get(member)
        return 0 if prices is None else most_microcents(prices, query)
