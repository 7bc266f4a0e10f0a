"""The packets of Mephisto's channel: what the page, the router and the operator say to each other.

Field names and types are those of Mephisto 1.1.1 (`mephisto.data_model.packet`, its Node router and `mephisto-task`).
Two things are added: `alive` carries a credential, and `request_agent` answers with an `agent_secret`.
"""

from __future__ import annotations

import time
from typing import Any

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

LIVE_STATUSES = frozenset({"onboarding", "waiting", "in task"})
DISCONNECTED = "disconnect"
COMPLETED = "completed"

Packet = dict[str, Any]


def packet(packet_type: str, subject_id: str, data: dict[str, Any], client_timestamp: float | None = None) -> Packet:
    return {
        "packet_type": packet_type,
        "subject_id": subject_id,
        "data": data,
        "client_timestamp": client_timestamp,
        "router_outgoing_timestamp": time.time(),
    }
