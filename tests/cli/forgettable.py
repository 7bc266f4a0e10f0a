"""A campaign of one's own people in a folder, with traces of a person wherever any are left.

As a program, too: `python -m tests.cli.forgettable FOLDER` makes it, forks a process that forgets the person and dies
at one moment after the other, and each time forgets again. It prints the number of moments.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from click.testing import CliRunner, Result

from beat_the_ai.campaign.erasure import frozen_files
from beat_the_ai.campaign.erasure import person as erasing
from beat_the_ai.campaign.rounds.snapshot import frozen_round
from beat_the_ai.cli import main
from beat_the_ai.databases import Database
from beat_the_ai.dataset.files import sha256
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import campaigns, erasure, payouts, person, store
from beat_the_ai.marketplace.people.person import NewPerson
from beat_the_ai.marketplace.workplace import Workplace
from beat_the_ai.mephisto import erasure as mephisto_erasure
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.mturk.datastore import CampaignDatastore
from beat_the_ai.requester.label import MARK
from beat_the_ai.store import Erasure, FormAnswers, Store, open_store, tables
from tests.dataset.builders import Tried, stored
from tests.marketplace.desk import Desk
from tests.store.builders import NEW_YEAR

ADA, EMAIL, BO = "Ada Zebra", "zebra@example.org", "Bo Li"
SECRET, KEPT = "zebra-secret", "words of Bo"
FORM = "f" * 64


def make(folder: Path) -> None:
    """Make the people in `people` and the campaign in `out`. Ada and Bo have worked, and are paid."""
    with store.people_at(str(folder / "people"), create=True) as market:
        workers = join(market)
        with closing(open_store(str(folder / "out" / "private" / "campaign.db"))) as opened:
            prefix = write(opened, workers, str(folder / "people"))
            freeze(folder / "out", opened, workers)
        work(market, workers, prefix)
        with market.writing() as moment:
            campaigns.keep(moment, prefix, str(folder / "out"))
    serve(folder / "out" / "private" / "mephisto" / "writing", workers)
    (folder / "out" / "private" / "launch.log").write_text(f"worker {workers[ADA]!r} has come, {workers[BO]!r}, too\n")
    exports = folder / "out" / "private" / "exports"
    exports.mkdir()
    (exports / "export.zip").write_text(SECRET)
    (folder / "people" / "private" / "portal.log").write_text(f"{workers[ADA]} has signed in\n")


def join(market: Market) -> dict[str, str]:
    with market.writing() as moment:
        joined = person.add_people(moment, [NewPerson(ADA, EMAIL), NewPerson(BO)], "active")
    return {str(one.name): one.worker_id for one in joined}


def write(opened: Store, workers: dict[str, str], people: str) -> str:
    """Write in the campaign, and return the prefix of its HITs at the crowd."""
    (Path(str(opened.database.engine.url.database)).parent).chmod(0o700)
    tried = [
        Tried(0, workers[BO], question=KEPT),
        Tried(1, workers[ADA], question=SECRET),
        Tried(2, workers[ADA], question=f"{SECRET} again"),
    ]
    campaign = stored(opened, tried, contexts=3)
    crowd = {"crowd": {"provider": "own", "people": people, "endpoint_url": "http://127.0.0.1:9"}}
    with opened.database.writing() as connection:
        connection.execute(sa.update(tables.campaigns).values(config=crowd))
    opened.forms.keep("pilot", FORM, {"title": "About you"}, NEW_YEAR)
    for name, worker in workers.items():
        opened.forms.answer("pilot", FormAnswers(worker, FORM, "given", {"about": f"answer of {name}"}, NEW_YEAR))
    return f"{MARK}:{campaign.crowd_name}-"


def freeze(out: Path, opened: Store, workers: dict[str, str]) -> None:
    """A frozen round and a rescoring, as files."""
    data = out / "rounds" / "1" / "data"
    data.mkdir(parents=True)
    (out / "rescored").mkdir()
    lines = {name: sorted(opened.erasure.holdings(worker).attempts) for name, worker in workers.items()}
    texts = {ADA: SECRET, BO: KEPT}
    rows = [{"id": each, "question": texts[name]} for name, names in lines.items() for each in names]
    for path in (data / "train.jsonl", out / "rescored" / "model.jsonl"):
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    part = {"examples": len(rows), "sha256": sha256(data / "train.jsonl")}
    manifest = {"campaign": "pilot", "round": 1, "frozen_at": "2020", "models": [], "parts": {"train": part}}
    (data.parent / "frozen.json").write_text(json.dumps(manifest))


def work(market: Market, workers: dict[str, str], prefix: str) -> None:
    """Add the portal's rows and the books of these workers."""
    with market.writing() as moment:
        requester = moment.connection.scalar(sa.text("SELECT id FROM requesters"))
    desk, workplace = Desk(market, requester), Workplace(market)
    for number, (name, worker) in enumerate(workers.items()):
        made = workplace.accept(worker, desk.new_hit(RequesterAnnotation=f"{prefix}writing:run:{number}"))
        workplace.submit(worker, made.id, [("feedback", SECRET if name == ADA else KEPT)])
        desk.ask("ApproveAssignment", AssignmentId=made.id)
        with market.writing() as moment:
            payouts.note(moment, "November", {worker: 200})


