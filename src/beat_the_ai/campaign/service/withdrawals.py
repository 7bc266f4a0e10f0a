"""People who have withdrawn, as the store of people knows them, and where it finds the campaign."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from beat_the_ai.campaign.money.payables import annotations_prefix
from beat_the_ai.forms import Form
from beat_the_ai.forms.page import page_forms
from beat_the_ai.marketplace import withdrawals
from beat_the_ai.marketplace.market import Market, open_market
from beat_the_ai.marketplace.people import campaigns, store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import store_file


@contextmanager
def withdrawn_from(
    campaign: BoundCampaign, out: Path, debriefing: Sequence[Form]
) -> Iterator[Callable[[str], bool] | None]:
    """Yield what tells of a worker whether they have withdrawn; None for a crowd that does not know.

    The store of people takes note of where the campaign lies: there a person's work is found when it is to be erased.
    It keeps the notices of a `debriefing`, which whoever withdraws reads on the portal.
    """
    place = campaign.crowd.people
    if place is None:
        yield None
        return
    with store.people_at(place, create=True) as market:
        with market.writing() as moment:
            for kept in _places_of(campaign, out):
                campaigns.keep(moment, annotations_prefix(campaign.record), kept)
            notices = page_forms([], debriefing)["debriefing"]
            campaigns.keep_debriefing(moment, annotations_prefix(campaign.record), notices)

        def has_withdrawn(worker: str) -> bool:
            with market.reading() as moment:
                return withdrawals.find(moment, worker) is not None

        yield has_withdrawn


class Withdrawn:
    """The workers of a campaign who have withdrawn. The store of people is opened when somebody first asks.

    There are none for a crowd that does not know, and while there is no store of people.
    """

    def __init__(self, campaign: BoundCampaign) -> None:
        self._place = campaign.crowd.people
        self._market: Market | None = None
        self._opening = Lock()

    def __call__(self) -> Collection[str]:
        market = self._opened()
        if market is None:
            return ()
        with market.reading() as moment:
            return withdrawals.everybody(moment)

    def close(self) -> None:
        """Close the store of people, if it was opened."""
        if self._market is not None:
            self._market.close()

    def _opened(self) -> Market | None:
        with self._opening:
            if self._market is None and self._place is not None and store.is_there(self._place):
                self._market = open_market(store.store_url(self._place))
            return self._market


def _places_of(campaign: BoundCampaign, out: Path) -> list[str]:
    """Return its folder, and the URL of a store elsewhere, without the password."""
    folder = str(out.resolve())
    if store_file(out) is not None:
        return [folder]
    return [folder, campaign.store.database.shown_url]
