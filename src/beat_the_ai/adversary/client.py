"""The way from the operator to a model server. What goes wrong there arrives as an error a crowd worker may read.

Only what certainly was not answered is sent again: connections that were never made, and explicit "busy" answers.
Details of a failure go to the log.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import Any

import urllib3
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, to_json
from urllib3.exceptions import ConnectTimeoutError, HTTPError

from beat_the_ai.adversary.prices import Prices
from beat_the_ai.adversary.protocol import DeadlinePassed, ModelIdentity, NoAnswer
from beat_the_ai.adversary.retry_after import retry_after_seconds
from beat_the_ai.adversary.wire import FailureReply, Reply, read_reply
from beat_the_ai.errors import AdversaryBusy, AdversaryError, InvalidInput
from beat_the_ai.messages import said
from beat_the_ai.rules.protocol import PredictionT, Value

__all__ = ["AdversaryClient", "Reply"]

log = logging.getLogger(__name__)

NOT_ANSWERING = "refusals.ai.not_answering"
NOT_UNDERSTOOD = "refusals.ai.not_understood"
BUSY = (429, 503)
REFUSED = (400, 404, 413)
FIRST_PAUSE_SECONDS = 0.05
LONGEST_PAUSE_SECONDS = 1.0
KEPT_CONNECTIONS = 256  # threads that ask at once beyond these open connections of their own
MAX_REPLY_BYTES = 16 * 1024 * 1024
CHUNK_BYTES = 64 * 1024
NOT_SENT = ConnectTimeoutError  # a connection that was refused is one, too


@dataclass(frozen=True)
class ListedModel:
    """A model that a server has, the names of the fields of what it is asked, and whether it says why it answers so.

    `prices` is None for one that charges nothing.
    """

    identity: ModelIdentity
    query: frozenset[str]
    explains: bool = False
    prices: Prices | None = None


class AdversaryClient:
    """A client of one model server. Connections are kept and shared by all threads that use the client."""

    def __init__(self, base_url: str, timeout_seconds: float, token: str | None = None) -> None:
        self.base_url = base_url
        self.timeout_seconds = timeout_seconds
        # The server is one of our own machines: a proxy set for the web must not come between.
        self._pool = urllib3.connection_from_url(
            base_url,
            maxsize=KEPT_CONNECTIONS,
            retries=False,
            headers={"Authorization": f"Bearer {token}"} if token else {},
        )
        self._path = urllib3.util.parse_url(base_url).path or ""

    def predict(
        self,
        queries: Sequence[Value],
        prediction_type: type[PredictionT],
        model: str | None = None,
        requester: str | None = None,
        *,
        explain: bool = False,
        patient: bool = False,
    ) -> Reply[PredictionT]:
        """One prediction per query, within the client's timeout; with `explain`, and what it rests on.

        `patient` queries let others' go first.

        Raises `InvalidInput` for what the server does not accept, `AdversaryBusy` when it has no room for this or
        cannot be reached, `DeadlinePassed` when it has no time for all of them, `NoAnswer` when what the model said is
        none, and `AdversaryError` when it fails.
        """
        response = self._post("/v1/predict", _body(queries, model, requester, explain=explain, patient=patient))
        if response.status != HTTPStatus.OK:
            raise _error_of(response)
        try:
            reply = read_reply(response.body, prediction_type)
        except ValidationError as error:
            raise not_answering(f"its reply is not one: {error}") from error
        if len(reply.predictions) != len(queries):
            raise not_answering(f"{len(reply.predictions)} predictions for {len(queries)} queries")
        if explain and len(reply.explanations or ()) != len(queries):
            raise not_answering(f"{len(reply.explanations or ())} explanations for {len(queries)} queries")
        return reply

    def models(self) -> dict[str, ListedModel]:
        """Return the models of the server by its names for them. Raises `AdversaryError`, for requesters."""
        try:
            listed = json.loads(self._request("GET", "/v1/models").expected().body)["models"]
            return {one["name"]: _listed(one) for one in listed}
        except (HTTPError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise AdversaryError(f"{self.base_url} does not list its models: {error!r}") from error

    def models_once_ready(self, seconds: float) -> dict[str, ListedModel]:
        """Return the server's models once they are loaded, though it is started anew meanwhile.

        Raises `AdversaryError` if that takes longer.
        """
        deadline = time.monotonic() + seconds
        while True:
            if self.is_ready():
                with suppress(AdversaryError):  # it has died since
                    return self.models()
            if time.monotonic() + FIRST_PAUSE_SECONDS > deadline:
                raise AdversaryError(f"The model server at {self.base_url} was not ready within {seconds:g} seconds.")
            time.sleep(FIRST_PAUSE_SECONDS)

    def close(self) -> None:
        self._pool.close()

    def __enter__(self) -> AdversaryClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def is_ready(self, within_seconds: float | None = None) -> bool:
        """Return whether the server says that its models are loaded, within the client's timeout or a shorter one."""
        deadline = None if within_seconds is None else time.monotonic() + within_seconds
        try:
            return self._request("GET", "/health", deadline=deadline).status == HTTPStatus.OK
        except HTTPError:
            return False

    def _post(self, path: str, body: bytes) -> _Response:
        """Send until there is an answer other than "busy", or the next try would come after the timeout."""
        deadline = time.monotonic() + self.timeout_seconds
        pause_seconds = FIRST_PAUSE_SECONDS
        while True:
            try:
                response = self._request("POST", path, body, deadline)
            except NOT_SENT as error:
                reason, wait_seconds = repr(error), pause_seconds
                pause_seconds = min(2 * pause_seconds, LONGEST_PAUSE_SECONDS)
            except HTTPError as error:
                raise not_answering(repr(error)) from error
            else:
                if response.status not in BUSY:
                    return response
                reason = response.text
                wait_seconds = max(FIRST_PAUSE_SECONDS, response.retry_after_seconds)
            if time.monotonic() + wait_seconds >= deadline:
                log.warning("No answer from the model server: %s", reason)
                raise AdversaryBusy(said(NOT_ANSWERING), wait_seconds)
            time.sleep(wait_seconds)

    def _request(self, method: str, path: str, body: bytes | None = None, deadline: float | None = None) -> _Response:
        """All of the answer, by the deadline or within the timeout. Raises urllib3's `HTTPError`."""
        deadline = deadline or time.monotonic() + self.timeout_seconds
        headers = {**self._pool.headers, "Content-Type": "application/json"}
        answer = self._pool.urlopen(
            method,
            self._path + path,
            body=body,
            headers=headers,
            timeout=urllib3.Timeout(total=max(0.001, deadline - time.monotonic())),
            preload_content=False,
        )
        content = bytearray()
        while chunk := answer.read1(CHUNK_BYTES):
            content += chunk
            if len(content) > MAX_REPLY_BYTES or time.monotonic() > deadline:
                answer.close()
                raise HTTPError(f"{len(content):,} bytes came, and it was not over")
        answer.release_conn()
        return _Response(answer.status, bytes(content), answer.headers.get("Retry-After", ""))


