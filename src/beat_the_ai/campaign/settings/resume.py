"""The records of a campaign and of its current round: made by its first stage, and resumed by all later ones."""

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
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.errors import InvalidInput, Refused, first_fault
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Campaign, now
from beat_the_ai.terms.campaign import BoundCampaign

LATER = {"alerts", "forms", "keeping", "language", "release", "review"}  # sections that the first versions did not have


def begin_or_resume(
    planned: PlannedRound, pseudonym_key: str | None = None, stage: Stage = Stage.WRITING
) -> BoundCampaign:
    """Return the campaign of these settings, which its records have from now on.

    Raises `InvalidInput` when they differ in what people were told, or the round is not the current one; `Refused` for
    another task or seed, whatever people were told, and for more HITs of a closed stage.
    """
    store, settings = planned.store, planned.settings
    known = planned.campaign
    if known is not None:
        check_resumption(known, planned, stage)
    key = pseudonym_key or secrets.token_hex(16)
    campaign = Campaign(settings.name, settings.task.kind, settings.seed, key, settings.of_campaign(), now())
    store.campaigns.create(campaign, settings.of_round(), first_round=planned.number)
    store.campaigns.amend(campaign)
    store.rounds.amend(settings.name, planned.number, settings.of_round())
    return BoundCampaign.open(store, settings.name)


def check_resumption(campaign: BoundCampaign, planned: PlannedRound, stage: Stage, *, closing: bool = False) -> None:
    """Raise `InvalidInput` and `Refused` as `begin_or_resume`, of a campaign that is there.

    With `closing` the stage is closed next. Earlier rounds are only validated any more.
    """
    current, number = campaign.current.record.number, planned.number
    if number > current or (number < current and stage is not Stage.VALIDATION):
        raise InvalidInput(
            "round.number",
            f"This campaign is in round {current}; round.number={number} was given. The next round is opened with: "
            "beat-the-ai round open --out DIR KEY=VALUE.",
        )
    before = settings_of(campaign, planned.settings.out, number=number, given=planned.settings)
    closed = planned.closed_stages() | ({stage} if closing else set())
    check_changes(before, planned.settings, planned.begun_stages(), closed)
    check_exclusive_writers(campaign, planned.settings)


def settings_of(
    campaign: BoundCampaign, out: Path, *, number: int | None = None, given: Settings | None = None
) -> Settings:
    """Return the settings in the records of a campaign and a round, by default the current one; gaps come from `given`.

    What no campaign had before there were settings for it, it has not: their defaults.

    Raises `Refused` where that is not enough: older versions did not keep all.
    """
    record, of_round = campaign.record, campaign.current if number is None else campaign.round(number)
    own = {"name": campaign.id, "seed": campaign.seed, "out": out, "store": {"url": campaign.store.database.url}}
    lacking = {} if given is None else given.model_dump(exclude=LATER)
    try:
        return Settings.model_validate({**lacking, **own, **record.config, **of_round.record.config})
    except ValidationError as error:
        raise Refused(
            f"The campaign {campaign.id!r} was made by an older version and does not know all of its settings: "
            f"{first_fault(error, 'none').place}. Name TASK_DIR and the settings that it was launched with."
        ) from error


def check_models(planned: PlannedRound, models: Mapping[str, ModelIdentity]) -> None:
    """Keep the models of a round with its record, or compare them with it: they stay the same.

    Raises `InvalidInput`.
    """
    rounds = planned.store.rounds
    current = rounds.get(planned.settings.name, planned.number)
    loaded = [{**asdict(identity), "member": member} for member, identity in sorted(models.items())]
    if not current.models:
        rounds.keep_models(current.campaign_id, current.number, loaded)
    elif [dict(model) for model in current.models] != loaded:
        raise InvalidInput(
            "adversary.members",
            f"The models of round {current.number} are {_summary(current.models)}; loaded were {_summary(loaded)}. A "
            "round keeps its models: put the files back, or open another round.",
        )


def _summary(models: Sequence[Mapping[str, str]]) -> str:
    return ", ".join(f"{model['member']} ({model['hash'][:8]}, {model['precision']})" for model in models)
