"""The worker portal over the real server: by plain requests, and in a browser with a requester's page elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.answers import read_answers
from beat_the_ai.marketplace.api.faults import market_faults
from beat_the_ai.marketplace.documents import child_text, name_of, read_document
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.portal.app import Portal
from beat_the_ai.marketplace.portal.visit import HERE
from beat_the_ai.web import palette
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.marketplace.desk import Desk, new_worker, rows
from tests.marketplace.rehearsal import HIT, Rehearsal
from tests.marketplace.test_tables import MAY_SCAN

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

TOP_LEVEL = {"Sec-Fetch-Dest": "document"}
HOSTILE = "<script>alert(1)</script>\"'"
TEST = (
    '<QuestionForm xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2017-11-06/'
    'QuestionForm.xsd">'
    "<Overview><Title>Reading</Title>"
    "<FormattedContent><![CDATA[<p>Read <b>well</b>.</p>]]></FormattedContent></Overview>"
    "<Question><QuestionIdentifier>q1</QuestionIdentifier><IsRequired>true</IsRequired>"
    "<QuestionContent><Text>One and one?</Text></QuestionContent><AnswerSpecification><SelectionAnswer><Selections>"
    "<Selection><SelectionIdentifier>two</SelectionIdentifier><Text>Two</Text></Selection>"
    "<Selection><SelectionIdentifier>three</SelectionIdentifier><Text>Three</Text></Selection>"
    "</Selections></SelectionAnswer></AnswerSpecification></Question>"
    "<Question><QuestionIdentifier>why</QuestionIdentifier><QuestionContent><Text>Why?</Text></QuestionContent>"
    "<AnswerSpecification><FreeTextAnswer/></AnswerSpecification></Question></QuestionForm>"
)
KEY = (
    '<AnswerKey xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/AnswerKey.xsd">'
    "<Question><QuestionIdentifier>q1</QuestionIdentifier><AnswerOption><SelectionIdentifier>two</SelectionIdentifier>"
    "<AnswerScore>7</AnswerScore></AnswerOption></Question></AnswerKey>"
)


@dataclass
class Person:
    """A worker with a browser that knows no JavaScript."""

    id: str
    code: str
    http: httpx.Client
    page: str = ""
    path: str = ""
    form_fields: dict[str, str] = field(default_factory=dict)

    def see(self, path: str, status: int = 200) -> str:
        return self._seen(self.http.get(path), status)

    def send(self, path: str, status: int = 200, **fields: Any) -> str:
        """Post a form of the page that was seen last."""
        token = re.search('name="form_token" value="([0-9a-f]+)"', self.page)
        assert token is not None, self.page
        return self._seen(self.http.post(path, data={"form_token": token[1], **fields}), status)

    def _seen(self, response: httpx.Response, status: int) -> str:
        assert response.status_code == status, response.text
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors" in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        self.page, self.path = response.text, response.url.path
        return self.page

    def sign_in(self) -> None:
        self.see("/worker/sign-in")
        self.send("/worker/sign-in", worker=self.id.lower(), code=self.code.replace("-", " "))
        assert self.path == "/worker/hits"

    def accept(self, hit_type_id: str) -> str:
        """Returns the assignment's id."""
        self.see("/worker/hits")
        self.send(f"/worker/types/{hit_type_id}/accept")
        return self.path.rpartition("/")[2]

    @property
    def frame(self) -> dict[str, str]:
        """What the page in the frame is told."""
        found = re.search('<iframe class="task" src="([^"]+)"', self.page)
        assert found is not None, self.page
        query = parse_qs(urlsplit(found[1].replace("&amp;", "&")).query)
        return {name: values[0] for name, values in query.items()}


@pytest.fixture
def person(rehearsal: Rehearsal) -> Iterator[Person]:
    with new_person(rehearsal) as someone:
        yield someone


@contextmanager
def new_person(rehearsal: Rehearsal, **properties: Any) -> Iterator[Person]:
    worker_id = rehearsal.new_worker(**properties)
    with rehearsal.market() as market, market.writing() as moment:
        code = credentials.issue(moment, worker_id)
    with httpx.Client(base_url=rehearsal.address, follow_redirects=True, timeout=30) as http:
        yield Person(worker_id, code, http)


def new_hit(client: MTurkClient, **changes: Any) -> tuple[str, str]:
    made = client.create_hit(**{**HIT, **changes})["HIT"]
    return made["HITId"], made["HITTypeId"]


