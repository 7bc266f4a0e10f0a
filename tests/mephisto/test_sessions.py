from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from queue import Queue
from types import SimpleNamespace
from typing import Any, cast

from beat_the_ai.mephisto.sessions import Attendants, Session, listen_for_news
from beat_the_ai.mephisto.shim import Agent, Unit
from tests.mephisto.wire import wait_until

CALLS, CALLERS = 200, 8


def session(seconds: float = 3600) -> Session:
    agent = cast(
        Agent,
        SimpleNamespace(
            pending_actions=Queue(), has_live_update=threading.Event(), did_submit=threading.Event(), db_id="1"
        ),
    )
    listen_for_news(agent)
    return Session(cast(Unit, SimpleNamespace(db_id="1")), agent, seconds)


def call(of: Session, number: int) -> None:
    of.agent.pending_actions.put({"number": number})
    of.agent.has_live_update.set()


def calls_of(attended: Session) -> list[Any]:
    found = []
    while (taken := attended.next_call()) is not None:
        found.append(taken["number"])
    return found


def attendants(attend: Callable[[Session], bool]) -> Attendants:
    return Attendants(attend)


def test_each_call_is_served_once_by_one_thread_at_a_time_whenever_it_comes() -> None:
    served: list[int] = []
    alone = threading.Lock()

    def attend(attended: Session) -> bool:
        assert alone.acquire(blocking=False), "two threads attend to one session"
        served.extend(calls_of(attended))
        time.sleep(random.random() / 1000)
        alone.release()
        return bool(attended.agent.did_submit.is_set())

    page, pool = session(), attendants(attend)
    call(page, -1)  # before anybody listens
    pool.admit(page)

    def caller(first: int) -> None:
        for number in range(first, first + CALLS):
            call(page, number)

    threads = [threading.Thread(target=caller, args=(CALLS * each,)) for each in range(CALLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_until(lambda: len(served) == CALLS * CALLERS + 1, "all are served")
    assert sorted(served) == list(range(-1, CALLS * CALLERS))
    page.agent.did_submit.set()
    assert page.ended.wait(10)
    pool.stop(10)


def test_a_session_whose_time_is_over_is_attended_to_though_nothing_comes() -> None:
    page, pool = session(0.1), attendants(lambda attended: attended.is_over_time)
    pool.admit(page)
    assert page.ended.wait(10)
    pool.stop(10)


def test_who_looks_again_later_does() -> None:
    looks: list[float] = []

    def attend(attended: Session) -> bool:
        looks.append(time.monotonic())
        attended.look_again(0.1)
        return len(looks) == 2

    page, pool = session(), attendants(attend)
    pool.admit(page)
    assert page.ended.wait(10)
    assert looks[1] - looks[0] >= 0.1
    pool.stop(10)


def test_who_looks_again_later_does_so_although_the_time_is_over() -> None:
    looks: list[float] = []

    def attend(attended: Session) -> bool:
        looks.append(time.monotonic())
        attended.look_again(2.0)
        return len(looks) == 2

    page, pool = session(0.0), attendants(attend)
    pool.admit(page)
    assert page.ended.wait(10)
    assert looks[1] - looks[0] >= 2.0
    pool.stop(10)


def test_stopping_waits_for_whoever_is_being_attended_to_and_sends_nobody_any_more() -> None:
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def attend(attended: Session) -> bool:
        begun.set()
        go_on.wait(10)
        ended.set()
        return False

    page, pool = session(), attendants(attend)
    pool.admit(page)
    assert begun.wait(10)
    stopping = threading.Thread(target=pool.stop, args=(10,))
    stopping.start()
    stopping.join(0.1)
    assert stopping.is_alive()
    go_on.set()
    stopping.join(10)
    assert ended.is_set()
    begun.clear()
    call(page, 1)
    assert not begun.wait(0.1)
    assert not page.ended.is_set()
