"""Mephisto's `DataBrowser` on a campaign: units with what was written, judged, voted and decided, not only with ids.

from beat_the_ai.cli.data_browser import data_browser

with data_browser("out/campaign") as browser:
    for unit in browser.get_units_for_task_name("reading-comprehension-writing"):
        print(unit.db_status, browser.get_data_from_unit(unit)["data"]["work"])
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from beat_the_ai.campaign.money.payables import run_name
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.settings.configuration import load_blueprints, suite_root
from beat_the_ai.campaign.settings.partition import WHOLE, Partition
from beat_the_ai.dataset.records import attempt_row
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.mephisto import mturk  # noqa: F401  # a run on a marketplace is read with its provider
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.publication import DecidedWork, Decision, publish
from beat_the_ai.mephisto.shim import DataBrowser, set_mephisto_log_level
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store
from beat_the_ai.workforce import Standing
from beat_the_ai.workforce.verdicts import accepted, standing_reviews

Outcomes = Mapping[str, DecidedWork]


@contextmanager
def data_browser(
    folder: str | Path,
    stage: Stage | str = Stage.WRITING,
    store: str | None = None,
    *,
    round_number: int = 1,
    share: str = str(WHOLE),
) -> Iterator[Any]:
    """On one stage of a round of the campaign in `folder`, whose records of Mephisto's are brought up to date first.

    `store` is the URL of the store where it is not in that folder; `share`, as in `2/4`, of one operator
    among several.
    """
    stage = Stage(stage)
    name = run_name(stage, round_number)
    path = Path(folder) / PRIVATE / "mephisto" / Partition.read(share).folder(name) / "database.db"
    if not path.is_file():
        raise InvalidInput("CAMPAIGN", f"{folder} holds no {name} run of Mephisto's ({path} is not there).")
    load_blueprints(suite_root(Path(folder)))
    set_mephisto_log_level(level="warning")
    database = MephistoDatabase(path.resolve())
    try:
        with campaign_store(store or str(folder)) as opened:
            for task_run in database.find_task_runs():
                campaign = BoundCampaign.open(opened, task_run.get_task().task_name.removesuffix(f"-{name}"))
                publish(database, task_run, OUTCOMES[stage](campaign))
        yield DataBrowser(database)
    finally:
        database.close()


def _of_screening(campaign: BoundCampaign) -> Outcomes:
    store, samples = campaign.store, campaign.samples
    written = {} if samples is None else _attempts(samples)[0]
    outcomes = {}
    for screening in store.screenings.of_campaign(campaign.id):
        _, responses = store.screenings.session(screening.assignment_id)
        steps = [{"step": one.step, "work": dict(one.work), "mistake": one.mistake} for one in responses]
        work = {"outcome": screening.outcome, "steps": steps, "attempts": written.get(screening.assignment_id, [])}
        last = store.standings.last(campaign.id, screening.worker)
        decision = {Standing.QUALIFIED: Decision.ACCEPTED, Standing.CANDIDATE: Decision.OPEN}
        standing = Standing(last.standing) if last else Standing.CANDIDATE
        outcomes[screening.assignment_id] = DecidedWork(work, decision.get(standing, Decision.NOT_USED))
    return outcomes


def _of_writing(campaign: BoundCampaign) -> Outcomes:
    """A rejected HIT costs its writer standing. Its work is used until all work of the writer is discarded."""
    store = campaign.store
    written, discarded_workers = _attempts(campaign)
    judged = standing_reviews(store.reviews.of_campaign(campaign.id))
    outcomes = {}
    for assignment in store.assignments.confirmed(campaign.id, Stage.WRITING):
        reviews = list(judged.get(assignment.id, {}).values())
        said = [{"reviewer": one.reviewer, "verdict": one.verdict, "reason": one.reason} for one in reviews]
        decision = Decision.ACCEPTED if reviews and accepted(reviews) else Decision.OPEN
        if assignment.worker in discarded_workers:
            decision = Decision.NOT_USED
        outcomes[assignment.id] = DecidedWork({"attempts": written.get(assignment.id, []), "reviews": said}, decision)
    return outcomes


def _of_validation(campaign: BoundCampaign) -> Outcomes:
    store = campaign.store
    discarded = store.standings.discarded(campaign.id)
    outcomes = {}
    for assignment in store.assignments.confirmed(campaign.id, Stage.VALIDATION):
        _, items, votes = store.validations.session(assignment.id)
        said = [
            {
                "attempt_id": item.attempt_id,
                "context_id": item.context_id,
                "gold": item.gold,
                "vote": votes[item.id].vote,
            }
            for item in items
            if item.id in votes
        ]
        decision = Decision.NOT_USED if assignment.worker in discarded else Decision.OPEN
        outcomes[assignment.id] = DecidedWork({"votes": said}, decision)
    return outcomes


def _attempts(campaign: BoundCampaign) -> tuple[Mapping[str, list[Mapping[str, Any]]], Collection[str]]:
    """Return by assignment the exported rows of attempts: verdict, votes, and the reason why one is not used.

    And the workers all of whose work is discarded.
    """
    written: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    with CampaignOutcomes.at_one_moment(campaign) as outcomes:
        for placed in outcomes.placement.attempts():
            record = attempt_row(placed, campaign)
            written[placed.row.assignment.id].append(record.model_dump())
        return dict(written), outcomes.placement.validation.discarded_workers


OUTCOMES: Mapping[Stage, Callable[[BoundCampaign], Outcomes]] = {
    Stage.SCREENING: _of_screening,
    Stage.WRITING: _of_writing,
    Stage.VALIDATION: _of_validation,
}
