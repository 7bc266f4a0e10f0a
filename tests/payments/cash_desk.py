"""A cash desk that speaks MTurk's JSON 1.1 to an unmodified boto3 client, keeps time by a clock of its own, and fails
in every way that loses money: a small real HTTP server, with the rules that matter (tokens, funds, states, pages).
"""

from __future__ import annotations

import json
import re
import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

from beat_the_ai.requester import BookedBonus, Requester

TOKEN_LIFE = timedelta(hours=24)
PATTERNS = {"WorkerId": r"A[A-Z0-9]{0,63}", "AssignmentId": r"[A-Z0-9]{1,64}", "BonusAmount": r"[0-9]+\.?[0-9]{0,2}"}
START = datetime(2020, 1, 1, tzinfo=timezone.utc)

# What happens to a request that changes something. "kept back": it is carried out after a while, unanswered;
# "gateway": it is carried out, and something between says that it took too long.
FAULTS = ("reply lost", "request lost", "kept back", "throttled", "fault", "fault after all", "gateway")


@dataclass
class Clock:
    """Everybody's time in a test."""

    time: datetime = START

    def __call__(self) -> datetime:
        return self.time

    def pass_by(self, span: timedelta) -> None:
        self.time += span


class Refusal(Exception):
    def __init__(self, code: str, message: str, kind: str = "RequestError", status: int = 400) -> None:
        super().__init__(message)
        self.body = {"__type": kind, "Message": message, "TurkErrorCode": f"AWS.MechanicalTurk.{code}"}
        self.status = status

    @classmethod
    def of_a_gateway(cls) -> Refusal:
        """Not from the crowd, which may have done what was asked."""
        refusal = cls("", "")
        refusal.body, refusal.status = {}, 408
        return refusal


def throttling() -> Refusal:
    return Refusal("Throttled", "Rate exceeded", "ThrottlingException")


def service_fault() -> Refusal:
    return Refusal("ServiceFault", "Please try again.", "ServiceFault", 500)


