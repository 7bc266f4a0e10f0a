"""psiTurk 3.3.1, an assignment an item: gunicorn with two gevent workers a core and one more, as it is set up.

The project is the one that `psiturk-setup-example` makes; its task runs in the browser alone. An annotator sends what
`psiturk.js` sends from the experiment's page to its end. The advertisement, the consent and MTurk's own form, which
come before and after it, are left out. For each arrival psiTurk reads all participants to balance its conditions.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing

import httpx

from benchmarks.rivals.annotation.server import Rival

EXAMPLE = "psiturk-example"
CONFIG = """\
[Database Parameters]
database_url = sqlite:///participants.db
[Server Parameters]
host = 127.0.0.1
port = {port}
secret_key = benchmark
[Task Parameters]
allow_repeats = true
"""


class PsiTurk(Rival):
    name = "psiturk"
    # pyOpenSSL 22.0.0, which it pins, fails with the names that are gone from a newer cryptography; gunicorn 20.0.4
    # needs pkg_resources, and psiturk-setup-example distutils.
    requirements = ("psiturk==3.3.1", "cryptography<39", "setuptools<81")
    stores = "SQLite: the page's whole record as JSON, five commits an assignment"

    def prepare(self) -> None:
        self.run(self.programs() / "psiturk-setup-example")
        (self.folder / EXAMPLE / "config.txt").write_text(CONFIG.format(port=self.port), encoding="utf-8")

    def command(self) -> Sequence[str]:
        return ["env", "-C", EXAMPLE, str(self.programs() / "psiturk-server")]

    async def write(self, http: httpx.AsyncClient, annotator: str, number: int, statement: str) -> None:
        visit = {"hitId": f"hit-{number}", "assignmentId": f"{annotator}-{number}", "workerId": annotator}
        identity = f"{annotator}:{annotator}-{number}"
        sync = f"{self.url}/sync/{identity}"
        (await http.get(f"{self.url}/exp", params={**visit, "mode": "live"})).raise_for_status()
        data = (await http.get(sync)).raise_for_status().json()
        record = {**data, "id": identity, "currenttrial": 0, "data": [], "questiondata": {}, "mode": "live"}
        saved, started = await asyncio.gather(
            http.put(sync, json=record), http.post(f"{self.url}/inexp", data={"uniqueId": identity})
        )
        saved.raise_for_status()
        started.raise_for_status()
        trial = {"phase": "TEST", "passage": number, "statement": statement}
        line = {"uniqueid": identity, "current_trial": 0, "dateTime": int(1000 * time.time()), "trialdata": trial}
        (await http.put(sync, json={**record, "currenttrial": 1, "data": [line]})).raise_for_status()
        (await http.get(f"{self.url}/complete", params={"uniqueId": identity, "mode": "live"})).raise_for_status()

    def stored(self) -> list[str]:
        with closing(sqlite3.connect(self.folder / EXAMPLE / "participants.db")) as database:
            rows = database.execute("SELECT datastring FROM assignments WHERE status = 3").fetchall()
        return [line["trialdata"]["statement"] for (text,) in rows for line in json.loads(text)["data"]]
