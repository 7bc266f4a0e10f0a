"""Requests of any shape: each gets an answer that fits the service model, or a refusal in the protocol's words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.model import ListShape, Shape, StringShape, StructureShape
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from beat_the_ai.marketplace.api.operations import OPERATIONS, Call
from beat_the_ai.marketplace.api.service_model import operation_model
from beat_the_ai.marketplace.api.validation import read_members, read_request
from beat_the_ai.marketplace.clock import FrozenClock
from beat_the_ai.marketplace.errors import ParameterInvalid, RequestFailed
from beat_the_ai.marketplace.market import open_market
from beat_the_ai.marketplace.workplace import Workplace
from tests.examples import examples
from tests.marketplace.conftest import NEW_YEAR
from tests.marketplace.desk import Desk, check_hits, check_ledger, new_worker
from tests.marketplace.rehearsal import QUESTION
from tests.marketplace.test_qualifications import KEY, TEST

NUMBERS = st.one_of(st.integers(-2, 1000), st.sampled_from([2**31 - 1, 2**31, 2**63 - 1, 2**63, 10**30]))
TEXTS = st.one_of(st.text(max_size=20), st.sampled_from(["", "A" * 70_000, QUESTION, TEST, KEY.format(mapping="")]))
JUNK = st.one_of(st.none(), st.booleans(), st.floats(), st.just([]), st.just({}), TEXTS, NUMBERS)


def values(shape: Shape, ids: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Values of a shape, most of them valid."""
    if isinstance(shape, StructureShape):
        required = {name: shape.members[name] for name in shape.required_members}
        optional = {name: inner for name, inner in shape.members.items() if name not in required}
        return st.fixed_dictionaries(
            {name: values(inner, ids) for name, inner in required.items()},
            optional={name: values(inner, ids) for name, inner in optional.items()},
        )
    if isinstance(shape, ListShape):
        return st.lists(values(shape.member, ids), max_size=3)
    if shape.name in ("EntityId", "CustomerId", "PaginationToken") or shape.name == "String":
        return st.one_of(ids, TEXTS)
    if shape.type_name == "string":
        amounts = st.sampled_from(["0", "0.01", "2.00", "99999999999.99", "9" * 40])
        enum = shape.enum if isinstance(shape, StringShape) else []
        return st.sampled_from(enum) if enum else st.one_of(amounts, ids)
    if shape.type_name == "boolean":
        return st.booleans()
    return NUMBERS if shape.type_name in ("integer", "long") else st.floats()


ENDPOINTS = {"SQS": "http://127.0.0.1:9", "SNS": "http://127.0.0.1:9"}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder: Path = tmp_path_factory.mktemp("any")
    market = open_market(f"sqlite:///{folder}/market.db", FrozenClock(NEW_YEAR))
    yield Desk.opened(market)
    check_ledger(market)
    check_hits(market)
    market.close()


@pytest.fixture(scope="module")
def known(desk: Desk) -> list[str]:
    """Ids of things that are there."""
    worker, workplace = new_worker(desk.market), Workplace(desk.market)
    quiz = desk.ask("CreateQualificationType", Name="q", Description="d", QualificationTypeStatus="Active")
    quiz_id = quiz["QualificationType"]["QualificationTypeId"]
    hit_id, other = desk.new_hit(MaxAssignments=3), desk.new_hit()
    submitted = workplace.submit(worker, workplace.accept(worker, hit_id).id, [])
    accepted = workplace.accept(worker, other)
    request = workplace.request_qualification(worker, quiz_id)
    token = desk.ask("ListHITs", MaxResults=1)["NextToken"]
    hit_type = desk.hit(hit_id)["HITTypeId"]
    return [worker, quiz_id, hit_id, other, submitted.id, accepted.id, request.id, token, hit_type]


@pytest.mark.parametrize("name", sorted(OPERATIONS))
@settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(data=st.data())
def test_any_request_is_answered_or_refused(desk: Desk, known: list[str], name: str, data: st.DataObject) -> None:
    model, operation = operation_model(name), OPERATIONS[name]
    assert model.input_shape is not None
    members = data.draw(values(model.input_shape, st.sampled_from(known)))
    if members and data.draw(st.integers(0, 4)) == 0:
        members[data.draw(st.sampled_from(sorted(members)))] = data.draw(JUNK)
    try:
        given_members = read_request(model, json.dumps(members).encode())
        with desk.market.writing() if operation.writes else desk.market.reading() as moment:
            reply = operation.answer(Call(moment, desk.requester_id, ENDPOINTS), given_members)
    except (ParameterInvalid, RequestFailed):
        return
    if model.output_shape is not None:
        read_members(model.output_shape, json.loads(json.dumps(reply)), name)
