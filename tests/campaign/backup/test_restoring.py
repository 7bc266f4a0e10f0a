"""A backup becomes a campaign at another place, and nothing that is there is overwritten."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest

from beat_the_ai.campaign.backup.archive import Advance, opened
from beat_the_ai.campaign.backup.checking import check
from beat_the_ai.campaign.backup.making import back_up
from beat_the_ai.campaign.backup.restoring import UNUSED, restore
from beat_the_ai.errors import InvalidInput, Refused, StoreError
from beat_the_ai.marketplace.people import campaigns, store
from beat_the_ai.store import open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import store_of
from tests.campaign.backup.test_archive import unwatched
from tests.cli.forgettable import ADA, Fuse, make, worker_of
from tests.cli.launching import run
from tests.dataset.builders import Tried, stored
from tests.files.test_disk_full import ROOT, namespace
from tests.postgres import PostgresServer

STEPS = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.chmod", "sqlite3.connect", "fcntl.flock"}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A campaign in `out` with people in `people`, and its backup."""
    make(tmp_path)
    out = tmp_path / "out"
    return back_up(out, str(out), tmp_path / "backups", unwatched, keep=None, checked=True).path


def people_of(out: Path) -> str | None:
    with closing(open_store(str(out / "private" / "campaign.db"))) as opened_store:
        return BoundCampaign.open(opened_store, "pilot").crowd.people


def test_everything_is_there_on_another_path(made: Path, tmp_path: Path) -> None:
    ada = worker_of(tmp_path, ADA)
    shutil.move(tmp_path / "out", tmp_path / "old")
    shutil.move(tmp_path / "people", tmp_path / "old people")
    new = tmp_path / "machine" / "new"
    done = restore(made, new, unwatched, store=None, people=None)
    assert (done.people, done.people_stayed) == (str(new / "people"), False)
    assert people_of(new) == str(new / "people")
    with store.people_at(str(new / "people")) as market, market.reading() as moment:
        assert [place for places in campaigns.places(moment).values() for place in places] == [str(new)]
    assert worker_of(new, ADA) == ada
    assert run("people", "list", "--people", str(new / "people")).exit_code == 0
    assert (new.stat().st_mode & 0o777, (new / "private").stat().st_mode & 0o777) == (0o755, 0o700)
    assert (new / "rounds/1/frozen.json").stat().st_mode & 0o777 == 0o644
    private = [path for path in (new / "private").rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o777 for path in (*private, *(new / "people").rglob("*.db"))} == {0o600}
    with closing(sqlite3.connect(new / "private/mephisto/writing/database.db")) as database:
        assert database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'agents'").fetchone() == (2 + UNUSED,)
    forgotten = run("people", "forget", ADA, "--yes", "--unpaid", "--people", str(new / "people"))
    assert forgotten.exit_code == 0, forgotten.output


def test_people_may_go_elsewhere_or_stay_where_they_are(made: Path, tmp_path: Path) -> None:
    elsewhere = restore(made, tmp_path / "new", unwatched, store=None, people=str(tmp_path / "other"))
    assert (elsewhere.people_stayed, people_of(tmp_path / "new")) == (False, str(tmp_path / "other"))
    with store.people_at(str(tmp_path / "people")) as market, market.writing() as moment:
        store.keep_address(moment, "https://later.example.org")
    stays = restore(made, tmp_path / "newer", unwatched, store=None, people=str(tmp_path / "people"))
    assert (stays.people_stayed, people_of(tmp_path / "newer")) == (True, str(tmp_path / "people"))
    with store.people_at(str(tmp_path / "people")) as market, market.reading() as moment:
        assert store.portal_address(moment) == "https://later.example.org"
        [places] = campaigns.places(moment).values()
        assert set(places) == {str(tmp_path / "out"), str(tmp_path / "newer")}  # who is erased, is erased in both
    with store.people_at(str(tmp_path / "strangers"), create=True):
        pass
    with pytest.raises(Refused, match="has other people in it"):
        restore(made, tmp_path / "newest", unwatched, store=None, people=str(tmp_path / "strangers"))
    assert not (tmp_path / "newest").exists()


