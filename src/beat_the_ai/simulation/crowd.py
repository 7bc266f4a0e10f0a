"""The crowd of a rehearsal: how many of its writers are bad, who else comes to the screening, how much work it gets.

A file of `crowds/` has the rates of a published campaign.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.data_file import find_data_file, read_data_file
from beat_the_ai.rules.protocol import Value
from beat_the_ai.simulation import personas

FOLDER = Path(__file__).parent / "crowds"
SHARES: Mapping[str, float] = {personas.SLOPPY: 0.1, personas.COPYING: 0.1, personas.MALICIOUS: 0.1}
Share = Annotated[float, Field(ge=0, le=1)]


class SimulatedCrowd(Value):
    """`shares` of the writers by persona; the rest is good. `careless_newcomers` come for each writer, and fail.

    `people` are parameters of the simulated people of `task`.
    """

    task: str | None = None
    shares: dict[str, Share] = Field(default_factory=lambda: dict(SHARES))
    careless_newcomers: Annotated[float, Field(ge=0)] = 0.25
    hits_per_writer: Annotated[int, Field(ge=1)] = 4
    people: dict[str, Any] = Field(default_factory=dict)

    def check_task(self, task: str) -> None:
        """Raise `InvalidInput` for a crowd of another kind of task."""
        if self.task not in (None, task):
            raise InvalidInput("--people", f"This crowd is for {self.task}, and the task is {task}.")


def read_crowd(named: str) -> SimulatedCrowd:
    """Return the crowd of that name in `crowds/`, or in a file. Raise `UnknownName`, or `InvalidInput` for the file."""
    return read_data_file(find_data_file(named, FOLDER, "crowd"), SimulatedCrowd, "crowd")
