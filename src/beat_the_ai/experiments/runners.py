"""Doing the cells' jobs: here, or on a Ray cluster, as many at once as it has room for."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.experiments.cells import Cell
from beat_the_ai.experiments.job import run_job
from beat_the_ai.experiments.matrix import ModelSettings

LOCAL = "local"

Runner = Callable[[Sequence[Cell]], Iterator[tuple[Cell, int]]]
"""Yields each cell once its job has ended, with the exit status, which is 0 when all is well."""


def here(at_once: int) -> Runner:
    """On this machine, so many at once."""

    def run(cells: Sequence[Cell]) -> Iterator[tuple[Cell, int]]:
        executor = ThreadPoolExecutor(at_once)
        try:
            waiting = {executor.submit(run_job, cell.folder): cell for cell in cells}
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        finally:
            executor.shutdown(cancel_futures=True)

    return run


def on_ray(address: str, models: dict[str, ModelSettings]) -> Runner:
    """On the cluster at that address, or one that is started here for `LOCAL`.

    Its machines need this package, and the matrix's folder and files under the same paths. A job takes as many
    processors as its model has threads, and one GPU if it trains or answers on one.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # else a cluster that is started here reports to its makers
    ray = _ray()

    def run(cells: Sequence[Cell]) -> Iterator[tuple[Cell, int]]:
        ray.init(address=None if address == LOCAL else address, include_dashboard=False, log_to_driver=False)
        try:
            waiting = {_remote(ray, models[cell.model]).remote(cell.folder): cell for cell in cells}
            while waiting:
                [done], _ = ray.wait(list(waiting), num_returns=1)
                yield waiting.pop(done), _status(ray, done)
        finally:
            ray.shutdown()

    return run


def _remote(ray: Any, model: ModelSettings) -> Any:
    threads = model.train.get("threads", model.answering.threads)
    on_gpu = "cuda" in (model.train.get("device"), model.answering.device)
    return ray.remote(run_job).options(num_cpus=threads, num_gpus=int(on_gpu), max_retries=0)


def _status(ray: Any, done: Any) -> int:
    """A job whose machine is gone has failed, and the next run takes it up."""
    try:
        return int(ray.get(done))
    except ray.exceptions.RayError:
        return 1


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ModuleNotFoundError as error:
        raise InvalidInput(
            "--ray", "Running on Ray needs ray, which is not installed. Leave out --ray, or install the extra ray."
        ) from error
