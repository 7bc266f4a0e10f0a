"""The client against Prolific's own document: all that it sends and reads, and each field that it relies on."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from beat_the_ai.crowds.prolific import external_study
from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.crowds.prolific.documents import Subscription
from beat_the_ai.crowds.prolific.hooks import EVENT
from beat_the_ai.crowds.prolific.offers import offer_of
from beat_the_ai.errors import Declined, Unanswered
from beat_the_ai.marketplace.people import studies
from tests.contracts.prolific import Breach, Contract, Document, closed, read_document, renamed
from tests.crowds.prolific.conftest import NewScene
from tests.crowds.prolific.scene import Scene
from tests.recruiter.running import Exchange

FREE = {"_links"}  # the document says nothing about its content


@pytest.fixture(scope="module")
def document(shared_data: Path) -> Document:
    return read_document(shared_data / "prolific")


@pytest.fixture
def exchanges(new_scene: NewScene, contract: Contract) -> Iterator[list[Exchange]]:
    """Every method of the client, called for a study as the mirror describes it."""
    scene = new_scene(prolific={"project": None, "filters": []})
    scene.offer(2)
    with scene.market.reading() as moment:
        study = studies.get_study(moment, scene.key)
        offer = offer_of(moment, study)
    assert offer is not None
    client, workspace = scene.client(), scene.followed.terms.workspace
    group = client.create_participant_group(workspace, "a group").id
    client.get_participant_groups(workspace)
    described = external_study.described(scene.followed, offer, "https://work.example.org")
    made = client.create_study(described)
    client.get_studies()
    client.get_workspace_balance(workspace)
    client.calculate_study_cost(200, 2)
    client.publish_study(made.id, "PUBLISH")
    client.get_study(made.id)
    client.update_study(made.id, {"total_available_places": 4})
    people = [scene.recruiter.participant() for _ in range(3)]
    sessions = [one.take(made.id) for one in people]
    for one, session in zip(people, sessions, strict=True):
        one.open(session)
    client.add_to_participant_group(group, [one.id for one in people])
    client.get_participant_group_participants(group)
    client.remove_from_participant_group(group, [people[0].id])
    client.transition_submission(sessions[0], {"action": "COMPLETE", "completion_code": study.terms["finished"]})
    for one in people[1:]:
        one.come_back(study.terms["done"])
    client.get_study_submissions(made.id)
    client.request_submission_return(sessions[1], ["No task was submitted."])
    client.transition_submission(
        sessions[2], {"action": "REJECT", "message": "x" * 100, "rejection_category": "NO_DATA"}
    )
    client.transition_submission(sessions[0], {"action": "APPROVE"})
    client.get_submission(sessions[0])
    client.pay_bonus_payments(client.create_bonus_payments(made.id, f"{sessions[0]},0.50\n").id)
    client.send_message(people[0].id, made.id, "Thank you.")
    client.get_study_jwks()
    client.create_secret(workspace)
    client.get_secrets(workspace)
    client.confirm_subscription(*_id_and_secret(client.create_subscription(workspace, EVENT, "http://127.0.0.1:9/x")))
    client.get_subscriptions(workspace)
    yield scene.transport.exchanges
    client.close()


def _id_and_secret(made: tuple[Subscription, str]) -> tuple[str, str]:
    return made[0].id, made[1]


def test_every_method_sends_and_reads_what_the_document_has(exchanges: list[Exchange], contract: Contract) -> None:
    methods = {name for name, _ in inspect.getmembers(ProlificClient, inspect.isfunction) if not name.startswith("_")}
    called = {contract.operation(one.method, one.path).name for one in exchanges}
    assert all(one.status < 400 for one in exchanges)
    assert len(called) == len(methods - {"close", "use_token"})


def test_a_renamed_field_of_any_request_or_answer_is_noticed(exchanges: list[Exchange], document: Document) -> None:
    """Each field that is sent, and each field that a record reads, in each operation."""
    tried = 0
    contract = Contract(closed(document))
    for operation, field in sorted(_used(exchanges, contract)):
        changed = Contract(closed(renamed(document, operation, field)))
        broken = [one for one in exchanges if contract.operation(one.method, one.path).name == operation]
        with pytest.raises(Breach):
            _check_all(broken, changed)
        tried += 1
    assert tried > 50


def _check_all(exchanges: list[Exchange], contract: Contract) -> None:
    for one in exchanges:
        one.check(contract)


def _used(exchanges: list[Exchange], contract: Contract) -> set[tuple[str, str]]:
    """Return the operations with the fields that are sent there or come back."""
    used = set()
    for one in exchanges:
        operation = contract.operation(one.method, one.path).name
        used |= {(operation, name) for name in [*_names(one.body), *_names(one.answer), *one.query]}
    return used


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in FREE:
                yield name
                yield from _names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner)


@pytest.mark.parametrize("operation", ["create-study", "pay-bonus-payments", "send-message"])
def test_what_may_not_be_repeated_is_sent_once(scene: Scene, operation: str) -> None:
    scene.recruiter.control("faults", {"rules": [{"kind": "fault", "operations": [operation]}]})
    client = scene.client(tries=5)
    calls: dict[str, Callable[[], object]] = {
        "create-study": lambda: client.create_study({}),
        "pay-bonus-payments": lambda: client.pay_bonus_payments("0" * 24),
        "send-message": lambda: client.send_message("0" * 24, "0" * 24, "x"),
    }
    with pytest.raises(Unanswered):
        calls[operation]()
    [struck] = scene.recruiter.control("faults")["rules"]
    assert struck["struck"] == 1
    client.close()


def test_pauses_grow_and_prolific_may_ask_for_longer_ones() -> None:
    pauses: list[float] = []
    answers = iter([httpx.Response(429, headers={"Retry-After": "7"}), *(httpx.Response(502) for _ in range(4))])
    transport = httpx.MockTransport(lambda request: next(answers))
    client = ProlificClient("http://prolific.example", "t", sleep=pauses.append, transport=transport)
    with pytest.raises(Unanswered, match="502"):
        client.get_study("x")
    assert pauses == [7.0, 1.0, 2.0, 4.0]


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json={"id": "x"}),
        httpx.Response(200, json=[]),
        httpx.Response(200, json={"id": "x", "status": "NEW WORD", "total_available_places": 1}),
    ],
)
def test_an_answer_that_cannot_be_read_is_no_answer(answer: httpx.Response) -> None:
    client = ProlificClient("http://prolific.example", "t", tries=1, transport=httpx.MockTransport(lambda _: answer))
    with pytest.raises(Unanswered):
        client.get_study("x")


def test_a_refusal_is_told_in_one_line_and_without_the_token() -> None:
    said = {"error": {"status": 400, "title": "Bad\nRequest", "detail": {"reward": ["too\tsmall" * 100]}}}
    transport = httpx.MockTransport(lambda request: httpx.Response(400, json=said))
    client = ProlificClient("http://prolific.example", "very-secret", transport=transport)
    with pytest.raises(Declined) as refused:
        client.get_study("x")
    assert refused.value.crowd_code == "400"
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400
    assert "very-secret" not in str(refused.value)
