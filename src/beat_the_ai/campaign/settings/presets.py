"""Presets by their names: the files of `hydra_configs/preset/`, and what they set.

Hydra reads a preset like a file of any group; its `groups` and `settings` become KEY=VALUE before all others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from beat_the_ai.campaign.settings.overrides import key_of
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.files.yaml_files import check_yaml
from beat_the_ai.terms.preset import PresetSettings

GROUP = "preset"
NONE = "none"
MEMBERS = "adversary.members"  # all else of an adversary is about the machine

_hydra = RLock()


@contextmanager
def composing(folder: Path) -> Iterator[None]:
    """Let Hydra compose the files of a folder. One thread at a time: Hydra knows one folder in a process."""
    with _hydra, initialize_config_dir(config_dir=str(folder), version_base="1.3"):
        yield


def preset_names(configs: Path) -> list[str]:
    """Return the names of all presets in a folder of configuration groups."""
    return sorted(path.stem for path in (configs / GROUP).glob("*.yaml") if path.stem != NONE)


def read_preset(configs: Path, name: str) -> PresetSettings:
    """Return the preset of that name. Raises `UnknownName`."""
    if name not in preset_names(configs):
        raise UnknownName(GROUP, name, preset_names(configs))
    for path in (configs / GROUP).rglob("*.yaml"):
        check_yaml(path)
    with composing(configs):
        content: Any = OmegaConf.to_container(compose(f"{GROUP}/{name}")[GROUP])
        groups = [f"+{group}={choice}" for group, choice in content["groups"].items()]
        values: Any = OmegaConf.to_container(compose(overrides=groups))
    return PresetSettings.model_validate({**content, "values": dict(_leaves(values, content["groups"]))})


def preset_name(overrides: Sequence[str]) -> str | None:
    """Return the name of the preset in KEY=VALUE, if any. Raises `InvalidInput` for a part of a preset."""
    parts = [one for one in overrides if key_of(one).startswith(f"{GROUP}.")]
    if parts:
        raise InvalidInput(
            GROUP, f"{parts[0]}: a preset stays as it is. Set what it sets, such as pay.reward_cents=150."
        )
    names = [one.partition("=")[2] for one in overrides if key_of(one) == GROUP]
    return None if not names or names[-1] == NONE else names[-1]


def named_preset(overrides: Sequence[str], configs: Path) -> PresetSettings | None:
    """Return the preset that KEY=VALUE names, if any. Raises `UnknownName`."""
    name = preset_name(overrides)
    return None if name is None else read_preset(configs, name)


def overrides_of(preset: PresetSettings) -> list[str]:
    """Return what a preset sets as KEY=VALUE."""
    groups = [f"{group}={choice}" for group, choice in preset.groups.items()]
    return [*groups, *(f"++{key}={_literal(one.value)}" for key, one in preset.settings.items())]


def _leaves(tree: Mapping[str, Any], names: Iterable[str], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values under these names that a campaign's terms have; no references to other groups."""
    for name in names:
        key, value = f"{prefix}{name}", tree[name]
        if isinstance(value, dict) and value:
            yield from _leaves(value, value, f"{key}.")
        elif not (isinstance(value, str) and "${" in value) and (key == MEMBERS or not key.startswith("adversary.")):
            yield key, value


def check_task(preset: PresetSettings, task: str) -> None:
    """Raise `InvalidInput` for a preset of another kind of task."""
    if preset.task != task:
        raise InvalidInput(
            GROUP,
            f"preset={preset.name} is for {preset.task}, and this task is {task}. Use it with tasks/{preset.task}.",
        )


def _literal(value: Any) -> str:
    """Return a value in Hydra's grammar: JSON, but for names, which need no quotation marks."""
    return value if isinstance(value, str) else json.dumps(value).replace('"', "'")
