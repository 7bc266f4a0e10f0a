"""The header `Retry-After`, by which a server asks its clients to wait (RFC 9110, §10.2.3)."""

from __future__ import annotations

import logging
import re
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

LONGEST_REST_SECONDS = 60.0
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?", re.ASCII)

log = logging.getLogger(__name__)


def retry_after_seconds(header: str) -> float | None:
    """Return the seconds to wait, a minute at most; None if the header is missing or cannot be read.

    The header holds seconds, or a date of HTTP. A longer wait is cut to a minute, and logged.
    """
    asked_seconds = _read(header.strip())
    if asked_seconds is None or asked_seconds <= LONGEST_REST_SECONDS:
        return asked_seconds
    log.warning(
        "A server asks not to be called for %.0f seconds (Retry-After: %.40r). It is called again after %.0f.",
        asked_seconds,
        header,
        LONGEST_REST_SECONDS,
    )
    return LONGEST_REST_SECONDS


def _read(header: str) -> float | None:
    if NUMBER.fullmatch(header):
        return float(header)
    try:
        date = parsedate_to_datetime(header)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    date = date if date.tzinfo is not None else date.replace(tzinfo=timezone.utc)
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())