def test_nothing_is_overwritten(made: Path, tmp_path: Path) -> None:
    before = (tmp_path / "out/private/campaign.db").read_bytes()
    for taken in (tmp_path / "out", tmp_path / "backups", made):
        with pytest.raises(Refused, match="nothing is overwritten"):
            restore(made, taken, unwatched, store=None, people=None)
    assert (tmp_path / "out/private/campaign.db").read_bytes() == before
    (tmp_path / "empty").mkdir()
    restore(made, tmp_path / "empty", unwatched, store=None, people=None)
    assert (tmp_path / "empty/private/campaign.db").is_file()
    assert not list(tmp_path.glob(".*.restoring"))


def test_files_that_records_name_come_along(tmp_path: Path) -> None:
    out, contexts = tmp_path / "out", tmp_path / "papers" / "contexts.jsonl"
    contexts.parent.mkdir()
    contexts.write_text("{}\n")
    with closing(open_store(str(out / "private" / "campaign.db"))) as opened_store:
        campaign = stored(opened_store, [Tried(0, "A")], contexts=1)
        members = [f"onnx:{out}/rounds/1/models/better", "onnx:bidaf-small", f"onnx:{tmp_path}/papers/model"]
        how = {"device": "cpu", "streams": 1, "threads": 1, "precision": None, "timeout_seconds": 5}
        adversary = {"members": members, **how}
        opened_store.rounds.amend(campaign.id, 1, {"contexts": str(contexts), "adversary": adversary})
        opened_store.rounds.keep_models(campaign.id, 1, [{"member": members[0], "hash": "1"}])
    made = back_up(out, str(out), tmp_path / "backups", unwatched, keep=None, checked=True).path
    shutil.rmtree(contexts.parent)
    done = restore(made, tmp_path / "new", unwatched, store=None, people=None)
    assert done.missing_models == [f"{tmp_path}/papers/model"]
    with closing(open_store(str(tmp_path / "new/private/campaign.db"))) as opened_store:
        terms = BoundCampaign.open(opened_store, "pilot").current.terms
        models = opened_store.rounds.current("pilot").models
    assert terms.contexts is not None
    assert terms.contexts.read_text() == "{}\n"
    assert terms.contexts.is_relative_to(tmp_path / "new")
    assert terms.adversary is not None
    better = f"onnx:{tmp_path}/new/rounds/1/models/better"
    assert terms.adversary.members == [better, "onnx:bidaf-small", f"onnx:{tmp_path}/papers/model"]
    assert models[0]["member"] == better


def test_a_folder_of_contexts_comes_along_with_its_parts_alone(tmp_path: Path) -> None:
    out, contexts = tmp_path / "out", tmp_path / "squad"
    for name in ("data/train.json", "data/dev.json", "data/notes.txt", "README.md", "photos/one.json"):
        (contexts / name).parent.mkdir(parents=True, exist_ok=True)
        (contexts / name).write_text(name)
    with closing(open_store(str(out / "private" / "campaign.db"))) as opened_store:
        campaign = stored(opened_store, [Tried(0, "A")], contexts=1)
        opened_store.rounds.amend(campaign.id, 1, {"contexts": str(contexts)})
    made = back_up(out, str(out), tmp_path / "backups", unwatched, keep=None, checked=True).path
    shutil.rmtree(contexts)
    restore(made, tmp_path / "new", unwatched, store=None, people=None)
    with closing(open_store(str(tmp_path / "new/private/campaign.db"))) as opened_store:
        restored = BoundCampaign.open(opened_store, "pilot").current.terms.contexts
    assert restored is not None
    assert restored.is_relative_to(tmp_path / "new")
    files = {path.relative_to(restored).as_posix(): path.read_text() for path in restored.rglob("*") if path.is_file()}
    assert files == {name: name for name in ("data/train.json", "data/dev.json", "README.md")}


