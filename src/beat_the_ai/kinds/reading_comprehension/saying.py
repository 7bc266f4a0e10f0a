"""The messages of this kind's words, as its server says them."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.messages import Speaker

said = Speaker(Path(__file__).parent / "words")
