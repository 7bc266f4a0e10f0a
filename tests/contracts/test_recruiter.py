"""The local recruiter against Prolific's own document: each operation, each field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from beat_the_ai.crowds.prolific.settlement import REJECTIONS
from beat_the_ai.marketplace.clock import ShiftedClock
from beat_the_ai.recruiter.api.operations import NAMES, OPERATIONS
from beat_the_ai.recruiter.recruiter import open_recruiter
from beat_the_ai.recruiter.server import build_app
from tests.contracts.prolific import Breach, Contract, Document, closed, read_document, renamed
from tests.recruiter.everything import call_everything
from tests.recruiter.running import Exchange, Participant, Researcher

WITHOUT_FIELDS = {"pay-bonus-payments", "delete-study", "delete-participant-group", "delete-subscription"}
# Fields of these carry whatever was sent or has no name in the document.
FREE = {"_links", "payload", "weightings", "detail"}


@pytest.fixture(scope="module")
def document(shared_data: Path) -> Document:
    return read_document(shared_data / "prolific")


@pytest.fixture(scope="module")
def contract(document: Document) -> Contract:
    return Contract(closed(document))


@pytest.fixture(scope="module")
def exchanges(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Exchange]]:
    """Every operation's exchanges, each of which is the document's."""
    folder = tmp_path_factory.mktemp("recruiter")
    recruiter = open_recruiter(str(folder / "recruiter.db"), "GBP", 1000_00, ShiftedClock())
    app = build_app(recruiter, "control")
    researcher = Researcher(TestClient(app), recruiter.workspace.token, contract)
    new_participant: Callable[[], Participant] = lambda: Participant(TestClient(app)).sign_up()  # noqa: E731
    call_everything(researcher, recruiter, new_participant)
    yield researcher.exchanges
    recruiter.close()


def test_every_operation_of_the_recruiter_is_the_documents(document: Document) -> None:
    described = {
        (method.upper(), path): one["operationId"]
        for path, methods in document["paths"].items()
        for method, one in methods.items()
    }
    assert {(one.method, one.path): one.name for one in OPERATIONS}.items() <= described.items()


def test_every_operation_succeeds_with_requests_and_answers_of_the_document(
    contract: Contract, exchanges: list[Exchange]
) -> None:
    done = {contract.operation(one.method, one.path).name for one in exchanges if one.status < 400}
    assert done == NAMES
    failed = {one.status for one in exchanges if one.status >= 400}
    assert failed == {400, 404}


def test_the_categories_of_a_rejection_are_the_documents(document: Document) -> None:
    categories = document["components"]["schemas"]["SubmissionTransitionRejectionCategory"]["enum"]
    assert list(REJECTIONS.categories) == categories


@pytest.mark.parametrize("operation", sorted(NAMES))
def test_a_field_with_another_name_is_a_breach(
    document: Document, contract: Contract, exchanges: list[Exchange], operation: str
) -> None:
    whole = closed(document)
    mine = [one for one in exchanges if contract.operation(one.method, one.path).name == operation]
    used = {name for one in mine for name in _names(one)}
    assert used or operation in WITHOUT_FIELDS
    unnoticed = []
    for name in sorted(used):
        other = Contract(renamed(whole, operation, name))
        if not any(_breaks(one, other) for one in mine if name in _names(one)):
            unnoticed.append(name)
    assert unnoticed == []


@pytest.mark.parametrize("operation", sorted(NAMES))
def test_a_required_field_that_is_left_out_is_a_breach(
    contract: Contract, exchanges: list[Exchange], operation: str
) -> None:
    for one in exchanges:
        if contract.operation(one.method, one.path).name != operation or one.status >= 400:
            continue
        schema = contract.operation(one.method, one.path).request_schema
        if schema is None or not isinstance(one.body, dict):
            continue
        for name in contract.required(schema):
            body = {field: value for field, value in one.body.items() if field != name}
            with pytest.raises(Breach):
                contract.check_request(one.method, one.path, one.query, one.headers, body)


def test_a_field_that_the_document_does_not_have_is_a_breach(contract: Contract, exchanges: list[Exchange]) -> None:
    for one in exchanges:
        if isinstance(one.answer, dict):
            with pytest.raises(Breach):
                contract.check_response(one.method, one.path, one.status, {**one.answer, "more": 1})
        if isinstance(one.body, dict) and one.status < 400:
            with pytest.raises(Breach):
                contract.check_request(one.method, one.path, one.query, one.headers, {**one.body, "more": 1})
            with pytest.raises(Breach):
                contract.check_request(one.method, one.path, {**one.query, "more": "1"}, one.headers, one.body)


def test_a_request_without_a_token_is_a_breach(contract: Contract) -> None:
    with pytest.raises(Breach, match="Authorization"):
        contract.check_request("GET", "/api/v1/users/me/", {}, {}, None)
    with pytest.raises(Breach, match="no GET"):
        contract.check_request("GET", "/api/v1/users/me", {}, {"authorization": "Token t"}, None)


def _breaks(one: Exchange, contract: Contract) -> bool:
    try:
        one.check(contract)
    except Breach:
        return True
    return False


def _names(one: Exchange) -> set[str]:
    sent = set() if one.status >= 400 else {*one.query, *_fields(one.body)}
    return {*sent, *_fields(one.answer)}


def _fields(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, child in value.items():
            yield name
            if name not in FREE:
                yield from _fields(child)
    elif isinstance(value, list):
        for child in value:
            yield from _fields(child)
