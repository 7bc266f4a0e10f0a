"""Prolific's API: one method an operation that is used, each named as the document names it.

A request that may be repeated is repeated with growing pauses while Prolific is busy or away. `create_study`,
`pay_bonus_payments` and `send_message` are sent once: if the reply is lost, nobody knows whether they were carried out.
"""

from __future__ import annotations

import logging
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from beat_the_ai.crowds.prolific.documents import (
    BonusBatch,
    CalculatedCost,
    GroupMember,
    GroupRecord,
    HookSecret,
    Json,
    ListedStudy,
    ListedSubmission,
    StudyAction,
    StudyRecord,
    SubmissionRecord,
    Subscription,
    WorkspaceBalance,
)
from beat_the_ai.errors import Declined, Unanswered

API = "/api/v1"
CHALLENGE = "X-Hook-Secret"  # the header of the answer to a new subscription
TRIES = 5
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.5, 30.0
TIMEOUT_SECONDS = 30.0
LONGEST_SHOWN = 300

T = TypeVar("T", bound=BaseModel)
log = logging.getLogger(__name__)


class _Busy(Exception):
    """The request was not carried out, and can be repeated. `pause` is what Prolific asks for, in seconds."""

    def __init__(self, problem: str, pause: float = 0.0) -> None:
        super().__init__(problem)
        self.pause = pause


