"""A requester with Mephisto 1.1.1 as it comes: its own `mturk` provider, local architect, Node router and static page.

    python tests/e2e/stock_mephisto.py PORT FOLDER

serves FOLDER/task.html, and what FOLDER/extra holds. It launches a HIT for each of TASKS, waits until Mephisto itself
finds the run completed, then approves with a bonus what is right, rejects the rest, and writes FOLDER/reviewed.json.

It is run by its path, in a process that imports nothing of this suite, which registers a provider under the same name.
It needs a HOME of its own. The access key comes from STOCK_KEY_ID and STOCK_SECRET; Mephisto writes it to
~/.aws/credentials and uses it from there.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from pathlib import Path
from typing import Any

REQUESTER = "stock-lab"
TASKS = [{"city": "Rome", "country": "Italy"}, {"city": "Paris", "country": "France"}]


def make_mephisto_importable() -> None:
    """Since Python 3.11 a dataclass's default must be hashable, and Mephisto has dataclasses as defaults."""
    original: Any = dataclasses.dataclass

    def dataclass(cls: Any = None, /, **options: Any) -> Any:
        def decorate(decorated: Any) -> Any:
            is_mephistos = decorated.__module__.partition(".")[0] == "mephisto"
            return original(decorated, **{**options, "unsafe_hash": True} if is_mephistos else options)

        return decorate if cls is None else decorate(cls)

    dataclasses.dataclass = dataclass


def say_where_data_lies() -> None:
    """Mephisto would ask."""
    folder, data = Path.home() / ".mephisto", Path.home() / "data"
    folder.mkdir()
    data.mkdir()
    (folder / "config.yml").write_text(json.dumps({"core": {"main_data_directory": str(data)}}))


def main(port: str, folder: str) -> None:
    make_mephisto_importable()
    say_where_data_lies()
    from mephisto.abstractions.architects.local_architect import LocalArchitectArgs
    from mephisto.abstractions.blueprints.abstract.static_task.static_blueprint import SharedStaticTaskState
    from mephisto.abstractions.blueprints.static_html_task.static_html_blueprint import StaticHTMLBlueprintArgs
    from mephisto.abstractions.databases.local_database import LocalMephistoDB
    from mephisto.abstractions.providers.mturk.mturk_provider import MTurkProviderArgs
    from mephisto.abstractions.providers.mturk.mturk_requester import MTurkRequester
    from mephisto.data_model.task_run import TaskRunArgs
    from mephisto.operations.hydra_config import MephistoConfig
    from mephisto.operations.operator import Operator
    from mephisto.tools.data_browser import DataBrowser
    from omegaconf import OmegaConf

    database = LocalMephistoDB()
    key = {"access_key_id": os.environ["STOCK_KEY_ID"], "secret_access_key": os.environ["STOCK_SECRET"]}
    MTurkRequester.new(database, REQUESTER).register(OmegaConf.create(key))
    html = f"{folder}/task.html"
    config = MephistoConfig(
        blueprint=StaticHTMLBlueprintArgs(
            task_source=html, preview_source=html, onboarding_source=None, extra_source_dir=f"{folder}/extra"
        ),
        provider=MTurkProviderArgs(requester_name=REQUESTER),
        architect=LocalArchitectArgs(hostname="http://127.0.0.1", port=port),
        task=TaskRunArgs(
            task_name="countries",
            task_title="Name the country",
            task_description="In which country does the city lie?",
            task_tags="geography",
            task_reward=0.5,
        ),
    )
    operator = Operator(database)
    operator.launch_task_run_or_die(OmegaConf.structured(config), SharedStaticTaskState(static_task_data=TASKS))
    Path(folder, "launched").touch()
    operator.wait_for_runs_then_shutdown(skip_input=True)

    browser = DataBrowser(database)
    seen = []
    for unit in browser.get_units_for_task_name("countries"):
        status, work = unit.get_status(), browser.get_data_from_unit(unit)["data"]
        agent = unit.get_assigned_agent()
        if work["outputs"]["country"] == work["inputs"]["country"]:
            agent.approve_work()
            assert agent.get_worker().bonus_worker(0.25, "Well known", unit) == (True, "")
        else:
            agent.reject_work("Look at a map")
        seen.append({"before": status, "after": unit.get_status(), **work})
    assert not [name for name in sys.modules if name.partition(".")[0] == "beat_the_ai"]
    Path(folder, "reviewed.json").write_text(json.dumps(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
