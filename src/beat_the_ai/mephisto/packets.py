"""The packets of Mephisto's channel: what the page, the router and the operator say to each other.

Field names and types are those of Mephisto 1.1.1 (`mephisto.data_model.packet`, its Node router and `mephisto-task`).
Three things are added: `alive` carries a credential, `request_agent` answers with an `agent_secret`, and what waits
between router and operator travels in one frame, as an array: when there is much to do, they wake each other up less.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Mapping
from typing import Any

from beat_the_ai.messages import Said, sent

ALIVE = "alive"
HEARTBEAT = "heartbeat"
REGISTER_AGENT = "register_agent"
AGENT_DETAILS = "agent_details"
CALL = "mephisto_bound_live_update"
ANSWER = "client_bound_live_update"
UPDATE_STATUS = "update_status"
REQUEST_STATUSES = "request_statuses"
RETURN_STATUSES = "return_statuses"
SUBMIT_ONBOARDING = "submit_onboarding"
SUBMIT_UNIT = "submit_unit"
SUBMIT_METADATA = "submit_metadata"
LOG_ERROR = "log_error"

OPERATOR = "mephisto"
FRAME_CHARS = 256 * 1024  # more is sent in a frame of its own

# What an agent's status means to a page: it works, it has submitted, or the HIT was taken from it.
DISCONNECTED = "disconnect"
LIVE_STATUSES = frozenset({"accepted", "onboarding", "waiting", "in task"})
SUBMITTED_STATUSES = frozenset({"completed", "approved", "soft_rejected", "rejected"})
LOST_STATUSES = frozenset({DISCONNECTED, "timeout", "expired", "returned"})
FINAL_STATUSES = SUBMITTED_STATUSES | LOST_STATUSES

AFTERWARDS = frozenset({"forms_after", "answer_after"})  # procedures that a page may call once its HIT is submitted

Packet = dict[str, Any]


def packet(packet_type: str, subject_id: str, data: dict[str, Any], client_timestamp: float | None = None) -> Packet:
    return {
        "packet_type": packet_type,
        "subject_id": subject_id,
        "data": data,
        "client_timestamp": client_timestamp,
        "router_outgoing_timestamp": time.time(),
    }


async def next_frame(line: asyncio.Queue[str]) -> str:
    """Wait for a packet between router and operator, and take those along that wait behind it: an array of them."""
    frame = [await line.get()]
    size = len(frame[0])
    while not line.empty() and size < FRAME_CHARS:
        frame.append(line.get_nowait())
        size += len(frame[-1])
    return f"[{','.join(frame)}]"


def in_frame(frame: str | bytes) -> list[Packet]:
    found: list[Packet] = json.loads(frame)
    return found


def failure(reason: str) -> dict[str, Any]:
    """Return why a page gets no agent, as it is told: in English, and as messages."""
    return {"failure_reason": reason, **({"failure_said": sent(reason)} if isinstance(reason, Said) else {})}


def timestamp(body: Mapping[str, Any]) -> float | None:
    """The client's clock as it was sent, or None when that is no time."""
    value = body.get("client_timestamp")
    try:
        return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else None
    except OverflowError:
        return None