def test_a_restored_campaign_is_backed_up_and_restored_again(tmp_path: Path) -> None:
    place, texts = tmp_path / "0", ["first", "second"]
    with closing(open_store(str(place / "private" / "campaign.db"))) as opened_store:
        stored(opened_store, [Tried(0, "A")], contexts=1)
    for number, text in enumerate(texts, 1):
        outside = tmp_path / text / "contexts.jsonl"
        outside.parent.mkdir()
        outside.write_text(text)
        with closing(open_store(str(place / "private" / "campaign.db"))) as opened_store:
            opened_store.rounds.amend("pilot", 1, {"contexts": str(outside)})
        made = back_up(place, str(place), tmp_path / "backups", unwatched, keep=None, checked=True).path
        place = tmp_path / str(number)
        restore(made, place, unwatched, store=None, people=None)
        with closing(open_store(str(place / "private" / "campaign.db"))) as opened_store:
            contexts = BoundCampaign.open(opened_store, "pilot").current.terms.contexts
        assert contexts is not None
        assert contexts.read_text() == text
        assert contexts.is_relative_to(place)


@pytest.fixture
def databases(postgres: PostgresServer) -> Iterator[list[str]]:
    with ExitStack() as stack:
        yield [stack.enter_context(postgres.database()) for _ in range(2)]


