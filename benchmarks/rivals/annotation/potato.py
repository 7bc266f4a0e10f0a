"""Potato 2.12.1, an item of the list that an annotator got at the login: `potato start`, one process with threads.

An annotator loads the item's page, saves the statement and goes to the next item. The page's ten further calls for each
item (colors, spans, keywords, schemas, telemetry) are left out. The server ends the connection after every answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import httpx

from benchmarks.rivals.annotation.server import PASSAGE, Rival

ITEM = re.compile(r'name="instance_id"[^>]* value="([^"]+)"')
CONFIG = """\
annotation_task_name: Statements
task_dir: .
output_annotation_dir: annotation_output
data_files: [items.jsonl]
item_properties: {{id_key: id, text_key: text}}
require_password: false
assignment_strategy: fixed_order
max_annotations_per_item: 1
max_annotations_per_user: {each}
annotation_schemes:
- {{annotation_type: text, name: statement, description: Write a statement.}}
"""


class Potato(Rival):
    name = "potato"
    requirements = ("potato-annotation==2.12.1",)
    stores = "JSON: the annotator's whole file written anew for each statement, with fsync; a line in a history"

    def prepare(self) -> None:
        (self.folder / "config.yaml").write_text(CONFIG.format(each=self.each), encoding="utf-8")
        items = [json.dumps({"id": f"item-{number}", "text": PASSAGE}) for number in range(self.hits)]
        (self.folder / "items.jsonl").write_text("\n".join(items), encoding="utf-8")

    def command(self) -> Sequence[str]:
        options = ["--port", str(self.port), "--host", "127.0.0.1"]
        return [str(self.programs() / "potato"), "start", "config.yaml", *options]

    async def write(self, http: httpx.AsyncClient, annotator: str, number: int, statement: str) -> None:
        if number == 0:
            login = {"email": annotator, "pass": "", "action": "login"}
            (await http.post(f"{self.url}/auth", data=login)).raise_for_status()
        page = (await http.get(f"{self.url}/annotate")).raise_for_status()
        shown = ITEM.search(page.text)
        if shown is None:
            raise httpx.HTTPError(f"{annotator} got no item")
        item = shown[1]
        save: dict[str, Any] = {
            "instance_id": item,
            "annotations": {"statement:text_box": statement},
            "span_annotations": [],
        }
        (await http.post(f"{self.url}/updateinstance", json=save)).raise_for_status()
        step = {"action": "next_instance", "instance_id": item}
        headers = {"X-Potato-Navigation": "1"}
        (await http.post(f"{self.url}/annotate", json=step, headers=headers)).raise_for_status()

    def stored(self) -> list[str]:
        files = (self.folder / "annotation_output").glob("*/user_state.json")
        states = [json.loads(file.read_text(encoding="utf-8")) for file in files]
        labelled = [item for state in states for item in state["instance_id_to_label_to_value"].values()]
        return [value for labels in labelled for _label, value in labels]
