"""One newcomer under any sequence of what a page, a model, a crowd and an operator may do."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from beat_the_ai.errors import AdversaryError, InvalidInput, Refused
from beat_the_ai.kinds.reading_comprehension.screening.content import QuizContent
from beat_the_ai.store import Store, open_store
from beat_the_ai.workforce.screening import FAILED, INCOMPLETE, PASSED, ScreeningDesk
from tests.examples import examples
from tests.kinds.reading_comprehension.screening.quizzes import GOOD, WELL, new_screening_desk, small_quiz
from tests.writing.fakes import FakeModel

STEPS = list(GOOD)
BAD: dict[str, dict[str, Any]] = {
    "q1": {"question": "Who were the nuns?"},
    "a1": {"answer": {"text": "donkey", "start": WELL.index("donkey")}},
    "p1": {"question": "roof", "answer": {"text": "roof", "start": WELL.index("roof")}},
}
KEYS = st.sampled_from([f"key {number}" for number in range(14)])
RARELY = st.integers(0, 9)
TRIES = 3


class ScreeningMachine(RuleBasedStateMachine):
    """Compares the desk with a few variables: what was acknowledged, how often each step went wrong, what was asked."""

    path: Path
    quiz: QuizContent
    numbers = count()

    def __init__(self) -> None:
        super().__init__()
        self.model = FakeModel()
        self.acknowledged: dict[str, tuple[str, bool]] = {}
        self.asked: set[str] = set()
        self.outcome: str | None = None
        self.store: Store | None = None

    @initialize()
    def take_a_hit(self) -> None:
        self.worker = f"w{next(self.numbers)}"
        self.registration = f"{self.worker}-0"
        self.desk = self._open()
        self.assignment = self.desk.open(self.worker, self.registration).assignment_id

    def _open(self) -> ScreeningDesk:
        self.store = open_store(str(self.path))
        return new_screening_desk(self.store, self.quiz, self.model)

    def _mistakes(self, step: str) -> int:
        return sum(made == (step, False) for made in self.acknowledged.values())

    @property
    def failed(self) -> bool:
        return any(self._mistakes(step) >= TRIES for step in STEPS)

    @property
    def step(self) -> str | None:
        """The step to do, whether it may still be done or not."""
        return next((step for step in STEPS if (step, True) not in self.acknowledged.values()), None)

    @rule(key=KEYS, step=st.sampled_from(STEPS), right=st.booleans(), model_is_away=st.booleans())
    def respond(self, key: str, step: str, right: bool, model_is_away: bool) -> None:
        if model_is_away:
            self.model.answers.append(AdversaryError("no answer"))
        payload = GOOD[step] if right else BAD[step]
        if key in self.acknowledged:
            again, _ = self.desk.respond(self.assignment, key, step, payload)
            assert (again.step, again.right) == self.acknowledged[key]
        elif self.outcome is not None or self.failed:
            with pytest.raises(Refused):
                self.desk.respond(self.assignment, key, step, payload)
        elif step != self.step:
            with pytest.raises(InvalidInput):
                self.desk.respond(self.assignment, key, step, payload)
        else:
            made, _ = self.desk.respond(self.assignment, key, step, payload)
            assert made.right == right
            self.acknowledged[key] = (step, right)
        self.model.answers.clear()

    @rule(right=st.sampled_from([True, True, False]))
    def go_on(self, right: bool) -> None:
        """The step at hand: otherwise few screenings would get as far as the sample HIT."""
        self.respond(f"fresh {next(self.numbers)}", self.step or STEPS[0], right=right, model_is_away=False)

    @rule()
    def do_all_steps(self) -> None:
        while self.step is not None and not self.failed and self.outcome is None:
            self.go_on(right=True)

    @rule(key=KEYS, step=st.sampled_from(STEPS))
    def respond_with_something_bad(self, key: str, step: str) -> None:
        if key not in self.acknowledged:
            with pytest.raises((InvalidInput, Refused)):
                self.desk.respond(self.assignment, key, step, {"question": "\0", "answer": {"text": "", "start": -1}})

    @rule(number=st.integers(0, 2))
    def ask(self, number: int) -> None:
        key = f"a{number}"
        work = self.quiz.work("rome", self.quiz.sample.questions[number]).model_dump()
        may = self.step is None and (self.outcome is None or key in self.asked)
        if may:
            self.desk.submit_attempt(self.assignment, key, self.desk.sample_hit.context.id, work)
            self.asked.add(key)
        else:
            with pytest.raises(Refused):
                self.desk.submit_attempt(self.assignment, key, self.desk.sample_hit.context.id, work)

    @rule(rng=RARELY)
    def come_by_another_hit(self, rng: int) -> None:
        if rng != 7 and self.outcome is None:
            return
        registration = f"{self.worker}-{next(self.numbers)}"
        if self.outcome is not None:
            with pytest.raises(Refused):
                self.desk.open(self.worker, registration)
            return
        left = self.assignment
        self.registration = registration
        self.assignment = self.desk.open(self.worker, registration).assignment_id
        self.asked = set()  # the sample HIT is the new one's
        with pytest.raises(Refused):
            self.desk.state(left)
        assert self.desk.finish(left) is None

    @rule(rng=RARELY)
    def finish(self, rng: int) -> None:
        if rng != 7 and self.outcome is None and not self.failed and len(self.asked) < 2:
            return  # rarely before the end, so that most screenings get that far
        done = self.desk.finish(self.assignment)
        assert done is not None
        enough = self.step is None and len(self.asked) >= 2
        self.outcome = self.outcome or (FAILED if self.failed else PASSED if enough else INCOMPLETE)
        assert done.outcome == self.outcome

    @rule()
    def restart_the_operator(self) -> None:
        self.desk.store.close()
        self.desk = self._open()
        assert self.desk.open(self.worker, self.registration).assignment_id == self.assignment

    @invariant()
    def the_store_holds_what_was_acknowledged_and_nothing_else(self) -> None:
        if self.store is None:
            return
        state = self.desk.state(self.assignment)
        assert {made.key: (made.step, made.right) for made in state.responses} == self.acknowledged
        assert [made.ordinal for made in state.responses] == list(range(1, len(state.responses) + 1))
        assert state.failed == self.failed
        assert (state.step and state.step.id) == (None if self.failed else self.step)
        assert len(state.sample.attempts) == len(self.asked)
        assert state.screening.outcome == self.outcome

    def teardown(self) -> None:
        if self.store is not None:
            self.store.close()


def test_a_screening_keeps_its_invariants_whatever_happens(tmp_path: Path) -> None:
    ScreeningMachine.path = tmp_path / "store.db"
    ScreeningMachine.quiz = small_quiz(tmp_path)
    run_state_machine_as_test(
        ScreeningMachine,
        settings=settings(
            max_examples=examples(15, 300),
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