@dataclass
class CashDesk:
    """`faults` hit the next requests that change something, `list_faults` the next lists, one each."""

    clock: Clock = field(default_factory=Clock)
    balance_cents: int = 10_000_000
    page_size: int = 2
    list_lag: timedelta = timedelta()
    booked: list[BookedBonus] = field(default_factory=list)
    statuses: dict[str, str] = field(default_factory=dict)
    faults: deque[str] = field(default_factory=deque)
    list_faults: deque[str] = field(default_factory=deque)
    requests: list[str] = field(default_factory=list)
    on_booked: Callable[[], object] = lambda: None
    _booked_at: list[datetime] = field(default_factory=list)
    _tokens: dict[str, datetime] = field(default_factory=dict)
    _kept_back: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def open(self) -> Iterator[str]:
        """Its address, while it is open."""
        with serve(lambda: self) as address:
            yield address

    def answer(self, operation: str, request: dict[str, Any]) -> dict[str, Any] | None:
        """None when the connection is to break instead."""
        with self._lock:
            self.requests.append(operation)
            if operation in ("SendBonus", "ApproveAssignment"):
                return self._change(operation, request)
            if self.list_faults and operation == "ListBonusPayments":
                fault = self.list_faults.popleft()
                if fault == "throttled":
                    raise throttling()
                return None
            return self._carry_out(operation, request)

    def _change(self, operation: str, request: dict[str, Any]) -> dict[str, Any] | None:
        fault = self.faults.popleft() if self.faults else None
        if fault == "throttled":
            raise throttling()
        if fault == "fault":
            raise service_fault()
        if fault == "kept back":
            self._kept_back.append((operation, request))
        if fault in ("request lost", "kept back"):
            return None
        reply = self._carry_out(operation, request)
        self.on_booked()
        if fault == "fault after all":
            raise service_fault()
        if fault == "gateway":
            raise Refusal.of_a_gateway()
        return None if fault == "reply lost" else reply

    def deliver(self) -> None:
        """What was kept back arrives now."""
        with self._lock:
            late, self._kept_back = self._kept_back, []
            for operation, request in late:
                try:
                    self._carry_out(operation, request)
                except Refusal:
                    continue

    def _carry_out(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        for name, pattern in PATTERNS.items():
            if name in request and not re.fullmatch(pattern, request[name]):
                raise Refusal("ParameterValidationError", f"{name} does not match {pattern}", "ValidationException")
        operations: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "SendBonus": self._send_bonus,
            "ListBonusPayments": self._list_bonus_payments,
            "ApproveAssignment": self._approve_assignment,
            "GetAssignment": self._get_assignment,
            "GetAccountBalance": lambda _request: {"AvailableBalance": _dollars(self.balance_cents)},
        }
        return operations[operation](request)

    def _send_bonus(self, request: dict[str, Any]) -> dict[str, Any]:
        token, cents = request["UniqueRequestToken"], _cents(request["BonusAmount"])
        assert len(token) <= 64
        if token in self._tokens and self.clock() < self._tokens[token] + TOKEN_LIFE:
            raise Refusal(
                "RequestAlreadyProcessed", f'The idempotency token "{token}" has already been processed. (1626172)'
            )
        if self.statuses.get(request["AssignmentId"]) is None:
            raise Refusal("AssignmentDoesNotExist", f"Assignment {request['AssignmentId']} does not exist.")
        cost_cents = cents + max(1, (cents * 20 + 50) // 100)
        if cost_cents > self.balance_cents:
            raise Refusal("InsufficientFunds", "This Requester has insufficient funds in their account.")
        self.balance_cents -= cost_cents
        self._tokens[token] = self.clock()
        self.booked.append(BookedBonus(request["WorkerId"], request["AssignmentId"], cents, request["Reason"]))
        self._booked_at.append(self.clock())
        return {}

    def _list_bonus_payments(self, request: dict[str, Any]) -> dict[str, Any]:
        shown = [
            bonus
            for bonus, at in zip(self.booked, self._booked_at, strict=True)
            if bonus.assignment == request["AssignmentId"] and self.clock() - at >= self.list_lag
        ]
        start = int(request.get("NextToken", "0"))
        page = shown[start : start + self.page_size]
        rows = [
            {
                "WorkerId": bonus.worker,
                "AssignmentId": bonus.assignment,
                "BonusAmount": _dollars(bonus.cents),
                "Reason": bonus.reason,
                "GrantTime": 0,
            }
            for bonus in page
        ]
        following = {"NextToken": str(start + self.page_size)} if page else {}
        return {"NumResults": len(page), "BonusPayments": rows, **following}

    def _approve_assignment(self, request: dict[str, Any]) -> dict[str, Any]:
        status = self.statuses.get(request["AssignmentId"])
        if status != "Submitted":
            message = f"This operation can be called with a status of: Submitted. It is {status}."
            raise Refusal("InvalidAssignmentState", message)
        self.statuses[request["AssignmentId"]] = "Approved"
        return {}

    def _get_assignment(self, request: dict[str, Any]) -> dict[str, Any]:
        status = self.statuses.get(request["AssignmentId"])
        if status is None:
            raise Refusal("AssignmentDoesNotExist", f"Assignment {request['AssignmentId']} does not exist.")
        return {"Assignment": {"AssignmentId": request["AssignmentId"], "AssignmentStatus": status}}


@contextmanager
def serve(desk: Callable[[], CashDesk]) -> Iterator[str]:
    """The address of whichever desk is the present one."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _window(desk))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _window(desk: Callable[[], CashDesk]) -> type[BaseHTTPRequestHandler]:
    class Window(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # header and body in one packet

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            operation = self.headers["X-Amz-Target"].rpartition(".")[2]
            try:
                reply, status = desk().answer(operation, request), 200
            except Refusal as refusal:
                reply, status = refusal.body, refusal.status
            if reply is None:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            body = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/x-amz-json-1.1")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: Any) -> None:
            pass

    return Window


def connect(address: str) -> Requester:
    """The project's own client, which waits for nothing."""
    return Requester.connect(
        address, sleep=lambda _seconds: None, aws_access_key_id="key", aws_secret_access_key="secret"
    )


def _dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _cents(amount: str) -> int:
    return round(float(amount) * 100)