def test_a_workers_day(client: MTurkClient, person: Person) -> None:
    hit_id, type_id = new_hit(client, Title="Ask about birds", MaxAssignments=2)
    assert person.see("/worker/earnings").count("Sign in") > 1
    person.sign_in()
    assert "Ask about birds" in person.page
    assert "$2.00" in person.page
    assert "1 hour" in person.page

    person.see(f"/worker/types/{type_id}")
    assert person.path == f"/worker/hits/{hit_id}"
    assert person.frame["assignmentId"] == "ASSIGNMENT_ID_NOT_AVAILABLE"
    assert "workerId" not in person.frame

    person.send(f"/worker/hits/{hit_id}/accept")
    told = person.frame
    assert told["hitId"] == hit_id
    assert told["workerId"] == person.id
    assignment_id = told["assignmentId"]
    assert assignment_id in person.see("/worker/work")

    answers = {"assignmentId": assignment_id, "workerId": person.id, "question": "Which <bird>?"}
    for _ in range(2):  # an impatient second click
        reply = httpx.post(f"{told['turkSubmitTo']}/mturk/externalSubmit", data=answers)
        assert reply.status_code == 200, reply.text
        assert "frame-ancestors 'self'" in reply.headers["content-security-policy"]
    (submitted,) = client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert "Which &lt;bird&gt;?" in submitted["Answer"]
    assert "assignmentId" not in submitted["Answer"]
    (again,) = client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert again == submitted
    in_a_tab = person.http.post(f"{told['turkSubmitTo']}/mturk/externalSubmit", data=answers, headers=TOP_LEVEL)
    assert in_a_tab.url.path == f"/worker/assignments/{assignment_id}/sent"
    assert "Thank you" in person.see(f"/worker/assignments/{assignment_id}")
    assert "Next task" not in person.page

    assert "Waiting for approval" in person.see("/worker/earnings")
    client.approve_assignment(AssignmentId=assignment_id, RequesterFeedback="Well asked")
    bonus = {"WorkerId": person.id, "AssignmentId": assignment_id, "BonusAmount": "0.25", "UniqueRequestToken": "b"}
    client.send_bonus(**bonus, Reason="You fooled the AI")
    client.notify_workers(Subject="Thanks", MessageText="Come again", WorkerIds=[person.id])
    person.see("/worker/earnings")
    for shown in ("$2.25", "$0.25 bonus", "You fooled the AI", "Well asked", "Approved"):
        assert shown in person.page
    assert "Come again" in person.see("/worker/messages")
    person.send("/worker/sign-out")
    assert person.path == "/worker/sign-in"


def chosen(choice: str) -> dict[str, Any]:
    return {"answer-1": choice, "text-2": "Because."}


def test_requirements_are_explained_and_kept(rehearsal: Rehearsal, client: MTurkClient, person: Person) -> None:
    made = client.create_qualification_type(
        Name=f"Readers {person.id}",
        Description="Can read",
        QualificationTypeStatus="Active",
        Test=TEST,
        AnswerKey=KEY,
        TestDurationInSeconds=600,
    )
    kind = made["QualificationType"]["QualificationTypeId"]
    hit_id, type_id = new_hit(
        client,
        Title="For readers",
        QualificationRequirements=[
            {"QualificationTypeId": kind, "Comparator": "EqualTo", "IntegerValues": [7], "ActionsGuarded": "Accept"},
            {"QualificationTypeId": "000000000000000000L0", "Comparator": "GreaterThan", "IntegerValues": [98]},
        ],
    )
    hidden = {"QualificationTypeId": kind, "Comparator": "Exists", "ActionsGuarded": "DiscoverPreviewAndAccept"}
    secret_id, _ = new_hit(client, Title="Not for your eyes", QualificationRequirements=[hidden])
    newcomers = {"QualificationTypeId": kind, "Comparator": "DoesNotExist", "ActionsGuarded": "Accept"}
    screening_id, _ = new_hit(client, Title="For newcomers", QualificationRequirements=[newcomers])
    person.sign_in()
    assert "you do not have it" in person.page
    assert "more than 98" in person.page
    assert "Not for your eyes" not in person.page
    assert "do not qualify" in person.send(f"/worker/types/{type_id}/accept", 409)
    assert "do not qualify" in person.see(f"/worker/hits/{secret_id}", 409)
    assert "You do not qualify yet" in person.see(f"/worker/hits/{hit_id}")

    person.see("/worker/qualifications")
    person.send(f"/worker/qualifications/{kind}")
    assert "Read <b>well</b>." in person.page
    test = person.path
    assert "Go on with the test" in person.see("/worker/qualifications")
    person.see(test)
    assert "Question 1: please choose one answer" in person.send(test, 400, **chosen("four"))
    person.send(test, **chosen("two"))
    assert "Value 7" in person.page
    screening = person.see(f"/worker/hits/{screening_id}")
    assert "is only for people who do not have it – you have it" in screening
    assert "You are past this task" in screening
    assert "You do not qualify" not in screening
    assert person.see("/worker/hits").count("Not for your eyes") == 1
    with rehearsal.market() as market:
        (asked,) = rows(market, "qualification_requests", worker_id=person.id)
    assert "<FreeText>Because.</FreeText>" in asked.answer
    assert person.accept(type_id)


