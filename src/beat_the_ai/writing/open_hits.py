"""The HITs that a round offers to writers; contexts on which nobody beat the model are offered again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from beat_the_ai.store.campaigns import Brief, nothing_particular
from beat_the_ai.terms.campaign import BoundCampaign


@dataclass(frozen=True)
class Offers:
    """The HITs of a context: `slots`, and as many more one by one, up to `reoffers`, as none of them brings a win."""

    slots: int = 1
    reoffers: int = 0

    @property
    def most(self) -> int:
        return self.slots + self.reoffers


ONCE = Offers()


class OpenHits:
    """All HITs of a round that are in the store, `first` before others: `{HIT: context}`.

    Once all HITs of a context are done and none of them brought a win, somebody else may try, as `offers()` allows at
    the moment.

    A HIT in which nothing was tried goes to somebody else if `affords` says so of all such HITs. Where others offer a
    part of the round, `is_mine` tells the contexts of this part.
    """

    def __init__(
        self,
        campaign: BoundCampaign,
        first: Mapping[str, str],
        *,
        round_number: int = 1,
        offers: Callable[[], Offers] = lambda: ONCE,
        brief: Brief = nothing_particular,
        affords: Callable[[Collection[str]], bool] = lambda _hits: True,
        is_mine: Callable[[str], bool] = lambda _context_id: True,
    ) -> None:
        self._store = campaign.store
        self._campaign_id = campaign.id
        self._first = first
        self._round_number = round_number
        self._offers = offers
        self._brief = brief
        self._affords = affords
        self._is_mine = is_mine

    def hits(self) -> Mapping[str, str]:
        """In the order in which workers get them."""
        offered = self._store.campaigns.offered(self._campaign_id, self._round_number)
        ordered = {**{hit: self._first[hit] for hit in self._first if hit in offered}, **offered}
        return {hit: context_id for hit, context_id in ordered.items() if self._is_mine(context_id)}

    def open(self) -> set[str]:
        """The HITs that need somebody at the moment."""
        found = self._store.campaigns.open_hits(self._campaign_id, self._round_number)
        return found - self._unaffordable(found)

    def handed_in(self) -> set[str]:
        """The HITs that need nobody at the moment."""
        found = self._store.campaigns.open_hits(self._campaign_id, self._round_number)
        return self._store.attempts.handed_in_hits(self._campaign_id) | self._unaffordable(found)

    def _unaffordable(self, hits: set[str]) -> set[str]:
        """Return the resting HITs if they cannot be afforded: a person has yet to decide on an earlier worker's pay."""
        resting = self._store.campaigns.resting_hits(self._campaign_id) & hits
        return resting if resting and not self._affords(resting) else set()

    def renew(self) -> None:
        """Offer again what may be."""
        offers = self._offers()
        if without_win := self._without_win(offers):
            self._store.campaigns.offer_again(self._campaign_id, without_win, offers.most, self._brief)

    def done(self) -> bool:
        """Return whether there are HITs, each is done, and nothing is to be offered again, nor was meanwhile."""
        return self._all_done() and not self._without_win(self._offers()) and self._all_done()

    def _all_done(self) -> bool:
        return self._store.campaigns.all_done(self._campaign_id, self._round_number)

    def _without_win(self, offers: Offers) -> list[str]:
        """Contexts without a win, all of whose HITs are done, that may be offered once more."""
        if not offers.reoffers:
            return []
        return self._store.campaigns.contexts_without_win(self._campaign_id, self._round_number, offers.most)
