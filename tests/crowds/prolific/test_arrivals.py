"""Arrivals from Prolific: who is let in, and what an unreachable Prolific costs everybody else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from beat_the_ai.crowds.prolific import arrivals
from beat_the_ai.crowds.prolific.arrivals import LATER, MOST_AT_ONCE, NO_PLACE, ProlificRecruiters
from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.crowds.prolific.token import VARIABLE
from beat_the_ai.errors import Refused
from tests.crowds.prolific.scene import Scene


@pytest.fixture
def recruiters(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ProlificRecruiters]:
    monkeypatch.setenv(VARIABLE, str(scene.recruiter.printed["token"]))
    scene.offer(2)
    scene.look()
    recruiters = ProlificRecruiters(scene.market, str(tmp_path / "people"))
    with recruiters.running():
        yield recruiters


def refusal(ask: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        ask()
    return str(refused.value)


def test_whoever_holds_the_place_is_let_in(scene: Scene, recruiters: ProlificRecruiters) -> None:
    session = scene.take_place(scene.recruiter.participant())
    study, person = scene.followed.study, scene.people[session].id
    recruiters.check_place(study, person, session)
    for ids in ((scene.recruiter.participant().id, session), (person, "f" * 24), (person, "x"), ("../me", session)):
        assert refusal(lambda ids=ids: recruiters.check_place(study, *ids)) == NO_PLACE  # type: ignore[misc]


def test_a_participant_reads_nothing_about_the_token(
    scene: Scene, recruiters: ProlificRecruiters, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE)
    ids = "a" * 24, "b" * 24
    assert refusal(lambda: recruiters.check_place(scene.followed.study, *ids)) == LATER
    file = tmp_path / "people" / "private" / "prolific.token"
    file.parent.mkdir(parents=True)
    file.write_text("secret")
    file.chmod(0o644)
    assert refusal(lambda: recruiters.check_place(scene.followed.study, *ids)) == LATER


def test_another_token_is_read_when_the_last_one_is_refused(
    scene: Scene, recruiters: ProlificRecruiters, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = scene.take_place(scene.recruiter.participant())
    person, study = scene.people[session].id, scene.followed.study
    monkeypatch.setenv(VARIABLE, "revoked")
    assert refusal(lambda: recruiters.check_place(study, person, session)) == LATER
    monkeypatch.setenv(VARIABLE, str(scene.recruiter.printed["token"]))
    recruiters.check_place(study, person, session)


def test_a_prolific_that_hangs_holds_few_of_the_portals_threads(
    scene: Scene, recruiters: ProlificRecruiters, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = Event()
    monkeypatch.setattr(ProlificClient, "get_submission", lambda *_: answers.wait(30))
    monkeypatch.setattr(arrivals, "WAITS_SECONDS", 0.1)
    study = scene.followed.study
    with ThreadPoolExecutor(2 * MOST_AT_ONCE) as threads:
        try:
            for _ in range(MOST_AT_ONCE):
                threads.submit(recruiters.check_place, study, "a" * 24, "b" * 24)
            time.sleep(0.5)
            begun = time.monotonic()
            assert refusal(lambda: recruiters.check_place(study, "a" * 24, "b" * 24)) == LATER
            assert time.monotonic() - begun < 5
        finally:
            answers.set()
