"""Serving a launched campaign to its end. Rewards are released as HITs are submitted; bonuses wait for `pay`.

As a program it is the operator of a rehearsal: `python -m beat_the_ai.campaign.serving SETTINGS_FILE`.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beat_the_ai.campaign.accounts import account
from beat_the_ai.campaign.configuration import Settings
from beat_the_ai.campaign.crowds import requester_of
from beat_the_ai.campaign.running import MTURK, Running, running
from beat_the_ai.errors import BeatTheAIError, PaymentError
from beat_the_ai.lifeline import announce, end_with_the_starter
from beat_the_ai.payments import Crowd
from beat_the_ai.workforce import Stage

POLL_SECONDS = 0.5

log = logging.getLogger(__name__)


def serve_to_the_end(campaign: Running, check_seconds: float) -> bool:
    """Until every HIT is submitted, or the campaign is closed, and nobody is at work; or a signal. False: a signal.

    A page posts the crowd's own form last: it is served until that has arrived, so that the work can be paid.
    """
    last_look = 0.0

    def over() -> bool:
        nonlocal last_look
        if time.monotonic() - last_look < check_seconds:  # looking reads much of the store
            return False
        last_look = time.monotonic()
        try:
            return (campaign.done() or campaign.is_closed()) and campaign.operator.is_idle()
        except PaymentError as error:
            log.warning("it is not known whether anybody is at work: %s", error)
            return False

    with _releasing_rewards(campaign, check_seconds):
        ended = campaign.operator.wait(over, POLL_SECONDS)
    if ended:
        campaign.operator.finish()
    return ended


@contextmanager
def _releasing_rewards(campaign: Running, check_seconds: float) -> Iterator[None]:
    """Approve what was submitted, again and again and once more at the end: who did the work has earned the reward."""
    if campaign.campaign.config["crowd"]["provider"] != MTURK:
        yield
        return
    ending, crowd = threading.Event(), requester_of(campaign.campaign)

    def release() -> None:
        while not ending.wait(check_seconds):
            _release_rewards(campaign, crowd)

    thread = threading.Thread(target=release, name="rewards", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join()
        _release_rewards(campaign, crowd)
        crowd.close()


def _release_rewards(campaign: Running, crowd: Crowd) -> None:
    try:
        cashier = account(campaign.store, campaign.paid)
        rewards = [one for one in cashier.owed if one.is_reward]
        stopped = None if cashier.plan(rewards).is_empty else cashier.pay(rewards, crowd)
    except BeatTheAIError as error:
        stopped = str(error)
    except Exception:  # the boundary of a thread: workers are served meanwhile
        log.exception("rewards cannot be released")
        return
    if stopped is not None:
        log.warning("rewards cannot be released yet: %s", stopped)


def main() -> None:
    end_with_the_starter()
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    settings = Settings.model_validate(given["settings"])
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s operator %(levelname)s %(message)s", force=True)
    stage = Stage(given["stage"])
    try:
        with running(settings, page_dir=None, stage=stage, pseudonym_key=given["pseudonym_key"]) as campaign:
            announce({"url": campaign.url, "model_server": campaign.model_server_pid})
            serve_to_the_end(campaign, settings.crowd.check_seconds)
    except BeatTheAIError as error:
        log.error("%s", error)  # where it served already, nobody reads the next line
        announce({"error": str(error)})
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(1)


if __name__ == "__main__":
    main()
