"""Figures of a rehearsal, by the rows and columns of the tables in which Bartolo et al. 2020 have theirs."""

from __future__ import annotations

from collections.abc import Mapping

from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.results.progress import progress_of
from beat_the_ai.replication.compare import Key, Ours
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Standing

Figures = dict[str, dict[Key, Ours]]
COLUMNS: Mapping[str, str] = {"exact match": "EM", "F1": "F1"}  # of Table 2, by the names of our figures


def figures_of_rehearsal(campaign: BoundCampaign, dataset: str) -> Figures:
    """Return our figures by published table; `dataset` is the paper's name of what was collected."""
    progress = progress_of(campaign)
    found: Figures = {"worker-shares": _workers(campaign), "table-2": _people(campaign, dataset)}
    if progress.error_rate is not None:
        beaten = _percent(*progress.error_rate)
        found["writing"] = {((dataset,), "questions that beat the model, %"): beaten}
    if progress.kept_share is not None:
        found["answerability"] = {((dataset,), "answerable"): _percent(*progress.kept_share)}
    return found


def _workers(campaign: BoundCampaign) -> dict[Key, Ours]:
    """Return the share of the screened who were qualified, and of these who were revoked."""
    history = campaign.store.standings.history(campaign.id)
    screened = {each.worker for each in campaign.store.screenings.of_campaign(campaign.id) if each.submitted_at}
    qualified = {event.worker for event in history if event.standing == Standing.QUALIFIED}
    now = {event.worker: event.standing for event in history}
    revoked = {worker for worker in qualified if now[worker] == Standing.REVOKED}
    shares = {"qualified": (len(qualified & screened), len(screened)), "revoked": (len(revoked), len(qualified))}
    return {((name,), "share"): _percent(count / of, *wilson(count, of)) for name, (count, of) in shares.items() if of}


def _people(campaign: BoundCampaign, dataset: str) -> dict[Key, Ours]:
    """Return how well people answer the questions of the dataset, dev and test as one."""
    outcomes = CampaignOutcomes(campaign)
    if outcomes.votes is None:
        return {}
    names = [
        placed.example.id
        for placed in outcomes.placement.attempts()
        if placed.example is not None and placed.dropped is None
    ]
    found = outcomes.votes.performance({dataset: names}).get(dataset, ())
    return {
        ((dataset,), COLUMNS[one.name]): Ours(one.value, *(one.interval or ()))
        for one in found
        if one.value is not None and one.name in COLUMNS
    }


def _percent(value: float, low: float | None, high: float | None) -> Ours:
    return Ours(100 * value) if low is None or high is None else Ours(100 * value, 100 * low, 100 * high)
