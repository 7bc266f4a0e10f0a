"""Two portals on one PostgreSQL database: whichever of them looks, there is one study, and everybody is paid once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Event, Thread

from beat_the_ai.crowds.prolific.mirror import LEASE_LASTS, Mirror
from beat_the_ai.marketplace.clock import ShiftedClock
from beat_the_ai.marketplace.market import open_market
from tests.contracts.prolific import Contract
from tests.crowds.prolific.scene import CheckedTransport, Scene, registered
from tests.marketplace.desk import Desk
from tests.postgres import PostgresServer
from tests.recruiter.running import Running

PATIENCE_SECONDS = 60
PEOPLE = 4


@contextmanager
def looking(*mirrors: Mirror) -> Iterator[None]:
    """Let mirrors look all the time, each in a thread of its own. Raises what one of them raised."""
    ends, failures = Event(), list[Exception]()

    def look(mirror: Mirror) -> None:
        while not ends.wait(0.01):
            try:
                mirror.look()
            except Exception as error:  # noqa: BLE001 - the boundary of a thread
                failures.append(error)

    threads = [Thread(target=look, args=(mirror,)) for mirror in mirrors]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ends.set()
        for thread in threads:
            thread.join()
    assert failures == []


def eventually(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "it does not come about"
        time.sleep(0.05)


@contextmanager
def two_portals(url: str, recruiter: Running, contract: Contract | None) -> Iterator[tuple[Scene, Scene]]:
    clock = ShiftedClock()
    with closing(open_market(url, clock)) as market, closing(open_market(url, clock)) as other:
        desk = Desk.opened(market, "requester", 1_000_000_00)
        named = registered(market, recruiter)
        scene, second = (Scene(of, desk, recruiter, CheckedTransport(contract), *named) for of in (market, other))
        yield scene, second


def test_there_is_one_study_and_everybody_is_paid_once(
    postgres: PostgresServer, recruiter: Running, contract_if_there: Contract | None
) -> None:
    """Each time that the lease is over, both look at once."""
    recruiter.control("faults", {"rules": [{"kind": "lose_reply", "operations": ["pay-bonus-payments"], "times": 2}]})
    with postgres.database() as url, two_portals(url, recruiter, contract_if_there) as (scene, second):
        scene.offer(PEOPLE)
        with looking(scene.mirror, second.mirror):
            eventually(lambda: scene.followed.external_id is not None and scene.free_places == PEOPLE)
            eventually(lambda: str(scene.record["status"]) == "ACTIVE")
            sessions = []
            for _ in range(PEOPLE):
                session, assignment_id = scene.work()
                scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
                scene.give_bonus(session, assignment_id)
                told = {"Subject": "Thanks", "MessageText": "Good", "WorkerIds": [scene.worker_of(session)]}
                scene.desk.ask("NotifyWorkers", **told)
                scene.wait(LEASE_LASTS.total_seconds() + 1)
                sessions.append(session)
            scene.offer(2)

            def is_settled() -> bool:
                scene.wait(LEASE_LASTS.total_seconds() + 1)
                return scene.free_places == 2 and all(scene.paid_here(session) == 250 for session in sessions)

            eventually(is_settled)
        assert scene.followed.problem is None
        assert scene.record["total_available_places"] == PEOPLE + 2
        listed = recruiter.researcher().ask("GET", "/api/v1/studies/")["results"]
        assert sum(one["internal_name"] == f"beat-the-ai {scene.key}" for one in listed) == 1
        submissions = [scene.submission(session) for session in sessions]
        assert [(one["status"], one["bonus_payments"]) for one in submissions] == [("APPROVED", [50])] * PEOPLE
        assert recruiter.control("books")["paid_twice"] == []
        assert [scene.people[one].get("/messages").text.count("Thanks") for one in sessions] == [1] * PEOPLE
        assert scene.transport.exchanges
        assert second.transport.exchanges
