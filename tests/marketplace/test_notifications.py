"""Event notifications: refused where they cannot be delivered, and delivered by AWS's own client where they can."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import pytest
from botocore.exceptions import ClientError

from beat_the_ai.marketplace.courier import Courier
from tests.marketplace.desk import rows
from tests.marketplace.rehearsal import HIT_TYPE, QUESTION, Rehearsal, store_in
from tests.marketplace.test_command_line import failure

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

TOPIC = "arn:aws:sns:us-east-1:000000000000:experiment"
EVENTS = ["AssignmentSubmitted", "HITReviewable"]
PUBLISHED = b"""<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>1</MessageId>
</PublishResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></PublishResponse>"""


@dataclass
class Queues:
    """A server that takes what SQS and SNS take, over the network; the first `failures` requests it does not."""

    failures: int = 0
    address: str = ""
    taken: list[tuple[str, str]] = field(default_factory=list)  # to which queue or topic, and what

    def take(self, headers: Any, body: str) -> bytes:
        if "X-Amz-Target" in headers:
            given = json.loads(body)
            self.taken.append((given["QueueUrl"], given["MessageBody"]))
            return b'{"MessageId": "1"}'
        fields = parse_qs(body)
        self.taken.append((fields["TopicArn"][0], fields["Message"][0]))
        return PUBLISHED


@pytest.fixture
def queues() -> Iterator[Queues]:
    running = Queues(failures=2)

    class Door(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            running.failures -= 1
            failed = running.failures >= 0
            self.send_response(503 if failed else 200)
            self.end_headers()
            self.wfile.write(b"" if failed else running.take(self.headers, body))

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Door) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        running.address = f"http://127.0.0.1:{server.server_address[1]}"
        yield running
        server.shutdown()


@pytest.fixture
def delivering(tmp_path: Path, queues: Queues, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rehearsal]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "anybody")  # otherwise boto3 looks for credentials on other machines
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "anything")
    options = ("--sqs", queues.address, "--sns", queues.address)
    with Rehearsal.started(store_in(tmp_path), options=options) as running:
        yield running


def notification(destination: str, transport: str, **changes: Any) -> Any:
    return {
        "Destination": destination,
        "Transport": transport,
        "Version": "2014-08-15",
        "EventTypes": EVENTS,
        **changes,
    }


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def events(taken: list[tuple[str, str]], destination: str) -> list[str]:
    return [json.loads(body)["Events"][0]["EventType"] for to, body in taken if to == destination]


@pytest.mark.parametrize("transport", ["SQS", "SNS"])
def test_events_are_delivered_to_whoever_asked_for_them(delivering: Rehearsal, queues: Queues, transport: str) -> None:
    client = delivering.client(delivering.new_requester())
    hit_type_id = client.create_hit_type(**HIT_TYPE)["HITTypeId"]
    destination = TOPIC if transport == "SNS" else f"{queues.address}/000000000000/{hit_type_id}"
    asked = notification(destination, transport)
    client.send_test_event_notification(Notification=asked, TestEventType="Ping")
    client.update_notification_settings(HITTypeId=hit_type_id, Notification=asked)
    for active in (True, False):
        client.update_notification_settings(HITTypeId=hit_type_id, Active=active)
        made = client.create_hit_with_hit_type(HITTypeId=hit_type_id, LifetimeInSeconds=600, Question=QUESTION)
        assignment_id = delivering.submit(made["HIT"]["HITId"], delivering.new_worker())
        if active:
            told = (hit_type_id, made["HIT"]["HITId"], assignment_id)
    wait_until(lambda: len(queues.taken) >= 3)  # the first two requests failed, and were made again
    assert sorted(events(queues.taken, destination)) == ["AssignmentSubmitted", "HITReviewable", "Ping"]
    bodies = {
        event["EventType"]: body for body in (json.loads(text) for _, text in queues.taken) for event in body["Events"]
    }
    submitted = bodies["AssignmentSubmitted"]
    assert submitted["EventDocVersion"] == "2014-08-15"
    [event] = submitted["Events"]
    assert (event["HITTypeId"], event["HITId"], event["AssignmentId"]) == told
    with delivering.market() as market:
        wait_until(lambda: rows(market, "deliveries") == [])
    assert len(queues.taken) == 3


def test_what_was_not_delivered_is_delivered_by_the_next_process(
    tmp_path: Path, queues: Queues, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "anybody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "anything")
    queues.failures = 0
    with Rehearsal.started(store_in(tmp_path), options=("--sns", "http://127.0.0.1:9")) as first:
        client = first.client(first.new_requester())
        client.send_test_event_notification(Notification=notification(TOPIC, "SNS"), TestEventType="Ping")
        first.kill()
    with Rehearsal.started(store_in(tmp_path), options=("--sns", queues.address)) as second:
        second.advance(hours=2)
        wait_until(lambda: events(queues.taken, TOPIC) == ["Ping"])


def test_a_server_that_is_started_without_their_way_says_that_notifications_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "anybody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "anything")
    with Rehearsal.started(store_in(tmp_path), options=("--sns", "http://127.0.0.1:9")) as first:
        client = first.client(first.new_requester())
        client.send_test_event_notification(Notification=notification(TOPIC, "SNS"), TestEventType="Ping")
        first.kill()
        with first.market() as market, Courier(market, {}).running():
            pass
        with first.market() as market, Courier(market, {"SNS": "http://127.0.0.1:9"}).running():
            pass
    [said] = [record.getMessage() for record in caplog.records if record.name.endswith("courier")]
    assert "no notifications by SNS" in said
    assert "1 wait" in said
    assert "without --sns" in said


def refusal(client: MTurkClient, asked: Any) -> tuple[str, str]:
    answers = set()
    hit_type_id = client.create_hit_type(**HIT_TYPE)["HITTypeId"]
    attempts: list[Callable[[], object]] = [
        lambda: client.update_notification_settings(HITTypeId=hit_type_id, Notification=asked),
        lambda: client.send_test_event_notification(Notification=asked, TestEventType="Ping"),
    ]
    for attempt in attempts:
        with pytest.raises(ClientError) as caught:
            attempt()
        response: Any = caught.value.response
        answers.add((response["TurkErrorCode"], response["Error"]["Message"].rpartition(" (")[0]))
    [answer] = answers
    return answer


def test_without_a_way_to_deliver_notifications_are_refused_when_they_are_set_up(client: MTurkClient) -> None:
    for transport in ("SQS", "SNS"):
        code, message = refusal(client, notification(TOPIC, transport))
        assert code == "AWS.MechanicalTurk.UnsupportedOperation"
        assert f"started without --{transport.lower()}" in message
        assert "ListReviewableHITs" in message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"Version": "2017-01-17"}, "Version must be 2006-05-05 or 2014-08-15"),
        ({"Transport": "Email"}, "must be SQS or SNS"),
        ({"Destination": "http://127.0.0.1:9/admin"}, "not the ARN of an SNS topic"),
        ({"Transport": "SQS", "Destination": "http://169.254.169.254/latest"}, "not the URL of an SQS queue"),
    ],
)
def test_a_destination_that_is_none_is_refused(delivering: Rehearsal, changes: dict[str, Any], message: str) -> None:
    client = delivering.client(delivering.new_requester())
    code, answer = refusal(client, {**notification(TOPIC, "SNS"), **changes})
    assert code == "AWS.MechanicalTurk.ParameterValidationError"
    assert message in answer


def test_a_queue_elsewhere_is_not_called(delivering: Rehearsal, queues: Queues) -> None:
    """Whatever host a requester names, the operator's server is asked."""
    queues.failures = 0
    client = delivering.client(delivering.new_requester())
    elsewhere = "http://169.254.169.254/000000000000/queue"
    client.send_test_event_notification(Notification=notification(elsewhere, "SQS"), TestEventType="Ping")
    wait_until(lambda: events(queues.taken, elsewhere) == ["Ping"])


def test_an_address_that_is_none_is_told_at_once(tmp_path: Path) -> None:
    status, message = failure("serve", "--store", str(tmp_path / "m.db"), "--sqs", "localhost:9324")
    assert status == 2
    assert "--sqs" in message
