"""Qualification types, requests, tests and requirements, from boto3's side and the worker's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.answers import FormAnswer
from beat_the_ai.marketplace.requirements import (
    ADULT,
    LOCALE,
    MASTERS,
    NUMBER_APPROVED,
    PERCENT_APPROVED,
    Profile,
    Requirement,
    is_met,
)
from beat_the_ai.marketplace.workers import Worker
from tests.marketplace.rehearsal import HIT, Rehearsal

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

TEST = (
    '<QuestionForm xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2017-11-06/QuestionForm.xsd">'
    "<Question><QuestionIdentifier>capital</QuestionIdentifier><QuestionContent><Text>Capital of Italy?</Text>"
    "</QuestionContent><AnswerSpecification><SelectionAnswer><Selections>"
    "<Selection><SelectionIdentifier>rome</SelectionIdentifier><Text>Rome</Text></Selection>"
    "<Selection><SelectionIdentifier>milan</SelectionIdentifier><Text>Milan</Text></Selection>"
    "</Selections></SelectionAnswer></AnswerSpecification></Question></QuestionForm>"
)
KEY = (
    '<AnswerKey xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/AnswerKey.xsd">'
    "<Question><QuestionIdentifier>capital</QuestionIdentifier>"
    "<AnswerOption><SelectionIdentifier>rome</SelectionIdentifier><AnswerScore>10</AnswerScore></AnswerOption>"
    "<AnswerOption><SelectionIdentifier>milan</SelectionIdentifier><AnswerScore>2</AnswerScore></AnswerOption>"
    "</Question>{mapping}</AnswerKey>"
)


def new_type(client: MTurkClient, name: str = "reader", **properties: Any) -> str:
    made = client.create_qualification_type(
        Name=name, Description="Reads well", QualificationTypeStatus="Active", **properties
    )
    return made["QualificationType"]["QualificationTypeId"]


def requirement(type_id: str, comparator: str, *integers: int, **rest: Any) -> dict[str, Any]:
    values = {"IntegerValues": list(integers)} if integers else {}
    return {"QualificationTypeId": type_id, "Comparator": comparator, **values, **rest}


def test_a_type_is_found_changed_and_deleted(client: MTurkClient) -> None:
    type_id = new_type(client, Keywords="reading, english")
    for query in ("reader", "ENGLISH reads", None):
        asked: Any = {"Query": query} if query else {}
        found = client.list_qualification_types(MustBeRequestable=True, MustBeOwnedByCaller=True, **asked)
        assert [one["QualificationTypeId"] for one in found["QualificationTypes"]] == [type_id]
    assert client.list_qualification_types(Query="100%", MustBeRequestable=True)["QualificationTypes"] == []
    with pytest.raises(ClientError, match="at most 500"):
        client.list_qualification_types(Query="x" * 501, MustBeRequestable=True)
    changed = client.update_qualification_type(QualificationTypeId=type_id, Description="Other", RetryDelayInSeconds=60)
    assert changed["QualificationType"]["RetryDelayInSeconds"] == 60
    assert client.get_qualification_type(QualificationTypeId=type_id)["QualificationType"]["Description"] == "Other"
    with pytest.raises(ClientError, match="You have already created a QualificationType with this name"):
        new_type(client)
    client.delete_qualification_type(QualificationTypeId=type_id)
    with pytest.raises(ClientError, match="does not exist"):
        client.get_qualification_type(QualificationTypeId=type_id)
    assert new_type(client) != type_id


def test_a_qualification_is_given_read_and_revoked(client: MTurkClient, rehearsal: Rehearsal) -> None:
    type_id, worker = new_type(client), rehearsal.new_worker()
    with pytest.raises(ClientError, match="You requested a Qualification that does not exist"):
        client.get_qualification_score(QualificationTypeId=type_id, WorkerId=worker)
    client.associate_qualification_with_worker(QualificationTypeId=type_id, WorkerId=worker)
    client.associate_qualification_with_worker(
        QualificationTypeId=type_id, WorkerId=worker, IntegerValue=7, SendNotification=False
    )
    score = client.get_qualification_score(QualificationTypeId=type_id, WorkerId=worker)["Qualification"]
    assert (score["IntegerValue"], score["Status"]) == (7, "Granted")
    client.disassociate_qualification_from_worker(QualificationTypeId=type_id, WorkerId=worker, Reason="Too fast")
    with pytest.raises(ClientError, match="This operation can be called with a status of: Granted"):
        client.get_qualification_score(QualificationTypeId=type_id, WorkerId=worker)
    listed = {
        status: client.list_workers_with_qualification_type(QualificationTypeId=type_id, Status=status)
        for status in ("Granted", "Revoked")
    }
    assert listed["Granted"]["Qualifications"] == []
    assert [one["WorkerId"] for one in listed["Revoked"]["Qualifications"]] == [worker]
    with rehearsal.workplace() as workplace:
        assert [message.body for message in workplace.messages(worker).items] == ["Too fast", "Reads well"]


def test_hits_ask_for_qualifications_and_say_what_is_missing(client: MTurkClient, rehearsal: Rehearsal) -> None:
    type_id, worker = new_type(client), rehearsal.new_worker(prior_approved=1500, prior_rate_percent=99)
    required: Any = [
        requirement(LOCALE, "In", LocaleValues=[{"Country": country} for country in ("CA", "GB", "US")]),
        requirement(PERCENT_APPROVED, "GreaterThan", 98),
        requirement(NUMBER_APPROVED, "GreaterThanOrEqualTo", 1000, ActionsGuarded="PreviewAndAccept"),
        requirement(type_id, "EqualTo", 1, ActionsGuarded="DiscoverPreviewAndAccept"),
    ]
    hit_id = client.create_hit(**{**HIT, "QualificationRequirements": required})["HIT"]["HITId"]
    assert [hit["HITId"] for hit in client.list_hits_for_qualification_type(QualificationTypeId=type_id)["HITs"]] == [
        hit_id
    ]
    with rehearsal.workplace() as workplace:
        for forbidden in (workplace.preview, workplace.accept):
            with pytest.raises(Refused, match="reader has not been granted to you"):
                forbidden(worker, hit_id)
        hit_type_id = client.get_hit(HITId=hit_id)["HIT"]["HITTypeId"]
        seen = [offer.hit_type.id for offer in workplace.offers(worker, size=100).items]
        assert hit_type_id not in seen
        client.associate_qualification_with_worker(QualificationTypeId=type_id, WorkerId=worker, IntegerValue=1)
        [offer] = [one for one in workplace.offers(worker, size=100).items if one.hit_type.id == hit_type_id]
        assert (offer.open_hits, list(offer.unmet)) == (1, [])
        assert [hit.id for hit in workplace.hits(worker, hit_type_id).items] == [hit_id]
        assert workplace.preview(worker, hit_id).question == HIT["Question"]
        workplace.accept(worker, hit_id)
        newcomer = rehearsal.new_worker(prior_approved=10)
        client.associate_qualification_with_worker(QualificationTypeId=type_id, WorkerId=newcomer, IntegerValue=1)
        types = [one.hit_type.id for one in workplace.offers(newcomer, size=100).items]
        assert hit_type_id not in types  # its only HIT is taken


def test_a_deleted_type_makes_no_more_hits(client: MTurkClient) -> None:
    type_id = new_type(client)
    required: Any = [requirement(type_id, "Exists")]
    hit_type_id = client.create_hit(**{**HIT, "QualificationRequirements": required})["HIT"]["HITTypeId"]
    client.delete_qualification_type(QualificationTypeId=type_id)
    with pytest.raises(ClientError, match=f"QualificationType {type_id} does not exist"):
        client.create_hit_with_hit_type(HITTypeId=hit_type_id, LifetimeInSeconds=60, Question=HIT["Question"])


def test_types_and_rules_of_requirements_are_checked(client: MTurkClient) -> None:
    inactive = new_type(client, "inactive")
    client.update_qualification_type(QualificationTypeId=inactive, QualificationTypeStatus="Inactive")
    for bad, expected in (
        ([requirement(LOCALE, "In")], "do not fit the comparator In"),
        ([requirement(LOCALE, "GreaterThan", LocaleValues=[{"Country": "US"}])], "do not fit"),
        ([requirement(PERCENT_APPROVED, "GreaterThan", 1, 2)], "do not fit"),
        ([requirement(PERCENT_APPROVED, "Exists", 1)], "do not fit"),
        ([requirement(PERCENT_APPROVED, "In", *range(16))], "do not fit"),
        ([requirement("3NOBODYS", "Exists")], "QualificationType 3NOBODYS does not exist"),
        ([requirement(inactive, "Exists")], "status of: Active"),
        ([requirement(PERCENT_APPROVED, "Exists")] * 11, "At most 10"),
    ):
        required: Any = bad
        with pytest.raises(ClientError, match=expected):
            client.create_hit(**{**HIT, "QualificationRequirements": required})


@pytest.mark.parametrize(
    ("comparator", "integers", "met_by"),
    [
        ("LessThan", (5,), {4}),
        ("LessThanOrEqualTo", (5,), {4, 5}),
        ("GreaterThan", (5,), {6}),
        ("GreaterThanOrEqualTo", (5,), {5, 6}),
        ("EqualTo", (5,), {5}),
        ("NotEqualTo", (5,), {4, 6}),
        ("In", (4, 5), {4, 5}),
        ("NotIn", (4, 5), {6}),
        ("Exists", (), {4, 5, 6}),
        ("DoesNotExist", (), {None}),
    ],
)
def test_comparators(comparator: str, integers: tuple[int, ...], met_by: set[int | None]) -> None:
    asked = Requirement("3TYPE", comparator, integers, (), frozenset())
    for value in (None, 4, 5, 6):
        profile = Profile(Worker("A1", "US"), {} if value is None else {"3TYPE": value})
        assert is_met(profile, asked) == (value in met_by), value


@pytest.mark.parametrize(
    ("comparator", "locales", "met"),
    [
        ("EqualTo", (("US", None),), True),
        ("EqualTo", (("US", "CA"),), True),
        ("EqualTo", (("US", "NY"),), False),
        ("NotEqualTo", (("US", "NY"),), True),
        ("In", (("GB", None), ("US", None)), True),
        ("NotIn", (("GB", None), ("US", None)), False),
    ],
)
def test_locales(comparator: str, locales: tuple[tuple[str, str | None], ...], met: bool) -> None:
    asked = Requirement(LOCALE, comparator, (), locales, frozenset())
    assert is_met(Profile(Worker("A1", "US", "CA"), {}), asked) == met


def test_system_qualifications_are_computed_from_the_worker() -> None:
    known = Profile(Worker("A1", "US", None, 1500, 99, adult=True, approved=10, rejected=100), {})
    assert known.value(NUMBER_APPROVED) == 1510
    assert known.value(PERCENT_APPROVED) == 92  # 1510 of (1500 / 0.99 + 110) are 92.9%
    assert known.value(ADULT) == 1
    assert not known.has(MASTERS)
    assert Profile(Worker("A1", "US", prior_approved=1500, prior_rate_percent=99), {}).value(PERCENT_APPROVED) == 99
    assert Profile(Worker("A1", "US"), {}).value(PERCENT_APPROVED) == 100


def test_requests_wait_for_the_requester(client: MTurkClient, rehearsal: Rehearsal) -> None:
    type_id, workers = new_type(client), [rehearsal.new_worker() for _ in range(2)]
    with rehearsal.workplace() as workplace:
        for worker in workers:
            assert workplace.request_qualification(worker, type_id).status == "Pending"
        with pytest.raises(Refused, match="has not decided yet"):
            workplace.request_qualification(workers[0], type_id)
        first, second = client.list_qualification_requests(QualificationTypeId=type_id)["QualificationRequests"]
        client.accept_qualification_request(QualificationRequestId=first["QualificationRequestId"], IntegerValue=3)
        client.reject_qualification_request(QualificationRequestId=second["QualificationRequestId"], Reason="no")
        assert client.list_qualification_requests()["QualificationRequests"] == []
        assert [held.value for held in workplace.qualifications(workers[0]).items] == [3]
        assert workplace.qualifications(workers[1]).items == []
        with pytest.raises(Refused, match="only once"):
            workplace.request_qualification(workers[1], type_id)
    with pytest.raises(ClientError, match="decided already"):
        client.accept_qualification_request(QualificationRequestId=first["QualificationRequestId"])


def test_an_auto_granted_qualification_is_there_at_once(client: MTurkClient, rehearsal: Rehearsal) -> None:
    type_id, worker = new_type(client, AutoGranted=True, AutoGrantedValue=5), rehearsal.new_worker()
    with rehearsal.workplace() as workplace:
        assert workplace.request_qualification(worker, type_id).status == "Granted"
    score = client.get_qualification_score(QualificationTypeId=type_id, WorkerId=worker)
    assert score["Qualification"]["IntegerValue"] == 5


PERCENTAGE = (
    "<QualificationValueMapping><PercentageMapping><MaximumSummedScore>10</MaximumSummedScore></PercentageMapping>"
    "</QualificationValueMapping>"
)
RANGES = (
    "<QualificationValueMapping><RangeMapping><SummedScoreRange><InclusiveLowerBound>5</InclusiveLowerBound>"
    "<InclusiveUpperBound>10</InclusiveUpperBound><QualificationValue>1</QualificationValue></SummedScoreRange>"
    "<OutOfRangeQualificationValue>0</OutOfRangeQualificationValue></RangeMapping></QualificationValueMapping>"
)


@pytest.mark.parametrize(
    ("mapping", "chosen", "value"),
    [
        ("", ["rome"], 10),
        ("", ["milan"], 2),
        ("", ["milan", "rome"], 0),
        ("", [], 0),
        (PERCENTAGE, ["milan"], 20),
        (RANGES, ["rome"], 1),
        (RANGES, ["milan"], 0),
    ],
)
def test_a_test_with_a_key_grants_by_itself(
    client: MTurkClient, rehearsal: Rehearsal, mapping: str, chosen: list[str], value: int
) -> None:
    key = KEY.format(mapping=mapping)
    type_id = new_type(client, Test=TEST, TestDurationInSeconds=600, AnswerKey=key)
    worker = rehearsal.new_worker()
    with rehearsal.workplace() as workplace:
        request = workplace.request_qualification(worker, type_id)
        assert (request.status, request.test) == ("Started", TEST)
        assert workplace.submit_test(worker, request.id, {"capital": FormAnswer(chosen)}) == "Granted"
    score = client.get_qualification_score(QualificationTypeId=type_id, WorkerId=worker)
    assert score["Qualification"]["IntegerValue"] == value


def test_a_test_without_a_key_waits_with_its_answers(client: MTurkClient, rehearsal: Rehearsal) -> None:
    type_id, worker = new_type(client, Test=TEST, TestDurationInSeconds=600), rehearsal.new_worker()
    with rehearsal.workplace() as workplace:
        request = workplace.request_qualification(worker, type_id)
        assert workplace.submit_test(worker, request.id, {"capital": FormAnswer(["rome"])}) == "Pending"
        with pytest.raises(Refused, match="answered already"):
            workplace.submit_test(worker, request.id, {"capital": FormAnswer(["rome"])})
    [waiting] = client.list_qualification_requests(QualificationTypeId=type_id)["QualificationRequests"]
    assert "<SelectionIdentifier>rome</SelectionIdentifier>" in waiting["Answer"]
    assert waiting["Test"] == TEST


def test_the_rules_of_types_are_checked(client: MTurkClient) -> None:
    form: Any = {"Test": TEST, "TestDurationInSeconds": 600}
    bad: list[tuple[dict[str, Any], str]] = [
        ({"Test": TEST}, "given together"),
        ({"AnswerKey": KEY.format(mapping="")}, "needs a Test"),
        ({**form, "AutoGranted": True}, "cannot be AutoGranted"),
        ({**form, "Test": "<HTMLQuestion/>"}, "must be one of QuestionForm"),
        ({**form, "AnswerKey": "<AnswerKey/>"}, "needs questions"),
        ({**form, "AnswerKey": KEY.format(mapping=PERCENTAGE.replace("10", "0"))}, "at least 1"),
        ({**form, "Test": '<!DOCTYPE a [<!ENTITY b "c">]><QuestionForm>&b;</QuestionForm>'}, "DOCTYPE"),
    ]
    for properties, expected in bad:
        with pytest.raises(ClientError, match=expected):
            new_type(client, "bad", **properties)


def test_only_the_owner_sees_the_key_and_gives_the_qualification(client: MTurkClient, rehearsal: Rehearsal) -> None:
    key = KEY.format(mapping="")
    type_id = new_type(client, Test=TEST, TestDurationInSeconds=600, AnswerKey=key)
    stranger = rehearsal.client(rehearsal.new_requester())
    assert client.get_qualification_type(QualificationTypeId=type_id)["QualificationType"]["AnswerKey"] == key
    assert "AnswerKey" not in stranger.get_qualification_type(QualificationTypeId=type_id)["QualificationType"]
    with pytest.raises(ClientError, match="does not exist"):
        stranger.associate_qualification_with_worker(QualificationTypeId=type_id, WorkerId=rehearsal.new_worker())
    assert not client.get_qualification_type(QualificationTypeId=LOCALE)["QualificationType"]["IsRequestable"]
