"""The ways of an alert to its receivers: a webhook, whose requests are signed, and e-mail.

Nothing of an answer is read but its status, no redirect is followed, and no proxy of the environment is used.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import os
import time
from dataclasses import asdict, dataclass

import httpx

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.people import mail
from beat_the_ai.store import News, Occurrence
from beat_the_ai.terms.alerts import AlertTerms

SECRET_VARIABLE = "BEAT_THE_AI_WEBHOOK_SECRET"  # noqa: S105 - the variable's name
SIGNATURE = "X-Beat-The-AI-Signature"
ANSWER_SECONDS = 10.0


logging.getLogger("httpx").setLevel(logging.WARNING)  # at INFO it logs whole addresses


class Undelivered(Exception):  # no error of the requester's: it is tried again
    """A message did not arrive; the text says why, without an address, which may hold a secret."""


@dataclass(frozen=True)
class Message:
    """The news of an alert. A message that comes twice has the same `id`."""

    id: str
    campaign: str
    alert: str
    subject: str
    state: News
    text: str
    at: str

    @classmethod
    def of(cls, occurrence: Occurrence) -> Message:
        """Return the message of what is news in an occurrence."""
        state = occurrence.news or "began"
        at = occurrence.ended_at if state == "over" and occurrence.ended_at is not None else occurrence.began_at
        return cls(
            id=f"{occurrence.campaign_id}-{occurrence.id}-{state}",
            campaign=occurrence.campaign_id,
            alert=occurrence.name,
            subject=occurrence.subject,
            state=state,
            text=occurrence.text if state == "began" else f"This is over: {occurrence.text}",
            at=at.isoformat(),
        )


def send(message: Message, terms: AlertTerms) -> None:
    """Send a message to all receivers. Raises `Undelivered`, and `InvalidInput` for what is missing to send it."""
    if terms.webhook is not None:
        post(message, terms.webhook, os.environ.get(SECRET_VARIABLE, ""))
    if terms.mail:
        _mail(message, terms)


def check(terms: AlertTerms) -> None:
    """Raise `InvalidInput` for terms with which nothing can be sent from here."""
    if terms.webhook is not None:
        _checked_secret(os.environ.get(SECRET_VARIABLE, ""))
    if terms.mail:
        server = _mail_server(terms)
        if server.lacks_password:
            raise InvalidInput("alerts.smtp", f"{server.user} needs a password there. Set {mail.PASSWORD_VARIABLE}.")


def signature(secret: str, at: int, body: bytes) -> str:
    """Return the signature of a request: `t` are seconds since 1970, `v1` is HMAC-SHA256 of `T.BODY` in hex."""
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"


def post(message: Message, webhook: str, secret: str) -> None:
    """Post a message to a webhook. Raises `Undelivered` unless it is taken."""
    body = json.dumps(asdict(message)).encode()
    signed = signature(_checked_secret(secret), int(time.time()), body)
    headers = {"Content-Type": "application/json", SIGNATURE: signed}
    try:
        with (
            httpx.Client(trust_env=False, timeout=ANSWER_SECONDS) as http,
            http.stream("POST", webhook, content=body, headers=headers) as answer,
        ):
            status, is_taken = answer.status_code, answer.is_success
    except httpx.HTTPError as error:
        raise Undelivered(f"the webhook cannot be reached ({type(error).__name__})") from None
    if not is_taken:
        raise Undelivered(f"the webhook answered {status}")


def _checked_secret(secret: str) -> str:
    if not secret:
        raise InvalidInput("alerts.webhook", f"Requests to it are signed. Set {SECRET_VARIABLE} to a secret.")
    return secret


def _mail_server(terms: AlertTerms) -> mail.MailServer:
    if terms.smtp is None or terms.sender is None:
        raise InvalidInput("alerts.smtp", "Alerts by e-mail need alerts.smtp and alerts.sender.")
    return mail.check_server(terms.smtp, terms.sender)


def _mail(message: Message, terms: AlertTerms) -> None:
    over = " is over" if message.state == "over" else ""
    subject = f"{message.campaign}: {' '.join((message.alert.replace('_', ' '), message.subject)).strip()}{over}"
    letters = [mail.Letter("", address, subject, f"{message.text}\n\n{message.at}\n") for address in terms.mail]
    refusals = [sent.refusal for sent in mail.send(_mail_server(terms), letters) if sent.refusal]
    if len(refusals) == len(letters):
        raise Undelivered(f"the mail server refused it: {refusals[0]}")