class ProlificClient:
    """A connection to Prolific's API; to be closed.

    Every method raises `Declined` if Prolific refuses, and `Unanswered` if nobody knows whether it was carried out.
    """

    def __init__(
        self,
        api_url: str,
        token: str,
        *,
        tries: int = TRIES,
        timeout_seconds: float = TIMEOUT_SECONDS,
        sleep: Callable[[float], object] = time.sleep,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        timeout = httpx.Timeout(timeout_seconds)
        self._http = httpx.Client(
            base_url=api_url, timeout=timeout, verify=_certificates(), trust_env=False, transport=transport
        )
        self.use_token(token)
        self._tries = tries
        self._sleep = sleep

    def use_token(self, token: str) -> None:
        """Send this token from now on."""
        self._http.headers["Authorization"] = f"Token {token}"

    def close(self) -> None:
        self._http.close()

    def create_study(self, described: Json) -> StudyRecord:
        """Create a draft. Sent once: after `Unanswered`, look for it with `get_studies`."""
        return _read(StudyRecord, self._once("POST", "/studies/", described))

    def get_studies(self) -> list[ListedStudy]:
        return self._results("/studies/", ListedStudy)

    def get_study(self, study_id: str) -> StudyRecord:
        return self._read("GET", f"/studies/{study_id}/", StudyRecord)

    def update_study(self, study_id: str, changes: Json) -> StudyRecord:
        return self._read("PATCH", f"/studies/{study_id}/", StudyRecord, changes)

    def publish_study(self, study_id: str, action: StudyAction) -> StudyRecord:
        """Carry out a transition; one that was carried out before is refused."""
        return self._read("POST", f"/studies/{study_id}/transition/", StudyRecord, {"action": action})

    def calculate_study_cost(self, reward_cents: int, places: int) -> CalculatedCost:
        planned = {"reward": reward_cents, "total_available_places": places}
        return self._read("POST", "/study-cost-calculator/", CalculatedCost, planned)

    def get_study_submissions(self, study_id: str) -> list[ListedSubmission]:
        return self._results(f"/studies/{study_id}/submissions/", ListedSubmission)

    def get_submission(self, submission_id: str) -> SubmissionRecord:
        return self._read("GET", f"/submissions/{submission_id}/", SubmissionRecord)

    def transition_submission(self, submission_id: str, decision: Json) -> SubmissionRecord:
        """Approve, reject or complete; the same again is ignored."""
        return self._read("POST", f"/submissions/{submission_id}/transition/", SubmissionRecord, decision)

    def request_submission_return(self, submission_id: str, reasons: Sequence[str]) -> None:
        self._again("POST", f"/submissions/{submission_id}/request-return/", {"request_return_reasons": [*reasons]})

    def create_bonus_payments(self, study_id: str, csv_bonuses: str) -> BonusBatch:
        """Set bonuses up. No money moves; set up twice, they can be paid once."""
        described = {"study_id": study_id, "csv_bonuses": csv_bonuses}
        return self._read("POST", "/submissions/bonus-payments/", BonusBatch, described)

    def pay_bonus_payments(self, batch_id: str) -> None:
        """Pay bonuses that were set up. Sent once, for each time pays them anew."""
        self._once("POST", f"/bulk-bonus-payments/{batch_id}/pay/")

    def get_workspace_balance(self, workspace_id: str) -> WorkspaceBalance:
        return self._read("GET", f"/workspaces/{workspace_id}/balance/", WorkspaceBalance)

    def get_participant_groups(self, workspace_id: str) -> list[GroupRecord]:
        return self._results(f"/participant-groups/?workspace_id={workspace_id}", GroupRecord)

    def create_participant_group(self, workspace_id: str, name: str) -> GroupRecord:
        described = {"workspace_id": workspace_id, "name": name}
        return _read(GroupRecord, self._once("POST", "/participant-groups/", described))

    def get_participant_group_participants(self, group_id: str) -> list[GroupMember]:
        return self._results(f"/participant-groups/{group_id}/participants/", GroupMember)

    def add_to_participant_group(self, group_id: str, participant_ids: Sequence[str]) -> None:
        self._again("POST", f"/participant-groups/{group_id}/participants/", {"participant_ids": [*participant_ids]})

    def remove_from_participant_group(self, group_id: str, participant_ids: Sequence[str]) -> None:
        self._again("DELETE", f"/participant-groups/{group_id}/participants/", {"participant_ids": [*participant_ids]})

    def send_message(self, participant_id: str, study_id: str, body: str) -> None:
        """Send a message. Sent once."""
        self._once("POST", "/messages/", {"recipient_id": participant_id, "study_id": study_id, "body": body})

    def get_secrets(self, workspace_id: str) -> list[HookSecret]:
        return self._results(f"/hooks/secrets/?workspace_id={workspace_id}", HookSecret)

    def create_secret(self, workspace_id: str) -> HookSecret:
        """Create the workspace's secret. One that is there is replaced: look first."""
        return _read(HookSecret, self._once("POST", "/hooks/secrets/", {"workspace_id": workspace_id}))

    def get_subscriptions(self, workspace_id: str) -> list[Subscription]:
        return self._results(f"/hooks/subscriptions/?workspace_id={workspace_id}", Subscription)

    def create_subscription(self, workspace_id: str, event_type: str, target_url: str) -> tuple[Subscription, str]:
        """Create a subscription. Return it, and the secret that confirms it."""
        described = {"workspace_id": workspace_id, "event_type": event_type, "target_url": target_url}
        response = self._try("POST", f"{API}/hooks/subscriptions/", described, is_idempotent=False)
        listed = _listed("/hooks/subscriptions/", _content(response), Subscription)
        if not listed:
            raise Unanswered("Prolific's answer to a subscription has none.")
        return listed[-1], response.headers.get(CHALLENGE, "")

    def confirm_subscription(self, subscription_id: str, secret: str) -> None:
        self._again("POST", f"/hooks/subscriptions/{subscription_id}/", {"secret": secret})

    def get_study_jwks(self) -> Any:
        return self._again("GET", "/.well-known/study/jwks.json", api="")

    def _read(self, method: str, path: str, kind: type[T], body: Json | None = None) -> T:
        return _read(kind, self._again(method, path, body))

    def _results(self, path: str, kind: type[T]) -> list[T]:
        return _listed(path, self._again("GET", path), kind)

    def _again(self, method: str, path: str, body: Json | None = None, *, api: str = API) -> Any:
        """Send a request that may be carried out twice, until it is answered or was tried often enough."""
        return _content(self._try(method, f"{api}{path}", body, is_idempotent=True))

    def _once(self, method: str, path: str, body: Json | None = None) -> Any:
        """Send a request once; it is repeated only where it was certainly not carried out."""
        return _content(self._try(method, f"{API}{path}", body, is_idempotent=False))

    def _try(self, method: str, path: str, body: Json | None, *, is_idempotent: bool) -> httpx.Response:
        for pause in _pauses(self._tries):
            try:
                return self._send(method, path, body)
            except _Busy as busy:
                wait = max(pause, busy.pause)
            except Unanswered:
                if not is_idempotent:
                    raise
                wait = pause
            self._sleep(min(wait, LONGEST_PAUSE_SECONDS))
        try:
            return self._send(method, path, body)
        except _Busy as busy:
            raise Declined(str(busy)) from busy

    def _send(self, method: str, path: str, body: Json | None) -> httpx.Response:
        what = f"{method} {path.partition('?')[0]}"
        try:
            response = self._http.request(method, path, json=body)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise _Busy(f"Prolific cannot be reached: {type(error).__name__}.") from error
        except httpx.HTTPError as error:
            raise Unanswered(f"Prolific gave no answer to {what}: {type(error).__name__}.") from error
        if response.status_code == httpx.codes.TOO_MANY_REQUESTS:
            raise _Busy("Prolific is asked too often.", _seconds(response.headers.get("Retry-After")))
        if response.is_server_error or response.status_code == httpx.codes.REQUEST_TIMEOUT:
            raise Unanswered(f"Prolific answered {response.status_code} to {what}.")
        if not response.is_success:
            raise Declined(f"Prolific refused {what}: {_reason(response)}", str(response.status_code))
        return response


@cache
def _certificates() -> ssl.SSLContext:
    """Return the authorities that are trusted; reading them takes longer than a request."""
    return httpx.create_ssl_context(trust_env=False)


def _content(response: httpx.Response) -> Any:
    """Return the JSON of an answer, None where it has none."""
    if not response.content:
        return None
    try:
        return response.json()
    except ValueError as error:
        raise Unanswered(f"Prolific's answer to {response.request.url.path} is not JSON.") from error


def _listed(path: str, answer: Any, kind: type[T]) -> list[T]:
    if not isinstance(answer, dict) or not isinstance(answer.get("results"), list):
        raise Unanswered(f"Prolific's answer to {path} has no results.")
    return [_read(kind, row) for row in answer["results"]]


def _pauses(tries: int) -> Iterator[float]:
    """Yield the pause after each try but the last."""
    for number in range(tries - 1):
        yield min(FIRST_PAUSE_SECONDS * 2**number, LONGEST_PAUSE_SECONDS)


def _read(kind: type[T], answer: Any) -> T:
    try:
        return kind.model_validate(answer)
    except ValidationError as error:
        raise Unanswered(f"Prolific's answer is no {kind.__name__}: {error.error_count()} faults.") from error


def _seconds(header: str | None) -> float:
    try:
        return max(0.0, float(header or 0))
    except ValueError:
        return 0.0


def _reason(response: httpx.Response) -> str:
    """Return the reason that Prolific gives, in one line."""
    try:
        error = response.json()["error"]
        text = f"{error.get('title', '')}: {error.get('detail', '')}"
    except (ValueError, KeyError, TypeError, AttributeError):
        text = response.text
    return " ".join(f"{response.status_code} {text}".split())[:LONGEST_SHOWN]
