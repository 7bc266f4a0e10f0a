"""The model's hints on a draft while its writer types: no attempt, no try, and nothing that is paid.

A draft is stored before the model is asked about it, and the hint before the writer sees it. So edits can be replayed
as they were ("Trick Me If You Can", §3.4). Hints and the attempt that they lead to ask the same member of a pool.
"""

from __future__ import annotations

from typing import Any

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.messages import said
from beat_the_ai.rules.adversary import Adversary, Asker
from beat_the_ai.rules.kind import Hints, Writing
from beat_the_ai.rules.protocol import Json, TaskItem, read_value
from beat_the_ai.rules.text import check_key
from beat_the_ai.store import Assignment, Edit, Store, now
from beat_the_ai.store.edits import MAX_EDITS
from beat_the_ai.writing.gold import GoldGuard
from beat_the_ai.writing.session import DeskArms, attempt_name, task_item_of

EDITS_A_CALL = 40
CAUSES = ("pause", "words", "request")  # the writer paused, wrote some words, or asked


class HintDesk:
    """The desk for drafts: one for a campaign, shared by all its sessions and safe to use from threads."""

    def __init__(
        self,
        store: Store,
        hints: Hints,
        writing: Writing[Any, Any, Any],
        model: Adversary,
        tries: int,
        arms: DeskArms | None = None,
    ) -> None:
        """`tries` are those of a HIT, in a round without `arms`."""
        self._store = store
        self._hints = hints
        self._writing = writing
        self._gold = GoldGuard(writing)
        self._model = model
        self._tries = tries
        self._arms = arms

    def hint(self, assignment_id: str, key: str, context_id: str, payload: object, cause: str) -> Json:
        """Return the hint that the kind of task makes of the model's answer; the same key again returns the same hint.

        Raises `InvalidInput`, `Refused`, `AdversaryError`.
        """
        check_key("edit_key", key)
        if cause not in CAUSES:
            raise InvalidInput("cause", f"{cause[:40]!r} is no cause. Allowed: {', '.join(CAUSES)}.")
        assignment, attempts = self._store.attempts.session(assignment_id)
        asker = self._asker(assignment)
        task_item = task_item_of(self._store.campaigns.hit(assignment.hit), context_id)
        draft = self._hints.check(read_value(self._hints.draft_type, payload), task_item)
        if isinstance(draft, self._writing.work_type):
            self._gold.refuse(draft, task_item.context)
        ordinal = len(attempts) + 1
        edit = self._store.edits.add(assignment_id, key, ordinal, cause, draft.model_dump(), now())
        if edit.prediction is not None:
            return self._shown(edit, task_item)
        reply = self._model.ask(
            self._hints.query(draft, task_item),
            key=attempt_name(assignment_id, ordinal),
            asker=asker,
            patient=True,
        )
        self._store.edits.answer(edit, reply.prediction.model_dump(), reply.member, reply.model_hash)
        return self._hints.shown(draft, reply.prediction, task_item)

    def _asker(self, assignment: Assignment) -> Asker:
        """Raises `Refused` in an arm that shows no model."""
        own = None if self._arms is None else self._arms.of(assignment)
        if own is None:
            return Asker(assignment.id, assignment.worker, self._tries)
        if not own.terms.shows_model:
            raise Refused(said("refusals.no_hints"))
        return own.asker(assignment)

    def edits(self, assignment_id: str, after: object) -> Json:
        """Return the edits so far, in order, with the hints that the writer saw; `more` tells whether there are others.

        Each edit has `ordinal` (above `after`), `attempt`, `cause`, `at`, `draft` and `hint`. The hint is None where
        the model did not answer. At most `EDITS_A_CALL` come at once. Raises `InvalidInput`.
        """
        if type(after) is not int or not 0 <= after <= MAX_EDITS:
            raise InvalidInput(
                "after", f"after={str(after)[:40]!r} was given; the number of an edit, 0 for all of them."
            )
        edits = self._store.edits.of_assignment(assignment_id, after=after, most=EDITS_A_CALL + 1)
        assignment, _ = self._store.attempts.session(assignment_id)
        task_item = self._store.campaigns.hit(assignment.hit).task_item
        replayed = [
            {
                "ordinal": edit.ordinal,
                "attempt": edit.attempt,
                "cause": edit.cause,
                "at": edit.at.isoformat(),
                "draft": edit.draft,
                "hint": None if edit.prediction is None else self._shown(edit, task_item),
            }
            for edit in edits[:EDITS_A_CALL]
        ]
        return {"edits": replayed, "more": len(edits) > EDITS_A_CALL}

    def _shown(self, edit: Edit, task_item: TaskItem) -> Json:
        draft = self._hints.draft_type.model_validate(edit.draft)
        return self._hints.shown(draft, self._writing.prediction_type.model_validate(edit.prediction), task_item)
