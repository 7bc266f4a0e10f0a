"""Packets that come in from the router: a page's call goes to its unit at once.

Mephisto hands every packet to a second event loop and takes histograms of it, which costs more than the rest of a call.
"""

from __future__ import annotations

import logging
from typing import Any

from beat_the_ai.listening.logs import Moderation
from beat_the_ai.mephisto import packets
from beat_the_ai.mephisto.channel import RouterChannel
from beat_the_ai.mephisto.mturk import CampaignProvider
from beat_the_ai.mephisto.shim import ClientIOHandler, LocalMephistoDB, Packet, WorkerFailureReasons
from beat_the_ai.messages import said
from beat_the_ai.web.page_faults import in_one_line

NO_UNIT, NO_UNIT_WITHOUT_CROWD = "refusals.no_unit", "refusals.no_unit.without_crowd"

log = logging.getLogger(__name__)
log_of_pages = logging.getLogger(f"{__name__}.pages")
log_of_pages.addFilter(Moderation())  # whoever has a page can fill no log


class CampaignClientIO(ClientIOHandler):  # type: ignore[misc]  # Mephisto is untyped
    """`registrations` are those that agents were made for in this process, by agent."""

    def __init__(self, db: LocalMephistoDB) -> None:
        super().__init__(db)
        self.registrations: dict[str, str] = {}

    def associate_agent_with_registration(self, agent_id: str, request_id: str, registration_id: str) -> None:
        super().associate_agent_with_registration(agent_id, request_id, registration_id)
        self.registrations[agent_id] = registration_id

    def put_away(self, agent_id: str) -> None:
        """Forget an agent that is done, but for its registration, by which its page may come again."""
        self.registrations.pop(agent_id, None)

    def send_status_update(self, agent_id: str, status: str) -> None:
        """Send a status; after serving has ended, the next operator sends it."""
        if self.channels:
            super().send_status_update(agent_id, status)

    def _get_channel_for_agent(self, _agent_id: str) -> RouterChannel:
        """A run has one router."""
        channel: RouterChannel
        [channel] = self.channels.values()
        return channel

    def _register_channel(self, channel: RouterChannel) -> str:
        """It connects by itself, and again whenever it has to. Mephisto gives up a run that is not connected soon."""
        self.channels[channel.channel_id] = channel
        channel.open()
        return str(channel.channel_id)

    def _on_channel_message(self, channel_id: str, packet: Packet) -> None:
        """Called on the channel's thread."""
        if packet.type == packets.LOG_ERROR:
            log_of_pages.warning(
                "the page of agent %s failed: %s", packet.subject_id, in_one_line(packet.data.get("text"))
            )
        elif packet.type != packets.CALL:
            super()._on_channel_message(channel_id, packet)
        else:
            self._on_call(packet)

    def _on_call(self, packet: Packet) -> None:
        if packet.data.get("target") in packets.AFTERWARDS:
            self.get_live_run().worker_pool.serve_afterwards(packet.subject_id, packet.data)
            return
        agent = self.get_live_run().worker_pool.agents.get(packet.subject_id)
        if agent is None:
            log.warning("a call of agent %r, who is not at work in this run", packet.subject_id[:40])
            return
        agent.pending_actions.put(packet.data)
        agent.has_live_update.set()

    def enqueue_agent_details(self, request_id: str, additional_data: dict[str, Any]) -> None:
        """Mephisto does not tell workers what to do with a HIT behind which there is no unit."""
        if additional_data.get("failure_reason") == WorkerFailureReasons.NO_AVAILABLE_UNITS:
            has_crowd = isinstance(self.get_live_run().provider, CampaignProvider)
            reason = NO_UNIT if has_crowd else NO_UNIT_WITHOUT_CROWD
            additional_data = {**additional_data, **packets.failure(said(reason))}
        super().enqueue_agent_details(request_id, additional_data)

    def log_metrics_for_packet(self, packet: Packet) -> None:
        """Nobody reads them: the metrics server is not started."""
