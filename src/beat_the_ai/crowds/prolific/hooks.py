"""Notifications from Prolific: they only make the mirror look sooner, so none has to arrive.

Source: the part "webhooks" of Prolific's OpenAPI document. The secret is the workspace's: one that is there is used,
for a new one would silence whoever else uses it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime, timedelta
from threading import Lock
from urllib.parse import urlsplit

from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.crowds.prolific.offers import FollowedStudy
from beat_the_ai.crowds.sites import LOOPBACK
from beat_the_ai.errors import PaymentError, Refused

PATH = "/recruiter/notify"
EVENT = "submission.status.change"
TIMESTAMP, SIGNATURE, EVENT_ID = "x-prolific-request-timestamp", "x-prolific-request-signature", "x-event-id"
FRESH_FOR = timedelta(minutes=5)
REMEMBERED = 1_000
NOT_SIGNED = "This notification is not signed by Prolific."

log = logging.getLogger(__name__)


class Hooks:
    """The subscriptions of a portal, with the secrets that its notifications are signed with."""

    def __init__(self) -> None:
        self._secrets: dict[str, str] = {}
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()

    def subscribe(self, client: ProlificClient, followed: FollowedStudy, portal: str) -> None:
        """Subscribe once, if Prolific can reach the portal. Polling is enough where that fails."""
        workspace = followed.terms.workspace
        if workspace in self._secrets or not _can_be_reached(followed.terms.api_url, portal):
            return
        try:
            known = client.get_secrets(workspace)
            secret = known[0] if known else client.create_secret(workspace)
            target = f"{portal}{PATH}"
            if not any(
                (one.event_type, one.target_url) == (EVENT, target) for one in client.get_subscriptions(workspace)
            ):
                subscription, challenge = client.create_subscription(workspace, EVENT, target)
                client.confirm_subscription(subscription.id, challenge)
        except PaymentError as error:
            log.warning("Prolific sends no notifications, and is asked instead: %s", error)
            secret = None
        self._secrets[workspace] = "" if secret is None else secret.value

    def check(self, headers: Mapping[str, str], body: bytes, now: datetime) -> bool:
        """Return whether a notification is new. Raises `Refused` unless Prolific has signed it just now."""
        timestamp, event = headers.get(TIMESTAMP, ""), headers.get(EVENT_ID, "")
        given = headers.get(SIGNATURE, "").encode("utf-8", "replace")
        signed = timestamp.encode("utf-8", "replace") + body
        if not any(
            secret and hmac.compare_digest(_signature(secret, signed), given) for secret in self._secrets.values()
        ):
            raise Refused(NOT_SIGNED)
        if not _is_fresh(timestamp, now):
            raise Refused(NOT_SIGNED)
        with self._lock:
            if event in self._seen:
                return False
            self._seen[event] = None
            while len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
            return True


def _signature(secret: str, signed: bytes) -> bytes:
    return base64.b64encode(hmac.digest(secret.encode(), signed, hashlib.sha256))


def _is_fresh(timestamp: str, now: datetime) -> bool:
    try:
        sent = float(timestamp)
    except ValueError:
        return False
    return abs(now.timestamp() - sent) <= FRESH_FOR.total_seconds()


def _can_be_reached(api_url: str, portal: str) -> bool:
    """Return whether Prolific reaches the portal: over HTTPS, or both are on this machine."""
    return portal.startswith("https://") or {urlsplit(api_url).hostname, urlsplit(portal).hostname} <= set(LOOPBACK)
