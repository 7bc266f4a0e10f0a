"""`doctor`: real faults, each found by its name with its mend; a sound campaign has none."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from beat_the_ai.campaign.backup.latest import LatestBackup, note
from beat_the_ai.campaign.doctor import machine
from beat_the_ai.campaign.doctor.checks import Check, examine, fault, masked, ok
from beat_the_ai.campaign.doctor.examination import CHECKS
from beat_the_ai.campaign.doctor.subject import Subject
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.files.permissions import OPERATOR_LOCK
from beat_the_ai.marketplace.people import mail, store
from beat_the_ai.store import now, open_store
from beat_the_ai.terms.campaign import BoundCampaign, relocated
from beat_the_ai.terms.locate import private_folder
from tests.cli.launching import TASK, needs_pages, run
from tests.files.test_disk_full import ROOT, namespace
from tests.marketplace.rehearsal import Rehearsal
from tests.ports import free_port
from tests.postgres import PostgresServer
from tests.recruiter.running import Running

pytestmark = needs_pages
DEAD = "http://127.0.0.1:1"
Faults = dict[str, str]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "campaign"


def examined(*arguments: object, out: Path | None = None) -> Faults:
    """Return the faults by the checks that found them: what is wrong, and its mend."""
    options = [] if out is None else ["--out", str(out)]
    done = run("doctor", *map(str, arguments), *options, "--json")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    findings = json.loads(done.stdout)
    faults = [one for one in findings if one["mend"] is not None]
    assert done.exit_code == (1 if faults else 0)
    assert all(one["said"] and "\n" not in one["said"] and one["mend"] != "" for one in findings)
    return {one["check"]: f"{one['said']} Mend: {one['mend']}" for one in faults}


def begin(out: Path, *overrides: str) -> Path:
    """A campaign in its folder that nobody serves yet."""
    settings = read_settings(TASK, list(overrides), out=out)
    private_folder(out)
    with closing(open_store(settings.store.url)) as opened:
        begin_or_resume(PlannedRound(opened, settings))
    return out


@contextmanager
def served(out: Path) -> Iterator[None]:
    """As far as the lock of an operator tells."""
    lock = out / "private" / "mephisto" / "writing" / OPERATOR_LOCK
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch(mode=0o600)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def listening() -> Iterator[int]:
    """A server that is no portal, router or crowd, and whose clock is two hours late."""

    class Late(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response_only(404)
            self.send_header("Date", format_datetime(now() - timedelta(hours=2), usegmt=True))
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Late) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_a_sound_task_and_a_sound_campaign_have_no_faults(out: Path) -> None:
    assert examined(TASK, out=out) == {}
    assert examined(begin(out)) == {}
    shown = run("doctor", str(out))
    assert shown.exit_code == 0
    assert all(line.startswith("ok ") for line in shown.stdout.splitlines())
    assert "model: onnx:bidaf-small (341976b8) answers in" in shown.stdout


def test_faults_of_a_task(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = examined(TASK, "pay.reward_cents=-1", out=out)
    assert "pay.reward_cents=-1" in wrong["configuration"]
    assert examined(TASK, "pey=paper", out=out).keys() == {"configuration"}
    task = tmp_path / "task"
    shutil.copytree(TASK, task)
    (task / "made.jsonl").write_text('{"context_id": "nowhere", "model": "gpt", "question": "Why?"}\n')
    monkeypatch.setenv("PATH", str(tmp_path))  # whatever GPU there is
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        faults = examined(
            task,
            "round.arms={alone: {}, assisted: {suggestions: made.jsonl}}",
            f"profile.port={taken.getsockname()[1]}",
            "forms.before=[missing.yaml]",
            "qualification.requirements=nobody",
            "adversary.device=cuda",
            "adversary.members=[onnx:/nowhere/model]",
            f"+adversary.servers.far.address={DEAD}",
            out=out,
        )
    assert faults.keys() == {
        "port",
        "forms",
        "suggestions",
        "qualification",
        "gpu",
        "model",
        "model_files",
        "model_servers",
    }
    assert "made.jsonl, line 1: sample.jsonl has no context 'nowhere'" in faults["suggestions"]
    assert "profile.port=N" in faults["port"]
    assert "missing.yaml" in faults["forms"]
    assert "Unknown requirement set 'nobody'" in faults["qualification"]
    assert "adversary.device=cpu" in faults["gpu"]
    assert "/nowhere/model is not there. Mend: Put it back" in faults["model_files"]
    assert f"far at {DEAD}" in faults["model_servers"]
    assert "adversary.servers.far.address=URL" in faults["model_servers"]
    token = [f"+adversary.servers.far={{address: '{DEAD}', token_variable: FAR_TOKEN}}"]
    assert "Set FAR_TOKEN" in examined(TASK, *token, out=out)["model_servers"]


def test_faults_of_a_folder(out: Path, tmp_path: Path) -> None:
    contexts = tmp_path / "contexts.jsonl"
    shutil.copy(TASK / "contexts" / "sample.jsonl", contexts)
    begin(out, f"contexts={contexts}")
    contexts.unlink()
    (out / "private").chmod(0o755)
    with closing(open_store(str(out / "private" / "campaign.db"))) as opened:
        record = BoundCampaign.all_in(opened)[0].record
        opened.campaigns.amend(relocated(record, tmp_path / "gone"))
    faults = examined(out)
    assert {"contexts", "private_files", "task_folder"} <= faults.keys()
    assert "contexts=FILE" in faults["contexts"]
    assert f"chmod -R go-rwx {out}/private" in faults["private_files"]
    assert f"beat-the-ai relocate {out} TASK_DIR" in faults["task_folder"]
    (out / "private").chmod(0o700)
    (out / "private" / "exports").mkdir()
    (out / "private" / "exports" / "export.zip").touch(mode=0o644)  # to be given away
    assert "private_files" not in examined(out)
    (out / "private" / "launch.log").touch(mode=0o644)
    assert "Others may read launch.log" in examined(out)["private_files"]


def test_a_file_that_goes_while_it_is_looked_at_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private, is_file = private_folder(tmp_path), Path.is_file
    (private / "kept.json.0a1b2c3d.draft").touch(mode=0o600)

    def replaced(path: Path) -> bool:
        was_there = is_file(path)
        path.unlink(missing_ok=True)
        return was_there

    monkeypatch.setattr(Path, "is_file", replaced)
    assert list(machine.private_files(Subject(tmp_path, None, None, None))) == [ok(f"{private} is its owner's alone")]


def test_pages_that_are_not_built(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beat_the_ai.campaign.settings.pages.suite_root", lambda _: tmp_path)
    assert "make webapp" in examined(TASK, out=out)["pages"]
    (tmp_path / "webapp" / "dist").mkdir(parents=True)
    (tmp_path / "webapp" / "dist" / "bundle.js").touch()
    assert "The review page is not built" in examined(TASK, out=out)["pages"]


def test_a_small_disk_that_cannot_be_written_and_few_files(tmp_path: Path) -> None:
    program = f"{sys.executable} -m beat_the_ai.cli doctor {TASK} --out {tmp_path}/out --json"
    script = f"mount -t tmpfs -o ro,size=16m tmpfs {tmp_path} && ulimit -Sn 900 && ulimit -Hn 1000 && {program}"
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [*namespace(), "sh", "-c", script], capture_output=True, text=True, timeout=120, env=environment
    )
    assert done.returncode == 1, done.stderr
    faults = {one["check"]: one["mend"] for one in json.loads(done.stdout) if one["mend"]}
    assert faults.keys() == {"disk", "writable", "descriptors"}
    assert "Free some space there" in faults["disk"]
    assert "chown" in faults["writable"]
    assert "ulimit -Hn" in faults["descriptors"]


def test_faults_of_a_store(out: Path, tmp_path: Path) -> None:
    file = begin(out) / "private" / "campaign.db"
    for version, mend in (("0026", f"beat-the-ai status {out}"), ("9999", "Update the suite")):
        with closing(sqlite3.connect(file)) as database, database:
            known = database.execute("SELECT version_num FROM alembic_version").fetchone()[0]
            database.execute("UPDATE alembic_version SET version_num = ?", (version,))
        faults = examined(out)
        assert faults.keys() == {"configuration", "store"}
        assert version in faults["store"]
        assert mend in faults["store"]
        with closing(sqlite3.connect(file)) as database, database:
            assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (version,)  # as before
            database.execute("UPDATE alembic_version SET version_num = ?", (known,))
    content = file.read_bytes()
    for size in (4096, 60_000):
        file.write_bytes(content[:8192] + b"\xff" * size + content[8192 + size :])
        assert "beat-the-ai restore FILE" in examined(out)["store"]
    file.write_bytes(b"no database at all")
    assert "store" in examined(out)


def test_a_campaign_that_runs_has_a_lease_and_a_backup(out: Path, tmp_path: Path) -> None:
    begin(out)
    with served(out):
        faults = examined(out)
        assert faults.keys() == {"lease", "backup"}
        assert "launch --resume" in faults["lease"]
        assert (
            f"there is no backup of it. Mend: Make one now, and one an hour by cron: beat-the-ai backup {out}"
            in (faults["backup"])
        )
        archive = tmp_path / "pilot.zip"
        archive.touch()
        opened = open_store(str(out / "private" / "campaign.db"))
        with closing(opened), opened.leases.holding("writing", lambda: None):
            note(out, LatestBackup(made_at=now() - timedelta(hours=1), path=str(archive)))
            assert examined(out) == {}
            note(out, LatestBackup(made_at=now() - timedelta(hours=30), path=str(archive)))
            assert "is 30 hours old" in examined(out)["backup"]
            archive.unlink()
            assert "is gone" in examined(out)["backup"]


def test_faults_of_postgresql(
    out: Path, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres.database() as url:
        monkeypatch.setenv("BEAT_THE_AI_DATABASE", url)
        assert examined(TASK, "store=postgresql", out=out) == {}
        monkeypatch.setenv("PATH", str(tmp_path))
        faults = examined(TASK, "store=postgresql", out=out)
        assert faults.keys() == {"pg_dump"}
        assert "Install PostgreSQL's client programs" in faults["pg_dump"]
    monkeypatch.setenv("BEAT_THE_AI_DATABASE", "postgresql+psycopg://me:hidden-word@127.0.0.1:1/none")
    away = examined(TASK, "store=postgresql", out=out)
    assert {"store", "lease", "database_clock"} <= away.keys()
    assert "BEAT_THE_AI_DATABASE" in away["store"]
    assert "hidden-word" not in str(away)


def test_faults_of_a_crowd_with_keys(out: Path, shared_market: Rehearsal, monkeypatch: pytest.MonkeyPatch) -> None:
    mturk = [TASK, "crowd=mturk", f"crowd.endpoint_url={shared_market.address}"]
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert "Set AWS_ACCESS_KEY_ID" in examined(*mturk, out=out)["crowd_keys"]
    rich, poor = shared_market.new_requester(1000), shared_market.new_requester(0)

    def use(key_id: str, secret: str) -> None:
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", key_id)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", secret)

    use(rich.id, rich.secret)
    assert examined(*mturk, out=out) == {}
    assert "pay.fees=true" in examined(*mturk, "pay.fees=false", out=out)["crowd_account"]
    use(poor.id, poor.secret)
    assert "Deposit money" in examined(*mturk, out=out)["crowd_account"]
    use(rich.id, "a-wrong-secret-of-mine")
    wrong = examined(*mturk, out=out)
    assert "The crowd refuses these keys" in wrong["crowd_account"]
    assert "a-wrong-secret-of-mine" not in str(wrong)
    with listening() as port:
        late = examined(TASK, "crowd=mturk", f"crowd.endpoint_url=http://127.0.0.1:{port}", out=out)
    assert re.search(r"72\d\d s ahead of the crowd's", late["crowd_clock"])
    assert "timedatectl set-ntp true" in late["crowd_clock"]
    away = examined(TASK, "crowd=mturk", f"crowd.endpoint_url={DEAD}", out=out)
    assert {"crowd_account", "crowd_clock"} <= away.keys()
    assert "crowd.endpoint_url=URL" in away["crowd_clock"]
    pages = examined(*mturk, "crowd.page_url=http://127.0.0.2:1", out=out)["page_url"]
    assert "Nobody reaches the router" in pages
    elsewhere = examined(TASK, "crowd=mturk", "crowd.endpoint_url=http://127.0.0.2:1", out=out)["page_url"]
    assert "crowd.page_url=https://" in elsewhere


def test_faults_of_a_crowd_of_ones_own(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "people"
    own = [TASK, "crowd=own", f"crowd.people={place}"]
    assert f"beat-the-ai people import FILE --people {place}" in examined(*own, out=out)["people"]
    with store.people_at(str(place), create=True) as market, market.writing() as moment:
        store.keep_address(moment, "http://127.0.0.2:1")
        mail.keep_server(moment, mail.check_server(f"smtp://127.0.0.1:{free_port()}", "Lab <lab@example.org>"))
    with listening() as port:
        faults = examined(*own, f"crowd.endpoint_url=http://127.0.0.1:{port}", out=out)
    assert faults.keys() == {"portal", "portal_address", "mail"}
    assert "Something that is no portal listens" in faults["portal"]
    assert "Let your proxy pass this address to the portal" in faults["portal_address"]
    assert "beat-the-ai people mail-server" in faults["mail"]
    with store.people_at(str(place)) as market, market.writing() as moment:
        mail.keep_server(moment, mail.check_server("smtp://me@127.0.0.1", "Lab <lab@example.org>"))
    monkeypatch.delenv(mail.PASSWORD_VARIABLE, raising=False)
    elsewhere = examined(*own, "crowd.endpoint_url=http://127.0.0.2:1", out=out)
    assert "Start it there: beat-the-ai people serve" in elsewhere["portal"]
    assert f"Set {mail.PASSWORD_VARIABLE}" in elsewhere["mail"]


def test_faults_of_prolific(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terms = ["crowd=prolific", f"crowd.people={tmp_path}/people", f"crowd.prolific.api_url={DEAD}"]
    terms += ["crowd.prolific.workspace=w1", "crowd.prolific.minutes=10"]
    monkeypatch.delenv("PROLIFIC_TOKEN", raising=False)
    assert "Set PROLIFIC_TOKEN" in examined(TASK, *terms, out=out)["prolific"]
    monkeypatch.setenv("PROLIFIC_TOKEN", "a-token-to-hide")
    away = examined(TASK, *terms, out=out)
    assert "Prolific cannot be reached" in away["prolific"]
    with Running.started(tmp_path / "recruiter.db", "--balance", "0.50") as recruiter:
        terms[2] = f"crowd.prolific.api_url={recruiter.address}"
        wrong = examined(TASK, *terms, out=out)
        assert "Set PROLIFIC_TOKEN and crowd.prolific.workspace" in wrong["prolific"]
        assert "a-token-to-hide" not in str((away, wrong))
        monkeypatch.setenv("PROLIFIC_TOKEN", recruiter.printed["token"])
        [workspace] = recruiter.researcher().ask("GET", "/api/v1/workspaces/")["results"]
        terms[3] = f"crowd.prolific.workspace={workspace['id']}"
        assert "Top it up" in examined(TASK, *terms, out=out)["prolific"]


def test_a_check_that_fails_or_hangs_is_a_fault_and_the_others_go_on(tmp_path: Path) -> None:
    def hang(_subject: Subject) -> Iterator[tuple[str, str | None]]:
        yield ok("begun")
        with contextlib.closing(socket.socket()) as never:
            never.bind(("127.0.0.1", 0))
            never.listen()
            never.accept()

    def fail(_subject: Subject) -> Iterator[tuple[str, str | None]]:
        yield ok(str(1 // len(str(_subject.store or ""))))

    def find(_subject: Subject) -> Iterator[tuple[str, str | None]]:
        yield fault("It is late.", "Go to bed.")

    checks = [Check("hangs", hang, "Wait.", 0.2), Check("fails", fail, "Count.", 5), Check("finds", find, "Look.", 5)]
    subject = Subject(tmp_path, None, None, None)
    found = [(one.check, one.said, one.mend) for one in examine(subject, checks)]
    assert found == [
        ("hangs", "begun", None),
        ("hangs", "There was no answer within 0.2 seconds.", "Wait."),
        ("fails", "ZeroDivisionError: integer division or modulo by zero", "Count."),
        ("finds", "It is late.", "Go to bed."),
    ]


def test_no_secret_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "swordfish-1")
    assert masked("at postgresql://me:pass@host/x\nwith swordfish-1") == "at postgresql://me:…@host/x with …"


def test_each_check_has_a_name_of_its_own_and_a_mend() -> None:
    names = [each.name for each in CHECKS]
    assert len(set(names)) == len(names) >= 20
    assert all(each.mend.endswith(".") or "://" in each.mend for each in CHECKS)


def test_without_a_campaign_the_machine_is_looked_at(tmp_path: Path) -> None:
    assert examined(tmp_path) == {}
    assert run("doctor", "nowhere").exit_code == 2
    assert examined(out=tmp_path / "new") == {}
