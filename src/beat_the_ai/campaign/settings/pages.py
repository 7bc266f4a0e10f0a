"""The folder of the built pages."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.campaign.settings.configuration import suite_root
from beat_the_ai.errors import Refused


def page_folder(task_dir: Path) -> Path:
    """Return the folder of the workers' page. Raises `Refused` when it is not built."""
    folder = suite_root(task_dir) / "webapp" / "dist"
    if not (folder / "bundle.js").is_file():
        raise Refused("The workers' page is not built yet. Run: make webapp")
    return folder
