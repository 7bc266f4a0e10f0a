"""A worker's lists: searched, sorted, and never longer than a page, however much there was before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.applications import Starlette
from starlette.testclient import TestClient

from beat_the_ai.databases import open_database
from beat_the_ai.marketplace import credentials, notifications
from beat_the_ai.marketplace.api.faults import market_faults
from beat_the_ai.marketplace.clock import FrozenClock
from beat_the_ai.marketplace.market import MIGRATIONS, Market, open_market
from beat_the_ai.marketplace.portal.app import Portal
from beat_the_ai.marketplace.workplace import Workplace
from tests.marketplace.desk import Desk, new_worker
from tests.marketplace.test_portal import Person


@pytest.fixture
def desk(market: Market) -> Desk:
    return Desk.opened(market, "Ann's lab", cents=1_000_000)


@pytest.fixture
def person(market: Market) -> Iterator[Person]:
    worker_id = new_worker(market)
    with market.writing() as moment:
        code = credentials.issue(moment, worker_id)
    http: Any
    with TestClient(Starlette(routes=Portal(market, market_faults()).routes())) as http:
        someone = Person(worker_id, code, http)
        someone.sign_in()
        yield someone


def titles(person: Person) -> list[str]:
    return re.findall(r'<h2 id="type-\d+">([^<]+)<', person.page)


def followed(person: Person, path: str, label: str) -> Iterator[str]:
    """The pages of a list, as far as its link leads."""
    yield person.see(path)
    while link := re.search(rf'href="([^"]+)">{label}<', person.page):
        yield person.see(link[1].replace("&amp;", "&"))


def test_the_list_is_searched_by_words_of_every_kind(desk: Desk, person: Person) -> None:
    other = Desk.opened(desk.market, "Bob & Sons")
    desk.new_hit(Title="Birds of prey", Keywords="nature, owls", Description="Name 100% of them")
    desk.new_hit(Title="Trees", Keywords=None, Description="Name them")
    other.new_hit(Title="Bird song", Keywords="sound", Description="Listen")
    for words, found in (
        ("bird", ["Bird song", "Birds of prey"]),
        ("BIRD prey", ["Birds of prey"]),
        ("owl", ["Birds of prey"]),
        ("name", ["Trees", "Birds of prey"]),
        ("bob", ["Bird song"]),
        ("ann's tree", ["Trees"]),
        ("100%", ["Birds of prey"]),
        ("_", []),
        ("bird tree", []),
        ("  ", ["Bird song", "Trees", "Birds of prey"]),
        ("x" * 10_000, []),
    ):
        person.see(f"/worker/hits?q={words}")
        assert titles(person) == found, words
    assert "no tasks with these words" in person.see("/worker/hits?q=nothing")
    assert 'value="&lt;b&gt;&#34;"' in person.see('/worker/hits?q=<b>"')


def test_the_list_is_sorted_and_paged_in_every_order(desk: Desk, person: Person) -> None:
    for number in range(25):
        for _ in range(number % 3 + 1):
            desk.new_hit(Title=f"Type {number}", Reward=f"0.{number % 5}0")
    newest = [f"Type {number}" for number in reversed(range(25))]
    by_reward = sorted(newest, key=lambda title: -(int(title[5:]) % 5))
    by_number = sorted(newest, key=lambda title: -(int(title[5:]) % 3))
    for sort, expected in (("newest", newest), ("reward", by_reward), ("available", by_number), ("other", newest)):
        pages = [titles(person) for _ in followed(person, f"/worker/hits?sort={sort}&q=type", "More tasks")]
        assert [len(page) for page in pages] == [20, 5]
        assert [title for page in pages for title in page] == expected, sort
    token = re.search(r"after=([^&\"]+)", person.see("/worker/hits"))
    assert token is not None
    person.see(f"/worker/hits?sort=reward&after={token[1]}", 400)  # a place in another order


def test_a_type_of_which_everything_is_done_says_so(desk: Desk, person: Person) -> None:
    hit_ids = [desk.new_hit(MaxAssignments=2) for _ in range(2)]
    workplace = Workplace(desk.market)
    workplace.submit(person.id, workplace.accept(person.id, hit_ids[0]).id, [])
    assert "You have done all" not in person.see("/worker/hits")
    workplace.submit(person.id, workplace.accept(person.id, hit_ids[1]).id, [])
    assert "You have done all" in person.see("/worker/hits")


def test_no_list_of_a_worker_grows_with_its_past(desk: Desk, person: Person) -> None:
    market, workplace = desk.market, Workplace(desk.market)
    kinds = [
        desk.ask("CreateQualificationType", Name=f"Kind {number}", Description="d", QualificationTypeStatus="Active")
        for number in range(30)
    ]
    for kind in kinds:
        type_id = kind["QualificationType"]["QualificationTypeId"]
        desk.ask(
            "AssociateQualificationWithWorker", QualificationTypeId=type_id, WorkerId=person.id, SendNotification=False
        )
    for number in range(30):
        accepted = workplace.accept(person.id, desk.new_hit(Title=f"Past {number}"))
        workplace.submit(person.id, accepted.id, [])
        bonus = {"WorkerId": person.id, "AssignmentId": accepted.id, "BonusAmount": "0.05", "Reason": "r"}
        desk.ask("SendBonus", **bonus)
        workplace.accept(person.id, desk.new_hit(Title=f"Begun {number}"))
    with market.writing() as moment:
        for number in range(60):
            notifications.send(moment, desk.requester_id, person.id, f"Message {number}", "Hello")

    for path, label, pattern, expected in (
        ("messages", "Earlier messages", r"Message \d+", [f"Message {number}" for number in reversed(range(60))]),
        ("work", "More in progress", r"Begun \d+", [f"Begun {number}" for number in range(30)]),
        ("qualifications", "More of yours", r"Kind \d+", None),
        ("earnings", "Earlier assignments", r"(?:Past|Begun) \d+", None),
    ):
        pages = [re.findall(rf"<h[23][^>]*>({pattern})<", page) for page in followed(person, f"/worker/{path}", label)]
        assert len(pages) > 1, path
        assert max(map(len, pages)) <= 25, path
        seen = [title for page in pages for title in page]
        assert len(seen) == len(set(seen)) == (30 if path in ("work", "qualifications") else 60), path
        assert expected in (None, seen), path
    assert "<dt>From bonuses</dt><dd>$1.50</dd>" in person.see("/worker/earnings")


def test_bonuses_of_a_store_of_before_are_counted_once(store_url: str) -> None:
    """What every bonus came to is kept beside the worker since the third migration."""
    market = open_market(store_url)
    desk, worker_id = Desk.opened(market), new_worker(market)
    workplace = Workplace(market)
    accepted = workplace.accept(worker_id, desk.new_hit())
    workplace.submit(worker_id, accepted.id, [])
    for _ in range(2):
        bonus = {"WorkerId": worker_id, "AssignmentId": accepted.id, "BonusAmount": "0.25", "Reason": "r"}
        desk.ask("SendBonus", **bonus)
    with market.writing() as moment:
        of_people = (
            "debriefings",
            "withdrawals",
            "erasures",
            "campaign_places",
            "forwarded",
            "batched_bonuses",
            "bonus_batches",
            "recruiter_studies",
            "visits",
            "recruited",
            "studies",
            "payouts",
            "sign_in_links",
            "invitations",
            "person_groups",
            "people",
        )
        trigger = "TRIGGER transfers_append_only_update"
        no_change = f"CREATE {trigger} BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'never'); END"
        is_sqlite = moment.connection.dialect.name == "sqlite"
        back = [
            *([f"DROP {trigger}", no_change] if is_sqlite else []),
            *(f"DROP TABLE {table}" for table in of_people),
            "DROP TABLE deliveries",
            "DROP INDEX ix_access_keys_requester_id_created_at",
            "ALTER TABLE access_keys DROP COLUMN revoked_at",
            "ALTER TABLE workers DROP COLUMN bonus_cents",
            "DROP INDEX ix_assignments_worker_id_status_number",
            "DROP INDEX ix_qualifications_worker_id_qualification_type_id",
            "CREATE INDEX ix_qualifications_worker_id ON qualifications (worker_id)",
            "UPDATE alembic_version SET version_num = '0002'",
        ]
        for statement in back:
            moment.connection.execute(sa.text(statement))
    market.close()
    database = open_database(store_url, MIGRATIONS)
    with database.reading() as connection:
        assert connection.scalar(sa.text("SELECT bonus_cents FROM workers")) == 50
    database.close()


def test_earnings_tell_what_waits_and_the_pay_by_the_hour_from_accepting_to_submitting(
    desk: Desk, person: Person, clock: FrozenClock
) -> None:
    workplace = Workplace(desk.market)
    assert "<dt>By the hour</dt><dd>none yet</dd>" in person.see("/worker/earnings")
    assert "an hour" not in person.page
    done = []
    for minutes in (30, 60, 120):
        accepted = workplace.accept(person.id, desk.new_hit(AssignmentDurationInSeconds=7200))
        clock.advance(timedelta(minutes=minutes) - timedelta(seconds=1))
        workplace.submit(person.id, accepted.id, [])
        done.append(accepted.id)
    workplace.accept(person.id, desk.new_hit())  # at work on it
    desk.ask("ApproveAssignment", AssignmentId=done[0])
    desk.ask("RejectAssignment", AssignmentId=done[2], RequesterFeedback="Empty")
    bonus = {"WorkerId": person.id, "AssignmentId": done[0], "BonusAmount": "0.50", "Reason": "r"}
    desk.ask("SendBonus", **bonus)
    person.see("/worker/earnings")
    assert '<dd>$2.00 <span class="muted">for 1 assignment</span></dd>' in person.page
    assert "<dt>By the hour</dt><dd>$2.00</dd>" in person.page  # of $5.00, $2.00 and nothing
    assert "your last 3 assignments" in person.page
    assert re.findall(r"(\$\d+\.\d\d) an hour", person.page) == ["$0.00", "$2.00", "$5.00"]
