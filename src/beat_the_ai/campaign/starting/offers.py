"""The choices of a requester: the presets and models of a kind of task, with the figures of each model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from hydra import compose
from omegaconf import OmegaConf

from beat_the_ai.adversary.registry import check_serves
from beat_the_ai.campaign.models.check import ModelCheck, kept_checks
from beat_the_ai.campaign.settings.presets import GROUP, composing, preset_names
from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.files.yaml_files import check_yaml

ADVERSARY = "adversary"


@dataclass(frozen=True)
class OfferedPreset:
    """A preset by its name and its title."""

    name: str
    title: str


@dataclass(frozen=True)
class OfferedModel:
    """A configuration of models. `published` and `checked` are figures in words; None where there are none."""

    name: str
    members: tuple[str, ...]
    published: str | None
    checked: str | None


def presets_of(configs: Path, kind: str) -> list[OfferedPreset]:
    """Return the presets for a kind of task."""
    contents = _contents(configs, GROUP)
    return [
        OfferedPreset(name, str(content["title"]))
        for name in preset_names(configs)
        if (content := contents[name])["task"] == kind
    ]


def models_of(configs: Path, kind: str, checked_in: Sequence[Path]) -> list[OfferedModel]:
    """Return the configurations that name models for a kind of task; checks are those kept in some folders."""
    checks = {name: check for folder in checked_in for name, check in _checks(folder).items()}
    return [
        OfferedModel(name, members, _published(content), _checked(checks, members))
        for name, content in _contents(configs, ADVERSARY).items()
        if (members := _members(content)) and _serves(members, kind)
    ]


@lru_cache
def _contents(configs: Path, group: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the files of a group by name, composed. A process reads them once: that takes seconds."""
    for path in sorted((configs / group).rglob("*.yaml")):
        check_yaml(path)
    with composing(configs):
        return {
            path.stem: _plain(compose(f"{group}/{path.stem}").get(group, {}))
            for path in sorted((configs / group).glob("*.yaml"))
        }


def _plain(config: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = cast(Any, OmegaConf.to_container(config)) if OmegaConf.is_config(config) else {}
    return found


def _members(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the models that a configuration names; nothing where it leaves them open."""
    members = content.get("members")
    return tuple(map(str, members)) if isinstance(members, list) else ()


def _serves(members: Sequence[str], kind: str) -> bool:
    try:
        for member in members:
            check_serves(member, kind)
    except BeatTheAIError:
        return False
    return True


def _published(content: Mapping[str, Any]) -> str | None:
    published = content.get("published")
    if not published:
        return None
    scores = ", ".join(f"{name} {value:g}" for name, value in published["scores"].items())
    return f"{scores} on {published['gold']}"


def _checked(checks: Mapping[str, ModelCheck], members: Sequence[str]) -> str | None:
    told = list(_told(checks, members))
    return "; ".join(told) if told else None


def _told(checks: Mapping[str, ModelCheck], members: Sequence[str]) -> Iterator[str]:
    for member in members:
        if (check := checks.get(member)) is not None:
            figures = ", ".join(f"{name} {value:.1f}" for name, value in check.figures.items())
            yield f"{member}: {figures} on {check.gold}; beaten without effort by {check.free_wins}"


def _checks(folder: Path) -> Mapping[str, ModelCheck]:
    """Return the checks in a campaign's folder; none where they cannot be read."""
    try:
        return kept_checks(folder)
    except BeatTheAIError:
        return {}
