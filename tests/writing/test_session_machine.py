"""One HIT under any sequence of what a page, a model and an operator may do."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from beat_the_ai.errors import AdversaryBusy, AdversaryError, InvalidInput, Refused
from beat_the_ai.store import Attempt, Store, open_store
from beat_the_ai.writing import WritingDesk
from tests.examples import examples
from tests.writing.fakes import PASSAGE, RIGHT, WRONG, CentsPerWin, FakeModel, new_desk, offer_hits, payload_of

MAX_WINS, MAX_TRIES, BONUS_CENTS = 3, 6, 15
KEYS = st.sampled_from([f"key {number}" for number in range(10)])
WHICH = st.integers(0, MAX_TRIES - 1)


class HitMachine(RuleBasedStateMachine):
    """Compares the desk with a few variables: what was acknowledged, retracted and flagged, in which order."""

    path: Path
    numbers = count()

    def __init__(self) -> None:
        super().__init__()
        self.model = FakeModel()
        self.acknowledged: dict[str, Attempt] = {}
        self.retracted: set[str] = set()
        self.flags: dict[str, str] = {}
        self.finished = False
        self.store: Store | None = None

    @initialize()
    def take_a_hit(self) -> None:
        self.desk = self._open()
        [hit_id] = offer_hits(self.desk.store)
        number = next(self.numbers)
        self.registration, self.worker = f"r{number}", f"w{number}"
        self.hit_id = hit_id
        self.assignment_id = self.desk.accept(hit_id, self.worker, self.registration)[0].id

    def _open(self) -> WritingDesk:
        self.store = open_store(str(self.path))
        return new_desk(
            self.store,
            self.model,
            CentsPerWin(BONUS_CENTS),
            wins_wanted=1,
            max_wins=MAX_WINS,
            max_tries=MAX_TRIES,
        )

    def _payload(self, key: str, **more: Any) -> dict[str, Any]:
        """Another question for each key; none that was asked in the machines before, whose store is the same."""
        return payload_of(f"{key} of {self.worker}", **more)

    @property
    def wins(self) -> int:
        return sum(made.fooled and made.id not in self.retracted for made in self.acknowledged.values())

    @rule(key=KEYS, answer=st.sampled_from([RIGHT, WRONG]))
    def submit(self, key: str, answer: str) -> None:
        self.model.answers.append(answer)
        asked_before = len(self.model.asked)
        full = self.finished or self.wins >= MAX_WINS or len(self.acknowledged) >= MAX_TRIES
        if key in self.acknowledged:
            again, _ = self.desk.submit(self.assignment_id, key, PASSAGE.id, self._payload(key))
            assert (again.id, again.fooled) == (self.acknowledged[key].id, self.acknowledged[key].fooled)
        elif full:
            with pytest.raises(Refused):
                self.desk.submit(self.assignment_id, key, PASSAGE.id, self._payload(key))
        else:
            made, state = self.desk.submit(self.assignment_id, key, PASSAGE.id, self._payload(key))
            assert made.fooled == (answer == WRONG)
            assert state.attempts[-1] == made
            self.acknowledged[key] = made
            asked_before += 1
        assert len(self.model.asked) == asked_before
        self.model.answers.clear()

    @rule(key=KEYS, error=st.sampled_from([AdversaryError("no answer"), AdversaryBusy("full")]))
    def submit_while_the_model_fails(self, key: str, error: AdversaryError) -> None:
        self.model.answers.append(error)
        if key in self.acknowledged:
            self.desk.submit(self.assignment_id, key, PASSAGE.id, self._payload(key))
        else:
            with pytest.raises((AdversaryError, Refused)):
                self.desk.submit(self.assignment_id, key, PASSAGE.id, self._payload(key))
        self.model.answers.clear()

    @rule(key=KEYS)
    def submit_something_bad(self, key: str) -> None:
        if key not in self.acknowledged:
            with pytest.raises(InvalidInput):
                self.desk.submit(self.assignment_id, key, PASSAGE.id, self._payload(key, start=-1))

    @rule(which=WHICH)
    def ask_again_what_was_asked(self, which: int) -> None:
        asked = list(self.acknowledged)
        if asked:
            with pytest.raises((InvalidInput, Refused)):  # whatever became of the first one
                self.desk.submit(
                    self.assignment_id, "another key", PASSAGE.id, self._payload(asked[which % len(asked)])
                )

    @rule(which=WHICH)
    def retract(self, which: int) -> None:
        attempt_id = self._attempt_id(which)
        if self.finished or attempt_id is None:
            with pytest.raises(Refused if self.finished else InvalidInput):
                self.desk.retract(self.assignment_id, attempt_id or "nothing")
        else:
            self.desk.retract(self.assignment_id, attempt_id)
            self.retracted.add(attempt_id)

    @rule(which=WHICH, reason=st.sampled_from(["other", "ai_was_right"]))
    def flag(self, which: int, reason: str) -> None:
        attempt_id = self._attempt_id(which)
        if self.finished or attempt_id is None:
            with pytest.raises(Refused if self.finished else InvalidInput):
                self.desk.flag(self.assignment_id, attempt_id or "nothing", reason, "")
        else:
            self.desk.flag(self.assignment_id, attempt_id, reason, "")
            self.flags[attempt_id] = reason

    def _attempt_id(self, which: int) -> str | None:
        made = list(self.acknowledged.values())
        return made[which % len(made)].id if made else None

    @precondition(lambda self: len(self.acknowledged) > 2)  # so that most HITs get as far as this
    @rule()
    def finish(self) -> None:
        self.desk.finish(self.assignment_id)
        self.finished = True

    @rule()
    def restart_the_operator(self) -> None:
        self.desk.store.close()
        self.desk = self._open()
        assert self.desk.accept(self.hit_id, self.worker, self.registration)[0].id == self.assignment_id

    @invariant()
    def the_store_holds_what_was_acknowledged_and_nothing_else(self) -> None:
        if self.store is None:
            return
        state = self.desk.state(self.assignment_id)
        assert [made.key for made in state.attempts] == list(self.acknowledged)
        assert [made.ordinal for made in state.attempts] == list(range(1, len(state.attempts) + 1))
        assert {made.id for made in state.attempts if made.retracted} == self.retracted
        assert {made.id: made.flag_reason for made in state.attempts if made.flag_reason} == self.flags
        assert state.wins == self.wins <= MAX_WINS
        assert state.prospect.cents == self.wins * BONUS_CENTS
        assert state.tries_left == MAX_TRIES - len(self.acknowledged) >= 0
        assert state.submitted == self.finished

    def teardown(self) -> None:
        if self.store is not None:
            self.store.close()


def test_a_hit_keeps_its_invariants_whatever_happens(tmp_path: Path) -> None:
    HitMachine.path = tmp_path / "store.db"
    run_state_machine_as_test(
        HitMachine,
        settings=settings(
            max_examples=examples(25),
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
