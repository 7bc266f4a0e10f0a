"""Settings in YAML files as KEY=VALUE, and back: a campaign's own file, and a task folder that names a preset.

task_dir: tasks/reading_comprehension
preset: bartolo-2020-roberta
crowd: own
pay.reward_cents: 150
round: {max_hits: 9}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from beat_the_ai.campaign.settings.overrides import literal, value_of
from beat_the_ai.campaign.settings.presets import GROUP, NONE
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.yaml_files import dump_yaml, load_yaml

TASK, DEFAULTS = "task_dir", "defaults"
ENDINGS = (".yaml", ".yml")
OVERRIDE = "override "  # before a group in a list of defaults


@dataclass(frozen=True)
class CampaignFile:
    """A campaign's own file: its task folder, and its settings as KEY=VALUE."""

    task_dir: Path
    overrides: tuple[str, ...]

    @classmethod
    def read(cls, path: Path, settings: type[BaseModel]) -> CampaignFile:
        """Read a file of these settings; its task folder is seen from where it lies. Raises `InvalidInput`."""
        content = _content(path)
        task_dir = content.pop(TASK, None)
        if not isinstance(task_dir, str):
            raise InvalidInput(TASK, f"{path} names no task folder. Write {TASK}: tasks/reading_comprehension.")
        return cls(path.parent / task_dir, tuple(_overrides(content, settings)))


def is_campaign_file(given: str) -> bool:
    """Return whether an argument is a campaign's own file."""
    return Path(given).suffix in ENDINGS and Path(given).is_file()


def as_yaml(task_dir: Path | None, overrides: Sequence[str]) -> str:
    """Return the file of a campaign with these KEY=VALUE, each of another key."""
    content = {**({} if task_dir is None else {TASK: str(task_dir)}), **dict(map(value_of, overrides))}
    return dump_yaml(content)


def preset_overrides(path: Path, settings: type[BaseModel]) -> list[str]:
    """Return everything that a task folder's file sets as KEY=VALUE, if it names a preset, above which that stands.

    It names one as a setting, or in its list of defaults. Raises `InvalidInput`.
    """
    content = _content(path)
    defaults = [each for each in content.pop(DEFAULTS, ()) if isinstance(each, dict)]
    choices = {str(key): value for each in defaults for key, value in each.items()}
    groups = {key.removeprefix(OVERRIDE): value for key, value in choices.items() if key.startswith(OVERRIDE)}
    name = content.pop(GROUP, None) or groups.pop(GROUP, choices.get(GROUP))
    if not isinstance(name, str) or name == NONE:
        return []
    own = [f"++{each}" for each in _overrides(content, settings)]
    return [f"{GROUP}={name}", *(f"{group}={choice}" for group, choice in groups.items()), *own]


def _content(path: Path) -> dict[str, Any]:
    try:
        content = load_yaml(path)
    except (OSError, ValueError) as error:
        raise InvalidInput("configuration", f"{path} cannot be read: {error}.") from error
    if not isinstance(content, dict) or not all(isinstance(key, str) for key in content):
        raise InvalidInput("configuration", f"{path} has no settings. Write them as KEY: VALUE.")
    return content


def _overrides(content: Mapping[str, Any], settings: type[BaseModel]) -> Iterator[str]:
    """Yield KEY=VALUE for each setting, in nested mappings too. A mapping that is a value stays one."""
    for key, value in content.items():
        parts = _model_of(settings, key)
        if parts is not None and isinstance(value, dict) and all(isinstance(name, str) for name in value):
            yield from (f"{key}.{each}" for each in _overrides(value, parts))
        elif parts is not None and isinstance(value, list):
            raise InvalidInput(key, f"{key} is a list. Name a file of {key}, or write its settings as KEY: VALUE.")
        else:
            yield f"{key}={literal(value)}"


def _model_of(settings: type[BaseModel], key: str) -> type[BaseModel] | None:
    """Return the settings of a part, or None for a single setting. A key may name parts of parts with dots."""
    found: type[BaseModel] | None = settings
    for name in key.split("."):
        field = None if found is None else found.model_fields.get(name)
        kinds = () if field is None else (field.annotation, *get_args(field.annotation))
        found = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None)
    return found
