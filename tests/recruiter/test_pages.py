"""The participants' pages: who is let in, what is shown, and that nothing of others' text becomes a page's own."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from starlette.testclient import TestClient

from beat_the_ai.recruiter.recruiter import Recruiter
from tests.recruiter.running import CODE, REASON, STUDY, Participant, Researcher

NewParticipant = Callable[[], Participant]
NewClient = Callable[[], TestClient]
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{7*7}}"


def test_a_participant_signs_in_with_the_id_alone(new_client: NewClient, new_participant: NewParticipant) -> None:
    known, browser = new_participant(), Participant(new_client())
    assert "there is no password" in browser.get("/").text
    page = browser.post("/sign-in", page="/", status=400, participant_id="5f0000000000000000000000")
    assert "No participant has this id" in page.text
    answer = browser.post("/sign-in", page="/", participant_id=f" {known.id.upper()} ")
    assert answer.headers["location"] == "/studies"
    assert known.id in browser.get("/studies").text
    browser.post("/sign-out")
    assert browser.get("/studies", 303).headers["location"] == "/?next=/studies"


def test_whoever_comes_back_signed_out_goes_on_after_signing_in(
    new_client: NewClient, new_participant: NewParticipant, researcher: Researcher
) -> None:
    person = new_participant()
    submission_id = person.take(researcher.publish())
    person.open(submission_id)
    browser = Participant(new_client())
    asked = browser.get(f"/submissions/complete?cc={CODE}", 303).headers["location"]
    assert f'name="next" value="/submissions/complete?cc={CODE}"' in browser.get(asked).text
    target = f"/submissions/complete?cc={CODE}"
    answer = browser.post("/sign-in", page="/", participant_id=person.id, next=target)
    browser.get(answer.headers["location"], 303)
    assert researcher.submission(submission_id)["status"] == "AWAITING REVIEW"


def test_signing_in_does_not_lead_on_to_the_study(new_client: NewClient, new_participant: NewParticipant) -> None:
    browser, person = Participant(new_client()), new_participant()
    answer = browser.post("/sign-in", page="/", participant_id=person.id, next="/submissions/1/open")
    assert answer.headers["location"] == "/submissions/1"


@pytest.mark.parametrize(
    "target", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:x", "/a b"]
)
def test_nobody_is_led_elsewhere(new_client: NewClient, new_participant: NewParticipant, target: str) -> None:
    answer = Participant(new_client()).post("/sign-in", page="/", participant_id=new_participant().id, next=target)
    assert answer.headers["location"] == "/studies"


def test_the_list_shows_what_a_study_asks_and_gives(researcher: Researcher, new_participant: NewParticipant) -> None:
    study_id, person = researcher.publish(), new_participant()
    page = person.get("/studies").text
    for shown in (STUDY["name"], STUDY["description"], "£1.50", "5 minutes", f"/studies/{study_id}/take"):
        assert shown in page
    submission_id = person.work(study_id)
    researcher.reject(submission_id)
    for path in ("/submissions", f"/submissions/{submission_id}"):
        assert REASON in person.get(path).text


def test_a_submission_is_its_participants_alone(researcher: Researcher, new_participant: NewParticipant) -> None:
    person, other = new_participant(), new_participant()
    submission_id = person.take(researcher.publish())
    for path in (f"/submissions/{submission_id}", f"/submissions/{submission_id}/open"):
        other.get(path, 404)
    other.post(f"/submissions/{submission_id}/return", status=404)
    other.post(f"/submissions/{submission_id}/complete", status=404, code=CODE)
    assert researcher.submission(submission_id)["status"] == "RESERVED"


def test_a_form_of_another_site_is_refused(researcher: Researcher, new_participant: NewParticipant) -> None:
    study_id, person = researcher.publish(), new_participant()
    for form in ({}, {"form_token": "x"}, {"form_token": "é"}):
        assert person.http.post(f"/studies/{study_id}/take", data=form, follow_redirects=False).status_code == 403
    person.http.cookies.clear()
    person.http.cookies.set("participant_session", "forged")
    person.get("/studies", 303)


def test_text_of_others_is_shown_as_text(researcher: Researcher, new_participant: NewParticipant) -> None:
    codes = [{"code": HOSTILE, "code_type": "OTHER", "actions": []}]
    study_id = researcher.publish(name=HOSTILE, description=HOSTILE, completion_codes=codes)
    person = new_participant()
    submission_id = person.take(study_id)
    person.open(submission_id)
    person.post(f"/submissions/{submission_id}/complete", code=HOSTILE)
    researcher.reject(submission_id)
    person.post("/messages", body=HOSTILE)
    for path in ("/studies", "/submissions", f"/submissions/{submission_id}", "/messages", f"/?next={HOSTILE}"):
        page = person.get(path, 303 if path.startswith("/?") else 200)
        assert "<script" not in page.text
        assert "<img" not in page.text
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "&gt;49" not in page.text  # no template of the server is filled in by others
    person.get("/submissions/complete?cc=" + "%3Cscript%3E", 404)


def test_a_code_without_a_submission_changes_nothing(new_participant: NewParticipant) -> None:
    assert "no submission" in new_participant().get("/submissions/complete?cc=X", 404).text


def test_coming_back_twice_is_once(researcher: Researcher, new_participant: NewParticipant) -> None:
    person = new_participant()
    submission_id = person.work(researcher.publish())
    assert person.come_back(CODE) == submission_id


@pytest.mark.parametrize("address", ["https://example.org/task", "https://example.org/task?a=b#part", ""])
def test_a_secure_address_says_who_comes(
    researcher: Researcher, new_participant: NewParticipant, recruiter: Recruiter, address: str
) -> None:
    url = address or STUDY["external_study_url"]
    study_id = researcher.publish(external_study_url=url, is_external_study_url_secure=True)
    person = new_participant()
    submission_id = person.take(study_id)
    opened = urlsplit(person.open(submission_id))
    query = {name: values[0] for name, values in parse_qs(opened.query).items()}
    token = query.pop("prolific_token")
    [jwk] = researcher.ask("GET", "/.well-known/study/jwks.json")["keys"]
    header = jwt.get_unverified_header(token)
    assert (header["alg"], header["kid"], header["typ"]) == ("RS256", jwk["kid"], "JWT")
    values = {"PROLIFIC_PID": person.id, "STUDY_ID": study_id, "SESSION_ID": submission_id}
    audience = url
    for name, value in values.items():
        audience = audience.replace("{{%" + name + "%}}", value)
    claims = jwt.decode(token, jwt.PyJWK(jwk), ["RS256"], audience=audience, issuer="https://www.prolific.com")
    assert claims["sub"] == submission_id
    assert claims["exp"] - claims["iat"] == 120
    assert claims["prolific"] == {**query, "workspace_id": recruiter.workspace.id}
