"""Progress where there is no terminal, as in the log of a job."""

from __future__ import annotations

import pytest
from rich.progress import MofNCompleteColumn

from beat_the_ai.cli import shown_progress


def test_what_takes_long_has_lines_and_what_is_soon_done_has_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with shown_progress.shown_progress(MofNCompleteColumn()) as watch:
        watch("packing", 200)(200)
        assert capsys.readouterr().err == ""
        monkeypatch.setattr(shown_progress, "LINE_SECONDS", 0)
        advance = watch("packing", 200)
        for _ in range(3):
            advance(100)
        watch("nothing", 0)(0)
    assert capsys.readouterr().err.splitlines() == ["packing: 50%", "packing: 100%", "packing: 100%", "nothing: 0%"]
