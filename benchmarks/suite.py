"""This suite's operator, as the benchmarks run it: `python -m benchmarks.suite DIRECTORY --hits N`.

Everything between page and model is the real thing: router, channel, blueprint, writing desk, and an SQLite store that
has committed each attempt before its verdict leaves.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.adversary.pool import Member, Pool
from beat_the_ai.mephisto.architect import ARCHITECT_TYPE
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.operator import CampaignOperator
from beat_the_ai.rules.adversary import Adversary
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.registry import bind
from beat_the_ai.store import Campaign, Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing import HintDesk, OpenHits, WritingDesk
from benchmarks.processes import Ready, operator_arguments, serve_until_parent_ends
from benchmarks.trivial import TrivialInProcess
from blueprints.writing import BLUEPRINT_TYPE, writing_state

CAMPAIGN = "benchmark"
TASKS = Path(__file__).parents[1] / "tasks"
CONTEXTS = TASKS / "reading_comprehension" / "contexts" / "sample.jsonl"
MODEL_TIMEOUT_SECONDS = 60
SETTLING_SECONDS = 60
TERMS = Terms()
TASK = {
    "task_name": CAMPAIGN,
    "task_title": "Benchmark",
    "task_description": "Benchmark",
    "task_tags": "benchmark",
    "task_reward": TERMS.reward_cents / 100,
    "assignment_duration_in_seconds": TERMS.time_limit_seconds,
    "submission_timeout": TERMS.time_limit_seconds,
    "allowed_concurrent": 0,
    "maximum_units_per_worker": 0,
    "max_num_concurrent_units": 0,
    "no_submission_patience": 10**9,
}
PROVIDER = {"_provider_type": "mock", "requester_name": "MOCK_REQUESTER"}


def asked_model(address: str | None, name: str | None, prediction_type: type[Value]) -> Adversary:
    """The model server's model of that name, or the trivial one in this process."""
    if address is None or name is None:
        return TrivialInProcess()
    return ModelInTheLoop(Pool([Member(name, address)], seed=1), prediction_type, MODEL_TIMEOUT_SECONDS)


def store_at(directory: Path) -> Store:
    return open_store(f"sqlite:///{directory / 'campaign.db'}")


def handed_in(store: Store, campaign: str, expected: int) -> int:
    """Return how many HITs are done, once all that are expected came through, or enough time has passed."""
    deadline = time.monotonic() + SETTLING_SECONDS
    while (found := len(store.attempts.done_hits(campaign))) < expected and time.monotonic() < deadline:
        time.sleep(0.2)
    return found


def offer(store: Store, kind: Kind, number: int) -> dict[str, str]:
    """So many HITs in the store, over all sample contexts."""
    writing = kind.writing
    contexts = writing.load_contexts(TASKS / kind.name / "contexts" / "sample.jsonl")
    campaign = store.campaigns.create(Campaign(CAMPAIGN, kind.name, 1, "benchmark", {}, now()))
    slots = -(-number // len(contexts))
    offered = store.campaigns.offer(
        campaign.id,
        contexts,
        round_number=1,
        slots=slots,
        brief=lambda context, slot: writing.brief(context, slot, campaign.seed),
    )
    return dict(list(offered.items())[:number])


def run_config(directory: Path) -> Any:
    architect = {"_architect_type": ARCHITECT_TYPE, "host": "127.0.0.1", "port": 0, "page_dir": ""}
    return OmegaConf.create(
        {
            "blueprint": {"_blueprint_type": BLUEPRINT_TYPE},
            "provider": PROVIDER,
            "architect": {**architect, "absence_seconds": 900},
            "task": TASK,
        }
    )


def router_process(directory: Path) -> int:
    """The process id that the router wrote down beside the port it took."""
    (address,) = directory.rglob("router/address.json")
    return int(json.loads(address.read_text(encoding="utf-8"))["pid"])


def main() -> None:
    given = operator_arguments(__doc__)
    kind, store = bind(given.kind), store_at(given.directory)
    hits = offer(store, kind, given.hits)
    model = asked_model(given.model_address, given.model_name, kind.writing.prediction_type)
    desk = WritingDesk(store, kind.writing, model, TERMS)
    hints = None
    if kind.hints is not None:
        hints = HintDesk(store, kind.hints, kind.writing, model, TERMS.max_tries)
    operator = CampaignOperator(MephistoDatabase(given.directory / "mephisto" / "database.db"))
    try:
        state = writing_state(desk, OpenHits(BoundCampaign.open(store, CAMPAIGN), hits), {}, hints)
        url = operator.launch(run_config(given.directory), state)
        processes = {"operator": os.getpid(), "router": router_process(given.directory)}
        serve_until_parent_ends(given.directory, Ready(url, processes))
    finally:
        operator.pause()
        store.close()


if __name__ == "__main__":
    main()
