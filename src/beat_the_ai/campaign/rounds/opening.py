"""The opening of a campaign's next round, with the terms of the last one but for some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from beat_the_ai.campaign.rounds.next_adversary import trained_models
from beat_the_ai.campaign.settings.configuration import Settings, amended, read_settings
from beat_the_ai.campaign.settings.exclusive_writers import check_exclusive_writers
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.presets import preset_name
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.store import Deed, Mark, Round
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import served_stages

OF_A_PRESET = ("preset", "adversary", "round", "pay", "dataset", "validation")  # what it sets for a later round


@dataclass(frozen=True)
class OpenedRound:
    """A round that was opened, and the number of its contexts in each part."""

    settings: Settings
    part_sizes: Counter[str]

    @property
    def number(self) -> int:
        return self.settings.round.number


def next_settings(last: Settings, overrides: Sequence[str]) -> Settings:
    """Return the settings of the round after the one of `last`; `overrides` are `key=value`.

    Raises `InvalidInput` for another campaign, and where models were trained after the last round and no adversary is
    named: the last round's own would be played unasked.
    """
    out, number = last.out, last.round.number
    trained = trained_models(out, number)
    if trained and not any(override.startswith("adversary.") for override in overrides):
        raise InvalidInput(
            "adversary.members",
            f"{', '.join(trained)} came out of round {number}, and no adversary was named. Name what `beat-the-ai "
            f"round compare --out {out}` prints, or an earlier adversary to play against that one again.",
        )
    values = [each for each in overrides if preset_name([each]) is None]
    settings = amended(_with_preset(last, overrides), [*values, f"round.number={number + 1}"])
    if (settings.name, settings.seed, settings.task.kind) != (last.name, last.seed, last.task.kind):
        raise InvalidInput("KEY=VALUE", "name, seed and task.kind are the campaign's: they hold for all of its rounds.")
    return settings


def _with_preset(last: Settings, overrides: Sequence[str]) -> Settings:
    """Return the settings of the last round with the terms of the preset that is named, if any."""
    if preset_name(overrides) is None:
        return last
    task = [f"preset={preset_name(overrides)}", f"pay.fees={last.pay.fees}"]
    terms = read_settings(last.task_dir, task, out=last.out)
    return last.model_copy(update={section: getattr(terms, section) for section in OF_A_PRESET})


def open_round(planned: PlannedRound, mark: Mark, deed: Deed) -> OpenedRound | None:
    """Close the current round, which had this mark when the next was planned, and open the planned one.

    Nothing is offered yet. None if somebody else has changed or opened a round meanwhile.

    Raises `Refused` while the writing of the current round goes on, and `InvalidInput` for contexts of earlier rounds
    and for exclusive writers who have written for other parts.
    """
    store, settings = planned.store, planned.settings
    campaign = BoundCampaign.open(store, settings.name)
    check_over(campaign, settings)
    planned.check_contexts()
    check_exclusive_writers(campaign, settings)
    part_sizes = planned.part_sizes()
    opened = Round(campaign.id, settings.round.number, settings.of_round(), deed.at)
    is_open = store.acts.open_round(opened, settings.of_campaign(), mark, deed)
    return OpenedRound(settings, part_sizes) if is_open else None


def check_over(campaign: BoundCampaign, settings: Settings) -> None:
    """Raise `Refused` while the writing of the current round goes on."""
    store, current = campaign.store, campaign.current.record
    stops = f"beat-the-ai launch --out {settings.out} --stop"
    if any(stage.startswith("writing") for stage in served_stages(settings.out) or ()):
        raise Refused(f"Round {current.number} is being served. Stop that first: {stops}.")
    left = store.campaigns.offered(campaign.id, current.number).keys() - store.attempts.done_hits(campaign.id)
    if left and not current.is_closed:
        raise Refused(
            f"Round {current.number} has {len(left)} HITs that nobody has done. Go on with it, or end it with {stops}."
        )
