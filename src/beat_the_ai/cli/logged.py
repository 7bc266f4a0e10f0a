"""The log of what commands do to a campaign. It loads no Mephisto, as commands that only read need none."""

from __future__ import annotations

from beat_the_ai.process.user import machine_user
from beat_the_ai.store import Deed, Store, now
from beat_the_ai.terms.locate import main_campaigns


def log_of_all(store: Store, action: str, note: str) -> None:
    """Log something that the user of this machine does with all campaigns of a store."""
    who = machine_user()
    for campaign in main_campaigns(store):
        store.audit.keep(Deed(now(), who, action, campaign.id, note, who))
