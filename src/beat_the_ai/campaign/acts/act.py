"""The common parts of all acts: the campaign, the person who acts, estimates and reports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from beat_the_ai.errors import Refused
from beat_the_ai.rules.amounts import show
from beat_the_ai.store import ActRequest, Deed, Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import only_campaign

MOST_NOTE_CHARS = 4000


@dataclass(frozen=True)
class Actor:
    """A person who acts: a reviewer by name, or on the command line the user of the machine.

    A page sends a `request`, whose act is done once.
    """

    name: str
    machine_user: str = ""
    request: ActRequest | None = None

    def deed(self, action: str, campaign_id: str, note: str = "") -> Deed:
        """Return the entry in the log of something that this person does now."""
        return Deed(now(), self.name, action, campaign_id, note[:MOST_NOTE_CHARS], self.machine_user, self.request)


@dataclass(frozen=True)
class Place:
    """A campaign in an open store. `folder` is where its files lie; None if only its database is known."""

    store: Store
    campaign_id: str
    folder: Path | None

    @classmethod
    def only(cls, store: Store, given: str) -> Place:
        """Return the only campaign of a store that was `given` by folder, file or address. Raises `InvalidInput`."""
        folder = Path(given)
        is_folder = "://" not in given and folder.is_dir()
        return cls(store, only_campaign(store).id, folder.resolve() if is_folder else None)

    def bound(self) -> BoundCampaign:
        """Return the campaign with its rounds and terms as they are now."""
        return BoundCampaign.open(self.store, self.campaign_id)

    @property
    def out(self) -> Path:
        """The campaign's folder. Raises `Refused` if it is not known."""
        if self.folder is None:
            raise Refused("This needs the campaign's folder. Name that instead of its database.")
        return self.folder


class _Shown(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Line(_Shown):
    """A line of an estimate in words."""

    name: str
    value: str
    is_total: bool = False


class Estimate(_Shown):
    """The cost of an act. Amounts are hundredths of `unit` with fees.

    `before_cents` and `worst_cents` are the most that the whole campaign may cost without the act and with it.
    `balance_cents` is None if the crowd was not asked. `lines` say the same and more in words, `notes` what a person
    should know. `needs_consent` says that it may cost more than before, so a person has to agree. `refusal` says why it
    cannot be done.
    """

    title: str
    unit: str
    lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()
    before_cents: int
    worst_cents: int
    cap_cents: int
    balance_cents: int | None = None
    needs_consent: bool = False
    refusal: str | None = None

    @property
    def note(self) -> str:
        """Return the estimate as the log has it."""
        words = "; ".join(f"{line.name}: {line.value}" for line in self.lines if not line.is_total)
        money = f"at most {show(self.worst_cents, self.unit)}, {show(self.before_cents, self.unit)} before"
        return f"{words}; {money}" if words else money


class Report(_Shown):
    """A report of an act in words. `has_changed` is False if it was so already."""

    has_changed: bool
    told: str


class Act(Protocol):
    """An act of a requester on a campaign."""

    action: ClassVar[str]
    """Its name in the log."""

    def estimate(self, place: Place) -> Estimate | None:
        """Return what it may cost, None for nothing. Raises `Refused` and `InvalidInput` unless it can be done."""

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        """Do it, unless it is done, and log it. Raises as `estimate`.

        Raises `Refused` if the campaign may cost more with it than `agreed_cents`, where a person has agreed to a sum.
        """
