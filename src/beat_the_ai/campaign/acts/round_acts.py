"""Open the next round of a campaign, and freeze the data of one that is over."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from beat_the_ai.campaign.acts.act import Actor, Place, Report
from beat_the_ai.campaign.acts.terms import SECRET, TOO_BUSY, check_values, present
from beat_the_ai.campaign.rounds.next_adversary import adversaries, trained_models
from beat_the_ai.campaign.rounds.opening import check_over, next_settings, open_round
from beat_the_ai.campaign.rounds.snapshot import FrozenRound, check_nobody_writes, freeze, frozen_round
from beat_the_ai.campaign.settings.overrides import key_of, quoted
from beat_the_ai.campaign.settings.planned_round import PlannedRound, warnings_of_training_texts
from beat_the_ai.errors import InvalidInput, Refused, UnknownName


class OpenRound(BaseModel):
    """Open round `number`, the next one, with the terms of the last round but for `values` (KEY=VALUE).

    `contexts` is its file on this machine. `members` are its adversary, out of those that the campaign has: earlier
    adversaries and models that were trained since. None of either leaves them as they are, or to `values`.

    Nothing is offered yet: that is the opening of its stages.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = "open_round"

    number: int = Field(ge=2)
    values: tuple[str, ...] = ()
    contexts: Path | None = None
    members: tuple[str, ...] = ()

    def estimate(self, place: Place) -> None:
        """Return None: nothing is offered yet. Raises `InvalidInput` for terms that cannot be, and as `check`."""
        _, last = present(place)
        if last.round.number < self.number:
            self.check(place)
            next_settings(last, self._overrides(place))

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        mark, last = present(place)
        if last.round.number >= self.number:
            return Report(has_changed=False, told=f"Round {self.number} of {place.campaign_id!r} is open already.")
        self._check_number(last.round.number)
        check_values(actor, self.values)
        overrides = self._overrides(place)
        settings = next_settings(last, overrides)
        deed = actor.deed(self.action, place.campaign_id, " ".join([f"round {self.number}", *map(_told, overrides)]))
        opened = open_round(PlannedRound(place.store, settings), mark, deed)
        if opened is None:
            raise Refused(TOO_BUSY)
        sizes = ", ".join(f"{part} {count}" for part, count in sorted(opened.part_sizes.items()))
        contexts = f"{opened.part_sizes.total()} {settings.kind.words.contexts} ({sizes})"
        told = f"Round {opened.number} of {settings.name!r} is open, with {contexts}."
        return Report(has_changed=True, told="\n".join([*warnings_of_training_texts(settings), told]))

    def _overrides(self, place: Place) -> list[str]:
        overrides = list(self.values)
        if self.contexts is not None:
            overrides.append(f"contexts={quoted(self.contexts)}")
        if self.members:
            known = models_of(place)
            for member in self.members:
                if member not in known:
                    raise UnknownName("model of the campaign", member, known)
            overrides.append(f"adversary.members=[{','.join(map(quoted, self.members))}]")
        return overrides

    def check(self, place: Place) -> None:
        """Raise `InvalidInput` for another number than the next, and `Refused` while the last round goes on."""
        _, last = present(place)
        self._check_number(last.round.number)
        check_over(place.bound(), last)

    def _check_number(self, last: int) -> None:
        if self.number != last + 1:
            raise InvalidInput("number", f"Round {self.number} was asked for; the next one is round {last + 1}.")


def _told(override: str) -> str:
    """Return KEY=VALUE as the log keeps it: without a secret."""
    return f"{SECRET}=…" if key_of(override) == SECRET else override


def models_of(place: Place) -> list[str]:
    """Return the models that a round can be played against: earlier adversaries, and models trained since."""
    trained = [model for number in place.bound().rounds for model in trained_models(place.out, number)]
    return list(dict.fromkeys([*adversaries(place.out), *trained]))


class FreezeRound(BaseModel):
    """Write the data of a round that is over; they change no more."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = "freeze_round"

    number: int = Field(ge=1)

    def estimate(self, place: Place) -> None:
        """Return None: this costs nothing. Raises as `check`."""
        self.check(place)

    def check(self, place: Place) -> None:
        """Raise `UnknownName` for a round that was never opened, and `Refused` while people may write in it."""
        campaign = place.bound()
        if self.number not in campaign.rounds:
            raise UnknownName("round", str(self.number), [str(each) for each in campaign.rounds])
        if frozen_round(place.out, self.number) is None:
            check_nobody_writes(campaign, self.number)

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        """Freeze the round. Raises `Refused` while people may write in it, or votes are missing."""
        was_frozen = frozen_round(place.out, self.number) is not None
        frozen = freeze(place.bound(), place.out, self.number)
        if not was_frozen:
            place.store.audit.keep(actor.deed(self.action, place.campaign_id, f"round {self.number}"))
        return Report(has_changed=not was_frozen, told=frozen_told(place.campaign_id, frozen))


def frozen_told(campaign_id: str, frozen: FrozenRound) -> str:
    """Say since when a round is frozen, and how many examples each part has."""
    sizes = ", ".join(f"{part} {file.examples:,}" for part, file in frozen.parts.items())
    return f"Round {frozen.number} of {campaign_id!r} is frozen since {frozen.frozen_at}: {sizes}."