def test_workers_see_and_submit_only_their_own(rehearsal: Rehearsal, client: MTurkClient, person: Person) -> None:
    hit_id, type_id = new_hit(client, MaxAssignments=3)
    person.sign_in()
    mine = person.accept(type_id)
    proven = f"{person.frame['turkSubmitTo']}/mturk/externalSubmit"
    with new_person(rehearsal) as other:
        other.sign_in()
        theirs = other.accept(type_id)
        for path in (f"/worker/assignments/{mine}", f"/worker/assignments/{mine}/sent"):
            other.see(path, 404)
        other.see("/worker/work")
        other.send(f"/worker/assignments/{mine}/return", 404)
        assert other.http.post("/mturk/externalSubmit", data={"assignmentId": mine}).status_code == 404
        assert httpx.post(proven, data={"assignmentId": theirs}).status_code == 409
        assert httpx.post(proven.replace(mine, theirs), data={"assignmentId": theirs}).status_code == 409
        assert httpx.post(f"{rehearsal.address}/mturk/externalSubmit", data={"assignmentId": theirs}).status_code == 409
        assert client.list_assignments_for_hit(HITId=hit_id)["Assignments"] == []
        assert other.http.post("/mturk/externalSubmit", data={"assignmentId": theirs, "q": "a"}).status_code == 200
    assert httpx.post(proven, data={"assignmentId": mine, "q": "x" * (4 * 1024 * 1024)}).status_code == 400
    assert httpx.post(proven, json={"assignmentId": mine}).status_code == 400
    person.see("/worker/work")
    person.send(f"/worker/assignments/{mine}/return")
    assert "returned" in person.see(f"/worker/assignments/{mine}")
    assert httpx.post(proven, data={"assignmentId": mine, "q": "late"}).status_code == 409
    assert len(client.list_assignments_for_hit(HITId=hit_id)["Assignments"]) == 1


def test_what_does_not_exist_is_not_found(client: MTurkClient, person: Person) -> None:
    hit_id, _ = new_hit(client)
    person.sign_in()
    for path in ("hits/3NOTHING", "hits/%00", "assignments/3%00", "tests/%F0%9F%90%A6"):
        person.see(f"/worker/{path}", 404)
    person.see("/worker/hits?after=nonsense", 400)
    assert person.http.post("/mturk/externalSubmit", data={"assignmentId": "3\0"}).status_code == 404
    elsewhere = person.http.get(f"/worker/hits/{hit_id}/question")  # an ExternalQuestion has no page here
    assert elsewhere.url.path == f"/worker/hits/{hit_id}"


FORM = (
    '<QuestionForm xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2017-11-06/'
    'QuestionForm.xsd">'
    "<Overview><Title>Birds</Title><List><ListItem>Look well</ListItem></List>"
    "<FormattedContent><![CDATA[<h1 onclick='x()'>How</h1><script>alert(1)</script><a href='javascript:x()'>no</a>"
    "<a href='https://example.org/'>Guide</a><p>open]]></FormattedContent></Overview>"
    "{questions}</QuestionForm>"
)
PICTURE = (
    "<Binary><MimeType><Type>image</Type><SubType>png</SubType></MimeType>"
    "<DataURL>https://example.org/wren.png</DataURL><AltText>A wren</AltText></Binary>"
)


