"""Serving a launched campaign to its end. Rewards are released as HITs are submitted; bonuses wait for `pay`."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from beat_the_ai.campaign.money.crowd import requester_of
from beat_the_ai.campaign.money.payables import payables_of
from beat_the_ai.campaign.service.running import Running
from beat_the_ai.errors import BeatTheAIError, PaymentError
from beat_the_ai.payments import PaymentGateway
from beat_the_ai.terms.campaign import BoundCampaign

POLL_SECONDS = 0.5

log = logging.getLogger(__name__)


def serve_to_the_end(served: Running, check_seconds: float) -> bool:
    """Until every HIT is submitted, or the campaign is closed, and nobody is at work; or a signal. False: a signal.

    Somebody who has just submitted has time to answer the forms after it.

    A page posts the crowd's own form last: it is served until that has arrived, so that the work can be paid.
    """
    last_look = 0.0

    def over() -> bool:
        nonlocal last_look
        if time.monotonic() - last_look < check_seconds:  # looking reads much of the store
            return False
        last_look = time.monotonic()
        try:
            is_over = (served.done() or served.is_closed()) and served.operator.is_idle()
            return is_over and not served.is_asking()
        except PaymentError as error:
            log.warning("it is not known whether anybody is at work: %s", error)
            return False

    with _releasing_rewards(served, check_seconds):
        ended = served.operator.wait(over, POLL_SECONDS)
    if ended:
        served.operator.finish()
    return ended


@contextmanager
def _releasing_rewards(served: Running, check_seconds: float) -> Iterator[None]:
    """Approve what was submitted, again and again and once more at the end: who did the work has earned the reward."""
    if not served.campaign.crowd.is_marketplace:
        yield
        return
    ending, crowd = threading.Event(), requester_of(served.campaign)

    def release() -> None:
        while not ending.wait(check_seconds):
            _release_rewards(served, crowd)

    thread = threading.Thread(target=release, name="rewards", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join()
        _release_rewards(served, crowd)
        crowd.close()


def _release_rewards(served: Running, crowd: PaymentGateway) -> None:
    try:
        payables = payables_of(BoundCampaign.open(served.store, served.paid))
        rewards = [one for one in payables.owed if one.is_reward]
        stopped = None if payables.plan(rewards).is_empty else payables.pay(rewards, crowd)
    except BeatTheAIError as error:
        stopped = str(error)
    except Exception:  # the boundary of a thread: workers are served meanwhile
        log.exception("rewards cannot be released")
        return
    if stopped is not None:
        log.warning("rewards cannot be released yet: %s", stopped)
