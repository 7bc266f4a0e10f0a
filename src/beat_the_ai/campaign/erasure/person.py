"""A person's traces in a campaign, and erasing them: the one way for every command.

The order makes it resumable. Files are cleaned while the store still names the works in them. The store is one
transaction. Mephisto's files and logs know the person by the crowd's id, which the caller still has.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from beat_the_ai.campaign.acts.data_files import Export
from beat_the_ai.campaign.acts.jobs import job_of
from beat_the_ai.campaign.erasure.frozen_files import erase_works
from beat_the_ai.campaign.money.payables import annotations_prefix, owed_to
from beat_the_ai.errors import Refused
from beat_the_ai.files.masking import mask
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.mephisto.erasure import erase_worker, unserved
from beat_the_ai.payments import Ledger, held_back
from beat_the_ai.payments.held_back import undecided
from beat_the_ai.rules.amounts import DOLLARS, show
from beat_the_ai.store import Holdings, Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import EXPORTS, STORE_FILE, campaign_store, store_file

MEPHISTO = "mephisto"  # in the private folder: a folder for each stage
NOTHING = Holdings({}, 0, 0, 0, 0, frozenset())
UNPAID = "Afterwards nobody knows whom to pay; --unpaid erases nevertheless."


@dataclass(frozen=True)
class Erased:
    """An erasure that was done. `files` are frozen ones that had work of the person; not `found`: there was nothing."""

    files: list[Path]
    found: bool


class CampaignPlace:
    """A campaign by its folder, SQLite file or database URL, opened to find or erase people.

    A folder whose store is a database elsewhere has files alone.
    """

    def __init__(self, place: str, store: Store | None) -> None:
        self.place = place
        self._store = store
        self._folder = _folder_of(place)

    @classmethod
    @contextmanager
    def opened(cls, place: str) -> Iterator[CampaignPlace]:
        """Raises `InvalidInput` where there is no campaign."""
        if "://" not in place and (Path(place) / PRIVATE / MEPHISTO).is_dir() and store_file(Path(place)) is None:
            yield cls(place, None)
            return
        with campaign_store(place) as store:
            yield cls(place, store)

    @property
    def has_store(self) -> bool:
        return self._store is not None

    def prefixes(self) -> set[str]:
        """Return how the annotations of its HITs begin at the crowd."""
        campaigns = [] if self._store is None else BoundCampaign.all_in(self._store)
        return {annotations_prefix(each.record) for each in campaigns}

    def amount(self, cents: int) -> str:
        """Return an amount of the place's campaigns, for people."""
        campaigns = [] if self._store is None else BoundCampaign.all_in(self._store)
        return next((one.crowd.amount(cents) for one in campaigns), show(cents, DOLLARS))

    def holdings(self, worker: str) -> Holdings:
        """Return what its store has of a worker."""
        return NOTHING if self._store is None else self._store.erasure.holdings(worker)

    def check(self, worker: str, *, unpaid: bool = False) -> None:
        """Raise `Refused` while the campaign is served, or money is owed to the worker, unless they stay `unpaid`."""
        with unserved(self._stages()):
            pass
        if self._store is None:
            return
        if holders := self._store.leases.holders():
            raise Refused(f"{self.place} is being served ({holders[0]}). Stop it first (Ctrl-C loses nothing).")
        for campaign in BoundCampaign.all_in(self._store) if not unpaid else ():
            _check_paid(campaign, worker, self.place)

    def erase(self, worker: str, pseudonym: str, *, unpaid: bool = False) -> Erased:
        """Erase a worker. Called again, it finishes. Raises `Refused` as `check` does, and during an export."""
        self.check(worker, unpaid=unpaid)
        attempts = self.holdings(worker).attempts
        with unserved(self._stages()), self._not_exported():
            files = [] if self._folder is None else erase_works(self._folder, attempts)
            self._remove_exports()
            was_there = self._store is not None and self._store.erasure.erase(worker, pseudonym, now())
            agents = sum(erase_worker(folder, worker) for folder in self._stages())
        for log in self._logs():
            mask(log, worker)
        had_remains = self._store is not None and self._store.erasure.scrub(now())
        return Erased(files, was_there or agents > 0 or had_remains)

    @contextmanager
    def _not_exported(self) -> Iterator[None]:
        """Keep a console from exporting until the block ends. Raises `Refused` while one does."""
        if self._folder is None or self._store is None:
            yield
            return
        with job_of(self._folder, Export.job).kept_idle() as is_idle:
            if not is_idle:
                raise Refused(f"{self.place} is being exported by its console. Try again when that has ended.")
            yield

    def _remove_exports(self) -> None:
        if self._folder is not None and (exports := self._folder / PRIVATE / EXPORTS).is_dir():
            shutil.rmtree(exports)

    def _stages(self) -> list[Path]:
        return [] if self._folder is None else sorted((self._folder / PRIVATE / MEPHISTO).glob("*/"))

    def _logs(self) -> list[Path]:
        return [] if self._folder is None else sorted((self._folder / PRIVATE).rglob("*.log"))


def _folder_of(place: str) -> Path | None:
    """Return the folder of a campaign, if it is known."""
    if "://" in place:
        return None
    path = Path(place)
    if path.is_dir():
        return path
    return path.parent.parent if (path.name, path.parent.name) == (STORE_FILE, PRIVATE) else None


def _check_paid(campaign: BoundCampaign, worker: str, place: str) -> None:
    """Raise `Refused` while money is owed to a worker, or a person has to decide about it: afterwards nobody can."""
    if not campaign.crowd.is_marketplace:
        return
    waiting = undecided(held_back(campaign, worker)) if campaign.states_its_pay else []
    if waiting:
        raise Refused(
            f"{len(waiting)} HITs of {worker} in {place} wait for a decision about their pay ({waiting[0].reason}). "
            f"Decide first: beat-the-ai review held {place}. {UNPAID}"
        )
    earned = {one.key: one for one in owed_to(campaign, worker)}
    known = Ledger(campaign.store.database, campaign.id).known(earned)
    cents = sum(one.cents for key, one in earned.items() if key not in known)
    holdings = campaign.store.erasure.holdings(worker)
    if cents or holdings.unsent or holdings.unsettled:
        raise Refused(
            f"{worker} is not paid in full in {place} ({campaign.crowd.amount(cents)} are not sent yet). Pay first: "
            f"beat-the-ai pay {place} --confirm. {UNPAID}"
        )
