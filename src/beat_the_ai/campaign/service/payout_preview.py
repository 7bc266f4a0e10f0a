"""The outlook that writers get of the time after submission: whether others check their works, and its rewards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.dataset.placement import parts_of
from beat_the_ai.store import Attempt
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import TEST, Division
from beat_the_ai.terms.prospect import Prospect


@dataclass(frozen=True)
class CampaignOutlook:
    """`part_of` maps contexts to parts, as they stood when somebody first asked; `checked_parts` are validated.

    Work of an exclusive writer moves a context: this worker's own is foreseen, that of others who come later is not.
    """

    rules: BonusRules
    division: Division
    part_of: Mapping[str, str]
    checked_parts: Collection[str]

    def is_checked(self, context_id: str, worker: str) -> bool:
        part = TEST if self.division.is_exclusive(worker) else self.part_of[context_id]
        return part in self.checked_parts

    def prospect(self, attempts: Sequence[Attempt], *, is_checked: bool) -> Prospect:
        return self.rules.prospect(attempts, is_checked=is_checked)


def checked_contexts(settings: Settings) -> Literal["all", "some", "none"]:
    """Say on how many contexts of a round other people check the works."""
    used, checked = settings.dataset.division(settings.seed).parts, set(settings.validation.parts)
    if used <= checked:
        return "all"
    return "some" if used & checked else "none"


def outlook_of(campaign: BoundCampaign, settings: Settings) -> CampaignOutlook:
    """Return the outlook of a campaign that offers its contexts already."""
    division = campaign.rounds[settings.round.number].division
    return CampaignOutlook(settings.pay.rules(), division, _Parts(campaign), settings.validation.parts)


class _Parts(dict[str, str]):
    """The parts of contexts. They are read anew for a context that came later."""

    def __init__(self, campaign: BoundCampaign) -> None:
        super().__init__(parts_of(campaign))
        self._campaign = campaign

    def __missing__(self, context_id: str) -> str:
        parts = parts_of(self._campaign)
        self.update({**parts, **self})
        return parts[context_id]
