"""Change the settings of a campaign while it goes on: more HITs, another cap, another address.

Records, new HITs and the log's entry are one transaction. It is tried again if somebody else has changed the records
meanwhile. A process that serves the campaign takes up some settings at once, others when it starts again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from beat_the_ai.campaign.acts.act import Actor, Estimate, Line, Place, Report
from beat_the_ai.campaign.money.cost import worst_case
from beat_the_ai.campaign.settings.changes import (
    Change,
    Possibility,
    changes,
    effects,
    is_of_the_campaign,
    is_under,
    possibilities,
)
from beat_the_ai.campaign.settings.configuration import Settings, amended
from beat_the_ai.campaign.settings.overrides import key_of
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import check_resumption, settings_of
from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.payments import check_launch
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Amendment, Mark

TRIES = 5
FROM_A_PAGE = (
    "dataset",
    "keeping",
    "pay",
    "qualification.min_reviews",
    "qualification.places",
    "qualification.reward_cents",
    "qualification.time_limit_seconds",
    "release",
    "review",
    "round",
    "validation.parts",
    "validation.rules",
    "validation.terms",
)
SECRET = "alerts.webhook"  # noqa: S105 - the key of an address: whoever knows it can post there
TOO_BUSY = "Others change this campaign at the same time. Look at its settings, and try again."


@dataclass(frozen=True)
class PlannedChange:
    """A campaign's round with other settings, and its records as they were when this was planned.

    `again` are contexts of discarded work, each of which gets one more HIT.
    """

    planned: PlannedRound
    before: Settings
    mark: Mark
    again: Sequence[str] = ()

    @classmethod
    def of(
        cls, planned: PlannedRound, mark: Mark | None, again: Sequence[str] = (), stage: Stage = Stage.WRITING
    ) -> PlannedChange:
        """Plan the change to the settings of `planned`, which were made of records with this mark.

        Raises `InvalidInput` and `Refused` if they may not differ so.
        """
        settings, campaign = planned.settings, planned.campaign
        if mark is None or campaign is None:
            raise UnknownName("campaign", settings.name, planned.store.campaigns.ids())
        check_resumption(campaign, planned, stage)
        before = settings_of(campaign, settings.out, number=planned.number, given=settings)
        return cls(planned, before, mark, again)

    @property
    def changes(self) -> list[Change]:
        return changes(self.before, self.planned.settings)

    def estimate(self) -> Estimate:
        """Return what the campaign may cost before and after. Raises `Refused` beyond the cap."""
        settings, amount = self.planned.settings, self.planned.settings.crowd.amount
        known = worst_case(PlannedRound(self.planned.store, self.before)).worst_cents
        worst = worst_case(self.planned, self.again)
        check_launch(worst, settings.pay.cap_cents, settings.crowd.unit)
        lines = [Line(name=each.key, value=_told(each)) for each in self.changes]
        added = len(self.planned.added)
        if added:
            lines.append(Line(name=f"new {settings.kind.words.contexts}", value=f"{added:,}"))
        if self.again:
            name = f"{settings.kind.words.contexts} of discarded work, offered again"
            lines.append(Line(name=name, value=str(len(self.again))))
        more_cents = worst.worst_cents - known
        at_most = f"{amount(worst.worst_cents)}, {amount(known)} before"
        lines += [
            Line(name="this may cost more", value=amount(max(0, more_cents))),
            Line(name="the campaign at most", value=at_most, is_total=True),
            Line(name="cap", value=amount(settings.pay.cap_cents)),
        ]
        return Estimate(
            title=f"Campaign {settings.name}, with more than before",
            unit=settings.crowd.unit,
            lines=tuple(lines),
            notes=tuple(effects(self.changes)),
            before_cents=known,
            worst_cents=worst.worst_cents,
            cap_cents=settings.pay.cap_cents,
            needs_consent=more_cents > 0 or settings.pay.cap_cents > self.before.pay.cap_cents,
        )

    def keep(self, actor: Actor, action: str, estimate: Estimate) -> bool:
        """Keep the settings and offer the new HITs. Return False if the records have changed since it was planned."""
        settings = self.planned.settings
        offers = Stage.WRITING in self.planned.begun_stages() and not self.planned.is_closed
        amendment = Amendment(
            settings.name,
            self.planned.number,
            self.mark,
            settings.of_campaign(),
            settings.of_round(),
            self.planned.offering() if offers else None,
            self.again,
        )
        deed = actor.deed(action, settings.name, estimate.note)
        return self.planned.store.acts.amend(amendment, deed)


def _told(of: Change) -> str:
    """Return a change in words, which the log keeps for everybody who reads it: without a secret."""
    return "another address" if of.key == SECRET else f"{of.given}, {of.before} before"


def change(
    plan: Callable[[], PlannedChange], actor: Actor, action: str, agreed_cents: int | None = None
) -> tuple[PlannedChange, Estimate] | None:
    """Make the planned change. Return it with its last estimate; None if nothing differs.

    It is planned again if somebody else changes the records meanwhile. Raises `Refused` beyond the cap, for more than
    a person agreed to, and where others are faster each time.
    """
    for _ in range(TRIES):
        planned = plan()
        if not (planned.changes or planned.again or planned.planned.added):
            return None
        estimate = planned.estimate()
        check_consent(estimate, agreed_cents)
        if planned.keep(actor, action, estimate):
            return planned, estimate
    raise Refused(TOO_BUSY)


def check_consent(estimate: Estimate, agreed_cents: int | None) -> None:
    """Raise `Refused` if the campaign may cost more than a person has agreed to; None agrees to anything."""
    if agreed_cents is not None and estimate.worst_cents > agreed_cents:
        shown = [str(line.value) for line in estimate.lines if line.is_total]
        raise Refused(f"The campaign may cost more by now than was agreed to: {', '.join(shown)}. Look at it again.")


def is_from_a_page(key: str) -> bool:
    """Return whether a setting can be seen and set on a page. Others name files, programs and databases."""
    return is_under(key, FROM_A_PAGE)


def check_values(actor: Actor, values: Sequence[str]) -> None:
    """Raise `InvalidInput` for what only the machine's user may set.

    An interpolation would show the machine's environment, and a mapping would set keys that it does not name.
    """
    if actor.machine_user:
        return
    for value in values:
        key, given = key_of(value), value.partition("=")[2]
        if not is_from_a_page(key):
            raise InvalidInput(key, f"{key} can only be set on the command line. A page sets {', '.join(FROM_A_PAGE)}.")
        if "{" in given:
            raise InvalidInput(key, f"{key} has braces. A page sets each value by its own key; see `change`.")


class ChangeTerms(BaseModel):
    """Change settings of the current round and its campaign. `values` are KEY=VALUE, as on the command line."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = "change_terms"

    values: tuple[str, ...]

    def estimate(self, place: Place) -> Estimate:
        return self._plan(place).estimate()

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        check_values(actor, self.values)
        done = change(lambda: self._plan(place), actor, self.action, agreed_cents)
        if done is None:
            return Report(has_changed=False, told=f"{place.campaign_id!r} has these settings already.")
        planned, _ = done
        return Report(has_changed=True, told="\n".join(effects(planned.changes)))

    def _plan(self, place: Place) -> PlannedChange:
        for value in self.values:
            key = key_of(value)
            if is_of_the_campaign(key):
                raise InvalidInput(key, f"{key} says which campaign this is, or where it lies. It cannot change here.")
        mark, settings = present(place)
        return PlannedChange.of(PlannedRound(place.store, amended(settings, list(self.values))), mark)


def present(place: Place) -> tuple[Mark, Settings]:
    """Return the settings of a campaign and its current round, with the mark of their records from before."""
    number = place.store.rounds.current(place.campaign_id).number
    mark = place.store.acts.mark(place.campaign_id, number)
    assert mark is not None, "rounds stay"
    return mark, settings_of(place.bound(), place.folder or Path(), number=number)


def changeable(place: Place) -> list[Possibility]:
    """Return all settings of a campaign, with what may change in them, and why not."""
    _, settings = present(place)
    planned = PlannedRound(place.store, settings)
    return possibilities(settings, planned.begun_stages(), planned.closed_stages())
