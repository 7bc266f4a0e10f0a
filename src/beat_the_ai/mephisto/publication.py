"""Copies of assignments' results in Mephisto's own records, where Mephisto's tools look for them.

The engine's store is the source of truth, and knows more as time goes on: votes, reviews, revocations. A copy is as
good as the moment it was made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.procedures import assignment_of
from beat_the_ai.mephisto.shim import Agent, AgentState, AssignmentState, TaskRun


class Decision(Enum):
    """On an assignment that was handed in, in Mephisto's statuses of a unit and of its agent."""

    OPEN = AssignmentState.COMPLETED, AgentState.STATUS_COMPLETED
    ACCEPTED = AssignmentState.ACCEPTED, AgentState.STATUS_APPROVED
    NOT_USED = AssignmentState.SOFT_REJECTED, AgentState.STATUS_SOFT_REJECTED  # and paid all the same


@dataclass(frozen=True)
class DecidedWork:
    """The result of an assignment; `work` is JSON."""

    work: Mapping[str, Any]
    decision: Decision


STATUSES = {agent_status for _, agent_status in (decision.value for decision in Decision)}


def publish(database: MephistoDatabase, task_run: TaskRun, outcomes: Mapping[str, DecidedWork]) -> None:
    """Give units and agents of a run what their assignments came to; `outcomes` goes by the engine's assignments."""
    for agent in database.find_agents(task_run_id=task_run.db_id):
        if agent.db_status in STATUSES and agent.state.page is not None:
            outcome = outcomes.get(assignment_of(agent))
            if outcome is not None:
                _publish(database, agent, outcome)


def _publish(database: MephistoDatabase, agent: Agent, outcome: DecidedWork) -> None:
    agent.state.keep_work(json.loads(json.dumps(outcome.work)))
    unit_status, agent_status = outcome.decision.value
    if agent.db_status != agent_status:
        database.update_agent(agent.db_id, status=agent_status)
        database.update_unit(agent.unit_id, status=unit_status)
