"""Messages of the marketplace for workers, in the language of each."""

from __future__ import annotations

from datetime import timedelta
from functools import cache, partial
from pathlib import Path

from beat_the_ai.messages import Speaker
from beat_the_ai.words.voice import Voice, voices_in

WORDS = Path(__file__).parent / "words"
UNITS = (("days", 86_400), ("hours", 3_600), ("minutes", 60))

said = Speaker(WORDS)


class PortalVoice(Voice):
    """Says messages of the portal, and times."""

    def duration(self, seconds: float) -> str:
        """Return a time in its two largest units, to the minute, as the language joins them: "2 hours 5 minutes"."""
        left = max(0, int(seconds))
        if left < 60:
            return self.say("portal.seconds", count=left)
        parts = []
        for unit, size in UNITS:
            count, left = divmod(left, size)
            if count:
                parts.append(self.say(f"portal.{unit}", count=count))
        larger, *smaller = parts
        return self.say("portal.times", larger=larger, smaller=smaller[0]) if smaller else larger

    def until(self, left: timedelta) -> str:
        """Return the time that is left."""
        return self.duration(left / timedelta(seconds=1))


voices = cache(partial(voices_in, WORDS, PortalVoice))
