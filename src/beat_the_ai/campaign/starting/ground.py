"""The place where campaigns are started: a folder of campaigns, its drafts, and the task folders that are allowed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from beat_the_ai.campaign.starting.drafts import Drafts
from beat_the_ai.errors import InvalidInput, UnknownName

DRAFTS = "drafts"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
NAMED = "Use letters, digits, . _ and -, at most 80, a letter or digit first."


@dataclass(frozen=True)
class Ground:
    """A folder of campaigns, as its operator names it, and task folders by their names."""

    folder: Path
    tasks: Mapping[str, Path]

    @property
    def drafts(self) -> Drafts:
        return Drafts(self.folder.resolve() / DRAFTS)

    def task(self, name: str) -> Path:
        """Return a task folder. Raises `UnknownName` for one that is not allowed."""
        if name not in self.tasks:
            raise UnknownName("task", name, self.tasks)
        return self.tasks[name]

    def out(self, name: str) -> Path:
        """Return the folder of a campaign of this name. Raises `InvalidInput` for what is no name."""
        if name == "":
            raise InvalidInput("name", "Give the campaign a name.")
        if name == DRAFTS:
            raise InvalidInput("name", f"{DRAFTS} is the folder of drafts. Choose another name.")
        if not NAME.fullmatch(name):
            raise InvalidInput("name", f"{name[:40]!r} was given. {NAMED}")
        return self.folder / name

    def is_taken(self, name: str) -> bool:
        """Return whether something of this name is in the folder."""
        return NAME.fullmatch(name) is not None and (self.folder / name).exists()


def task_folders(places: Iterable[Path]) -> Mapping[str, Path]:
    """Return the task folders that lie in these folders, by name. Raises `InvalidInput` where two have one name."""
    found: dict[str, Path] = {}
    for place in places:
        for config in sorted(place.glob("*/conf/config.yaml")):
            task = config.parent.parent
            if found.setdefault(task.name, task) != task:
                raise InvalidInput("--tasks", f"{found[task.name]} and {task} have the same name. Rename one of them.")
    return found
