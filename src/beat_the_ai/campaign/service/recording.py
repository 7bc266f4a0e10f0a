"""Adding to a campaign's transcript while it is served: what counts by then, again and again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from beat_the_ai.dataset.transcript.contents import record
from beat_the_ai.errors import BeatTheAIError, LeaseLost
from beat_the_ai.terms.campaign import BoundCampaign

EVERY_SECONDS = 60

log = logging.getLogger(__name__)


@contextmanager
def recording(campaign: BoundCampaign, every_seconds: float = EVERY_SECONDS) -> Iterator[None]:
    """Extend the transcript from time to time, and once more at the end. Nobody waits for it."""
    ending = threading.Event()

    def keep_recording() -> None:
        while not ending.wait(every_seconds):
            _record(campaign)

    thread = threading.Thread(target=keep_recording, name="transcript", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join()
        _record(campaign)


def _record(campaign: BoundCampaign) -> None:
    try:
        record(BoundCampaign.open(campaign.store, campaign.id))  # with the rounds of this moment
    except LeaseLost:  # whoever serves the campaign now extends it
        return
    except BeatTheAIError as error:
        log.warning("the transcript cannot be extended yet: %s", error)
    except Exception:  # the boundary of a thread: workers are served meanwhile
        log.exception("the transcript cannot be extended")
