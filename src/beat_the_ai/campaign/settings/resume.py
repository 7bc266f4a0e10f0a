"""A campaign's record and that of its current round: made by its first stage, found by all later ones."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from pydantic import ValidationError

from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.campaign.settings.changes import check_changes
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.exclusive_writers import check_exclusive_writers
from beat_the_ai.errors import InvalidInput, Refused, first_fault
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Campaign, Store, now
from beat_the_ai.terms.campaign import sample_campaign_id


def take_up(
    store: Store, settings: Settings, pseudonym_key: str | None = None, stage: Stage = Stage.WRITING
) -> Campaign:
    """The campaign of these settings, which its records have from now on.

    Raises `InvalidInput` when they differ in what people were told, or the round is not the current one; `Refused` for
    another task or seed, whatever people were told, and for more HITs of a closed stage.
    """
    if settings.name in store.campaigns.ids():
        check_taking_up(store, settings, stage)
    key = pseudonym_key or secrets.token_hex(16)
    campaign = Campaign(settings.name, settings.task.kind, settings.seed, key, settings.of_campaign(), now())
    store.campaigns.create(campaign, settings.of_round(), first_round=settings.round.number)
    store.campaigns.amend(settings.name, settings.of_campaign())
    store.rounds.amend(settings.name, settings.round.number, settings.of_round())
    return store.campaigns.get(settings.name)


def check_taking_up(store: Store, settings: Settings, stage: Stage, *, closing: bool = False) -> None:
    """Raises `InvalidInput` and `Refused` as `take_up`, of a campaign that is there; `closing` the stage comes next.

    Earlier rounds are only validated any more.
    """
    current, number = store.rounds.current(settings.name).number, settings.round.number
    if number > current or (number < current and stage is not Stage.VALIDATION):
        raise InvalidInput(
            "round.number",
            f"This campaign is in round {current}; round.number={number} was given. The next round is opened with: "
            "beat-the-ai round open --out DIR KEY=VALUE.",
        )
    before = settings_of(store, settings.name, settings.out, number=number, given=settings)
    closed = closed_stages(store, before) | ({stage} if closing else set())
    check_changes(before, settings, frozen_stages(store, settings.name, number), closed)
    check_exclusive_writers(store, settings)


def settings_of(
    store: Store, campaign_id: str, out: Path, *, number: int | None = None, given: Settings | None = None
) -> Settings:
    """Return the settings in the records of a campaign and a round, by default the current one; gaps come from `given`.

    Raises `Refused` where that is not enough: older versions did not keep all.
    """
    campaign = store.campaigns.get(campaign_id)
    current = store.rounds.current(campaign_id) if number is None else store.rounds.get(campaign_id, number)
    own = {"name": campaign.id, "seed": campaign.seed, "out": out, "store": {"url": store.database.url}}
    lacking = {} if given is None else given.model_dump()
    try:
        return Settings.model_validate({**lacking, **own, **campaign.config, **current.config})
    except ValidationError as error:
        raise Refused(
            f"The campaign {campaign_id!r} was made by an older version and does not know all of its settings: "
            f"{first_fault(error, 'none').place}. Name TASK_DIR and the settings that it was launched with."
        ) from error


def frozen_stages(store: Store, campaign_id: str, number: int) -> set[Stage]:
    """Return the frozen stages of a round; the screening is the whole campaign's."""
    frozen = {Stage(name) for name in store.rounds.get(campaign_id, number).frozen}
    samples = sample_campaign_id(campaign_id)
    if samples in store.campaigns.ids() and store.rounds.current(samples).frozen:
        frozen.add(Stage.SCREENING)
    return frozen


def closed_stages(store: Store, settings: Settings) -> set[Stage]:
    """Return the stages that offer no more HITs; validation ends by itself and is none of them."""
    campaign_of = {Stage.SCREENING: (sample_campaign_id(settings.name), 1)}
    campaign_of[Stage.WRITING] = (settings.name, settings.round.number)
    return {stage for stage, of in campaign_of.items() if store.rounds.is_closed(*of)}


def check_models(store: Store, settings: Settings, models: Mapping[str, ModelIdentity]) -> None:
    """The models of a round stay what they are: keep them with its record, or compare them with it.

    Raises `InvalidInput`.
    """
    current = store.rounds.get(settings.name, settings.round.number)
    found = [{**asdict(identity), "member": member} for member, identity in sorted(models.items())]
    if not current.models:
        store.rounds.keep_models(settings.name, current.number, found)
    elif [dict(model) for model in current.models] != found:
        raise InvalidInput(
            "adversary.members",
            f"The models of round {current.number} are {_told(current.models)}; loaded were {_told(found)}. A round "
            "keeps its models: put the files back, or open another round.",
        )


def _told(models: Sequence[Mapping[str, str]]) -> str:
    return ", ".join(f"{model['member']} ({model['hash'][:8]}, {model['precision']})" for model in models)