def asked(name: str, specification: str, *, required: bool = True, content: str = "<Text>Which?</Text>") -> str:
    return (
        f"<Question><QuestionIdentifier>{name}</QuestionIdentifier><IsRequired>{str(required).lower()}</IsRequired>"
        f"<QuestionContent>{content}</QuestionContent><AnswerSpecification>{specification}</AnswerSpecification>"
        "</Question>"
    )


def selection(limits: str = "", other: str = "") -> str:
    chosen = "".join(
        f"<Selection><SelectionIdentifier>{one}</SelectionIdentifier><Text>The {one}</Text></Selection>"
        for one in ("wren", "rook", "owl")
    )
    return f"<SelectionAnswer>{limits}<Selections>{chosen}{other}</Selections></SelectionAnswer>"


NUMERIC = (
    '<FreeTextAnswer><Constraints><IsNumeric minValue="1" maxValue="99"/></Constraints>'
    "<NumberOfLinesSuggestion>1</NumberOfLinesSuggestion></FreeTextAnswer>"
)
LONG = (
    '<FreeTextAnswer><Constraints><Length minLength="3" maxLength="20"/>'
    '<AnswerFormatRegex regex="(a+)+$" errorText="No slang, please."/></Constraints></FreeTextAnswer>'
)
SEVERAL = "<MaxSelectionCount>2</MaxSelectionCount><StyleSuggestion>checkbox</StyleSuggestion>"
QUESTIONS = FORM.format(
    questions=asked("bird", selection(), content=f"<Text>Which bird?</Text>{PICTURE}")
    + asked("seen", selection(SEVERAL, "<OtherSelection/>"), required=False)
    + asked("count", NUMERIC)
    + asked("why", LONG)
    + asked("place", selection("<StyleSuggestion>dropdown</StyleSuggestion>"), required=False)
)


def test_a_question_form_is_previewed_answered_and_read_back(client: MTurkClient, person: Person) -> None:
    hit_id, type_id = new_hit(client, Title="Two birds", Question=QUESTIONS)
    person.sign_in()
    preview = person.see(f"/worker/hits/{hit_id}")
    for shown in (
        "Which bird?",
        "<h3>How</h3>",
        'href="https://example.org/"',
        'alt="A wren"',
        "Look well",
        "disabled",
    ):
        assert shown in preview
    for hidden in ("<script>alert", "javascript:", "onclick"):
        assert hidden not in preview
    assert "<form" not in preview.partition("Questions of the task")[2].partition("</main>")[0]

    assignment_id = person.accept(type_id)
    answers = f"/worker/assignments/{assignment_id}/answers"
    good: dict[str, Any] = {
        "answer-1": "wren",
        "text-2": "a <kite>",
        "text-3": " 12 ",
        "text-4": "I heard\r\nit",
        "answer-5": "",
    }
    mistakes: list[tuple[dict[str, Any], str]] = [
        ({"answer-1": "eagle"}, "Question 1: please choose one answer."),
        ({"answer-1": ["wren", "owl"]}, "Question 1: please choose one answer."),
        ({"answer-2": ["wren", "owl"]}, "Question 2: please choose 1 to 2 answers."),
        ({"text-3": "a dozen"}, "Question 3 asks for a whole number"),
        ({"text-3": "0"}, "at least 1"),
        ({"text-3": "100"}, "at most 99"),
        ({"text-3": ""}, "Question 3 is required"),
        ({"text-4": "x" * 21}, "3 to 20 characters are asked for, not 21"),
        ({"text-4": "x"}, "3 to 20 characters are asked for, not 1"),
    ]
    for wrong, message in mistakes:
        page = person.send(answers, 400, **{**good, **wrong})
        assert message in page
        assert "a &lt;kite&gt;" in page  # nothing that was written is lost
    assert client.list_assignments_for_hit(HITId=hit_id)["Assignments"] == []

    assert "Thank you" in person.send(answers, **{**good, "answer-2": "owl"})
    (submitted,) = client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    answered = {
        child_text(answer, "QuestionIdentifier"): [(name_of(one), one.text) for one in list(answer)[1:]]
        for answer in read_document(submitted["Answer"])
    }
    assert answered == {
        "bird": [("SelectionIdentifier", "wren")],
        "seen": [("SelectionIdentifier", "owl"), ("OtherSelectionText", "a <kite>")],
        "count": [("FreeText", " 12 ")],
        "why": [("FreeText", "I heard\nit")],
        "place": [],
    }
    assert "Thank you" in person.send(answers, **good)  # sent twice, it counts once


