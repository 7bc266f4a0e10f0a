"""The campaigns of a console, each under a key of its own in addresses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from beat_the_ai.review import ReviewDesk
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import served_stages

NO_NAMES = (".", "..")  # which browsers take out of an address


class Sources(Protocol):
    """The source of campaigns while a console runs."""

    def more(self) -> Iterable[Watched]:
        """Return the campaigns that have appeared since it was last asked."""

    @property
    def accounts(self) -> Store | None:
        """The store of the accounts that a folder of campaigns has itself; None while it has none."""

    @property
    def unopened(self) -> Collection[str]:
        """The names of folders of campaigns whose store cannot be opened."""


class NoMore:
    """A console's campaigns are all there."""

    accounts = None
    unopened: Collection[str] = ()

    def more(self) -> Iterable[Watched]:
        return ()


@dataclass(frozen=True)
class Watched:
    """A campaign with the desk of its reviewers. `place` is its folder, file or database, as the command names it."""

    place: str
    desk: ReviewDesk
    _categories: dict[int, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def id(self) -> str:
        return self.desk.campaign.id

    @property
    def store(self) -> Store:
        return self.desk.store

    @property
    def shown_place(self) -> str:
        """The name of the folder or file; of a database its address without a password."""
        if "://" in self.place:
            return self.store.database.shown_url
        return Path(self.place).name

    @property
    def folder(self) -> Path | None:
        """The campaign's folder; None if only its database is known."""
        folder = Path(self.place)
        return folder.resolve() if "://" not in self.place and folder.is_dir() else None

    def categories(self, campaign: BoundCampaign) -> tuple[str, ...]:
        """Return the categories of all contexts, where the kind of task has any: read again as contexts are added."""
        number = self.store.campaigns.number_of_contexts(self.id)
        if number not in self._categories:
            contexts = self.store.campaigns.contexts(self.id).values()
            names = {campaign.kind.genre(context) for of_round in contexts for context in of_round}
            self._categories[number] = tuple(sorted(names - {""}))
        return self._categories[number]

    def bound(self) -> BoundCampaign:
        """Return the campaign with its rounds and terms as they are now."""
        return BoundCampaign.open(self.store, self.id)

    def served(self) -> list[str] | None:
        """Return the stages that processes of this machine serve; None when that cannot be told from here."""
        return None if "://" in self.place else served_stages(Path(self.place))


def by_key(campaigns: Iterable[Watched]) -> Mapping[str, Watched]:
    """Return campaigns by key: the id, with a number where another campaign has it."""
    found: dict[str, Watched] = {}
    for each in campaigns:
        found[key_of(each, found)] = each
    return found


def key_of(campaign: Watched, taken: Collection[str]) -> str:
    """Return the key of a campaign beside those that are taken."""
    key, number = campaign.id, 1
    while key in taken or key in NO_NAMES:
        number += 1
        key = f"{campaign.id}-{number}"
    return key
