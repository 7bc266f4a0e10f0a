"""AWS Signature Version 4, checked by signing the request anew with botocore's own signer and the key's secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from hmac import compare_digest

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from beat_the_ai.marketplace.api.service_model import SIGNING_NAME
from beat_the_ai.marketplace.errors import NotAuthentic
from beat_the_ai.marketplace.requesters import AccessKey

# "A request must reach AWS within five minutes of its time stamp" [doc].
VALID_FOR = timedelta(minutes=5)
# What must be covered: where the request goes, when, and which operation it is.
MUST_BE_SIGNED = {"host", "x-amz-date", "x-amz-target"}
AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 +Credential=(?P<key>[^/,\s]+)/(?P<day>\d{8})/(?P<region>[a-z0-9-]+)/(?P<service>[a-z0-9-]+)"
    r"/aws4_request, *SignedHeaders=(?P<headers>[a-z0-9;-]+), *Signature=(?P<signature>[0-9a-f]{64})",
    re.ASCII,
)


@dataclass(frozen=True)
class SignedRequest:
    """A request as it came; header names in small letters."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


def verify(request: SignedRequest, find_key: Callable[[str], AccessKey | None], now: datetime) -> AccessKey:
    """The key that has signed the request. Raises `NotAuthentic`. `now` is the time of day, never a virtual one."""
    header = request.headers.get("authorization")
    if header is None:
        raise NotAuthentic("MissingAuthenticationTokenException", "Missing Authentication Token")
    parts = AUTHORIZATION.fullmatch(header.strip())
    if parts is None:
        raise NotAuthentic("IncompleteSignatureException", "The Authorization header is not one of AWS4-HMAC-SHA256.")
    signed = set(parts["headers"].split(";"))
    if not signed >= MUST_BE_SIGNED or not signed <= request.headers.keys():
        needed = ", ".join(sorted(MUST_BE_SIGNED))
        raise NotAuthentic("IncompleteSignatureException", f"The signature must cover the headers {needed}.")
    _check_time(request.headers["x-amz-date"], parts["day"], now)
    _check_body(request)
    key = find_key(parts["key"])
    if key is None or parts["service"] != SIGNING_NAME:
        raise NotAuthentic("UnrecognizedClientException", "The security token included in the request is invalid.")
    if not compare_digest(_sign(request, signed, key, parts["region"]), parts["signature"]):
        raise NotAuthentic(
            "InvalidSignatureException",
            "The request signature we calculated does not match the signature you provided. Check your AWS Secret "
            "Access Key and signing method.",
        )
    return key


def _check_time(timestamp: str, day: str, now: datetime) -> None:
    try:
        signed_at = datetime.strptime(timestamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
    except ValueError:
        raise NotAuthentic("IncompleteSignatureException", "X-Amz-Date must be like 20200101T000000Z.") from None
    if abs(now - signed_at) > VALID_FOR or not timestamp.startswith(day):
        raise NotAuthentic("InvalidSignatureException", f"Signature expired: {timestamp} is not within five minutes.")


def _check_body(request: SignedRequest) -> None:
    """The signer takes this header for the body's hash when it is there, so it has to be."""
    stated = request.headers.get("x-amz-content-sha256")
    if stated is not None and stated != sha256(request.body).hexdigest():
        raise NotAuthentic("InvalidSignatureException", "X-Amz-Content-SHA256 is not the hash of the body.")


def _sign(request: SignedRequest, signed: set[str], key: AccessKey, region: str) -> str:
    headers = {name: request.headers[name] for name in sorted(signed)}
    url = f"http://{request.headers['host']}{request.path}"
    again = AWSRequest(method=request.method, url=url, headers=headers, data=request.body)
    again.context["timestamp"] = request.headers["x-amz-date"]
    signer = SigV4Auth(Credentials(key.id, key.secret), SIGNING_NAME, region)
    return str(signer.signature(signer.string_to_sign(again, signer.canonical_request(again)), again))
