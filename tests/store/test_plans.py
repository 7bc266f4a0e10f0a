"""Nothing that is done again and again reads whole tables, on either database."""

from __future__ import annotations

from datetime import timedelta

from beat_the_ai.dataset.transcript.contents import is_recorded, record
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import ModelQuestion, Spending, Store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.store.builders import NEW_YEAR
from tests.store.plans import read_whole
from tests.store.test_validations import take, written

LARGE = {
    *("attempts", "assignments", "hits", "contexts", "works", "telemetry", "reviews", "review_draws"),
    *("validation_items", "validation_votes"),
}


def test_the_texts_of_a_validation_hit_are_looked_up(store: Store) -> None:
    written(store)
    made = take(store)
    assert read_whole(store, lambda: store.validations.material(made.id)) == set()


def test_what_serving_asks_every_second_is_looked_up(store: Store) -> None:
    written(store)

    def ask() -> None:
        store.campaigns.open_hits("pilot", 1)
        store.campaigns.all_done("pilot", 1)
        store.campaigns.contexts_without_win("pilot", 1, 2)
        store.campaigns.resting_hits("pilot")
        store.campaigns.number_of_contexts("pilot")
        store.assignments.waiting("pilot", Stage.WRITING)
        store.assignments.waiting("pilot", Stage.VALIDATION)

    assert read_whole(store, ask) & LARGE == set()


def test_what_a_transcript_lacks_is_looked_up(store: Store) -> None:
    written(store)
    campaign = BoundCampaign.open(store, "pilot")
    record(campaign)
    assert read_whole(store, lambda: record(campaign)) & LARGE == set()
    assert read_whole(store, lambda: is_recorded(campaign)) & LARGE == set()


def test_one_workers_page_is_looked_up(store: Store) -> None:
    question = written(store)
    assignment = store.assignments.confirmed("pilot", Stage.WRITING)[0].id

    def ask() -> None:
        store.assignments.confirmed("pilot", Stage.WRITING, worker="w1")
        store.assignments.confirmed("pilot", Stage.WRITING, among=[assignment])
        store.assignments.taken_by("pilot", Stage.WRITING, "w1")
        store.assignments.completed("pilot", Stage.WRITING, "w1")
        store.attempts.tries("pilot", "w1")
        store.attempts.of_assignments([assignment])
        store.attempts.results([assignment])
        store.attempts.of_hits("pilot", [assignment])
        store.attempts.telemetry_of([question])
        list(store.attempts.written("pilot", NEW_YEAR - timedelta(hours=1)))
        list(store.attempts.doubtful("pilot"))
        store.reviews.draws("pilot", "w1")
        store.reviews.verdicts("pilot", "w1")
        store.reviews.of_campaign("pilot", worker="w1")
        store.reviews.is_drawn("pilot", assignment)
        store.validations.votes_on([question])
        store.works.confirmed("pilot", "w1")
        spending = Spending(most=1, limit=1000, per_try=1, tries=5)
        store.model_answers.ask(ModelQuestion("pilot", "m", "q"), assignment, spending, NEW_YEAR)

    assert read_whole(store, ask) & LARGE == set()


def test_a_table_that_is_read_whole_is_told(store: Store) -> None:
    written(store)
    assert "pay_decisions" in read_whole(store, store.pay_decisions.last)