def test_only_its_worker_answers_a_question_form(rehearsal: Rehearsal, client: MTurkClient, person: Person) -> None:
    hit_id, type_id = new_hit(client, Question=FORM.format(questions=asked("why", "<FreeTextAnswer/>")))
    person.sign_in()
    answers = f"/worker/assignments/{person.accept(type_id)}/answers"
    with new_person(rehearsal) as other:
        other.sign_in()
        other.send(answers, 404, **dict[str, Any]({"text-1": "mine"}))
    assert person.http.post(answers, data={"text-1": "without the form's token"}).status_code == 403
    assert client.list_assignments_for_hit(HITId=hit_id)["Assignments"] == []


def html_question(page: str, height: int = 0) -> str:
    return (
        '<HTMLQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/'
        f'HTMLQuestion.xsd"><HTMLContent><![CDATA[{page}]]></HTMLContent><FrameHeight>{height}</FrameHeight>'
        "</HTMLQuestion>"
    )


def test_the_page_of_an_html_question_is_served_into_a_sandbox_only(client: MTurkClient, person: Person) -> None:
    hit_id, type_id = new_hit(client, Question=html_question("<!doctype html><p>Which bird?"))
    path = f"/worker/hits/{hit_id}/question"
    assert "not signed in" in person.http.get(path).text
    person.sign_in()
    served = [person.http.get(path)]
    assignment_id = person.accept(type_id)
    shown = re.search('<iframe class="task" src="([^"]+)" data-fits[^>]* sandbox="([^"]+)"', person.page)
    assert shown is not None
    address = shown[1].replace("&amp;", "&")
    served.append(httpx.get(address))  # without a cookie
    for response in served:
        assert response.text.startswith("<!doctype html><p>Which bird?")
        policy = response.headers["content-security-policy"]
        assert policy.startswith("sandbox allow-scripts")
        for allowed in (policy, shown[2]):
            assert "allow-same-origin" not in allowed
            assert "escape" not in allowed
            assert "top-navigation" not in allowed
        assert response.headers["referrer-policy"] == "no-referrer"
    in_a_tab = person.http.get(address, headers=TOP_LEVEL)
    assert in_a_tab.url.path == f"/worker/assignments/{assignment_id}"
    assert httpx.get(address.replace("/question", "x/question")).status_code == 409


def test_pop_ups_of_a_task_are_in_the_sandbox_too(client: MTurkClient, person: Person) -> None:
    hit_id, _ = new_hit(client)
    person.sign_in()
    sandbox = re.search('sandbox="([^"]+)"', person.see(f"/worker/hits/{hit_id}"))
    assert sandbox is not None
    assert set(sandbox[1].split()) == {
        "allow-scripts",
        "allow-forms",
        "allow-same-origin",
        "allow-modals",
        "allow-popups",
        "allow-downloads",
    }


def test_forms_of_other_sites_are_refused(client: MTurkClient, person: Person) -> None:
    hit_id, _ = new_hit(client)
    person.sign_in()
    for token in ({}, {"form_token": "0" * 64}):
        assert person.http.post(f"/worker/hits/{hit_id}/accept", data=token).status_code == 403
        assert person.http.post("/worker/sign-out", data=token).status_code == 403
        assert person.http.post("/worker/sign-in", data=token).status_code == 403
    assert "You are not working on anything" in person.see("/worker/work")
    assert person.http.post("/worker/faults", data={"text": "of a form"}).status_code == 415


def test_texts_of_strangers_are_shown_as_texts(client: MTurkClient, person: Person) -> None:
    _, type_id = new_hit(client, Title=HOSTILE, Description=HOSTILE)
    client.create_qualification_type(Name=HOSTILE + person.id, Description=HOSTILE, QualificationTypeStatus="Active")
    person.sign_in()
    pages = [person.page]
    assignment_id = person.accept(type_id)
    pages.append(person.page)
    person.http.post("/mturk/externalSubmit", data={"assignmentId": assignment_id, "q": HOSTILE})
    client.reject_assignment(AssignmentId=assignment_id, RequesterFeedback=HOSTILE)
    bonus = {"WorkerId": person.id, "AssignmentId": assignment_id, "BonusAmount": "1", "UniqueRequestToken": "b"}
    client.send_bonus(**bonus, Reason=HOSTILE)
    client.notify_workers(Subject=HOSTILE, MessageText=HOSTILE, WorkerIds=[person.id])
    pages += [person.see(f"/worker/{name}") for name in ("earnings", "qualifications", "messages")]
    pages.append(person.see(f"/worker/assignments/{assignment_id}/sent"))
    for page in pages:
        assert "&lt;script&gt;alert(1)" in page
        assert "<script>alert" not in page


