"""The text of letters and answers, and dates as people read them."""

from __future__ import annotations

from datetime import datetime, timezone

from beat_the_ai.forms.questions import Text

MAX_CHARS = 2_000
_TEXT = Text(id="text", type="text", text="Your text", max_chars=MAX_CHARS)


def clean_text(text: str) -> str:
    """Return a text of several lines as it is kept. Raises `InvalidInput` with words for its writer."""
    return str(_TEXT.read(text))


def day(at: datetime) -> str:
    """Return a date as in 2026-03-03 14:05 UTC, which all languages read."""
    return f"{at.astimezone(timezone.utc):%Y-%m-%d %H:%M} UTC"