def test_a_store_in_postgresql_is_dumped_and_restored_into_an_empty_database(
    databases: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = databases
    out = tmp_path / "out"
    (out / "private").mkdir(parents=True)
    with closing(open_store(first)) as opened_store:
        stored(opened_store, [Tried(0, "A"), Tried(1, "B", question="tab\tand\nline \\.")], contexts=2)
    monkeypatch.setenv("BEAT_THE_AI_DATABASE", first)
    packed = run("backup", str(out), "--to", str(tmp_path / "backups"))
    assert packed.exit_code == 0, packed.output
    assert "2 attempts" in packed.stdout
    [made] = (tmp_path / "backups").glob("*.zip")
    with pytest.raises(InvalidInput, match="--store URL"):
        restore(made, tmp_path / "new", unwatched, store=None, people=None)
    with pytest.raises(Refused, match="nothing is overwritten"):
        restore(made, tmp_path / "new", unwatched, store=first, people=None)
    with pytest.raises(InvalidInput, match="PostgreSQL"):
        restore(made, tmp_path / "new", unwatched, store="sqlite:///x.db", people=None)
    assert not (tmp_path / "new").exists()
    done = run("restore", str(made), "--to", str(tmp_path / "new"), "--store", second)
    assert done.exit_code == 0, done.output
    with closing(open_store(second)) as opened_store:
        questions = [row.attempt.work["question"] for row in opened_store.attempts.of_campaign("pilot")]
    assert "tab\tand\nline \\." in questions
    assert store_of(tmp_path / "new") == second  # and not where it was
    monkeypatch.setenv("PATH", str(tmp_path))
    with opened(made) as archive, pytest.raises(StoreError, match="pg_restore is missing"):
        check(archive, tmp_path, unwatched)
    missing = run("backup", str(out), "--to", str(tmp_path / "backups"))
    assert (missing.exit_code, "pg_dump is missing. Install" in missing.output) == (1, True)
    old = tmp_path / "pg_dump"
    old.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.1'\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    outdated = run("backup", str(out), "--to", str(tmp_path / "backups"))
    assert "pg_dump 9 is older than the PostgreSQL" in outdated.output
    assert len(list((tmp_path / "backups").glob("*.zip"))) == 1


def test_people_in_postgresql_are_restored_into_an_empty_database(databases: list[str], tmp_path: Path) -> None:
    first, second = databases
    out = tmp_path / "out"
    with store.people_at(first, create=True):
        pass
    with closing(open_store(str(out / "private" / "campaign.db"))) as opened_store:
        record = stored(opened_store, [Tried(0, "A")], contexts=1)
        opened_store.campaigns.amend(replace(record, config={"crowd": {"provider": "own", "people": first}}))
    made = back_up(out, str(out), tmp_path / "backups", unwatched, keep=None, checked=True).path
    with pytest.raises(InvalidInput, match="an empty database: --people URL"):
        restore(made, tmp_path / "new", unwatched, store=None, people=None)
    done = restore(made, tmp_path / "new", unwatched, store=None, people=second)
    assert (done.people_stayed, people_of(tmp_path / "new")) == (False, second)
    with store.people_at(first) as old, store.people_at(second) as new, old.reading() as there, new.reading() as here:
        assert store.identity(there) == store.identity(here)
    assert restore(made, tmp_path / "newer", unwatched, store=None, people=first).people_stayed


def test_the_rest_of_a_restoration_that_was_killed_is_removed(made: Path, tmp_path: Path) -> None:
    new, rest = tmp_path / "new", tmp_path / ".new.restoring"
    (rest / "campaign").mkdir(parents=True)  # of one that was killed
    (rest / "campaign" / "half").touch()
    restore(made, new, unwatched, store=None, people=None)
    assert not rest.exists()
    assert not (new / "half").exists()


def test_of_two_restorations_into_one_folder_the_first_goes_on(made: Path, tmp_path: Path) -> None:
    def watch(step: str, _total: int) -> Advance:
        if step == "checking databases":
            with pytest.raises(Refused, match="Another backup is being restored"):
                restore(made, tmp_path / "new", unwatched, store=None, people=None)
        return lambda _done: None

    restore(made, tmp_path / "new", watch, store=None, people=None)
    assert worker_of(tmp_path / "new", ADA) == worker_of(tmp_path, ADA)


def test_a_link_in_place_of_the_draft_leads_nowhere(made: Path, tmp_path: Path) -> None:
    (tmp_path / ".new.restoring").symlink_to(tmp_path / "out")
    with pytest.raises(OSError, match="Not a directory"):
        restore(made, tmp_path / "new", unwatched, store=None, people=None)
    assert (tmp_path / "out/private/campaign.db").is_file()


def test_a_restoration_that_was_killed_at_any_moment_is_done_again(made: Path, tmp_path: Path) -> None:
    new, people = tmp_path / "new", tmp_path / "crowd" / "people"
    moment = deaths = 0
    shutil.rmtree(tmp_path / "people")
    while dies(made, new, people, moment := moment + 7):
        deaths += 1
        if not new.exists():
            restore(made, new, unwatched, store=None, people=str(people))
        assert (people / "private" / "portal.log").is_file()
        assert worker_of(people.parent, ADA)
        assert people_of(new) == str(people)
        for folder in (new, people):
            shutil.rmtree(folder)
    assert deaths > 10


def dies(made: Path, new: Path, people: Path, moment: int) -> bool:
    """Restore in another process, which is killed at the n-th step of files. Return whether there was such a step."""
    if (child := os.fork()) == 0:
        fuse = Fuse(moment)
        sys.addaudithook(lambda event, _given: fuse.burn() if event in STEPS else None)
        restore(made, new, unwatched, store=None, people=str(people))
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, status
    return os.WIFSIGNALED(status)


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    (tmp_path / "disk").mkdir()
    return tmp_path / "disk"


def on_disk(disk: Path, size: str, script: str) -> subprocess.CompletedProcess[str]:
    """Run commands with a new disk of this size; R is `beat-the-ai restore`."""
    program = f"mount -t tmpfs -o size={size} tmpfs {disk}; R='{sys.executable} -m beat_the_ai.cli restore'; {script}"
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    given = [*namespace(), "sh", "-ec", program]
    return subprocess.run(given, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})


def test_a_disk_is_no_new_folder(made: Path, disk: Path) -> None:
    done = on_disk(disk, "9m", f"! $R {made} --to {disk}; $R {made} --to {disk}/campaign; ls -A {disk}")
    assert done.returncode == 0, done.stderr
    assert f"{disk} is where a disk begins. Name a new folder on it: --to {disk}/campaign" in done.stderr
    assert done.stdout.split()[-1] == "campaign"


def test_a_full_disk_is_named_and_left_as_it_was(made: Path, disk: Path, tmp_path: Path) -> None:
    people = f"! $R {made} --to {tmp_path}/new --people {disk}/people; test ! -e {tmp_path}/new"
    done = on_disk(disk, "100k", f"cp {made} {disk}/x.zip; ! $R {disk}/x.zip --check; {people}; ls -A {disk}")
    assert (done.returncode, done.stdout.split()) == (0, ["x.zip"]), done.stderr
    assert f"beat-the-ai: {disk}: No space left on device. Free some space there" in done.stderr
    assert f"The backup needs 1 MiB, and {disk} has 0 MiB left" in done.stderr
    assert "Traceback" not in done.stderr