def test_sessions_end(rehearsal: Rehearsal, person: Person) -> None:
    person.sign_in()
    copied = dict(person.http.cookies)
    person.send("/worker/sign-out")
    stale = httpx.get(f"{rehearsal.address}/worker/earnings", cookies=copied)
    assert stale.headers["location"] == "/worker/sign-in?next=/worker/earnings"
    person.sign_in()
    with rehearsal.market() as market, market.writing() as moment:
        person.code = credentials.issue(moment, person.id)
    person.see("/worker/work")
    assert person.path == "/worker/sign-in"
    person.sign_in()
    rehearsal.advance(hours=13)
    person.see("/worker/work")
    assert person.path == "/worker/sign-in"
    person.http.cookies.set("worker_session", "WyJ4IiwiQSIsMSw5ZTk5XQ.forged")
    person.see("/worker/work")
    assert person.path == "/worker/sign-in"


def test_the_door(rehearsal: Rehearsal, person: Person) -> None:
    assert "Workers sign in here." in person.see("/")
    person.see("/worker/sign-in?next=https://elsewhere.example/")
    assert "elsewhere" not in person.page
    answer = person.http.post("/worker/sign-in", data={"worker": person.id, "code": person.code})
    assert answer.status_code == 403
    for _ in range(10):
        person.send("/worker/sign-in", 403, worker=person.id, code="WRONG")
    assert "quarter of an hour" in person.send("/worker/sign-in", 429, worker=person.id, code=person.code)
    rehearsal.advance(minutes=16)
    person.see("/worker/sign-in")
    response = person.http.get("/worker/sign-in")
    assert response.status_code == 200
    behind_tls = httpx.get(f"{rehearsal.address}/worker/sign-in", headers={"X-Forwarded-Proto": "https"})
    cookie = behind_tls.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=lax", "Secure"))
    person.sign_in()


TASK_PAGE = b"""<!doctype html><html lang="en"><title>Task</title><link rel="icon" href="data:,">
<main><h1>Which bird?</h1><button>Submit</button></main>
<script>
  // As Mephisto's wrap_crowd_source.js does it.
  document.querySelector("button").addEventListener("click", () => {
    const given = new URLSearchParams(window.location.search);
    const form = document.createElement("form");
    document.body.appendChild(form);
    const data = { final: '{"bird": "wren"}' };
    for (const name of ["assignmentId", "workerId"]) data[name] = given.get(name);
    for (const name in data) {
      const input = document.createElement("input");
      input.type = "hidden"; input.name = name; input.value = data[name];
      form.appendChild(input);
    }
    form.method = "POST";
    form.action = given.get("turkSubmitTo") + "/mturk/externalSubmit";
    HTMLFormElement.prototype.submit.call(form);
  });
</script></html>"""


@pytest.fixture
def task_url() -> Iterator[str]:
    """A requester's page, on another site than the portal: `localhost` there, an address here."""

    class Task(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(TASK_PAGE)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Task) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_address[1]}/task"
        server.shutdown()


@pytest.fixture
def expected_errors() -> list[str]:
    """What the browser may complain about: a test that provokes something says here what."""
    return []


@pytest.fixture
def browser_page(browser: Browser, rehearsal: Rehearsal, expected_errors: list[str]) -> Iterator[Page]:
    page = browser.new_page(base_url=rehearsal.address)
    page.set_default_timeout(PATIENCE_MS)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    yield page
    page.close()
    assert [one for one in problems if not any(expected in one for expected in expected_errors)] == []


def check(page: Page) -> None:
    """WCAG 2.2 AA in the light on a desk and in the dark on a phone, and nothing sticks out sideways."""
    for width, height, scheme in ((1280, 900, "light"), (360, 740, "dark")):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="light" if scheme == "light" else "dark")
        check_accessible(page, f"{page.url} {scheme}")
        assert fits(page), f"{page.url} scrolls sideways"


