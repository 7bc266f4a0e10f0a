"""The rival's operator: Mephisto 1.1.1 as it is, `python -m benchmarks.stock.operator DIRECTORY --hits N`.

Real Operator, LocalMephistoDB, MockProvider, LocalArchitect and RemoteProcedureBlueprint with its stock runner. The
procedure checks, asks and judges as the suite does, and stores nothing. Four things are corrected or kept away, because
Mephisto would not run here otherwise or would meddle with the machine:
- the router's doubled packets (see `benchmarks.stock.router`);
- its channel reads `socket.closed`, which websockets 14 and newer lack: connections get that attribute back;
- its metrics server, on fixed port 3031, is not started;
- the router runs in DIRECTORY, not in site-packages.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

import beat_the_ai.mephisto.shim  # noqa: F401  # first: without it Mephisto cannot be imported

# isort: split
from mephisto.abstractions.architects import local_architect
from mephisto.abstractions.architects.router.build_router import NODE_SERVER_SOURCE_ROOT
from mephisto.abstractions.blueprints.remote_procedure.remote_procedure_blueprint import (
    RemoteProcedureBlueprintArgs,
    SharedRemoteProcedureTaskState,
)
from mephisto.abstractions.databases.local_database import LocalMephistoDB
from mephisto.operations import operator as mephisto_operator
from mephisto.operations.datatypes import LiveTaskRun
from omegaconf import OmegaConf
from websockets.asyncio.client import ClientConnection
from websockets.protocol import State

from beat_the_ai.kinds.reading_comprehension.writing import Prediction, ReadingComprehension
from beat_the_ai.rules.adversary import Adversary, Asker
from beat_the_ai.rules.protocol import Context, TaskItem
from benchmarks.processes import Ready, operator_arguments, serve_until_parent_ends
from benchmarks.stock.router import ROOT, corrected_router, use_node
from benchmarks.suite import CONTEXTS, PROVIDER, TASK, asked_model

ROUTER = ROOT / "out" / "benchmarks" / "stock-router-1.1.1"


def correct_mephisto(directory: Path) -> None:
    ClientConnection.closed = property(lambda self: self.state is not State.OPEN)  # type: ignore[attr-defined]
    mephisto_operator.launch_prometheus_server = lambda: False
    mephisto_operator.start_metrics_server = lambda: None
    local_architect.get_mephisto_tmp_dir = lambda: str(directory / "running")


class Procedure:
    """`submit_attempt` as the suite has it, apart from the store."""

    def __init__(self, contexts: list[Context], model: Adversary) -> None:
        self._contexts = {context.id: context for context in contexts}
        self._kind = ReadingComprehension()
        self._model = model

    def __call__(self, request_id: str, arguments: dict[str, Any], state: Any) -> dict[str, Any]:
        context = self._contexts[arguments["context_id"]]
        work = self._kind.check(self._kind.work_type.model_validate(arguments["work"]), TaskItem(context))
        worker = str(state.agent.get_agent_id())
        reply = self._model.ask(
            self._kind.query(work, TaskItem(context)), key=request_id, asker=Asker(request_id, worker, 1)
        )
        verdict = self._kind.judge(work, self._kind.prediction_type.model_validate(reply.prediction), TaskItem(context))
        answer = {"prediction": reply.prediction.model_dump(), "scores": verdict.scores.model_dump()}
        return {"ok": True, "attempt": {"work": work.model_dump(), "fooled": verdict.fooled, **answer}}


def run_config(directory: Path) -> Any:
    bundle = directory / "bundle.js"
    bundle.touch()
    router = corrected_router(Path(NODE_SERVER_SOURCE_ROOT), ROUTER)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    architect = {"_architect_type": "local", "server_type": "node", "hostname": "127.0.0.1", "port": port}
    return OmegaConf.create(
        {
            "blueprint": OmegaConf.structured(RemoteProcedureBlueprintArgs(task_source=str(bundle))),
            "provider": PROVIDER,
            "architect": {**architect, "server_source_path": str(router)},
            "task": TASK,
            "log_level": "warning",
        }
    )


def launched(operator: Any, config: Any, state: Any) -> LiveTaskRun:
    """The run, once all its units are on offer."""
    run_id = operator.launch_task_run_or_die(config, state)
    live_run = operator.get_running_task_runs()[run_id]
    while live_run.task_launcher.unlaunched_units:
        time.sleep(0.1)
    return live_run


def main() -> None:
    given = operator_arguments(__doc__)
    use_node()
    correct_mephisto(given.directory)
    contexts = ReadingComprehension().load_contexts(CONTEXTS)
    passages = [{"context": {"id": context.id, "text": context.text}} for context in contexts]
    model = asked_model(given.model_address, given.model_name, Prediction)
    state = SharedRemoteProcedureTaskState(
        function_registry={"submit_attempt": Procedure(contexts, model)},
        static_task_data=[passages[number % len(passages)] for number in range(given.hits)],
    )
    operator = mephisto_operator.Operator(LocalMephistoDB(str(given.directory / "database.db")))
    config = run_config(given.directory)
    router = launched(operator, config, state).architect.server_process
    ready = Ready(f"http://127.0.0.1:{config.architect.port}", {"operator": os.getpid(), "router": router.pid})

    def end_with_parent() -> None:
        serve_until_parent_ends(given.directory, ready)
        router.terminate()
        os._exit(0)  # Mephisto's own shutdown waits for units that nobody will take

    threading.Thread(target=end_with_parent, daemon=True).start()
    operator.wait_for_runs_then_shutdown(skip_input=True)


if __name__ == "__main__":
    main()
