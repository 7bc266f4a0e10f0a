"""The figures of the console are those of `status`, `statement` and the report."""

from __future__ import annotations

import fcntl
import json
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.results.rounds import figures_by_round
from beat_the_ai.cli import main
from beat_the_ai.console import views
from beat_the_ai.console.agreement import agreement_page, known_agreement
from beat_the_ai.console.figures import figures_of
from beat_the_ai.console.kept import Kept
from beat_the_ai.console.people import known_people, people_page
from beat_the_ai.console.views import ANSWER_MS
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.permissions import OPERATOR_LOCK
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Store, Trouble, now, open_store, tables
from beat_the_ai.terms.campaign import BoundCampaign
from benchmarks.stored_campaign import stored_campaign
from tests.console.conftest import Visitor, watched_at
from tests.console.reported import reported
from tests.store.builders import NEW_YEAR

SLOW_ORDINAL = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with writers, validators, reviews, revocations and payments."""
    made = tmp_path_factory.mktemp("large") / "campaign"
    stored_campaign(made, 1000)
    opened = open_store(str(made / "private" / "campaign.db"))
    attempts = tables.attempts
    other = sa.update(attempts).where(attempts.c.ordinal == SLOW_ORDINAL)
    with opened.database.writing() as connection:
        connection.execute(sa.update(attempts).values(answer_ms=100 * attempts.c.ordinal))
        connection.execute(other.values(member="other", model_name="other", model_hash="b" * 64))
    opened.standings.add("growth", "W00003", "revoked", by="ann", reason="copied", at=NEW_YEAR)
    opened.close()
    return made


@pytest.fixture
def stored(folder: Path) -> Iterator[Store]:
    opened = open_store(str(folder / "private" / "campaign.db"))
    yield opened
    opened.close()


@pytest.fixture
def figures(stored: Store, folder: Path) -> dict[str, Any]:
    return figures_of(watched_at(stored, folder)).sent()


def told(command: str, folder: Path) -> dict[str, Any]:
    result = CliRunner().invoke(main, [command, str(folder), "--json"], catch_exceptions=False)
    [campaign] = json.loads(result.stdout)
    assert isinstance(campaign, dict)
    return campaign


def test_they_are_those_of_status(figures: dict[str, Any], folder: Path) -> None:
    status, progress = told("status", folder), figures["progress"]
    same = {
        "round",
        "hits",
        "hits_submitted",
        "workers",
        "workers_revoked",
        "attempts",
        "retracted",
        "fooled",
        "models",
    }
    assert {name: progress[name] for name in same} == {name: status[name] for name in same}
    assert progress["served"] == status["served"] == []
    checked, kept = status["checked"], progress["checked"]["kept"]
    assert [kept["share"], kept["low"], kept["high"]] == pytest.approx(checked["kept_share"])
    assert (kept["found"], kept["of"], progress["checked"]["votes"]) == (
        checked["kept"],
        checked["settled"],
        checked["votes"],
    )
    review = status["review"]
    assert figures["needs"]["to_review"] == review["sampled"] - review["reviewed"] > 0
    unverified = figures["course"]["unverified"]
    assert [unverified["share"], unverified["low"], unverified["high"]] == pytest.approx(status["error_rate"])
    money = status["money"]
    assert figures["money"]["paid_cents"] == money["confirmed_cents"] > 0
    assert figures["money"]["owed_cents"] == money["owed_cents"] + money["unknown_cents"] > 0
    assert figures["money"]["cap_cents"] == money["cap_cents"]
    assert {each["hits"] for each in figures["needs"]["held"]} == {
        each["assignments"] for each in status["waiting"].values()
    }


def test_the_pay_by_the_hour_is_that_of_statement(figures: dict[str, Any], folder: Path) -> None:
    pay, hourly = figures["pay"], told("statement", folder)["hourly"]
    assert {name: pay[name] for name in hourly} == hourly
    assert sum(each["assignments"] for each in pay["bins"]) == pay["assignments"]
    starts = [each["from_cents"] for each in pay["bins"]]
    assert starts == list(range(starts[0], starts[-1] + 1, pay["width_cents"]))


def test_the_error_rates_and_the_effort_are_those_of_the_report(figures: dict[str, Any], stored: Store) -> None:
    errors = reported(BoundCampaign.open(stored, "growth"))
    course = figures["course"]
    for name, (found, of) in errors.rates.items():
        assert (course[name]["found"], course[name]["of"]) == (found, of)
        until_then = course["steps"][-1][f"{name}_until_then"]
        assert [until_then[key] for key in ("found", "of", "share")] == [found, of, course[name]["share"]]
        assert (course[name]["share"], course[name]["low"], course[name]["high"]) == errors.shares[name].bounded
        assert sum(step[name]["found"] for step in course["steps"]) == found
        assert sum(step[name]["of"] for step in course["steps"]) == of > 0
    assert figures["effort"]["wins"] == len(errors.tries) > 0
    assert figures["effort"]["tries_mean"] == pytest.approx(sum(errors.tries) / len(errors.tries))
    assert figures["effort"]["minutes_mean"] == pytest.approx(sum(errors.seconds) / len(errors.seconds) / 60)


def test_the_rounds_are_those_of_round_status_and_their_parts_make_up_the_whole(
    figures: dict[str, Any], stored: Store
) -> None:
    [known] = figures_by_round(BoundCampaign.open(stored, "growth"))
    [of] = figures["rounds"]
    splits, checked = of["splits"], figures["progress"]["checked"]
    assert [each["part"] for each in splits] == ["train", "dev", "test"]
    sums = {name: sum(each[name] for each in splits) for name in splits[0] if name != "part"}
    for name in ("contexts", "hits", "hits_submitted", "attempts", "fooled"):
        assert sums[name] == getattr(known, name) > 0, name
    assert (sums["verified"], sums["decided"]) == (checked["kept"]["found"], checked["kept"]["of"])
    assert sums["waiting"] == checked["waiting"]
    assert splits[0]["decided"] == 0  # nobody checks train
    assert (of["number"], of["closed_at"], sums["hits_at_work"]) == (1, None, 0)


def test_a_hit_is_at_work_within_its_time(store: Store) -> None:
    context = Context("p-new", "Fenmouth lies at the sea.", "Sea", {"questions": []})
    [hit] = store.campaigns.offer("pilot", [context], round_number=1, slots=1)
    watched = watched_at(store, Path())
    before = figures_of(watched).rounds[0].splits
    store.attempts.accept(hit, "A77", "77-A77", now())
    after = figures_of(watched).rounds[0].splits
    assert sum(each.hits_at_work for each in after) - sum(each.hits_at_work for each in before) == 1


def test_the_models_make_up_all_attempts(figures: dict[str, Any], stored: Store) -> None:
    course, models = figures["course"], {each["member"]: each for each in figures["models"] if each["attempts"]}
    assert set(models) == {"m", "other"}
    for name in ("unverified", "verified"):
        for count in ("found", "of"):
            assert sum(each[name][count] for each in models.values()) == course[name][count]
    assert models["other"]["unverified"]["found"] == 0  # the fifth of each HIT is none that beats the model
    answers = models["other"]["attempts"]
    within = [answers * (most >= 500) for most in ANSWER_MS]
    assert models["other"]["answer_ms"] == {
        "median": 500,
        "p95": 500,
        "answers": answers,
        "sum": 500 * answers,
        "within": within,
    }
    assert models["m"]["answer_ms"]["p95"] == 400
    assert models["m"]["share"] + models["other"]["share"] == 1


def test_a_server_that_is_away_needs_a_person_while_somebody_serves(stored: Store, folder: Path) -> None:
    stored.model_servers.keep("growth", "writing", "other", Trouble(3, NEW_YEAR))
    unserved = figures_of(watched_at(stored, folder))
    assert unserved.needs is not None
    assert (unserved.needs.models_away, {each.failures for each in unserved.models}) == ((), {0, 3})
    lock = folder / "private" / "mephisto" / "writing" / OPERATOR_LOCK
    lock.parent.mkdir(parents=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        served = figures_of(watched_at(stored, folder))
    shutil.rmtree(lock.parent)
    assert served.needs is not None
    [away] = served.needs.models_away
    assert (away.member, away.since) == ("other", NEW_YEAR)
    assert served.needs.all == unserved.needs.all + 1


def test_everybody_is_listed_with_the_pay_of_the_statement(stored: Store, folder: Path) -> None:
    known = known_people(watched_at(stored, folder))
    people = {each.worker: each for each in known.people}
    paid = {each["worker"]: each["hourly"] for each in told("statement", folder)["workers"]}
    assert {name: each.hourly_cents for name, each in people.items() if each.hourly_cents is not None} == {
        name: pytest.approx(hourly["median_cents"]) for name, hourly in paid.items() if hourly is not None
    }
    course = figures_of(watched_at(stored, folder)).course
    for of, rates in ((course.unverified, "unverified"), (course.verified, "verified")):
        found = [getattr(each, rates) for each in known.people]
        assert (sum(each.found for each in found), sum(each.of for each in found)) == (of.found, of.of)
    revoked = people["W00003"]
    assert (revoked.standing, revoked.attempts, revoked.wins, revoked.minutes_per_win) == ("revoked", 100, 0, None)
    assert people["W00000"].minutes_per_win == pytest.approx(20 * 20 / people["W00000"].wins)
    assert set(people) == stored.assignments.last_seen("growth").keys()


def test_people_are_sorted_and_come_in_pages(stored: Store, folder: Path) -> None:
    known = known_people(watched_at(stored, folder))
    many = replace(known, people=[*known.people] * 12)
    first = people_page(many, None, "-seen", None, has_ids=True)
    assert (len(first.people), first.page, first.pages, first.all) == (
        100,
        1,
        -(-len(many.people) // 100),
        len(many.people),
    )
    moments = [each.last_seen_at for each in first.people]
    assert moments == sorted(moments, reverse=True)
    last = people_page(many, None, "minutes", 10**6, has_ids=True)
    assert (last.page, last.people[-1].minutes_per_win) == (last.pages, None)
    hidden = people_page(known, None, "name", 1, has_ids=False)
    names = [each.name for each in hidden.people]
    assert (names, {each.worker for each in hidden.people}) == (sorted(names), {None})
    assert all(name.startswith("w-") for name in names)
    with pytest.raises(InvalidInput, match="no column"):
        people_page(known, None, "password", 1, has_ids=True)


def test_the_agreement_is_that_of_the_report(stored: Store, folder: Path) -> None:
    shown = agreement_page(known_agreement(watched_at(stored, folder)), None, None, has_ids=True)
    assert isinstance(shown, views.Agreement)
    with CampaignOutcomes.at_one_moment(BoundCampaign.open(stored, "growth")) as outcomes:
        figures, works, records = outcomes.figures, outcomes.outcomes, outcomes.validators
    assert [(each.name, each.value) for each in shown.coefficients] == [
        (one.name, one.value) for one in figures.agreement
    ]
    assert (shown.all, shown.votes, shown.unreliable) == (figures.validators, figures.votes, figures.excluded)
    assert (shown.gold.share, shown.gold.low, shown.gold.high) == figures.gold.bounded
    assert sum(each.works for each in shown.by_votes) == len(works) > 0
    assert sum(each.votes * each.works for each in shown.by_votes) == figures.votes
    assert {each.worker: each.votes for each in shown.validators} == {one.worker: one.votes for one in records}
    shares = {each.worker[:2]: each.with_outcome.share for each in shown.validators if each.worker is not None}
    assert shares == {"V0": 1, "V1": 1, "V2": 0}  # the third says that there is no answer


def test_figures_are_kept_until_somebody_writes(store: Store) -> None:
    with ThreadPoolExecutor(1) as executor:
        kept = Kept(watched_at(store, Path()), figures_of, executor)
        assert kept.last is None
        first, again = kept.now()
        assert (kept.now()[0] is first, kept.last is first, again) == (True, True, None)
        store.audit.add(first.at, "ann", "looked")
        stale, again = kept.now()
        assert (stale.at, again is not None) == (first.at, True)
        deadline = time.monotonic() + 20
        while kept.now()[0].at == first.at and time.monotonic() < deadline:
            time.sleep(0.2)
        newest, again = kept.now()
        assert (newest.at > first.at, again) == (True, None)
        kept.close()


def test_a_lead_is_sent_figures_of_a_campaign_without_votes(visitor: Visitor) -> None:
    told = visitor("ann").get("/api/figures?campaign=pilot")
    assert told["progress"]["attempts"] == 42
    assert told["course"]["verified"] == {"found": 0, "of": 0, "share": None, "low": None, "high": None}
    assert (told["effort"], told["needs"]["candidates"]) == (None, 1)
    assert told["progress"]["screened"] == {"begun": 1, "submitted": 1, "passed": 1}
