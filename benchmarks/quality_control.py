"""The catch and the cost of review and revocation: simulated crowds under the paper's rule and milder ones.

Twenty crowds of 40 writers, 30% of them bad: their HITs pass review with probability 0.8, 0.5 or 0.2, those of the
others with 0.95. After every batch of five HITs a worker the sample is filled up and reviewed, with the real store,
sampling, reviews and assessment; only the reviewers are simulated. A worker who is recommended for revocation stops,
and everything that the worker wrote is discarded.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

import sqlalchemy as sa
from rich.console import Console
from rich.progress import track
from rich.table import Table

from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.stage import Stage
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.store import Campaign, Store, hit_id, open_store
from beat_the_ai.store.tables import assignments
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing, assess, sample_size

SEEDS, BATCH, MOST_HITS = 20, 5, 50
CROWD = {0.95: 28, 0.8: 4, 0.5: 4, 0.2: 4}  # {chance to pass review: writers}
MIN_REVIEWS = (1, 5, 7)  # 1 is the paper's rule; 3 would hardly differ from it, for 2 of 3 is below 80% too
AFTER = (5, 10, 15, 50)
START = datetime(2020, 1, 1, tzinfo=timezone.utc)
MINUTES_PER_REVIEW = 3  # an assumption: one passage and three questions


@dataclass(frozen=True)
class Reviewer:
    """Accepts a worker's HITs at the worker's own rate; whether one passes depends on the seed and the HIT alone."""

    pass_rates: Mapping[str, float]
    seed: int

    def passes(self, worker: str, assignment_id: str) -> bool:
        return random.Random(f"review/{self.seed}/{assignment_id}").random() < self.pass_rates[worker]

    def review(self, reviewing: Reviewing) -> None:
        for sampled in reviewing.queue("reviewer"):
            worker, assignment_id = sampled.assignment.worker, sampled.assignment.id
            if sampled.mine is None and self.passes(worker, assignment_id):
                reviewing.accept(assignment_id, "reviewer")
            elif sampled.mine is None:
                reviewing.reject(assignment_id, "reviewer", "bad questions")


@dataclass(frozen=True)
class Outcome:
    """One worker in one crowd. `stopped` maps each rule to the HITs after which revocation was recommended."""

    pass_rate: float
    stopped: dict[int, int]
    good: tuple[bool, ...]  # of each HIT, in order

    def hits(self, rule: int) -> int:
        return self.stopped.get(rule, MOST_HITS)


def crowd(seed: int, folder: Path) -> list[Outcome]:
    rates = {f"w{number:02}": rate for number, rate in enumerate(_rates())}
    store = open_store(str(folder / f"{seed}.db"))
    try:
        return _observe(store, seed, rates)
    finally:
        store.close()


def _rates() -> Iterable[float]:
    return (rate for rate, writers in CROWD.items() for _ in range(writers))


def _observe(store: Store, seed: int, rates: dict[str, float]) -> list[Outcome]:
    store.campaigns.create(Campaign("crowd", "reading_comprehension", seed, "k" * 64, {}, START))
    contexts = [Context(f"c{number}", "A passage.", "", {}) for number in range(MOST_HITS)]
    store.campaigns.offer("crowd", contexts, round_number=1, slots=len(rates))
    reviewing = Reviewing(BoundCampaign.open(store, "crowd"))
    reviewer = Reviewer(rates, seed)
    stopped: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for done in range(BATCH, MOST_HITS + 1, BATCH):
        _submit(store, rates, range(done - BATCH, done))
        reviewing.draw()
        reviewer.review(reviewing)
        for rule in MIN_REVIEWS:
            for one in assess(BoundCampaign.open(store, "crowd"), min_reviews=rule):
                assert one.sampled == one.reviewed == sample_size(done)
                if one.recommended:
                    stopped[one.worker].setdefault(rule, done)
    made = store.assignments.confirmed("crowd", Stage.WRITING)
    good: defaultdict[str, list[bool]] = defaultdict(list)
    for submitted in made:
        good[submitted.worker].append(reviewer.passes(submitted.worker, submitted.id))
    return [Outcome(rate, stopped[worker], tuple(good[worker])) for worker, rate in rates.items()]


def _submit(store: Store, rates: dict[str, float], numbers: range) -> None:
    """A batch of every worker at once: in one transaction, for they write nothing that is looked at here."""
    rows = []
    for number in numbers:
        for slot, worker in enumerate(rates):
            hit, at = hit_id("crowd", f"c{number}", slot), START + timedelta(minutes=number, seconds=slot)
            rows.append(
                {"id": short_hash(hit, 0), "campaign_id": "crowd", "stage": Stage.WRITING, "hit": hit, "hit_id": hit}
                | {"worker": worker, "registration": "r", "crowd_assignment": "r"}
                | {"accepted_at": at, "submitted_at": at, "confirmed_at": at}
            )
    with store.database.writing() as connection:
        connection.execute(sa.insert(assignments), rows)


def recommended_table(outcomes: list[Outcome]) -> Table:
    table = Table(title="Recommended for revocation, with 95% Wilson intervals")
    for name in ("reviews before", "HITs pass with", "workers", *(f"after {hits} HITs" for hits in AFTER)):
        table.add_column(name)
    groups = [(f"{rate}", [rate]) for rate in CROWD] + [("0.5 or below", [0.5, 0.2])]
    for rule in MIN_REVIEWS:
        for name, rates in groups:
            workers = [one for one in outcomes if one.pass_rate in rates]
            caught = [sum(one.stopped.get(rule, MOST_HITS + 1) <= hits for one in workers) for hits in AFTER]
            table.add_row(_rule(rule), name, str(len(workers)), *(_share(number, len(workers)) for number in caught))
        table.add_section()
    return table


def cost_table(outcomes: list[Outcome]) -> Table:
    """Sums over all workers who work until they are recommended, at most `MOST_HITS` HITs each."""
    table = Table(title=f"What it costs ({MINUTES_PER_REVIEW} minutes a review), up to {MOST_HITS} HITs a worker")
    columns = ("HITs done", "reviews", "hours a crowd", "good HITs lost", "of them by 0.95 workers", "bad HITs kept")
    for name in ("reviews before", *columns):
        table.add_column(name)
    for rule in MIN_REVIEWS:
        hits = sum(one.hits(rule) for one in outcomes)
        reviews = sum(sample_size(one.hits(rule)) for one in outcomes)
        good = [sum(one.good[: one.hits(rule)]) for one in outcomes]
        lost = [number if rule in one.stopped else 0 for one, number in zip(outcomes, good, strict=True)]
        lost_by_good = sum(n for one, n in zip(outcomes, lost, strict=True) if one.pass_rate == max(CROWD))
        kept = [one for one in outcomes if rule not in one.stopped]
        bad_kept, all_kept = sum(one.good.count(False) for one in kept), MOST_HITS * len(kept)
        table.add_row(
            _rule(rule),
            f"{hits:,}",
            f"{reviews:,}",
            f"{reviews * MINUTES_PER_REVIEW / 60 / SEEDS:.1f}",
            f"{sum(lost):,} ({sum(lost) / sum(good):.1%})",
            f"{lost_by_good:,}",
            f"{bad_kept:,} of {all_kept:,} ({bad_kept / all_kept if all_kept else 0:.1%})",
        )
    return table


def _rule(rule: int) -> str:
    return f"{rule} (paper)" if rule == 1 else str(rule)


def _share(part: int, whole: int) -> str:
    low, high = wilson(part, whole)
    return f"{part / whole:.1%} ({100 * low:.1f} to {100 * high:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    seeds = parser.parse_args().seeds
    console = Console(width=140)
    with tempfile.TemporaryDirectory() as folder:
        outcomes = [one for seed in track(range(seeds), "crowds", console=console) for one in crowd(seed, Path(folder))]
    console.print(recommended_table(outcomes), cost_table(outcomes))
    low = [one for one in outcomes if one.pass_rate <= 0.5]
    within = sum(one.stopped.get(1, MOST_HITS + 1) <= 15 for one in low)
    console.print(f"at 0.5 or below, recommended within 15 HITs: {_share(within, len(low))}; at least 95% wanted")


if __name__ == "__main__":
    main()
