"""Validation through real Mephisto: an operator and a router of their own, beside those of the writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.mephisto.operator import CampaignOperator, MephistoDatabase
from beat_the_ai.validation import ValidationDesk
from blueprints.validation import BLUEPRINT_TYPE, validation_state
from tests.mephisto.rig import config

CONFIG = {"task_title": "Check"}


@dataclass
class Validating:
    desk: ValidationDesk
    operator: CampaignOperator
    url: str


@contextmanager
def validating(directory: Path, desk: ValidationDesk, **architect: Any) -> Iterator[Validating]:
    """Serve validation until the block ends; then the run is left as it is."""
    settings = config(**architect)
    settings.blueprint._blueprint_type = BLUEPRINT_TYPE
    settings.task.task_name = "pilot-validation"
    operator = CampaignOperator(MephistoDatabase(directory / "validation" / "database.db"))
    try:
        url = operator.launch(settings, validation_state(desk, CONFIG))
        yield Validating(desk, operator, url)
    finally:
        operator.pause()
