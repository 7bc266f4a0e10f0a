"""What crosses the network: signatures, validation, and the form of errors."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from beat_the_ai.marketplace.api.service_model import operation_model, operation_names
from beat_the_ai.marketplace.api.signature import SignedRequest, verify
from beat_the_ai.marketplace.api.validation import read_request
from beat_the_ai.marketplace.errors import NotAuthentic, ParameterInvalid
from beat_the_ai.marketplace.questions import RESERVED
from beat_the_ai.marketplace.requesters import AccessKey
from tests.marketplace.rehearsal import HIT, Rehearsal

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

KEY = AccessKey("BTAIKEY", "the secret", "AREQUESTER")


def signed(key: AccessKey = KEY, headers: dict[str, str] | None = None, body: bytes = b"{}") -> SignedRequest:
    """A request signed by botocore, now."""
    given = {
        "host": "market.test",
        "x-amz-target": "MTurkRequesterServiceV20170117.GetAccountBalance",
        "content-type": "application/x-amz-json-1.1",
        **(headers or {}),
    }
    request = AWSRequest("POST", f"http://{given['host']}/", headers=given, data=body)
    SigV4Auth(Credentials(key.id, key.secret), "mturk-requester", "us-east-1").add_auth(request)
    return SignedRequest("POST", "/", {name.lower(): value for name, value in request.headers.items()}, body)


def check(request: SignedRequest, now: datetime | None = None, known: AccessKey | None = KEY) -> AccessKey:
    def find(key_id: str) -> AccessKey | None:
        return known if known is not None and known.id == key_id else None

    return verify(request, find, now or datetime.now(timezone.utc))


def test_what_botocore_signs_is_accepted_for_five_minutes() -> None:
    request, now = signed(), datetime.now(timezone.utc)
    assert check(request) == KEY
    assert check(request, now + timedelta(minutes=4)) == KEY
    for late in (timedelta(minutes=6), timedelta(minutes=-6), timedelta(days=1)):
        with pytest.raises(NotAuthentic, match="expired"):
            check(request, now + late)


def test_whatever_is_changed_breaks_the_signature() -> None:
    request = signed()
    changed = [
        replace(request, body=b'{"a": 1}'),
        replace(request, path="/other"),
        replace(request, method="GET"),
        replace(request, headers={**request.headers, "x-amz-target": "MTurkRequesterServiceV20170117.SendBonus"}),
        replace(request, headers={**request.headers, "host": "other.test"}),
        signed(replace(KEY, secret="guessed")),
    ]
    for one in changed:
        with pytest.raises(NotAuthentic) as caught:
            check(one)
        assert caught.value.type_name == "InvalidSignatureException"


def test_a_stated_hash_must_be_the_bodys() -> None:
    with pytest.raises(NotAuthentic, match="hash of the body"):
        check(signed(headers={"x-amz-content-sha256": "UNSIGNED-PAYLOAD"}))


def test_a_request_without_a_known_key_is_refused_by_the_reason() -> None:
    request = signed()
    without = {name: value for name, value in request.headers.items() if name != "authorization"}
    unsigned_target = request.headers["authorization"].replace(";x-amz-target", "")
    for headers, type_name in (
        (without, "MissingAuthenticationTokenException"),
        ({**without, "authorization": "AWS4-HMAC-SHA256 nonsense"}, "IncompleteSignatureException"),
        ({**without, "authorization": unsigned_target}, "IncompleteSignatureException"),
        ({**request.headers, "x-amz-date": "yesterday"}, "IncompleteSignatureException"),
    ):
        with pytest.raises(NotAuthentic) as caught:
            check(replace(request, headers=headers))
        assert caught.value.type_name == type_name
    with pytest.raises(NotAuthentic) as caught:
        check(request, known=None)
    assert caught.value.type_name == "UnrecognizedClientException"


def test_the_server_lets_nobody_in_without_a_signature(rehearsal: Rehearsal) -> None:
    target = {"X-Amz-Target": "MTurkRequesterServiceV20170117.GetAccountBalance"}
    answered = httpx.post(rehearsal.address, headers=target, content=b"{}")
    assert (answered.status_code, answered.json()["__type"]) == (400, "MissingAuthenticationTokenException")
    with pytest.raises(ClientError, match="UnrecognizedClientException"):
        rehearsal.client(AccessKey("BTAINOBODY", "x", "")).get_account_balance()
    stolen = replace(rehearsal.new_requester(), secret="guessed")
    with pytest.raises(ClientError, match="InvalidSignatureException"):
        rehearsal.client(stolen).get_account_balance()


def test_an_unknown_operation_or_a_huge_body_is_refused(rehearsal: Rehearsal) -> None:
    answered = httpx.post(rehearsal.address, headers={"X-Amz-Target": "S3.Get"}, content=b"{}")
    assert (answered.status_code, answered.json()["__type"]) == (400, "UnknownOperationException")
    answered = httpx.post(rehearsal.address, content=b"x" * (2 * 1024 * 1024))
    assert (answered.status_code, answered.json()["__type"]) == (400, "ValidationException")
    assert httpx.get(f"{rehearsal.address}/health").json() == {"server": "marketplace", "status": "ready"}


@pytest.mark.parametrize(("method", "path"), [("PUT", "/"), ("POST", "/worker/hits"), ("GET", "/nowhere")])
def test_a_wrong_path_says_what_this_server_is(rehearsal: Rehearsal, method: str, path: str) -> None:
    answered = httpx.request(method, f"{rehearsal.address}{path}")
    assert answered.status_code == 404
    assert answered.text.startswith(f"There is no {method} {path} here. This is a marketplace")
    assert "Workers sign in at /worker" in answered.text


def test_errors_have_the_protocols_form(client: MTurkClient) -> None:
    with pytest.raises(ClientError) as caught:
        client.get_hit(HITId="3NOTHERE")
    response: Any = caught.value.response
    assert isinstance(caught.value, client.exceptions.RequestError)
    assert response["ResponseMetadata"]["HTTPStatusCode"] == 400
    assert response["Error"]["Code"] == "RequestError"
    assert response["Error"]["Message"].startswith("Hit 3NOTHERE does not exist. (")
    assert response["TurkErrorCode"] == "AWS.MechanicalTurk.HITDoesNotExist"


PATTERN = r"^[0-9]+(\.)?[0-9]{0,2}$"


@pytest.mark.parametrize(
    ("operation", "given", "message"),
    [
        ("GetHIT", {}, "Value null at 'hITId' failed to satisfy constraint: Member must not be null"),
        ("GetHIT", {"HITId": "a b"}, "must satisfy regular expression pattern: ^[A-Z0-9]+$"),
        ("GetHIT", {"HITId": "3A\n"}, "must satisfy regular expression pattern"),
        ("GetHIT", {"HITId": "3" * 65}, "must have length less than or equal to 64"),
        ("GetHIT", {"HITId": "3A", "Fields": []}, "Unknown parameter 'Fields'"),
        ("ListHITs", {"MaxResults": 101}, "must have value less than or equal to 100"),
        ("ListHITs", {"MaxResults": 0}, "must have value greater than or equal to 1"),
        ("ListHITs", {"NextToken": ""}, "must have length greater than or equal to 1"),
        ("ListReviewableHITs", {"Status": "Done"}, "must satisfy enum value set: [Reviewable, Reviewing]"),
        (
            "SendBonus",
            {"WorkerId": "A1", "BonusAmount": "0.9752", "AssignmentId": "3A", "Reason": "x"},
            f"1 validation error detected: Value '0.9752' at 'bonusAmount' failed to satisfy constraint: "
            f"Member must satisfy regular expression pattern: {PATTERN}",
        ),
        ("SendBonus", {"WorkerId": "B1"}, "4 validation errors detected"),
        ("ListAssignmentsForHIT", {"HITId": "3A", "AssignmentStatuses": ["Lost"]}, "'assignmentStatuses.1.member'"),
        ("NotifyWorkers", {"Subject": "a\0b", "MessageText": "b", "WorkerIds": ["A1"]}, "U+0000"),
    ],
)
def test_the_service_model_is_enforced(operation: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterInvalid) as caught:
        read_request(operation_model(operation), json.dumps(given).encode())
    assert message in str(caught.value)
    assert caught.value.type_name == "ValidationException"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'"text"',
        b"\xff",
        b'{"HITId": 3}',
        b'{"HITId": ["3A"]}',
        b'{"HITId": "\\ud800"}',
        b"[" * 100_000,
        b'{"HITId": NaN}',
    ],
)
def test_what_is_no_such_structure_is_refused(body: bytes) -> None:
    with pytest.raises(ParameterInvalid):
        read_request(operation_model("GetHIT"), body)


@pytest.mark.parametrize("time", ["2015-01-01", True, -1, 1e300, "1e3", []])
def test_a_time_is_seconds_since_1970(time: object) -> None:
    body = json.dumps({"HITId": "3A", "ExpireAt": time}).encode()
    with pytest.raises(ParameterInvalid):
        read_request(operation_model("UpdateExpirationForHIT"), body)


def test_null_members_count_as_left_out() -> None:
    assert read_request(operation_model("ListHITs"), b'{"MaxResults": null}') == {}


def test_every_operation_of_the_model_refuses_what_it_does_not_know() -> None:
    for name in operation_names():
        with pytest.raises(ParameterInvalid, match="Unknown parameter"):
            read_request(operation_model(name), b'{"Nonsense": 1}')


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"LifetimeInSeconds": 29}, "LifetimeInSeconds"),
        ({"LifetimeInSeconds": 31_536_001}, "LifetimeInSeconds"),
        ({"AssignmentDurationInSeconds": 29}, "AssignmentDurationInSeconds"),
        ({"AutoApprovalDelayInSeconds": 2_592_001}, "AutoApprovalDelayInSeconds"),
        ({"Title": "x" * 129}, "Title"),
        ({"Title": " "}, "Title"),
        ({"Description": "x" * 2001}, "Description"),
        ({"Keywords": "x" * 1001}, "Keywords"),
        ({"RequesterAnnotation": "x" * 256}, "RequesterAnnotation"),
        ({"MaxAssignments": 0}, "MaxAssignments"),
        ({"Reward": "1000000000.00"}, "too large"),
        ({"Question": "x" * 65_536}, "65535"),
        ({"Question": "<ExternalQuestion>"}, "well-formed"),
        ({"Question": "<Quiz/>"}, "must be one of"),
        ({"Question": '<!DOCTYPE q [<!ENTITY a "b">]><HTMLQuestion>&a;</HTMLQuestion>'}, "DOCTYPE"),
        ({"Question": HIT["Question"].replace("https", "http")}, "https"),
        ({"Question": HIT["Question"].replace("600", "tall")}, "FrameHeight"),
        ({"Question": HIT["Question"].replace("https:", "javascript:")}, "https"),
    ],
)
def test_documented_limits_are_kept(client: MTurkClient, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(client.exceptions.RequestError, match=message):
        client.create_hit(**{**HIT, **changes})


XMLNS = re.compile(r' xmlns="[^"]*"')
HTML = (
    '<HTMLQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd">'
    "<HTMLContent><![CDATA[<p>?</p>]]></HTMLContent><FrameHeight>0</FrameHeight></HTMLQuestion>"
)
FORM = (
    '<QuestionForm xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/QuestionForm.xsd">'
    "<Question><QuestionIdentifier>q</QuestionIdentifier><QuestionContent><Text>Which?</Text></QuestionContent>"
    "<AnswerSpecification><FreeTextAnswer/></AnswerSpecification></Question></QuestionForm>"
)
PICTURE = (
    "<Binary><MimeType><Type>image</Type></MimeType><DataURL>http://example.org/a.png</DataURL>"
    "<AltText>A bird</AltText></Binary>"
)
UPLOAD = (
    "<FileUploadAnswer><MaxFileSizeInBytes>9</MaxFileSizeInBytes><MinFileSizeInBytes>1</MinFileSizeInBytes>"
    "</FileUploadAnswer>"
)


def selections(*ids: str, limits: str = "") -> str:
    chosen = "".join(
        f"<Selection><SelectionIdentifier>{one}</SelectionIdentifier><Text>x</Text></Selection>" for one in ids
    )
    return FORM.replace(
        "<FreeTextAnswer/>", f"<SelectionAnswer>{limits}<Selections>{chosen}</Selections></SelectionAnswer>"
    )


@pytest.mark.parametrize("question", [HIT["Question"], HTML, FORM, FORM.replace("2005-10-01", "2017-11-06")])
def test_every_kind_of_question_is_taken(client: MTurkClient, question: str) -> None:
    made = client.create_hit(**{**HIT, "Question": question})["HIT"]
    assert client.get_hit(HITId=made["HITId"])["HIT"]["Question"] == question


@pytest.mark.parametrize(
    ("question", "message"),
    [
        *((XMLNS.sub("", text), "namespace of .* is missing") for text in (HIT["Question"], HTML, FORM)),
        (HIT["Question"].replace("2006-07-14", "2006-07-15"), "2006-07-14/ExternalQuestion.xsd"),
        (HIT["Question"].replace("<ExternalURL>", '<ExternalURL xmlns="urn:other">'), "another namespace"),
        (HIT["Question"].replace("<FrameHeight>600</FrameHeight>", ""), "must hold ExternalURL, FrameHeight"),
        (HIT["Question"].replace("</ExternalQuestion>", "<Sandbox/></ExternalQuestion>"), "Sandbox"),
        (HIT["Question"].replace("<FrameHeight>", "<FrameHeight>1</FrameHeight><FrameHeight>"), "must hold"),
        (HIT["Question"].replace("<FrameHeight>", "text<FrameHeight>"), "a text beside its elements"),
        (HIT["Question"].replace("https://example.org/task?a=1&amp;b=2", " "), "not an https address"),
        (HIT["Question"].replace("https://example.org", "<b>https://example.org</b>"), "must hold a text only"),
        (HIT["Question"].replace("600", "-1"), "from 0 to 65535"),
        (HIT["Question"].replace("600", "65536"), "from 0 to 65535"),
        (HIT["Question"].replace("600", ""), "from 0 to 65535"),
        *((HIT["Question"].replace("a=1", f"{name}=1"), f"has the parameter {name}") for name in RESERVED),
        (HIT["Question"].replace("a=1", "workerId"), "has the parameter workerId"),
        (HTML.replace("<p>?</p>", " "), "HTMLContent is empty"),
        (FORM.replace("<Text>Which?</Text>", ""), "QuestionContent holds nothing"),
        (FORM.replace(">q<", "> <"), "QuestionIdentifier '' is empty"),
        (re.sub("(<Question>.*</Question>)", r"\1\1", FORM), "'q' is empty or comes twice"),
        (FORM.replace("<FreeTextAnswer/>", UPLOAD), "holds FileUploadAnswer"),
        (FORM.replace("<Text>Which?</Text>", PICTURE), "not an https address"),
        (FORM.replace("<FreeTextAnswer/>", '<FreeTextAnswer id="1"/>'), "attribute id"),
        (selections("a", "a"), "'a' is empty or comes twice"),
        (selections("a", limits="<MinSelectionCount>2</MinSelectionCount>"), "MinSelectionCount is 2 of 1"),
        (selections("a", limits="<MaxSelectionCount>all</MaxSelectionCount>"), "a whole number"),
        (selections("a", limits="<StyleSuggestion>wheel</StyleSuggestion>"), "StyleSuggestion"),
    ],
)
def test_questions_that_do_not_fit_their_schema_are_refused(client: MTurkClient, question: str, message: str) -> None:
    with pytest.raises(client.exceptions.RequestError, match=message) as caught:
        client.create_hit(**{**HIT, "Question": question})
    response: Any = caught.value.response
    assert response["TurkErrorCode"] == "AWS.MechanicalTurk.ParameterValidationError"
    assert client.list_hits()["HITs"] == []
    assert client.get_account_balance()["OnHoldBalance"] == "0.00"
