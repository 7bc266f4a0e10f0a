"""The paths in the records of a campaign and its rounds: files that they name, and where these are after a move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign

LOCAL_MODELS = "onnx:", "huggingface:", "openvino:"


def files_named(campaign: BoundCampaign) -> list[Path]:
    """Return the files that the records name by absolute paths: contexts, forms, collections."""
    named = {text for text in _texts(_records(campaign)) if text.startswith("/")}
    return sorted(path for path in map(Path, named) if path.is_file())


def context_folders(campaign: BoundCampaign) -> list[Path]:
    """Return the folders of contexts that the records of rounds name by absolute paths."""
    named = {each.terms.contexts for each in campaign.rounds.values()}
    return sorted(path for path in named if path is not None and path.is_absolute() and path.is_dir())


def folders_named(campaign: BoundCampaign) -> list[str]:
    """Return the absolute paths of folders that models are loaded from."""
    rounds = [each.terms.adversary for each in campaign.rounds.values() if each.terms.adversary is not None]
    members = {member for adversary in rounds for member in adversary.members}
    sources = {member.partition(":")[2] for member in members if member.startswith(LOCAL_MODELS)}
    return sorted(source for source in sources if source.startswith("/"))


def missing_folders(store: Store) -> list[str]:
    """Return the task folders of a store's campaigns that are not on this machine."""
    folders = {store.campaigns.get(campaign_id).task_dir for campaign_id in store.campaigns.ids()}
    return sorted(str(folder) for folder in folders if not folder.is_dir())


def move(store: Store, moved: Mapping[str, str], people: str | None) -> None:
    """Replace paths in the records of every campaign, and of what is below them; `people` is their new place."""

    def elsewhere(text: str) -> str:
        return _moved(text, moved)

    for campaign_id in store.campaigns.ids():
        record = store.campaigns.get(campaign_id)
        config = _each_text(record.config, elsewhere)
        if people is not None and (config.get("crowd") or {}).get("people") is not None:
            config = {**config, "crowd": {**config["crowd"], "people": people}}
        store.campaigns.amend(replace(record, config=config))
        for each in store.rounds.of_campaign(campaign_id):
            store.rounds.amend(campaign_id, each.number, _each_text(each.config, elsewhere))
            store.rounds.keep_models(campaign_id, each.number, _each_text(list(each.models), elsewhere))


def _records(campaign: BoundCampaign) -> list[Any]:
    return [campaign.record.config, *(each.record.config for each in campaign.rounds.values())]


def _moved(text: str, moved: Mapping[str, str]) -> str:
    """`onnx:/old/model` has its path after a colon."""
    for old, new in sorted(moved.items(), key=lambda pair: -len(pair[0])):
        head, found, rest = text.partition(old)
        if found and (not head or head.endswith(":")) and (not rest or rest.startswith(("/", ":"))):
            return f"{head}{new}{rest}"
    return text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for each in value.values() for text in _texts(each))
    elif isinstance(value, Sequence):
        yield from (text for each in value for text in _texts(each))


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _each_text(each, change) for key, each in value.items()}
    return [_each_text(each, change) for each in value] if isinstance(value, Sequence) else value
