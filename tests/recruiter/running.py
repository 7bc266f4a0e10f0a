"""The recruiter in tests: a researcher whose requests and answers are held against the document, and participants."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.contracts.prolific import Contract

CODE, AUTOMATIC, SCREENED = "C0MPLETE", "AUT0", "SCREEN"
STUDY: dict[str, Any] = {
    "name": "Write questions",
    "internal_name": "campaign 1, round 1",
    "description": "Write questions that the AI gets wrong.",
    "external_study_url": (
        "https://example.org/task?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    ),
    "prolific_id_option": "url_parameters",
    "total_available_places": 3,
    "estimated_completion_time": 5,
    "maximum_allowed_time": 30,
    "reward": 150,
    "completion_codes": [
        {"code": CODE, "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]},
        {"code": AUTOMATIC, "code_type": "OTHER", "actions": [{"action": "AUTOMATICALLY_APPROVE"}]},
        {
            "code": SCREENED,
            "code_type": "SCREENED_OUT",
            "actor": "researcher",
            "actions": [{"action": "REQUEST_RETURN", "return_reason": "You do not qualify."}],
        },
    ],
}
REASON = "Your questions are copied from the passage, which the instructions on the first page ask you not to do ever."


@dataclass(frozen=True)
class Exchange:
    """A request and its answer."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: object
    status: int
    answer: object

    def check(self, contract: Contract) -> None:
        """Raise `Breach` where one of the two is not the document's."""
        if self.status < 400:
            contract.check_request(self.method, self.path, self.query, self.headers, self.body)
        contract.check_response(self.method, self.path, self.status, self.answer)


@dataclass
class Researcher:
    """Somebody with the token. With a contract, every exchange is checked."""

    http: Any  # a client of httpx, or of Starlette's for an application without a port
    token: str
    contract: Contract | None = None
    exchanges: list[Exchange] = field(default_factory=list)

    def ask(
        self, method: str, path: str, body: object = None, *, status: int = 200, wanted: str = "", **query: str
    ) -> Any:
        """Return the answer's content. `wanted` is the parameter `status` of the query."""
        query = {**query, **({"status": wanted} if wanted else {})}
        headers = {"Authorization": f"Token {self.token}"}
        response = self.http.request(method, path, params=query, json=body, headers=headers)
        assert response.status_code == status, response.text
        answer = response.json() if response.content else None
        exchange = Exchange(method, path, query, headers, body, response.status_code, answer)
        self.exchanges.append(exchange)
        if self.contract is not None and response.headers.get("content-type") != "text/plain; charset=utf-8":
            exchange.check(self.contract)
        return answer

    def create(self, **changes: Any) -> str:
        """Return the id of a new draft."""
        return str(self.ask("POST", "/api/v1/studies/", {**STUDY, **changes}, status=201)["id"])

    def publish(self, **changes: Any) -> str:
        """Return the id of a new study that recruits."""
        study_id = self.create(**changes)
        self.move_study(study_id, "PUBLISH")
        return study_id

    def move_study(self, study_id: str, action: str, status: int = 200, **more: Any) -> Any:
        return self.ask("POST", f"/api/v1/studies/{study_id}/transition/", {"action": action, **more}, status=status)

    def study(self, study_id: str) -> Any:
        return self.ask("GET", f"/api/v1/studies/{study_id}/")

    def move(self, submission_id: str, action: str, status: int = 200, **more: Any) -> Any:
        path = f"/api/v1/submissions/{submission_id}/transition/"
        return self.ask("POST", path, {"action": action, **more}, status=status)

    def reject(self, submission_id: str, status: int = 200) -> Any:
        return self.move(submission_id, "REJECT", status, message=REASON, rejection_category="LOW_EFFORT")

    def submission(self, submission_id: str) -> Any:
        return self.ask("GET", f"/api/v1/submissions/{submission_id}/")

    def balance(self) -> tuple[int, int]:
        """Return total and available cents."""
        [workspace] = self.ask("GET", "/api/v1/workspaces/")["results"]
        answer = self.ask("GET", f"/api/v1/workspaces/{workspace['id']}/balance/")
        return answer["total_balance"], answer["available_balance"]

    def set_up_bonuses(self, study_id: str, table: str, status: int = 201) -> Any:
        body = {"study_id": study_id, "csv_bonuses": table}
        return self.ask("POST", "/api/v1/submissions/bonus-payments/", body, status=status)

    def pay_bonuses(self, order_id: str, status: int = 202) -> Any:
        return self.ask("POST", f"/api/v1/bulk-bonus-payments/{order_id}/pay/", status=status)


