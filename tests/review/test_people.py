"""The people of the crowd, as leads manage them by the API: every act, every refusal, and what strangers get."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from beat_the_ai.marketplace import withdrawals
from beat_the_ai.marketplace.market import MIGRATIONS, Market
from beat_the_ai.marketplace.people import directory, invitations, mail, person, sign_in_links, store, studies
from beat_the_ai.marketplace.people.person import NewPerson, Person
from beat_the_ai.review import Door, ReviewDesk, build_app, new_account
from beat_the_ai.review.people.api import MAX_BODY_BYTES as MAX_LIST_BODY
from beat_the_ai.review.people.desk import MAX_LIST_BYTES
from beat_the_ai.review.visits import MAX_BODY_BYTES
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Workforce
from tests.cli.test_payments import PAY, ROUND
from tests.marketplace.people.post_office import PostOffice
from tests.review.builders import PASSWORD, SCRIPT
from tests.review.conftest import Reviewer
from tests.store.builders import campaign

PORTAL = "https://work.example.org"
TERMS = {"person": "PID", "finish_url": "https://panel.example/end?c={code}", "done": "D0NE", "hits_each": 1}
POSTS: dict[str, dict[str, Any]] = {
    "/api/people/invitations": {"who": "Ada", "days": 30},
    "/api/people/open-links": {"places": 5, "days": 30},
    "/api/people/closed-links": {"id": "0" * 10},
    "/api/people/groups": {"workers": ["A1"], "change": "add", "group": "lab"},
    "/api/people/states": {"workers": ["A1"], "change": "suspend"},
    "/api/people/sign-in-links": {"worker": "A1"},
    "/api/people/previews": {"file": "x.csv", "content": ""},
    "/api/people/lists": {"file": "x.csv", "content": ""},
}
GETS = ("/api/people", "/api/people/crowd")
NewApp = Callable[[dict[str, Any]], Starlette]


@pytest.fixture
def migrations() -> Path:
    """Stores of people are marketplaces."""
    return MIGRATIONS


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "people")


@pytest.fixture
def market(place: str) -> Iterator[Market]:
    with store.people_at(place, create=True) as opened:
        with opened.writing() as moment:
            store.keep_address(moment, PORTAL)
        yield opened


@pytest.fixture
def campaigns(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "campaign.db"))
    new_account(opened, "ann", PASSWORD, role=Role.LEAD)
    new_account(opened, "cal", PASSWORD)
    yield opened
    opened.close()


@pytest.fixture
def new_app(campaigns: Store, tmp_path: Path) -> NewApp:
    def built(crowd: dict[str, Any]) -> Starlette:
        campaigns.campaigns.create(replace(campaign(), config={"crowd": crowd}), {"round": ROUND, "pay": PAY})
        bound = BoundCampaign.open(campaigns, "pilot")
        return build_app(ReviewDesk(bound, Workforce(bound)), Door(campaigns), tmp_path)

    return built


@pytest.fixture
def app(new_app: NewApp, market: Market, place: str) -> Starlette:
    return new_app({"provider": "own", "requester": "me", "people": place, "endpoint_url": "http://127.0.0.1:8700"})


def browser(app: Starlette, name: str = "") -> Reviewer:
    opened = Reviewer(TestClient(app))
    if name:
        assert opened.sign_in(name) == 200
    return opened


@pytest.fixture
def ann(app: Starlette) -> Reviewer:
    return browser(app, "ann")


def add(market: Market, *described: NewPerson, state: person.State = "invited") -> list[Person]:
    with market.writing() as moment:
        return person.add_people(moment, described, state)


def found(market: Market, who: str) -> Person:
    with market.reading() as moment:
        return person.find(moment, who)


def logged(campaigns: Store) -> list[tuple[str, str, str]]:
    """Return what was done, whom to, and the notes, oldest first, without signing in."""
    entries = campaigns.audit.entries()[::-1]
    return [(one.action, one.subject, one.note) for one in entries if one.action != "sign_in"]


def names(page: dict[str, Any]) -> list[str | None]:
    return [one["name"] for one in page["people"]]


def as_list(text: str, **more: str) -> dict[str, str]:
    return {"file": "class.csv", "content": base64.b64encode(text.encode()).decode(), **more}


def joins(market: Market, link: str, name: str = "") -> Person:
    with market.writing() as moment:
        return invitations.join(moment, link.rpartition("/")[2], name, password=PASSWORD)


def test_people_are_listed_by_state_group_and_words(ann: Reviewer, market: Market) -> None:
    add(market, NewPerson("Ada Byron", "ada@x.org", ("lab",)), NewPerson("Bo Li"))
    [cy] = add(market, NewPerson("Cy"), state="active")
    with market.writing() as moment:
        withdrawals.withdraw(moment, cy.worker_id, erase=True)
    page = ann.get("/api/people")
    assert names(page) == ["Ada Byron", "Bo Li", "Cy"]
    assert (page["left"], page["after"]) == (0, None)
    ada, _, left = page["people"]
    assert (ada["email"], ada["groups"], ada["state"], ada["changes"]) == (
        "ada@x.org", ["lab"], "invited", ["suspend", "remove"],
    )  # fmt: skip
    assert left["withdrawn_at"] <= left["erase_at"]
    assert left["may_get_link"]
    assert names(ann.get("/api/people?state=active")) == ["Cy"]
    assert names(ann.get("/api/people?group=lab")) == ["Ada Byron"]
    assert names(ann.get(f"/api/people?words=bo%20{page['people'][1]['worker']}")) == ["Bo Li"]
    assert names(ann.get("/api/people?words=%25")) == []
    crowd = ann.get("/api/people/crowd")
    assert {one["state"]: one["people"] for one in crowd["states"] if one["people"]} == {"invited": 2, "active": 1}
    assert (crowd["groups"], crowd["links"], crowd["mails"]) == ([{"name": "lab", "people": 1}], [], False)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("group=nobody", 404),
        ("group=%00", 404),
        ("state=asleep", 404),
        ("after=ANOBODY", 404),
        ("after=%00", 400),
        ("after='", 400),
        ("words=%00", 400),
        (f"words={'x%20' * 500}", 400),
    ],
)
def test_a_list_that_cannot_be_is_refused(ann: Reviewer, query: str, status: int) -> None:
    ann.get(f"/api/people?{query}", status)


def test_ten_thousand_people_come_in_pages(ann: Reviewer, market: Market) -> None:
    add(market, *(NewPerson(f"P{number:05}", groups=("all",)) for number in range(10_000)))
    page = ann.get("/api/people")
    seen, pages = names(page), 1
    while page["after"]:
        page = ann.get(f"/api/people?after={page['after']}&group=all")
        seen += names(page)
        pages += 1
    assert seen == [f"P{number:05}" for number in range(10_000)]
    assert pages == 200
    assert ann.get("/api/people?words=p0999")["left"] == 0


def test_one_person_is_invited_by_a_link_that_is_shown_once(ann: Reviewer, market: Market, campaigns: Store) -> None:
    made = ann.post("/api/people/invitations", {"who": "ada@x.org", "name": "Ada Byron", "days": 7})
    assert made["link"].startswith(f"{PORTAL}/worker/join/")
    token = made["link"].rpartition("/")[2]
    for path in (*GETS, "/api/log"):
        assert token not in ann.http.get(path).text
    again = ann.post("/api/people/invitations", {"who": made["worker"], "days": 7})
    assert again["worker"] == made["worker"]
    assert again["link"] != made["link"]
    assert joins(market, again["link"]).state == "active"
    refused = ann.post("/api/people/invitations", {"who": "ADA@x.org", "days": 7}, 409)
    assert "Ada Byron is active, not invited" in refused["error"]["message"]
    assert ann.post("/api/people/invitations", {"who": "Bo", "days": 1})["name"] == "Bo"
    assert logged(campaigns)[:2] == [("invite_person", made["worker"], "by a link")] * 2
    assert len(logged(campaigns)) == 3
    assert found(market, "Ada Byron").email == "ada@x.org"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"who": "", "days": 1}, 400),
        ({"who": "7", "days": 1}, 400),
        ({"who": "a@b", "days": 1}, 400),
        ({"who": "=cmd|'/C calc'!A0", "days": 1}, 400),
        ({"who": "ada@x.org", "name": "+49 Ada", "days": 1}, 400),
        ({"who": SCRIPT, "days": 1}, 400),
        ({"who": "Ada\u202e", "days": 1}, 400),
        ({"who": "Ada\0", "days": 1}, 400),
        ({"who": "Ada", "days": 0}, 400),
        ({"who": "Ada", "days": 366}, 400),
        ({"who": "Ada", "days": 1, "by_mail": True}, 409),
        ({"who": "Ada", "days": 1, "state": "active"}, 400),
    ],
)
def test_an_invitation_that_cannot_be_adds_nobody_and_is_not_logged(
    ann: Reviewer, market: Market, campaigns: Store, sent: dict[str, Any], status: int
) -> None:
    ann.post("/api/people/invitations", sent, status)
    with market.reading() as moment:
        assert person.list_people(moment) == []
    assert logged(campaigns) == []


def test_an_invitation_goes_out_by_mail_where_a_server_is_set(ann: Reviewer, market: Market, campaigns: Store) -> None:
    with PostOffice(unknown={"bo@x.org"}).open() as office:
        with market.writing() as moment:
            mail.keep_server(moment, mail.check_server(office.url, "The lab <lab@example.org>"))
        assert ann.get("/api/people/crowd")["mails"] is True
        made = ann.post("/api/people/invitations", {"who": "ada@x.org", "name": "Ada", "days": 7, "by_mail": True})
        assert made["link"] is None
        assert joins(market, office.link_for("ada@x.org")).name == "Ada"
        without = ann.post("/api/people/invitations", {"who": "Cy", "days": 7, "by_mail": True}, 400)
        assert "needs an address" in without["error"]["message"]
        refused = ann.post("/api/people/invitations", {"who": "bo@x.org", "days": 7, "by_mail": True}, 409)
        assert "550 5.1.1 No such person <b>here</b>" in refused["error"]["message"]
        domain = {"places": 5, "days": 30, "domain": "uni.edu"}
        assert ann.post("/api/people/open-links", domain)["link"].startswith(PORTAL)
    unreachable = ann.post("/api/people/invitations", {"who": "bo@x.org", "days": 7, "by_mail": True}, 400)
    assert "cannot be used" in unreachable["error"]["message"]
    assert [act for act, _, _ in logged(campaigns)].count("invite_person_failed") == 2
    assert all("@x.org" not in note for _, _, note in logged(campaigns))


def test_an_open_link_is_made_listed_and_closed(ann: Reviewer, market: Market, campaigns: Store) -> None:
    terms = {"places": 2, "days": 3, "needs_approval": True, "group": " course "}
    link = ann.post("/api/people/open-links", terms)["link"]
    joined = joins(market, link, "Ada")
    assert (joined.state, joined.groups) == ("waiting", ("course",))
    [listed] = ann.get("/api/people/crowd")["links"]
    assert (listed["joined"], listed["places"], listed["needs_approval"], listed["group"]) == (1, 2, True, "course")
    assert link.rpartition("/")[2] not in ann.http.get("/api/people/crowd").text
    assert ann.post("/api/people/closed-links", {"id": listed["id"]})["links"] == []
    ann.post("/api/people/closed-links", {"id": listed["id"]}, 404)
    assert logged(campaigns) == [
        ("open_link", "", "2 places, 3 days, approval, group course"),
        ("close_link", listed["id"], ""),
    ]


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"places": 0}, "places"),
        ({"places": 10_001}, "places"),
        ({"days": 400}, "days"),
        ({"group": "<b>"}, "no name of a group"),
        ({"domain": "uni edu"}, "no e-mail address"),
        ({"domain": "uni.edu"}, "Name a server"),
        ({"domain": "uni.edu", "needs_approval": True}, "Ask for that or approve"),
    ],
)
def test_an_open_link_that_cannot_be_is_refused(ann: Reviewer, terms: dict[str, Any], said: str) -> None:
    told = ann.post("/api/people/open-links", {"places": 5, "days": 30, **terms}, 400)
    assert said in told["error"]["message"]
    assert ann.get("/api/people/crowd")["links"] == []


def test_a_list_is_looked_at_before_it_is_imported(ann: Reviewer, market: Market, campaigns: Store) -> None:
    add(market, NewPerson("Bo Li"))
    faulty = "name,email,group\nAda,ada@x.org,lab\nBo Li,,\nCy,cy@,\n<b>Di</b>,,\nAda,ada@x.org,\n"
    preview = ann.post("/api/people/previews", as_list(faulty))
    assert (preview["added"], preview["here"], preview["repeated"], preview["more_faults"]) == (1, 1, 1, 0)
    assert [fault["line"] for fault in preview["faults"]] == [4, 5]
    assert preview["first"][0] == {"name": "Ada", "email": "ada@x.org", "groups": ["lab"]}
    told = ann.post("/api/people/lists", as_list(faulty), 400)
    assert "nobody was added. line 4: 'cy@' is no e-mail address" in told["error"]["message"]
    assert (logged(campaigns), ann.get("/api/people")["left"]) == ([], 0)
    right = faulty.replace("cy@", "cy@x.org").replace("<b>Di</b>", "Di")
    assert ann.post("/api/people/lists", as_list(right, group="2026")) == {"added": 3, "here": 1, "repeated": 1}
    assert found(market, "Ada").groups == ("2026", "lab")
    assert logged(campaigns) == [("import_people", "", "4 on the list, group 2026")]
    many = ann.post("/api/people/previews", as_list("email\n" + "nobody\n" * 30))
    assert (len(many["faults"]), many["more_faults"]) == (20, 10)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (as_list(""), "is empty"),
        (as_list("group,country\nlab,US\n"), "neither name nor email"),
        ({"file": "x.csv", "content": "$$$"}, "not sent whole"),
        ({"file": "x.xlsx", "content": base64.b64encode(b"PK\x03\x04\xff").decode()}, "no text in UTF-8"),
        (as_list("Ada\n", group="<b>"), "no name of a group"),
    ],
)
def test_what_is_no_list_is_told(ann: Reviewer, sent: dict[str, str], said: str) -> None:
    assert said in ann.post("/api/people/lists", sent, 400)["error"]["message"]


def test_two_megabytes_are_imported_and_no_more(ann: Reviewer, market: Market) -> None:
    row = f"{'x' * 50}@example.org\n"
    longest = "email\n" + "".join(f"p{number:05}{row}" for number in range(MAX_LIST_BYTES // (len(row) + 6)))
    assert len(longest) > 0.99 * MAX_LIST_BYTES
    assert ann.post("/api/people/previews", as_list(longest))["added"] > 20_000
    for content in (longest + "x" * (MAX_LIST_BYTES - len(longest) + 1), longest * 2):
        told = ann.post("/api/people/lists", as_list(content), 400)
        assert "At most 2 MB can be imported here" in told["error"]["message"]
    assert ann.get("/api/people")["people"] == []


def test_people_join_and_leave_groups(ann: Reviewer, market: Market, campaigns: Store) -> None:
    ada, bo = (one.worker_id for one in add(market, NewPerson("Ada"), NewPerson("Bo")))
    both = {"workers": [ada, bo], "change": "add", "group": "lab"}
    assert [one["groups"] for one in ann.post("/api/people/groups", both)] == [["lab"], ["lab"]]
    [left] = ann.post("/api/people/groups", {"workers": [bo], "change": "remove", "group": "lab"})
    assert left["groups"] == []
    assert logged(campaigns) == [
        ("add_to_group", ada, "lab"), ("add_to_group", bo, "lab"), ("take_out_of_group", bo, "lab"),
    ]  # fmt: skip
    ann.post("/api/people/groups", {"workers": [ada], "change": "remove", "group": "lap"}, 404)
    assert logged(campaigns)[-1] == ("take_out_of_group_failed", ada, "unknown")
    for wrong, status in (
        ({"group": "<b>"}, 400),
        ({"workers": []}, 400),
        ({"workers": ["A'"]}, 400),
        ({"workers": ["ANOBODY"]}, 404),
        ({"workers": [ada] * 101}, 400),
        ({"change": "burn"}, 400),
    ):
        ann.post("/api/people/groups", {**both, **wrong}, status)


def test_states_change_as_on_the_command_line(ann: Reviewer, market: Market, campaigns: Store) -> None:
    ada, bo = (one.worker_id for one in add(market, NewPerson("Ada"), NewPerson("Bo"), state="waiting"))

    def change(to: str, *workers: str, status: int = 200, typed: str = "") -> Any:
        content = {"workers": workers, "change": to, "confirmation": typed}
        return ann.post("/api/people/states", content, status)

    assert [one["state"] for one in change("approve", ada, bo)] == ["active", "active"]
    assert change("approve", ada, status=400)["error"]["message"].startswith("Ada is active; `approve` is for whoever")
    [suspended] = change("suspend", ada)
    assert (suspended["state"], suspended["changes"], suspended["may_get_link"]) == (
        "suspended", ["restore", "remove"], False,
    )  # fmt: skip
    change("restore", ada, bo, status=400)
    assert found(market, "Ada").state == "suspended"
    assert change("restore", ada)[0]["state"] == "active"
    for typed in ("", "Ada", ada.lower()):
        assert "Type" in change("remove", ada, status=400, typed=typed)["error"]["message"]
    change("remove", ada, bo, status=400, typed=ada)
    [removed] = change("remove", ada, typed=ada)
    assert (removed["name"], removed["email"], removed["changes"]) == (None, None, [])
    change("suspend", ada, status=400)
    ann.post("/api/people/groups", {"workers": [ada], "change": "add", "group": "lab"}, 400)
    change("burn", bo, status=400)
    done = [(act, worker) for act, worker, _ in logged(campaigns) if not act.endswith("_failed")]
    assert done[:4] == [
        ("approve_person", ada),
        ("approve_person", bo),
        ("approve_person", ada),
        ("suspend_person", ada),
    ]
    assert ("remove_person", ada) in done
    assert not any("Ada" in note for _, _, note in logged(campaigns))


def test_a_link_to_sign_in_is_for_whoever_may_work(ann: Reviewer, market: Market, campaigns: Store) -> None:
    [ada] = add(market, NewPerson("Ada"), state="active")
    [bo] = add(market, NewPerson("Bo"))
    link = ann.post("/api/people/sign-in-links", {"worker": ada.worker_id})["link"]
    assert link.startswith(f"{PORTAL}/worker/link/")
    with market.writing() as moment:
        assert sign_in_links.use(moment, link.rpartition("/")[2]).name == "Ada"
    refused = ann.post("/api/people/sign-in-links", {"worker": bo.worker_id}, 400)
    assert "Bo is invited. Links to sign in" in refused["error"]["message"]
    assert link.rpartition("/")[2] not in ann.http.get("/api/log").text
    assert [act for act, _, _ in logged(campaigns)] == ["sign_in_link", "sign_in_link", "sign_in_link_failed"]


def test_whoever_a_recruiter_sent_is_shown_as_such_and_gets_no_link(ann: Reviewer, market: Market) -> None:
    with market.writing() as moment:
        key = studies.register(moment, "BTAI:pilot:", "A study", TERMS)
        visit = studies.begin(moment, studies.get_study(moment, key), "P5F00", "S1", "a browser")
    [sent] = ann.get("/api/people")["people"]
    assert (sent["recruited"], sent["may_get_link"], sent["state"]) == (True, False, "active")
    refused = ann.post("/api/people/sign-in-links", {"worker": visit.worker_id}, 400)
    assert "comes by a recruiter's link" in refused["error"]["message"]
    for who in (visit.worker_id, "P5F00"):
        ann.post("/api/people/invitations", {"who": who, "days": 1}, 409)


def test_hostile_names_stay_text(ann: Reviewer, market: Market) -> None:
    """Rows that were written by other means than the checks of today."""
    hostile = (SCRIPT[:80], "=HYPERLINK('http://evil')", "\u202egnp.exe", "&lt;b&gt;")
    add(market, *(NewPerson(name) for name in hostile))
    told = ann.http.get("/api/people")
    assert told.headers["content-type"] == "application/json"
    assert set(names(told.json())) == set(hostile)


def routes(app: Starlette) -> dict[str, set[str]]:
    [api] = [one for one in app.routes if isinstance(one, Mount) and one.path == "/api"]
    ours = (one for one in api.routes if isinstance(one, Route))
    return {f"/api{one.path}": set(one.methods or ()) for one in ours if "/people" in one.path}


def test_nobody_but_leads_reaches_any_of_it(app: Starlette, market: Market, campaigns: Store) -> None:
    assert set(routes(app)) == {*GETS, *POSTS}
    stranger, cal = browser(app), browser(app, "cal")
    for path in GETS:
        stranger.get(path, 401)
        assert cal.get(path, 403)["error"]["code"] == "not_allowed"
    for path, content in POSTS.items():
        stranger.post(path, content, 401)
        assert cal.post(path, content, 403)["error"]["code"] == "not_allowed"
    assert cal.get("/api/session")["people"] is False
    with market.reading() as moment:
        assert (person.list_people(moment), invitations.open_links(moment)) == ([], [])
    assert {(action, subject) for action, subject, _ in logged(campaigns)} == {
        ("not_allowed", path.removeprefix("/api/")) for path in POSTS
    }


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "headers",
    [{}, {"X-Form-Token": "0" * 64}, {"X-Form-Token": "MINE", "Origin": "http://evil.example"},
     {"X-Form-Token": "MINE", "Sec-Fetch-Site": "same-site"}, {"X-Form-Token": "MINE", "Content-Type": "text/plain"}],
    ids=str,
)  # fmt: skip
def test_a_change_that_another_site_could_ask_for_is_refused(ann: Reviewer, path: str, headers: dict[str, str]) -> None:
    sent = {name: ann.token if value == "MINE" else value for name, value in headers.items()}
    told = ann.http.post(path, json=POSTS[path], headers=sent)
    assert (told.status_code, told.json()["error"]["code"]) == (403, "elsewhere")


@pytest.mark.parametrize(("name", "status"), [("", 401), ("cal", 403), ("ann", 400)])
def test_no_more_is_read_than_the_sender_may_send(app: Starlette, name: str, status: int) -> None:
    """A lead's list is read up to its limit; of a stranger's nothing is read."""
    who, read, told = browser(app, name), list[int](), list[Any]()

    async def receive() -> dict[str, Any]:
        read.append(MAX_BODY_BYTES)
        return {"type": "http.request", "body": b" " * MAX_BODY_BYTES, "more_body": len(read) < 64}

    async def send(message: Any) -> None:
        told.append(message)

    headers = {"Content-Type": "application/json", "X-Form-Token": who.token}
    sent = who.http.build_request("POST", "/api/people/lists", headers=headers)
    scope = {
        "type": "http", "method": "POST", "path": "/api/people/lists", "query_string": b"", "http_version": "1.1",
        "headers": [(key.lower(), value) for key, value in sent.headers.raw], "scheme": "http",
        "server": ("testserver", 80), "client": ("10.0.0.1", 5000), "root_path": "",
    }  # fmt: skip
    anyio.run(app, scope, receive, send)
    assert told[0]["status"] == status
    assert sum(read) <= (MAX_LIST_BODY + MAX_BODY_BYTES if name == "ann" else 0)


def test_a_campaign_without_people_says_so_kindly(new_app: NewApp) -> None:
    ann = browser(new_app({"provider": "mturk", "requester": "me"}), "ann")
    assert ann.get("/api/session")["people"] is False
    for path in GETS:
        assert ann.get(path, 409)["error"]["message"] == ("This campaign has no people of its own: its crowd is mturk.")
    for path in ("/api/people/invitations", "/api/people/open-links", "/api/people/states"):
        ann.post(path, POSTS[path], 409)


def test_people_who_are_not_there_yet_are_told(new_app: NewApp, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    ann = browser(new_app({"provider": "own", "requester": "me", "people": gone}), "ann")
    assert ann.get("/api/session")["people"] is True
    assert "There are no people in" in ann.get("/api/people", 400)["error"]["message"]
    assert not Path(gone).exists()


def test_leads_act_beside_a_portal_that_reads_and_writes(new_app: NewApp, store_url: str, campaigns: Store) -> None:
    """The store is opened for each act, on both databases."""
    with store.people_at(store_url, create=True) as portal:
        app = new_app({"provider": "own", "requester": "me", "people": store_url})
        with portal.writing() as moment:
            token = invitations.invite_openly(moment, invitations.OpenTerms(200))

        def work(number: int) -> None:
            if number % 2:
                with portal.writing() as moment:
                    invitations.join(moment, token, f"Joined {number}", password=PASSWORD)
                return
            lead = browser(app, "ann")
            made = lead.post("/api/people/invitations", {"who": f"Invited {number}", "days": 1})
            worker = {"workers": [made["worker"]]}
            lead.post("/api/people/groups", {**worker, "change": "add", "group": "lab"})
            lead.post("/api/people/states", {**worker, "change": "suspend"})
            lead.get("/api/people")

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(work, range(40)))
        with portal.reading() as moment:
            assert directory.states(moment) == {"active": 20, "suspended": 20}
            assert person.groups_with_sizes(moment) == {"lab": 20}
    assert sum(act == "suspend_person" for act, _, _ in logged(campaigns)) == 20
