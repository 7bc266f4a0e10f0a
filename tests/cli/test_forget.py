"""`people forget` and `people erase-due` from the command line, on real stores and files."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from beat_the_ai.campaign.acts.jobs import job_of
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.cli import main
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.marketplace import withdrawals
from beat_the_ai.marketplace.people import payouts, person, store, studies
from beat_the_ai.payments import Ledger
from beat_the_ai.payments.key import PaymentKey
from beat_the_ai.payments.owed import Owed
from beat_the_ai.store import now, open_store, tables
from beat_the_ai.store.leases import Holder
from beat_the_ai.terms.campaign import BoundCampaign
from tests.cli.forgettable import ADA, BO, EMAIL, KEPT, SECRET, check, forget, make, traces, worker_of
from tests.dataset.builders import Tried, stored

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path)
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def test_a_dry_run_lists_what_goes_and_what_stays_and_changes_nothing(folder: Path) -> None:
    before = content(folder)
    told = forget(folder, ADA, "--dry-run")
    assert told.exit_code == 0, told.output
    assert "2 attempts" in " ".join(told.output.split())
    assert "$2.00" in told.output
    assert "Nothing was changed." in told.output
    assert content(folder) == before
    refused = forget(folder, ADA, answer="n\n")
    assert (refused.exit_code, content(folder)) == (1, before)


def test_nothing_of_a_person_is_in_any_file_and_the_books_keep_amounts(folder: Path) -> None:
    ada = worker_of(folder, ADA)
    assert len(traces(folder, ada)) >= 7
    told = forget(folder, EMAIL, answer="y\n")
    assert told.exit_code == 0, told.output
    assert "train.jsonl has changed" in told.output.replace("\n", "")
    assert "export anew" in told.output
    check(folder, ada)
    assert "Nobody here is called" in forget(folder, ADA, "--yes").output
    log = (folder / "out" / "private" / "launch.log").read_text()
    assert log == f"worker {'x' * len(ada)!r} has come, {worker_of(folder, BO)!r}, too\n"


def test_a_recruiters_ids_go_from_the_portals_log(tmp_path: Path) -> None:
    participant, session, other = "5f" * 12, "6a" * 12, "7b" * 12
    with store.people_at(str(tmp_path / "people"), create=True) as market, market.writing() as moment:
        terms = {"person": "PID", "session": "SID", "finish_url": "https://recruiter.example/", "hits_each": 1}
        study = studies.get_study(moment, studies.register(moment, "study:", "Write", terms))
        worker = studies.begin(moment, study, participant, session, "browser").worker_id
        studies.begin(moment, study, "8c" * 12, other, "browser of another")
    log = tmp_path / "people" / "private" / "portal.log"
    log.write_text(f"submission {session} of {participant} ({worker}), and submission {other}\n")
    assert forget(tmp_path, worker, "--yes").exit_code == 0
    x = "x" * 24
    assert log.read_text() == f"submission {x} of {x} ({'x' * len(worker)}), and submission {other}\n"
    assert traces(tmp_path, participant, session, worker) == set()


def test_an_export_made_anew_is_that_of_a_campaign_in_which_the_person_never_was(tmp_path: Path) -> None:
    """Byte for byte."""
    others = [Tried(number, f"w{number % 3}", question=f"Question {number}?") for number in range(6)]
    theirs = [Tried(number, "AZEBRA", question=f"{SECRET} {number}") for number in range(6, 9)]
    written = {}
    for name, tried in (("with", [*others, *theirs]), ("without", others)):
        with closing(open_store(str(tmp_path / f"{name}.db"))) as opened:
            campaign = stored(opened, tried, contexts=9)
            opened.erasure.erase("AZEBRA", "AFORGOTTEN", now())
            with CampaignOutcomes.at_one_moment(BoundCampaign.open(opened, campaign.id)) as outcomes:
                export_campaign(outcomes.placement, tmp_path / name)
        written[name] = content(tmp_path / name)
    assert written["with"] == written["without"]
    assert SECRET.encode() not in b"".join(written["with"].values())


@pytest.mark.timeout(600)
def test_it_may_be_killed_at_any_moment_and_is_finished_by_the_same_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.cli.forgettable", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    assert int(done.stdout) >= 30


def test_a_campaign_that_is_served_is_stopped_first(folder: Path) -> None:
    before = content(folder)
    with (folder / "out" / "private" / "mephisto" / "writing" / "operator.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        refused = forget(folder, ADA, "--yes")
    assert (refused.exit_code, "is being served" in refused.output) == (1, True)
    assert content(folder) == before
    with closing(open_store(str(folder / "out" / "private" / "campaign.db"))) as opened:
        here = asdict(Holder.this(opened.database))
        with opened.database.writing() as connection:
            connection.execute(sa.insert(tables.leases).values(name="pilot writing", fence=1, beat=0, holder=here))
    assert "is being served (process" in forget(folder, ADA, "--yes").output
    assert "out/private/campaign.db" in traces(folder, SECRET)


def test_an_export_that_a_console_is_writing_is_waited_for(folder: Path) -> None:
    export = job_of(folder / "out", "export")
    with export.kept_idle():  # as the running process does
        refused = forget(folder, ADA, "--yes")
    assert (refused.exit_code, "is being exported" in refused.output) == (1, True)
    assert "out/private/campaign.db" in traces(folder, SECRET)
    assert forget(folder, ADA, "--yes").exit_code == 0


def test_nobody_is_erased_whom_money_is_owed_unless_that_is_wanted(folder: Path) -> None:
    ada = worker_of(folder, ADA)
    with closing(open_store(str(folder / "out" / "private" / "campaign.db"))) as opened:
        owed = Owed(PaymentKey("pilot", "wins", ada, "3X"), 50, 0, "Bonus for wins.")
        Ledger(opened.database, "pilot").intend([owed], lambda found, _cents: found)
    refused = forget(folder, ADA, "--yes")
    assert (refused.exit_code, "beat-the-ai pay" in refused.output) == (1, True)
    assert "--unpaid erases nevertheless" in refused.output
    told = forget(folder, ADA, "--yes", "--unpaid")
    assert told.exit_code == 0, told.output
    check(folder, ada)


def test_what_the_requester_has_yet_to_pay_outside_is_paid_first(folder: Path) -> None:
    with store.people_at(str(folder / "people")) as market, market.writing() as moment:
        moment.connection.execute(sa.text("DELETE FROM payouts"))
    refused = forget(folder, ADA, "--yes")
    assert (refused.exit_code, "$2.00 are owed to Ada Zebra" in refused.output) == (1, True)
    with store.people_at(str(folder / "people")) as market, market.writing() as moment:
        payouts.note(moment, "December", {person.find(moment, ADA).worker_id: 200})
    assert forget(folder, ADA, "--yes").exit_code == 0


def test_whoever_has_asked_for_it_is_listed_and_erased_by_one_command(folder: Path) -> None:
    ada = worker_of(folder, ADA)
    assert "Nobody has asked" in forget(folder, "--requested", "--yes").output
    with store.people_at(str(folder / "people")) as market, market.writing() as moment:
        withdrawals.withdraw(moment, ada, erase=True)
        withdrawals.withdraw(moment, person.find(moment, BO).worker_id)
    listed = run("people", "list", "--people", str(folder / "people")).output
    assert "1 person asked to be erased: beat-the-ai people forget --requested" in listed
    as_json = json.loads(run("people", "list", "--json", "--people", str(folder / "people")).output)
    assert {one["name"]: one["erase_at"] is not None for one in as_json} == {ADA: True, BO: False}
    assert forget(folder, "--requested", "--yes").exit_code == 0
    check(folder, ada)
    assert forget(folder, "--requested", ADA).exit_code == 2
    assert forget(folder).exit_code == 2


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_a_crowd_without_a_store_of_people_is_named_by_campaign_and_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    with closing(open_store(str(out / "private" / "campaign.db"))) as opened:
        stored(opened, [Tried(0, "AZEBRA", question=SECRET), Tried(1, "AOTHER", question=KEPT)], contexts=2)
    monkeypatch.chdir(tmp_path)
    unknown = run("people", "forget", "ANOBODY", "--campaign", str(out), "--yes")
    assert "Nothing of ANOBODY was found." in unknown.output
    told = run("people", "forget", "AZEBRA", "--campaign", str(out), "--yes")
    assert told.exit_code == 0, told.output
    assert traces(tmp_path, "AZEBRA", SECRET) == set()
    assert traces(tmp_path, KEPT) == {"out/private/campaign.db"}
    assert not (tmp_path / "out" / "people").exists()
    assert run("people", "forget", "AZEBRA", "--campaign", str(tmp_path / "nowhere")).exit_code == 2


def test_a_campaign_that_has_moved_is_asked_for_before_anything_is_erased(folder: Path, tmp_path: Path) -> None:
    (folder / "out").rename(folder / "moved")
    before = content(folder)
    refused = forget(folder, ADA, "--yes")
    assert (refused.exit_code, "Name it: --campaign PLACE" in refused.output) == (2, True)
    assert content(folder) == before
    told = forget(folder, ADA, "--yes", "--campaign", str(folder / "moved"))
    assert told.exit_code == 0, told.output
    assert traces(folder, SECRET, EMAIL) == set()


def test_personal_data_go_when_their_time_is_over_and_not_before(folder: Path) -> None:
    out, bo = folder / "out", worker_of(folder, BO)
    assert "kept until you erase them" in run("people", "erase-due", str(out)).output
    keep(out, people_days=30, answers_days=10, logs_days=0)
    assert "times run from the end" in run("people", "erase-due", str(out)).output
    close(out, days_ago=20)
    told = run("people", "erase-due", str(out), "--dry-run").output
    assert "answers due since" in told
    assert "people due on" in told
    assert traces(folder, "answer of Bo Li")
    assert run("people", "erase-due", str(out), "--yes").exit_code == 0
    assert traces(folder, "answer of Bo Li") == set()
    assert (out / "private" / "launch.log").read_text() == ""
    assert worker_of(folder, BO) == bo
    with closing(open_store(str(out / "private" / "campaign.db"))) as opened:
        assert [one.outcome for one in opened.forms.all_answers("pilot")] == ["given", "given"]
    close(out, days_ago=40)
    assert "2 names are due" in run("people", "erase-due", str(out), "--yes").output
    assert traces(folder, ADA, EMAIL) == set()
    assert run("people", "erase-due", str(out), "--yes").exit_code == 0
    with store.people_at(str(folder / "people")) as market, market.reading() as moment:
        assert {one.worker_id: one.state for one in person.list_people(moment)}[bo] == "removed"


def keep(out: Path, **days: int) -> None:
    with closing(open_store(str(out / "private" / "campaign.db"))) as opened:
        config = {**opened.campaigns.get("pilot").config, "keeping": days}
        with opened.database.writing() as connection:
            connection.execute(sa.update(tables.campaigns).values(config=config))


def close(out: Path, days_ago: int) -> None:
    with closing(open_store(str(out / "private" / "campaign.db"))) as opened, opened.database.writing() as connection:
        connection.execute(sa.update(tables.rounds).values(closed_at=now() - timedelta(days=days_ago)))
