"""What this kind says to workers: the messages of its words."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.messages import Speaker

said = Speaker(Path(__file__).parent / "words")