@dataclass
class Participant:
    """Somebody with a browser that shows pages without scripts."""

    http: Any
    id: str = ""

    def sign_up(self) -> Participant:
        self.post("/participants", page="/")
        self.id = re.findall(r'id="participant-id">([0-9a-f]{24})<', self.get("/studies").text)[0]
        return self

    def get(self, path: str, status: int = 200) -> Any:
        response = self.http.get(path, follow_redirects=False)
        assert response.status_code == status, response.text
        return response

    def post(self, path: str, *, page: str = "/studies", status: int = 303, **fields: str) -> Any:
        """Post a form with the token of a page."""
        token = re.findall(r'name="form_token" value="(\w+)"', self.get(page).text)[0]
        response = self.http.post(path, data={"form_token": token, **fields}, follow_redirects=False)
        assert response.status_code == status, response.text
        return response

    def take(self, study_id: str) -> str:
        """Return the id of the submission that holds the place."""
        return str(self.post(f"/studies/{study_id}/take").headers["location"].rpartition("/")[2])

    def open(self, submission_id: str) -> str:
        """Return the address of the study."""
        return str(self.get(f"/submissions/{submission_id}/open", 303).headers["location"])

    def come_back(self, code: str) -> str:
        """Return from the study with a code; returns the submission's id."""
        return str(self.get(f"/submissions/complete?cc={code}", 303).headers["location"].rpartition("/")[2])

    def work(self, study_id: str, code: str = CODE) -> str:
        """Take a place, do the study and come back; returns the submission's id."""
        submission_id = self.take(study_id)
        self.open(submission_id)
        assert self.come_back(code) == submission_id
        return submission_id


@dataclass
class Running:
    """A recruiter in a process of its own."""

    process: subprocess.Popen[str]
    store: Path
    printed: dict[str, str]
    clients: list[httpx.Client] = field(default_factory=list)

    @classmethod
    @contextmanager
    def started(cls, store: Path, *options: str) -> Iterator[Running]:
        running = cls(*_start(store, 0, options))
        try:
            yield running
        finally:
            for client in running.clients:
                client.close()
            running.process.terminate()
            running.process.wait(60)
            assert running.process.stdout is not None
            running.process.stdout.close()

    @property
    def address(self) -> str:
        return self.printed["address"]

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(60)

    def start_again(self) -> None:
        """At the same address, after a kill."""
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process, _, self.printed = _start(self.store, int(self.address.rpartition(":")[2]))

    def researcher(self, contract: Contract | None = None) -> Researcher:
        return Researcher(self._client(), self.printed["token"], contract)

    def participant(self) -> Participant:
        return Participant(self._client()).sign_up()

    def _client(self) -> httpx.Client:
        self.clients.append(httpx.Client(base_url=self.address, timeout=30))
        return self.clients[-1]

    def control(self, name: str, body: dict[str, Any] | None = None) -> Any:
        """Post to the control, or get where there is no body."""
        headers = {"Authorization": f"Bearer {self.printed['control_token']}"}
        method = "GET" if body is None else "POST"
        response = httpx.request(method, f"{self.address}/rehearsal/{name}", json=body, headers=headers, timeout=30)
        assert response.status_code == 200, response.text
        return response.json()


def _start(store: Path, port: int, options: tuple[str, ...] = ()) -> tuple[subprocess.Popen[str], Path, dict[str, str]]:
    command = [sys.executable, "-m", "beat_the_ai.cli", "recruiter", "serve", "--rehearsal", "--store", str(store)]
    process = subprocess.Popen([*command, "--port", str(port), *options], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, store, json.loads(process.stdout.readline())
