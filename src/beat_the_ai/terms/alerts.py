"""The alerts that a campaign's requester wants, and where they go."""

from __future__ import annotations

import ipaddress
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

MOST_CHARS = 2000


def _checked_webhook(url: str) -> str:
    """Return the address. Others may read what is sent without TLS, and only this machine may be reached without."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError(f"{url[:80]!r} is no address") from None
    if len(url) > MOST_CHARS or not url.isascii() or not url.isprintable() or " " in url:
        raise ValueError(f"an address has at most {MOST_CHARS} ASCII characters, without spaces")
    if not host or parts.scheme not in ("https", "http") or parts.username is not None:
        raise ValueError("write https://HOST/PATH, without a user and a password")
    if parts.scheme == "http" and not _is_this_machine(host):
        raise ValueError(f"{host} is another machine: write https://")
    return url


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


Webhook = Annotated[str, AfterValidator(_checked_webhook)]
Share = Annotated[float, Field(ge=0, le=1)]


class AlertTerms(BaseModel):
    """The receivers of alerts, and the bounds behind which there is one. Without a receiver there are none.

    `webhook` gets each alert as JSON by POST. `mail` are addresses, over the server `smtp` from `sender`.
    `used_share` of the cap is used; `least_error_rate` and `most_error_rate` bound the model's unverified error rate,
    from `least_attempts` on; nobody is qualified after `least_screenings`.
    """

    model_config = ConfigDict(frozen=True)

    webhook: Webhook | None = None
    mail: tuple[str, ...] = ()
    smtp: str | None = None
    sender: str | None = None
    used_share: Share = 0.8
    least_error_rate: Share = 0.02
    most_error_rate: Share = 0.9
    least_attempts: int = Field(default=100, ge=1)
    least_screenings: int = Field(default=10, ge=1)

    @property
    def is_on(self) -> bool:
        """Return whether anybody gets alerts."""
        return self.webhook is not None or bool(self.mail)