@dataclass(frozen=True)
class _Response:
    status: int
    body: bytes
    retry_after: str

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def retry_after_seconds(self) -> float:
        asked_seconds = retry_after_seconds(self.retry_after)
        return LONGEST_PAUSE_SECONDS if asked_seconds is None else asked_seconds

    def expected(self) -> _Response:
        """Raises `HTTPError` for any status but 200."""
        if self.status != HTTPStatus.OK:
            raise HTTPError(f"status {self.status}, {self.text[:200]!r}")
        return self


def _listed(model: Mapping[str, Any]) -> ListedModel:
    """Servers of long ago do not tell whether a model explains, and what it charges."""
    prices = model.get("prices")
    return ListedModel(
        ModelIdentity(**model["model"]),
        frozenset(model["query"]),
        bool(model.get("explains", False)),
        None if prices is None else Prices.model_validate(prices),
    )


def _body(queries: Sequence[Value], model: str | None, requester: str | None, **options: bool) -> bytes:
    """Options that are not set are not sent: a server of long ago does not know them."""
    chosen = {name: True for name, is_set in options.items() if is_set}
    asked = {"queries": list(queries), "model": model, "requester": requester, **chosen}
    try:
        return to_json(asked)
    except PydanticSerializationError as error:
        raise InvalidInput(
            "queries", "The text holds characters that are not valid Unicode. Please type it again."
        ) from error


def _error_of(response: _Response) -> AdversaryError | InvalidInput:
    try:
        failure = FailureReply.model_validate_json(response.body).error
    except ValidationError:
        return not_answering(f"status {response.status}, {response.text[:200]!r}")
    if response.status in REFUSED:
        return InvalidInput(failure.field or "queries", failure.message)
    error = not_answering(f"{failure.code}: {failure.message}")
    if failure.code == NoAnswer.code:
        error = NoAnswer(said(NOT_UNDERSTOOD))
    elif failure.code == DeadlinePassed.code:
        error = DeadlinePassed(said(NOT_ANSWERING))
    error.microcents = failure.microcents
    return error


def not_answering(reason: str) -> AdversaryError:
    """For workers; the reason goes to the log."""
    log.warning("No answer from the model server: %s", reason)
    return AdversaryError(said(NOT_ANSWERING))