def serve(folder: Path, workers: dict[str, str]) -> None:
    """Mephisto's files of a run that was stopped, with a HIT of each: Ada's is in progress."""
    MephistoDatabase(folder / "database.db").close()
    (folder / "own").mkdir()
    CampaignDatastore(str(folder / "own"), "own").close()
    (folder / "operator.lock").touch()
    with closing(sqlite3.connect(folder / "database.db")) as database, database:
        for number, (name, worker) in enumerate(workers.items(), start=1):
            status = "in task" if name == ADA else "completed"
            unit = "assigned" if name == ADA else "completed"
            database.execute("INSERT INTO workers VALUES (?, ?, 'own', '2020')", (number, worker))
            ids = (number,) * 6
            database.execute("INSERT INTO agents VALUES (?, ?, ?, 1, 1, ?, 'w', 'own', ?, '2020')", (*ids[:4], status))
            database.execute(
                "INSERT INTO units VALUES (?, ?, 0, 1.0, 'own', ?, ?, ?, 'w', 1, 1, 0, 1, '2020')",
                (number, number, unit, number, number),
            )
            place = f"data/runs/NO_PROJECT/1/{number}/{number}"
            (folder / place).mkdir(parents=True)
            (folder / place / "agent_data.json").write_text(json.dumps({"inputs": {"registration": f"3X-{worker}"}}))
            database.execute(
                "INSERT INTO documents (path, content) VALUES (?, ?)", (f"{place}/agent_meta.json", f"of {worker}")
            )
    with closing(sqlite3.connect(folder / "own" / "mturk.db")) as database, database:
        for number, worker in enumerate(workers.values(), start=1):
            database.execute("INSERT INTO acceptances VALUES (?, ?, 'hit', ?)", (number, f"3X{worker}", str(number)))
            database.execute("INSERT INTO deadlines VALUES (?, 1)", (f"3X{worker}",))


def worker_of(folder: Path, name: str) -> str:
    with store.people_at(str(folder / "people")) as market, market.reading() as moment:
        return person.find(moment, name).worker_id


def forget(folder: Path, *arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(main, ["people", "forget", *arguments, "--people", str(folder / "people")], input=answer)


def traces(folder: Path, *words: str) -> set[str]:
    """Return the files in which any of these words stand."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    sought = [word.encode() for word in words]
    return {str(path.relative_to(folder)) for path in files if any(word in path.read_bytes() for word in sought)}


def check(folder: Path, ada: str) -> None:
    """Ada is in no file any more, and Bo is in all that he was in."""
    assert traces(folder, ada, ADA, EMAIL, SECRET) == set()
    bo = worker_of(folder, BO)
    assert frozen_round(folder / "out", 1) is not None
    with closing(open_store(str(folder / "out" / "private" / "campaign.db"))) as opened:
        assert opened.erasure.holdings(bo).rows == {"attempts": 1, "works": 1, "form_answers": 1, "assignments": 1}
    assert traces(folder, KEPT, bo) >= {
        "out/private/campaign.db",
        "out/private/launch.log",
        "out/private/mephisto/writing/database.db",
        "out/private/mephisto/writing/own/mturk.db",
        "people/private/people.db",
    }
    with closing(sqlite3.connect(folder / "out/private/mephisto/writing/database.db")) as database:
        units = database.execute("SELECT unit_id, status FROM units ORDER BY unit_id").fetchall()
    assert units == [(1, "launched"), (2, "completed")]
    with store.people_at(str(folder / "people")) as market, market.reading() as moment:
        owed = payouts.owed(moment)
    assert sorted((one.person.name or "", one.earned_cents, one.paid_cents) for one in owed) == [
        ("", 200, 200),
        (BO, 200, 200),
    ]


class Fuse:
    """Ends the process at the n-th moment: directly before, or directly after, one of the steps."""

    def __init__(self, moments: int) -> None:
        self.left = moments

    def burn(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, place: Any, name: str) -> None:
        step: Callable[..., Any] = getattr(place, name)

        def call(*args: Any, **given: Any) -> Any:
            self.burn()
            result = step(*args, **given)
            self.burn()
            return result

        setattr(place, name, call)


STEPS = (
    (erasure, "begin"),
    (erasing, "erase_works"),
    (frozen_files, "_drop_lines"),
    (frozen_files, "_write_down"),
    (Erasure, "erase"),
    (erasing, "erase_worker"),
    (mephisto_erasure, "_erase_files"),
    (mephisto_erasure, "_erase_acceptances"),
    (mephisto_erasure, "_erase_rows"),
    (mephisto_erasure, "_scrub"),
    (erasing, "mask"),
    (Erasure, "scrub"),
    (Database, "scrub"),
    (erasure, "erase"),
    (erasure, "scrub"),
)


def dies(folder: Path, moment: int) -> bool:
    """Forget in another process that dies at a moment. Return whether there was such a moment."""
    if (pid := os.fork()) == 0:
        fuse = Fuse(moment)
        for place, name in STEPS:
            fuse.around(place, name)
        os._exit(forget(folder, ADA, "--yes").exit_code)
    status = os.waitpid(pid, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, status
    return os.WIFSIGNALED(status)


def main_() -> None:
    folder = Path(sys.argv[1])
    made, used = folder / "made", folder / "used"
    make(used)
    ada = worker_of(used, ADA)
    shutil.copytree(used, made)
    moment, goes_on = 0, True
    while goes_on:
        moment += 1
        shutil.rmtree(used)
        shutil.copytree(made, used)
        goes_on = dies(used, moment)
        again = forget(used, ADA, "--yes")
        assert again.exit_code == 0 or "Nobody here is called" in again.output, again.output
        check(used, ada)
    print(moment - 1)


if __name__ == "__main__":
    main_()
