"""The campaign or the dataset that a command is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.cli.datasets import tell_left_out
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.corpora import Corpora
from beat_the_ai.rules.kind import Kind
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store, main_campaigns, store_file

target_argument = click.argument("target", metavar="CAMPAIGN|DATASET")
name_option = click.option("--name", metavar="ID", help="The campaign, where the store holds several.")


def corpora_of(kind: Kind) -> Corpora:
    if kind.corpora is None:
        raise InvalidInput("--task", f"{kind.name} reads no datasets in files.")
    return kind.corpora


def is_campaign(target: str) -> bool:
    return "://" in target or Path(target).suffix == ".db" or store_file(Path(target)) is not None


@contextmanager
def campaign_outcomes(target: str, name: str | None) -> Iterator[CampaignOutcomes]:
    """Yield the outcomes of a campaign at one moment. Raises as `chosen_campaign`."""
    with campaign_store(target) as store, CampaignOutcomes.at_one_moment(chosen_campaign(store, name)) as outcomes:
        yield outcomes


def campaign_folder(target: str) -> Path | None:
    """Return the folder in which a campaign keeps files; None of a store by itself."""
    return Path(target) if Path(target).is_dir() else None


def existing(target: str) -> Path:
    """Return a dataset's path, with a word on stderr of files in its folder that are no part of it."""
    if not Path(target).exists():
        raise InvalidInput("CAMPAIGN|DATASET", f"{target} does not exist.")
    return tell_left_out(Path(target))


def chosen_campaign(store: Store, name: str | None) -> BoundCampaign:
    """Return the only campaign, or the one of that name. One of sample HITs has to be named.

    Raises `InvalidInput` for several or none.
    """
    if name is not None:
        return BoundCampaign.open(store, name)
    campaigns = main_campaigns(store)
    if len(campaigns) != 1:
        names = ", ".join(campaign.id for campaign in campaigns)
        raise InvalidInput("--name", f"The store holds {len(campaigns)} campaigns: {names}. Choose one with --name.")
    return campaigns[0]
