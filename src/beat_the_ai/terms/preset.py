"""A preset: the settings of a campaign in a paper, where the paper says so, and what differs from the paper here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

ABSENT = object()
LONGEST_SHOWN = 100


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PresetSetting(_Part):
    """A value that the paper names, and the section that names it."""

    value: Any
    section: str


class Difference(_Part):
    """Something that is not as in the paper."""

    paper: str
    here: str
    reason: str


class Needs(_Part):
    """The needs of a campaign of the preset."""

    gpu: str
    model: str
    contexts: str


class PresetSettings(_Part):
    """A preset as a campaign's record keeps it. Keys of `settings` and `differences` are dotted names of settings.

    `values` are those of the `groups` that it names, by dotted keys, as they were when the campaign began.
    """

    name: str
    title: str
    paper: str
    task: str
    groups: dict[str, str]
    settings: dict[str, PresetSetting]
    differences: dict[str, Difference]
    needs: Needs
    values: dict[str, Any] = {}

    @property
    def all_values(self) -> dict[str, Any]:
        """Return every value of the preset, by dotted keys."""
        return {**self.values, **{key: setting.value for key, setting in self.settings.items()}}


@dataclass(frozen=True)
class Departure:
    """A setting for which the requester chose another value than the preset has."""

    key: str
    preset: Any
    chosen: Any


NOT_AS_IN_THE_PAPER = "Not as in the paper"
CHOSEN = "chosen by the requester"
HEADER = ("what", "in the paper", "here", "why")


def differences(preset: PresetSettings, chosen: Iterable[Departure] = ()) -> list[tuple[str, str, str, str]]:
    """Return what differs from the paper, and what the requester has `chosen`, in rows under `HEADER`."""
    changed = {one.key: one for one in chosen}
    ours = [(key, one.paper, one.here, one.reason) for key, one in preset.differences.items() if key not in changed]
    return [*ours, *((key, _in_paper(preset, one), _shown(one.chosen), CHOSEN) for key, one in changed.items())]


def _in_paper(preset: PresetSettings, of: Departure) -> str:
    if of.key in preset.differences:
        return preset.differences[of.key].paper
    is_papers = of.key in preset.settings
    return _shown(of.preset) if is_papers else f"not in the paper; the preset has {_shown(of.preset)}"


def departures(preset: PresetSettings, settings: Mapping[str, Any]) -> list[Departure]:
    """Return the values of the preset that these settings, or a part of all settings, have otherwise."""
    return list(_departures(preset, settings))


def _departures(preset: PresetSettings, settings: Mapping[str, Any]) -> Iterator[Departure]:
    for key, value in preset.all_values.items():
        chosen = _value(settings, key)
        if chosen is not ABSENT and chosen != value:
            yield Departure(key, value, chosen)


def _value(settings: Any, key: str) -> Any:
    """Return the value at a dotted key; `ABSENT` where these settings do not say."""
    for name in key.split("."):
        if not isinstance(settings, Mapping) or name not in settings:
            return ABSENT
        settings = settings[name]
    return settings


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} …"
