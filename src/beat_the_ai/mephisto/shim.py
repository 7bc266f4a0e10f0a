"""Importing Mephisto 1.1.1 on Python 3.11 and newer.

Mephisto declares dataclasses with mutable defaults, which Python refuses since 3.11 unless the default is hashable.
While Mephisto is imported for the first time, dataclasses of its own modules are made hashable, and no others.
It also makes its configuration when it is imported, and fails where two of a user's first processes do so at once.
This is also the one list of what the suite uses of Mephisto: everything else takes these names from here.
"""

from __future__ import annotations

import dataclasses
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from beat_the_ai.files.atomic_write import replacing


@contextmanager
def _hashable_mephisto_dataclasses() -> Iterator[None]:
    original = dataclasses.dataclass

    def dataclass(cls: Any = None, /, **options: Any) -> Any:
        def decorate(decorated: Any) -> Any:
            ours = decorated.__module__.partition(".")[0] == "mephisto"
            if ours and not options.get("frozen") and options.get("eq", True):
                return original(decorated, **{**options, "unsafe_hash": True})
            return original(decorated, **options)

        return decorate if cls is None else decorate(cls)

    dataclasses.dataclass = dataclass
    try:
        yield
    finally:
        dataclasses.dataclass = original


@contextmanager
def _logging_as_it_was() -> Iterator[None]:
    """Mephisto gives the root logger a handler that prints to standard output, at level INFO."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


def make_configuration(folder: Path) -> None:
    """Make the empty configuration that Mephisto would, unless there is one; any number of processes may at once."""
    file = folder / "config.yml"
    if not file.exists():
        with replacing(file) as draft:
            draft.write(b"core: {}\n")


make_configuration(Path("~/.mephisto").expanduser())
with _hashable_mephisto_dataclasses(), _logging_as_it_was(), warnings.catch_warnings():
    warnings.simplefilter("ignore")  # deprecations inside Mephisto 1.1.1 and the packages that it pins
    from mephisto.abstractions._subcomponents.agent_state import AgentState
    from mephisto.abstractions._subcomponents.agent_state import _AgentStateMetadata as AgentStateMetadata
    from mephisto.abstractions._subcomponents.channel import Channel
    from mephisto.abstractions._subcomponents.task_builder import TaskBuilder
    from mephisto.abstractions._subcomponents.task_runner import TaskRunner
    from mephisto.abstractions.architect import Architect, ArchitectArgs
    from mephisto.abstractions.blueprint import Blueprint, BlueprintArgs, SharedTaskState
    from mephisto.abstractions.blueprints.abstract.static_task.static_agent_state import DATA_FILE, StaticAgentState
    from mephisto.abstractions.databases.local_database import LocalMephistoDB
    from mephisto.abstractions.providers.mock import mock_unit
    from mephisto.abstractions.providers.mock.mock_provider import MockProvider
    from mephisto.abstractions.providers.mturk.mturk_agent import MTurkAgent
    from mephisto.abstractions.providers.mturk.mturk_datastore import MTurkDatastore
    from mephisto.abstractions.providers.mturk.mturk_provider import MTurkProvider, MTurkProviderArgs
    from mephisto.abstractions.providers.mturk.mturk_requester import MTurkRequester
    from mephisto.abstractions.providers.mturk.mturk_unit import MTurkUnit
    from mephisto.abstractions.providers.mturk.mturk_worker import MTurkWorker
    from mephisto.data_model.agent import Agent
    from mephisto.data_model.assignment import Assignment, InitializationData
    from mephisto.data_model.constants.assignment_state import AssignmentState
    from mephisto.data_model.exceptions import AgentDisconnectedError, AgentReturnedError, AgentTimeoutError
    from mephisto.data_model.packet import Packet
    from mephisto.data_model.task_run import TaskRun
    from mephisto.data_model.unit import Unit
    from mephisto.data_model.worker import Worker
    from mephisto.operations.client_io_handler import ClientIOHandler
    from mephisto.operations.datatypes import LiveTaskRun, LoopWrapper, WorkerFailureReasons
    from mephisto.operations.operator import Operator
    from mephisto.operations.registry import (
        get_architect_from_type,
        get_blueprint_from_type,
        get_crowd_provider_from_type,
        register_mephisto_abstraction,
    )
    from mephisto.operations.worker_pool import WorkerPool
    from mephisto.tools.data_browser import DataBrowser
    from mephisto.utils.logger_core import set_mephisto_log_level
    from mephisto.utils.qualifications import worker_is_qualified

# A line for each unit. Redirecting stdout meanwhile would take it from all other threads, too.
mock_unit.print = lambda *_lines: None
# The file says what is wrong with Mephisto's own.
MockProvider.get_wrapper_js_path = classmethod(lambda _cls: str(Path(__file__).with_name("wrap_mock_crowd.js")))

__all__ = [
    "DATA_FILE",
    "Agent",
    "AgentDisconnectedError",
    "AgentReturnedError",
    "AgentState",
    "AgentStateMetadata",
    "AgentTimeoutError",
    "Architect",
    "ArchitectArgs",
    "Assignment",
    "AssignmentState",
    "Blueprint",
    "BlueprintArgs",
    "Channel",
    "ClientIOHandler",
    "DataBrowser",
    "InitializationData",
    "LiveTaskRun",
    "LocalMephistoDB",
    "LoopWrapper",
    "MTurkAgent",
    "MTurkDatastore",
    "MTurkProvider",
    "MTurkProviderArgs",
    "MTurkRequester",
    "MTurkUnit",
    "MTurkWorker",
    "Operator",
    "Packet",
    "SharedTaskState",
    "StaticAgentState",
    "TaskBuilder",
    "TaskRun",
    "TaskRunner",
    "Unit",
    "Worker",
    "WorkerFailureReasons",
    "WorkerPool",
    "get_architect_from_type",
    "get_blueprint_from_type",
    "get_crowd_provider_from_type",
    "register_mephisto_abstraction",
    "set_mephisto_log_level",
    "worker_is_qualified",
]
