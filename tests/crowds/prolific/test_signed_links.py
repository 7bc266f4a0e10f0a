"""Signed links: a token of Prolific's opens its own study for its own session, for two minutes."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from beat_the_ai.crowds.prolific.signed_links import (
    ISSUER,
    NO_KEYS,
    NOT_SIGNED,
    OF_ANOTHER,
    TOO_OLD,
    KeySet,
    check_token,
)
from beat_the_ai.errors import Refused, Unanswered

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
ADDRESS = "https://work.example.org/worker/study/k1"
ASKED = {"PROLIFIC_PID": "p1", "SESSION_ID": "s1", "STUDY_ID": "st1", "workspace_id": "w1"}
KEY, OTHER_KEY = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
Claims = dict[str, Any]


def jwks(*named: tuple[str, rsa.RSAPrivateKey]) -> dict[str, Any]:
    return {
        "keys": [
            {
                **json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key())),
                "kid": kid,
                "alg": "RS256",
                "use": "sig",
            }
            for kid, key in named
        ]
    }


def claims(**changes: Any) -> Claims:
    start = NOW.timestamp()
    return {
        "iss": ISSUER,
        "iat": start,
        "exp": start + 120,
        "aud": f"{ADDRESS}?PROLIFIC_PID=p1&STUDY_ID=st1&SESSION_ID=s1",
        "sub": "s1",
        "prolific": {**ASKED, "organisation_id": "o1"},
        **changes,
    }


def token(content: Claims | None = None, key: Any = KEY, algorithm: str = "RS256", **header: Any) -> str:
    return jwt.encode(content or claims(), key, algorithm, headers={"kid": "k1", **header})


def check(sent: str, now: datetime = NOW, keys: KeySet | None = None) -> None:
    check_token(keys or KeySet(lambda: jwks(("k1", KEY))), sent, ASKED, ADDRESS, "s1", now)


def test_a_token_of_prolific_opens_the_study() -> None:
    check(token())
    check(token(), NOW + timedelta(seconds=125))  # clocks differ


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"iss": "https://www.prolific.example"}, NOT_SIGNED),
        ({"sub": "s2"}, OF_ANOTHER),
        ({"aud": "https://work.example.org/worker/study/k2"}, OF_ANOTHER),
        ({"aud": "https://work.example.org.evil.example/worker/study/k1"}, OF_ANOTHER),
        ({"aud": [ADDRESS]}, OF_ANOTHER),
        ({"prolific": {**ASKED, "PROLIFIC_PID": "p2"}}, OF_ANOTHER),
        ({"prolific": {**ASKED, "STUDY_ID": "st2"}}, OF_ANOTHER),
        ({"prolific": {**ASKED, "workspace_id": "w2"}}, OF_ANOTHER),
        ({"prolific": {}}, OF_ANOTHER),
        ({"prolific": "PROLIFIC_PID"}, OF_ANOTHER),
        ({"exp": "soon"}, NOT_SIGNED),
        ({"iat": None}, NOT_SIGNED),
        ({"exp": float("nan")}, TOO_OLD),
        ({"iat": NOW.timestamp() + 60, "exp": NOW.timestamp() + 180}, TOO_OLD),
    ],
)
def test_a_token_of_another_study_or_person_opens_nothing(changes: Claims, said: str) -> None:
    with pytest.raises(Refused) as refused:
        check(token(claims(**changes)))
    assert str(refused.value) == said


@pytest.mark.parametrize("missing", ["iss", "iat", "exp", "aud", "sub", "prolific"])
def test_a_token_that_leaves_something_out_opens_nothing(missing: str) -> None:
    content = claims()
    del content[missing]
    with pytest.raises(Refused):
        check(token(content))


def test_an_old_token_opens_nothing() -> None:
    with pytest.raises(Refused, match="too old"):
        check(token(), NOW + timedelta(seconds=131))


def unsigned() -> str:
    """`alg: none`, as the standard writes it."""
    parts = [{"alg": "none", "typ": "JWT", "kid": "k1"}, claims()]
    return ".".join([*(base64.urlsafe_b64encode(json.dumps(one).encode()).decode().rstrip("=") for one in parts), ""])


def public_pem() -> bytes:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return KEY.public_key().public_bytes(serialization.Encoding.PEM, form)


def hmac_with_public_key() -> str:
    """HS256 with the public key as its secret."""
    import hashlib
    import hmac

    encode: Callable[[bytes], str] = lambda raw: base64.urlsafe_b64encode(raw).decode().rstrip("=")  # noqa: E731
    header = json.dumps({"alg": "HS256", "typ": "JWT", "kid": "k1"}).encode()
    signed = f"{encode(header)}.{encode(json.dumps(claims()).encode())}"
    return f"{signed}.{encode(hmac.new(public_pem(), signed.encode(), hashlib.sha256).digest())}"


@pytest.mark.parametrize(
    "forged",
    [
        "",
        "x",
        "a.b.c",
        "é" * 50,
        token(key=OTHER_KEY),
        token(kid="k2"),
        token(kid="../k1"),
        token()[:-4] + "AAAA",
        token() + "." + "x" * 1_000_000,
        unsigned(),
        hmac_with_public_key(),
        token(algorithm="PS256"),
        token(algorithm="RS512"),
        token(jku="https://evil.example/jwks.json", key=OTHER_KEY),
        token(jwk=jwks(("k1", OTHER_KEY))["keys"][0], key=OTHER_KEY),
    ],
)
def test_a_forged_token_opens_nothing(forged: str) -> None:
    with pytest.raises(Refused) as refused:
        check(forged)
    assert str(refused.value) == NOT_SIGNED


def test_keys_are_kept_for_a_day_and_read_anew_for_a_new_key() -> None:
    published = [jwks(("k1", KEY))]
    reads: list[int] = []

    def read() -> Any:
        reads.append(1)
        return published[-1]

    keys = KeySet(read)
    for _ in range(3):
        check(token(), keys=keys)
    assert len(reads) == 1
    published.append(jwks(("k1", KEY), ("k9", OTHER_KEY)))
    check(
        token(claims(iat=NOW.timestamp() + 60, exp=NOW.timestamp() + 180), OTHER_KEY, kid="k9"),
        NOW + timedelta(seconds=61),
        keys,
    )
    assert len(reads) == 2
    tomorrow = NOW + timedelta(days=1, seconds=61)
    check(token(claims(iat=tomorrow.timestamp(), exp=tomorrow.timestamp() + 120)), tomorrow, keys)
    assert len(reads) == 3


def test_strangers_with_invented_keys_do_not_make_us_read_them_again_and_again() -> None:
    reads: list[int] = []

    def read() -> Any:
        reads.append(1)
        return jwks(("k1", KEY))

    keys = KeySet(read)
    for number in range(100):
        with pytest.raises(Refused):
            check(token(kid=f"invented {number}"), NOW + timedelta(seconds=number / 10), keys)
    assert len(reads) == 1


def test_keys_that_cannot_be_read_are_told() -> None:
    def read() -> Any:
        raise Unanswered("no answer")

    with pytest.raises(Refused) as refused:
        check(token(), keys=KeySet(read))
    assert str(refused.value) == NO_KEYS


def test_keys_that_cannot_be_read_are_not_asked_for_by_every_stranger() -> None:
    reads: list[int] = []

    def read() -> Any:
        reads.append(1)
        raise Unanswered("no answer")

    keys = KeySet(read)
    for number in range(100):
        with pytest.raises(Refused, match="cannot be read"):
            check(token(kid=f"invented {number}"), NOW + timedelta(seconds=number / 10), keys)
    assert len(reads) == 1


def test_known_keys_stay_good_while_new_ones_cannot_be_read() -> None:
    published: list[Any] = [jwks(("k1", KEY))]

    def read() -> Any:
        if not published:
            raise Unanswered("no answer")
        return published.pop()

    keys = KeySet(read)
    check(token(), keys=keys)
    tomorrow = NOW + timedelta(days=1, seconds=1)
    check(token(claims(iat=tomorrow.timestamp(), exp=tomorrow.timestamp() + 120)), tomorrow, keys)


def test_the_published_key_of_prolific_can_be_read(shared_data: Path) -> None:
    published = json.loads((shared_data / "prolific" / "study-jwks.json").read_text(encoding="utf-8"))
    [only] = published["keys"]
    assert KeySet(lambda: published).key(only["kid"], NOW) is not None