def enter(page: Page, person: Person) -> None:
    page.goto("/worker")
    page.get_by_label("Worker ID").fill(person.id)
    page.get_by_label("Access code").fill(person.code)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/worker/hits")


def test_work_in_a_browser(client: MTurkClient, person: Person, browser_page: Page, task_url: str) -> None:
    page = browser_page
    question = HIT["Question"].replace("https://example.org/task", task_url)
    wanted = {"QualificationTypeId": "00000000000000000040", "Comparator": "LessThan", "IntegerValues": [100]}
    title = f"Birds for {person.id}"
    made = [new_hit(client, Title=title, Question=question, QualificationRequirements=[wanted]) for _ in range(2)]

    page.goto("/worker")
    check(page)
    enter(page, person)
    offer = page.get_by_role("article", name=title)
    expect(offer).to_be_visible()
    check(page)
    offer.get_by_role("link", name="Preview").click()
    expect(page.frame_locator("iframe").get_by_role("heading", name="Which bird?")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("Time left")).to_be_visible()
    expect(page.locator("iframe")).to_have_js_property("offsetHeight", 600)  # the page does not say how high it is
    check(page)
    page.frame_locator("iframe").get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    check(page)
    (submitted,) = client.list_assignments_for_hit(HITId=made[0][0])["Assignments"]
    assert "wren" in submitted["Answer"]
    bonus = {"WorkerId": person.id, "AssignmentId": submitted["AssignmentId"], "BonusAmount": "0.10"}
    client.send_bonus(**bonus, Reason="You fooled the AI", UniqueRequestToken="b")

    page.get_by_role("button", name="Next task").click()
    page.get_by_role("link", name="In progress").click()
    page.get_by_text("Return this task").click()
    check(page)
    page.get_by_role("button", name="Return it").click()
    for name in ("Qualifications", "Earnings", "Messages"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        check(page)


def test_what_fails_on_a_page_is_shown_and_told_to_the_server(
    person: Person, browser_page: Page, expected_errors: list[str]
) -> None:
    enter(browser_page, person)
    browser_page.route("**/worker/static/broken.js", lambda route: route.fulfill(body="throw new Error('on purpose')"))
    expected_errors.append("on purpose")
    with browser_page.expect_response("**/worker/faults") as told:
        browser_page.add_script_tag(url="/worker/static/broken.js")
    assert told.value.status == 204
    expect(browser_page.get_by_role("alert")).to_contain_text("Something went wrong on this page.")
    check(browser_page)


def test_the_list_is_searched_with_the_keyboard(client: MTurkClient, person: Person, browser_page: Page) -> None:
    page = browser_page
    for reward in ("0.10", "0.30", "0.20"):
        new_hit(client, Title=f"{person.id} for {reward}", Reward=reward)
    enter(page, person)
    page.get_by_role("searchbox").focus()
    page.keyboard.type(f"{person.id.lower()} for")
    page.keyboard.press("Tab")
    page.keyboard.type("Highest")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**sort=reward**")
    expected = [f"{person.id} for {reward}" for reward in ("0.30", "0.20", "0.10")]
    assert page.get_by_role("article").get_by_role("heading", level=2).all_inner_texts() == expected
    check(page)


# MTurk's documented example, without the script that it loads from Amazon, and with a look around.
HTML_PAGE = """<!DOCTYPE html><html lang="en"><head><title>HIT</title></head><body>
<form name="mturk_form" method="post" id="mturk_form" action="https://www.mturk.com/mturk/externalSubmit">
<input type="hidden" value="" name="assignmentId" id="assignmentId"/>
<h1>What does this bird say?</h1><p><textarea name="comment" aria-label="Comment"></textarea></p>
<p><input type="submit" id="submitButton" value="Submit"/></p></form><output></output>
<script>
  const attempts = {
    cookie: () => document.cookie,
    portal: () => parent.document.title,
    storage: () => localStorage.length,
    leave: () => { top.location = "about:blank"; },
  };
  const failed = Object.keys(attempts).filter((name) => { try { attempts[name](); } catch { return true; } });
  document.querySelector("output").textContent = `${origin} ${failed}`;
</script></body></html>"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_has_the_colours_of_the_palette(browser_page: Page, scheme: Literal["light", "dark"]) -> None:
    browser_page.emulate_media(color_scheme=scheme)
    browser_page.goto("/worker/sign-in")
    paper = bytes.fromhex(palette.colours()["paper"][scheme].removeprefix("#"))
    expect(browser_page.locator("body")).to_have_css("background-color", f"rgb({', '.join(map(str, paper))})")
    styled = [path.read_text() for path in (HERE / "templates").iterdir() if "static/style.css" in path.read_text()]
    assert len(styled) == 2  # all others stand in one of these
    assert all("static/palette.css" in template for template in styled)


def test_an_html_question_in_a_browser(
    client: MTurkClient, person: Person, browser_page: Page, expected_errors: list[str]
) -> None:
    page = browser_page
    expected_errors += ["'allow-top-navigation'"]
    title = f"Sounds for {person.id}"
    hit_id, _ = new_hit(client, Title=title, Question=html_question(HTML_PAGE, 500))
    enter(page, person)
    page.get_by_role("article", name=title).get_by_role("link", name="Preview").click()
    task = page.frame_locator("iframe")
    expect(task.get_by_text("null cookie,portal,storage,leave")).to_be_visible()
    task.get_by_role("button", name="Submit").click()  # does nothing in a preview
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("Time left")).to_be_visible()
    expect(task.get_by_text("null cookie,portal,storage,leave")).to_be_visible()
    task.get_by_label("Comment").fill("tu-whit")
    task.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    (submitted,) = client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert read_answers(submitted["Answer"]) == {"comment": "tu-whit"}


def test_a_question_form_in_a_browser(
    client: MTurkClient, person: Person, browser_page: Page, expected_errors: list[str]
) -> None:
    page = browser_page
    expected_errors += ["status of 400"]
    title = f"Birds of {person.id}"
    questions = QUESTIONS.replace(PICTURE, "")  # nothing is loaded from elsewhere
    hit_id, _ = new_hit(client, Title=title, Question=questions)
    enter(page, person)
    page.get_by_role("article", name=title).get_by_role("link", name="Preview").click()
    expect(page.get_by_text("Which bird?")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Accept").click()
    page.get_by_label("The owl").first.focus()
    page.keyboard.press("Space")
    page.get_by_label("Something else for question 2").fill("a kite")
    page.get_by_label("Your answer to question 3").fill("twelve")
    page.get_by_label("Your answer to question 4").fill("heard it")
    page.get_by_label("Your answer to question 5").select_option("The rook")
    page.get_by_role("button", name="Submit the task").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Question 3 asks for a whole number")
    expect(page.get_by_label("The owl").first).to_be_checked()
    check(page)
    page.get_by_label("Your answer to question 3").fill("12")
    page.get_by_role("button", name="Submit the task").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert len(client.list_assignments_for_hit(HITId=hit_id)["Assignments"]) == 1


def walk(market: Market) -> None:
    """A worker accepts, submits and looks at every page, without a server's process."""
    desk, worker_id = Desk.opened(market), new_worker(market)
    kind = desk.ask("CreateQualificationType", Name="q", Description="d", QualificationTypeStatus="Active")
    type_id = kind["QualificationType"]["QualificationTypeId"]
    wanted = {"QualificationTypeId": type_id, "Comparator": "DoesNotExist"}
    hit_id = desk.new_hit(MaxAssignments=3, QualificationRequirements=[wanted])
    with market.writing() as moment:
        code = credentials.issue(moment, worker_id)
    http: Any
    with TestClient(Starlette(routes=Portal(market, market_faults()).routes())) as http:
        person = Person(worker_id, code, http)
        person.sign_in()
        assignment_id = person.accept(desk.hit(hit_id)["HITTypeId"])
        assert http.post("/mturk/externalSubmit", data={"assignmentId": assignment_id}).status_code == 200
        for name in (
            "hits",
            "messages",
            "work",
            "qualifications",
            "earnings",
            f"hits/{hit_id}",
            f"assignments/{assignment_id}/sent",
        ):
            person.see(f"/worker/{name}")
        person.see("/worker/assignments/%00", 404)
        person.send("/worker/sign-out")


def test_the_portal_stands_on_either_database(market: Market) -> None:
    walk(market)


def test_no_page_scans_or_sorts_a_table(planned: tuple[Market, list[tuple[str, str]]]) -> None:
    market, plans = planned
    walk(market)
    slow = {
        (step, statement)
        for step, statement in plans
        if (step.startswith("SCAN") and step.split()[1] not in MAY_SCAN) or "TEMP B-TREE FOR ORDER" in step
    }
    assert slow == set()
