"""Text from workers and files on a terminal."""

from __future__ import annotations

from rich.markup import escape

from beat_the_ai.rules.text import printable


def shown(text: str) -> str:
    """Return it on one line, without what a terminal or the markup of tables would obey."""
    return escape(printable(text, max_chars=2000) or "")
