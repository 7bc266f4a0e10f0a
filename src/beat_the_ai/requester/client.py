"""The requests of a requester, over boto3, and what their failures say.

Any endpoint with MTurk's requester API will do. Each failure is sorted into what it says about the money: `Declined`
when the crowd certainly did nothing, `Unanswered` when nobody can know. In doubt it is the latter.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import boto3
import botocore.session
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionClosedError,
    EndpointConnectionError,
    NoCredentialsError,
    ParamValidationError,
    PartialCredentialsError,
)
from botocore.loaders import Loader, create_loader

from beat_the_ai.errors import Declined, InvalidInput, OutOfFunds, PaymentError, TokenSpent, Unanswered

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient
    from typing_extensions import Self

REGION = "us-east-1"
CONNECT_SECONDS, READ_SECONDS = 10, 60
PAUSES_SECONDS: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0)  # between the tries of a throttled call
LONGEST_CALL_SECONDS = CONNECT_SECONDS + READ_SECONDS + sum(PAUSES_SECONDS)
PAGE_SIZE = 100  # the service model's maximum
THROTTLED = {"ThrottlingException", "Throttling", "RequestThrottled", "TooManyRequestsException", "SlowDown"}
NEVER_SENT = (NoCredentialsError, PartialCredentialsError, ParamValidationError)
ADVICE: dict[type[BotoCoreError], str] = {
    NoCredentialsError: ". Give the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or as boto3 reads them.",
    EndpointConnectionError: ". Is it running? Another address is given with crowd.endpoint_url or "
    "AWS_ENDPOINT_URL_MTURK.",
}


class Client:
    """Over boto3, whose own hidden retries are off: a request leaves this machine once for each call."""

    def __init__(self, client: MTurkClient, sleep: Callable[[float], None], secret_key: str = "") -> None:
        self.client = client
        self.secret_key = secret_key
        self._sleep = sleep

    @classmethod
    def connect(
        cls, endpoint_url: str | None = None, sleep: Callable[[float], None] = time.sleep, **options: Any
    ) -> Self:
        """`options` are those of `boto3.Session`; keys and `AWS_ENDPOINT_URL_MTURK` are read as boto3 reads them.

        Raises `InvalidInput` for an address that is none.
        """
        config = Config(
            retries={"total_max_attempts": 1, "mode": "standard"},
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
        )
        known, descriptions = botocore.session.Session(), _descriptions()  # boto3's default session keeps credentials
        known.register_component("data_loader", descriptions)
        session = boto3.Session(region_name=REGION, botocore_session=known, **options)
        descriptions.search_paths[:] = dict.fromkeys(descriptions.search_paths)  # each session adds boto3's own again
        try:
            client = session.client("mturk", endpoint_url=endpoint_url, config=config)
        except ValueError as error:
            message = f"{endpoint_url!r} is no address. One begins with http:// or https://, as http://127.0.0.1:8700."
            raise InvalidInput("crowd.endpoint_url", message) from error
        client.meta.events.register("after-call.mturk", _check_whole)
        credentials = session.get_credentials()
        secret_key = credentials.get_frozen_credentials().secret_key if credentials else None
        return cls(client, sleep, secret_key or "")

    @property
    def address(self) -> str:
        """Return the address of the requester API."""
        return self.client.meta.endpoint_url.rstrip("/")

    def close(self) -> None:
        self.client.close()

    def call(self, operation: str, **parameters: Any) -> Any:
        """One request, repeated only when the crowd says that it was too busy to look at it. Raises `PaymentError`."""
        for pause in (*PAUSES_SECONDS, None):
            try:
                return getattr(self.client, operation)(**parameters)
            except ClientError as error:
                if pause is None or not _throttled(error):
                    raise _meaning(error) from error
                self._sleep(pause)
            except NEVER_SENT as error:
                raise Declined(f"The request was not sent: {_with_advice(error)}") from error
            except BotoCoreError as error:
                raise Unanswered(f"No answer from the crowd: {_with_advice(error)}") from error
        raise AssertionError("the last try either returns or raises")

    def ask(self, operation: str, **parameters: Any) -> Any:
        """`call`, again when no answer came: for what may be carried out twice, or has a token against it."""
        for pause in (*PAUSES_SECONDS, None):
            try:
                return self.call(operation, **parameters)
            except TokenSpent:
                raise
            except Unanswered:
                if pause is None:
                    raise
                self._sleep(pause)
        raise AssertionError("the last try either returns or raises")


def _check_whole(http_response: Any, **_event: Any) -> None:
    """Raises `ConnectionClosedError` for an answer that was cut short: to botocore it is one without any members.

    The bonuses paid would be none, and every HIT gone [seen: botocore 1.44, a server that dies in the middle].
    """
    try:
        json.loads(http_response.content)
    except ValueError:
        if http_response.status_code < 300:
            raise ConnectionClosedError(endpoint_url=http_response.url) from None


@cache
def _descriptions() -> Loader:
    """Load the descriptions of the service, which takes most of the time of connecting. They hold no credentials."""
    return create_loader()


def listed(call: Callable[..., Any], operation: str, member: str, **query: Any) -> Iterator[Any]:
    """Everything in a list, page by page: one may be empty before the last [seen: ListHITs].

    Raises `Unanswered` when the pages do not come to an end: a list that is cut short would hide what was done.
    """
    page: dict[str, str] = {}
    while True:
        reply = call(operation, **query, MaxResults=PAGE_SIZE, **page)
        yield from reply.get(member, [])
        following = reply.get("NextToken")
        if not following:
            return
        if following == page.get("NextToken"):
            raise Unanswered(f"The crowd gives the same page of {operation} again and again.")
        page = {"NextToken": following}


def _throttled(error: ClientError) -> bool:
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return error.response.get("Error", {}).get("Code") in THROTTLED or status == 429


def _with_advice(error: BotoCoreError) -> str:
    return f"{str(error).rstrip('.')}{ADVICE.get(type(error), '.')}"


def _meaning(error: ClientError) -> PaymentError:
    """Return what an error answer means for the money. MTurk's words for a spent token are [seen: Dallinger #3109]."""
    response: Any = error.response
    kind, message = (str(response.get("Error", {}).get(name, "")) for name in ("Code", "Message"))
    code = str(response.get("TurkErrorCode") or kind)
    told = f"{code.rpartition('.')[2]}: {message}"
    if "already been processed" in message or code.endswith("AlreadyProcessed"):
        return TokenSpent(told)
    if code.endswith("InsufficientFunds"):
        return OutOfFunds(told)
    # botocore puts the HTTP status where the crowd gave no type: then something between us and it has answered.
    from_crowd = kind != "" and not kind.isdigit()
    failed = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500) >= 500 or kind == "ServiceFault"
    return Declined(told, code.rpartition(".")[2]) if from_crowd and not failed else Unanswered(told)
