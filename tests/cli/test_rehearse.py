"""`rehearse`: a whole campaign in real processes, with the model that ships."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from beat_the_ai.campaign.forecasts.pilots import pilot_of
from beat_the_ai.campaign.models.rescoring import read_rescored
from beat_the_ai.campaign.results.progress import progress_of
from beat_the_ai.cli import main
from beat_the_ai.cli.data_browser import data_browser
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.forecast.records import Forecast
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.people import LEAD_IN
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension, Work
from beat_the_ai.payments import Ledger, State
from beat_the_ai.rehearsal.campaign import REHEARSAL
from beat_the_ai.replication.rehearsed import figures_of_rehearsal
from beat_the_ai.rules.stage import Stage
from beat_the_ai.rules.text import folded
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store
from beat_the_ai.workforce import Reviewing, Workforce
from tests.cli.test_rescore import MODEL
from tests.forked.starts import new_interpreters
from tests.mephisto.wire import wait_until
from tests.recompute.adversarialness import OVERALL
from tests.recompute.differences import differences, status_differences
from tests.reports import report_of, status_of

ROOT = Path(__file__).parents[2]
TASK = ROOT / "tasks" / "reading_comprehension"
WORKERS = 3
DATASET = ("squad.json", "squad", "jsonl", "parquet")  # the released rows; the other files have times in them


def rehearse(out: Path, *arguments: str, task: Path = TASK) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "beat_the_ai.cli", "rehearse", str(task), *arguments, "--out", str(out)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rehearsal") / "first"
    with new_interpreters():
        result = rehearse(out, "--workers", str(WORKERS), "--seed", "1")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert "model error rate" in result.stdout
    return out


def attempts_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "attempts.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def reported(rehearsed: Path) -> dict[str, Any]:
    return report_of(rehearsed)


def test_every_figure_of_report_and_card_follows_from_the_files_alone(
    rehearsed: Path, reported: dict[str, Any]
) -> None:
    assert differences(rehearsed, reported) == []
    assert status_differences(rehearsed, status_of(rehearsed)) == []


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("attempts", "fooled", True),
        ("attempts", "context", ""),
        ("attempts", "dropped", None),
        ("attempts", "created_at", "2001-02-03T00:00:00+00:00"),
        ("assignments", "earned_cents", 7),
        ("assignments", "seconds", 4000.0),
        ("assignments", "review", "accepted"),
        ("assignments", "standing", "refused"),
        ("votes", "worker", "w-1"),
        ("jsonl/test", "question", "What?"),
    ],
)
def test_a_file_that_says_otherwise_is_noticed(
    rehearsed: Path, reported: dict[str, Any], tmp_path: Path, table: str, column: str, value: object
) -> None:
    copied = shutil.copytree(
        rehearsed, tmp_path / "copied", ignore=shutil.ignore_patterns("private", "hf", "*.parquet")
    )
    path = copied / f"{table}.jsonl"
    rows = [{**json.loads(line), column: value} for line in path.read_text("utf-8").splitlines()]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    assert differences(copied, reported)


@pytest.fixture(scope="module")
def looked_back(rehearsed: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The same, answered by two other models, looked at for artefacts, and beside a forecast; with its report."""
    folder = tmp_path_factory.mktemp("looked-back")
    out, models = shutil.copytree(rehearsed, folder / "out"), [folder / f"model_{name}.py" for name in "bc"]
    for path in models:
        path.write_text(MODEL.replace('"a" * 64', f'"{path.stem[-1]}" * 64'))
    commands: list[list[object]] = [
        ["rescore", out, *(word for path in models for word in ("--model", f"{path}:READER:the {path.stem}"))],
        ["artefacts", out],
        ["forecast", TASK, "round.max_hits=12", "--from", rehearsed, "--keep", "--out", out],
    ]
    for command in commands:
        told = CliRunner().invoke(main, list(map(str, command)))
        assert told.exit_code == 0, told.output
    return out, report_of(out)


def test_what_is_found_later_follows_from_the_files_too(looked_back: tuple[Path, dict[str, Any]]) -> None:
    out, report = looked_back
    assert differences(out, report) == []
    titles = {section["title"] for section in report["sections"]}
    assert titles >= {"Looking back with each model", OVERALL, "Forecast and outcome", "The baselines"}


@pytest.mark.parametrize(
    ("file", "said", "otherwise", "section"),
    [
        ("rescored/*bbb*.jsonl", '"fooled":true', '"fooled":false', "Looking back with"),
        ("rescored/*ccc*.jsonl", '"fooled":true', '"fooled":false', "AdvScore against each model"),
        ("artefacts.json", '"words_tested": ', '"words_tested": 1', "artefacts, words tested"),
        ("forecast.json", '"name": "hits"', '"name": "wins"', "Forecast and outcome"),
    ],
)
def test_a_later_file_that_says_otherwise_is_noticed(
    looked_back: tuple[Path, dict[str, Any]], tmp_path: Path, file: str, said: str, otherwise: str, section: str
) -> None:
    out, report = looked_back
    copied = shutil.copytree(out, tmp_path / "copied", ignore=shutil.ignore_patterns("private", "hf", "*.parquet"))
    [path] = copied.glob(file)
    assert said in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(said, otherwise), "utf-8")
    assert [each for each in differences(copied, report) if section in each]


def test_it_keeps_what_beat_the_model_and_people_could_answer_and_nothing_else(rehearsed: Path) -> None:
    beaten = [attempt for attempt in attempts_of(rehearsed) if attempt["fooled"] and not attempt["retracted"]]
    checked = [attempt for attempt in beaten if attempt["part"] != "train"]
    assert checked
    kept = {
        attempt["attempt_id"]: attempt
        for attempt in beaten
        if attempt["part"] == "train" or attempt["validation"] == "valid"
    }
    questions = {q.id: q for passage in squad.load(rehearsed / "squad.json") for q in passage.questions}
    assert questions.keys() == kept.keys()
    assert questions
    for name, question in questions.items():
        model_answer = kept[name]["prediction"]["text"]
        assert squad.f1(model_answer, question.answers[0].text) <= 0.4


def test_a_forecast_from_it_is_set_beside_its_outcome(rehearsed: Path, tmp_path: Path) -> None:
    with campaign_store(str(rehearsed)) as store:
        campaign = BoundCampaign.open(store, REHEARSAL)
        pilot, progress = pilot_of(campaign), progress_of(campaign)
    counted = [hit for writer in pilot.writers if not writer.discarded for hit in writer.hits]
    assert pilot.simulated
    assert pilot.hits == progress.hits_submitted
    assert sum(hit.attempts for hit in counted) == progress.attempts
    assert sum(hit.beaten for hit in counted) == progress.fooled
    assert progress.checked is not None
    assert (sum(one.settled for one in pilot.writers), sum(one.kept for one in pilot.writers)) == (
        progress.checked.settled,
        progress.checked.kept,
    )
    assert pilot.newcomers > pilot.qualified == WORKERS

    out = shutil.copytree(rehearsed, tmp_path / "later")
    arguments = [str(TASK), "round.max_hits=12", "--from", str(rehearsed), "--minutes", "9", "--hourly", "15"]
    told = CliRunner().invoke(main, ["forecast", *arguments, "--keep", "--out", str(out)])
    assert (told.exit_code, told.stderr) == (0, "")
    assert "simulated people are not people" in told.stdout
    assert "0% of the writers would earn less. Set pay.reward_cents=225." in told.stdout
    found = Forecast.model_validate_json(
        CliRunner().invoke(main, ["forecast", *arguments, "--json", "--out", str(out)]).stdout
    )
    kept = KEPT_FORECAST.read(out)
    assert kept is not None
    assert (found.estimates, found.plan) == (kept.estimates, kept.plan)
    [status, _] = json.loads(CliRunner().invoke(main, ["status", str(out), "--json"]).stdout)
    reached = {one["name"]: one["reached"] for one in status["forecast"]}
    assert (reached["hits"], reached["wins"]) == (progress.hits_submitted, progress.fooled)
    assert "Forecast and outcome" in CliRunner().invoke(main, ["status", str(out)]).stdout
    CliRunner().invoke(main, ["report", str(out), "--out", str(tmp_path / "report.html")])
    page = (tmp_path / "report.html").read_text()
    assert "Forecast and outcome" in page
    assert "Made on" in page

    wrong = CliRunner().invoke(main, ["forecast", str(ROOT / "tasks" / "nli"), "--from", str(rehearsed)])
    assert (wrong.exit_code, "is reading_comprehension, not nli" in wrong.stderr) == (2, True)


def test_its_figures_can_stand_beside_the_papers(rehearsed: Path) -> None:
    with campaign_store(str(rehearsed)) as store:
        found = figures_of_rehearsal(BoundCampaign.open(store, REHEARSAL), "D_BiDAF")
    counted = [one for one in attempts_of(rehearsed) if one["dropped"] not in ("discarded", "retracted")]
    beaten = found["writing"][("D_BiDAF",), "questions that beat the model, %"]
    assert beaten.value == pytest.approx(100 * sum(one["fooled"] for one in counted) / len(counted))
    assert beaten.low is not None
    assert found["worker-shares"][("qualified",), "share"].value == pytest.approx(100 * WORKERS / (WORKERS + 1))
    assert found["answerability"].keys() == {(("D_BiDAF",), "answerable")}
    assert found["table-2"].keys() == {(("D_BiDAF",), "EM"), (("D_BiDAF",), "F1")}
    exact, overlap = (found["table-2"][("D_BiDAF",), name].value for name in ("EM", "F1"))
    assert 0 < exact <= overlap <= 100


def test_no_row_of_the_dataset_is_gold(rehearsed: Path) -> None:
    rules = ReadingComprehension()
    contexts = {context.id: context for context in rules.load_contexts(TASK / "contexts" / "sample.jsonl")}
    released = [attempt for attempt in attempts_of(rehearsed) if attempt["dropped"] is None]
    assert {attempt["part"] for attempt in released} == {"train", "dev", "test"}
    for attempt in released:
        gold = {rules.fingerprint(work) for work in rules.gold(contexts[attempt["context_id"]])}
        assert len(gold) in (2, 3)
        assert rules.fingerprint(Work.model_validate(attempt["work"])) not in gold


def test_it_offers_four_hits_for_each_worker(rehearsed: Path) -> None:
    with campaign_store(str(rehearsed)) as store:
        offered = set(store.campaigns.hits(REHEARSAL))
        assert store.attempts.done_hits(REHEARSAL) == offered
    assert len(offered) == 4 * WORKERS


def test_work_of_revoked_workers_is_in_no_part_of_the_dataset(rehearsed: Path) -> None:
    with campaign_store(str(rehearsed)) as store:
        campaign, rows = store.campaigns.get(REHEARSAL), list(store.attempts.of_campaign(REHEARSAL))
        revoked = store.standings.discarded(REHEARSAL)
    assert revoked & {row.assignment.worker for row in rows}
    attempts = attempts_of(rehearsed)
    found = {attempt["worker"] for attempt in attempts if attempt["part"] is not None}
    assert 0 < len(found) < WORKERS
    gone = {pseudonym(worker, campaign) for worker in revoked}
    assert found.isdisjoint(gone)
    assert {attempt["dropped"] for attempt in attempts if attempt["worker"] in gone} == {"discarded"}


def test_the_same_model_gives_every_attempt_that_counts_its_prediction_and_its_verdict_again(
    rehearsed: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "beat_the_ai.cli", "rescore", str(rehearsed), "--model", "onnx:bidaf-small"]
    command += ["--out", str(tmp_path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    again = {
        verdict.id: verdict for path in tmp_path.glob("*.jsonl") for verdict in read_rescored(path).verdicts.values()
    }
    with campaign_store(str(rehearsed)) as store:
        attempts = [row.attempt for row in store.attempts.kept(REHEARSAL) if not row.attempt.retracted]
    assert set(again) == {attempt.id for attempt in attempts}
    for attempt in attempts:
        verdict = again[attempt.id]
        assert (verdict.prediction, verdict.scores, verdict.fooled) == (
            attempt.prediction,
            attempt.scores,
            attempt.fooled,
        )
    alike, judged = json.loads(done.stdout)["same"]
    assert alike == judged > 0


@pytest.mark.thorough  # `test_prolific_and_forms_…` has the same faults, and the crash matrix those of MTurk
def test_heavy_faults_make_no_difference(rehearsed: Path, tmp_path: Path) -> None:
    """Throttling, failing services, lost replies, a kill of each process: the same dataset, and all is paid once.

    Without faults, too, the same seed gives the same dataset byte for byte.
    """
    out = tmp_path / "heavy"
    result = rehearse(out, "--workers", str(WORKERS), "--seed", "1", "--faults", "heavy")
    assert (result.returncode, result.stderr) == (0, "")
    for process in ("operator", "router", "model server", "marketplace"):
        assert f"HITs: the {process}\n" in result.stdout
    assert str(out / "private" / "processes.log") in result.stdout
    assert "ASGI callable" not in (out / "private" / "processes.log").read_text()
    for name in ("squad.json", "jsonl/train.jsonl", "parquet/test.parquet", "hf/train/state.json"):  # with a checksum
        assert (out / name).read_bytes() == (rehearsed / name).read_bytes(), name
    paid = payments_of(out)
    assert paid == payments_of(rehearsed)
    assert {state for _, state, _ in paid} == {State.CONFIRMED}
    screenings = WORKERS + 1
    assert [cents for _, _, cents in paid].count(240) == 4 * WORKERS + screenings


def test_it_leaves_the_dataset_in_four_formats_and_a_report(rehearsed: Path) -> None:
    texts = [path.read_text() for path in rehearsed.glob("jsonl/*.jsonl")]
    rows = [json.loads(line) for text in texts for line in text.splitlines()]
    contexts = {(attempt["context_part"], attempt["context_id"]) for attempt in attempts_of(rehearsed)}
    for part in ("dev", "test"):  # one alone may come to nothing
        assert len({context for name, context in contexts if name == part}) > 1
    in_squad = [q.id for passage in squad.load(rehearsed / "squad.json") for q in passage.questions]
    assert sorted(row["id"] for row in rows) == sorted(in_squad)
    report = (rehearsed / "report.html").read_text()
    for heading in ("Passages and questions", "First three tokens", "How often the model was beaten", "Cost"):
        assert f">{heading}</h2>" in report
    for text in (report, (rehearsed / "README.md").read_text(), (rehearsed / "hf" / "README.md").read_text()):
        assert "simulated people made all of this" in text


def test_what_tells_of_people_is_the_owners_alone_and_the_dataset_lies_apart(rehearsed: Path) -> None:
    private = rehearsed / "private"
    for path in (private, *private.rglob("*")):
        if "static" not in path.parts:  # what the router serves to everybody
            assert path.stat().st_mode & 0o077 == 0, path
    assert (private / "campaign.db").is_file()
    assert list(private.glob("mephisto/*/data/runs/*/*/router/router.log"))
    umask = os.umask(0)
    os.umask(umask)
    for path in rehearsed.rglob("*"):
        if private not in (path, *path.parents) and path.name != ".rehearsal":
            assert path.stat().st_mode & 0o777 == (0o777 if path.is_dir() else 0o666) & ~umask, path


def test_a_rehearsal_that_is_killed_leaves_no_process_and_the_next_one_works(tmp_path: Path) -> None:
    """And it goes on after a HIT in which nothing was tried.

    Nothing beats the model on the passage, and whoever gets it then could only ask the same question again.
    """
    text = "The harbour of Anstey froze in the winter of 1829. Its ferry, the Plover, was dragged over the ice by oxen."
    answer = {"text": "the winter of 1829", "start": text.index("the winter")}
    question = {"question": "When did the harbour of Anstey freeze?", "answer": answer}
    passage = {"id": "anstey", "title": "Anstey", "context": text, "questions": [question]}
    contexts = tmp_path / "contexts.jsonl"
    contexts.write_text(json.dumps(passage))
    small = ["--workers", "2", "--seed", "1", f"contexts={contexts}", "qualification=none", "validation.parts=[]"]
    out = tmp_path / "out"
    command = [sys.executable, "-m", "beat_the_ai.cli", "rehearse", str(TASK), *small, "--out", str(out)]
    with (tmp_path / "printed").open("wb") as printed, new_interpreters():  # with no templates among them
        rehearsal = subprocess.Popen(command, stdout=printed, stderr=printed)
    try:
        wait_until(lambda: list(out.glob("private/mephisto/*/data/runs/*/*/router/address.json")), "a router listens")
        wait_until(lambda: len(descendants(rehearsal.pid)) >= 4, "all processes run")
        started = descendants(rehearsal.pid)
    finally:
        rehearsal.kill()
        rehearsal.wait()
    wait_until(lambda: not [pid for pid in started if is_running(pid)], "they are all gone")
    again = rehearse(out, *small)
    assert (again.returncode, again.stderr) == (0, "")
    assert "empty, waiting for a person │ 1 HIT" in again.stdout
    assert (out / "squad.json").is_file()


def descendants(pid: int) -> list[int]:
    """Marketplace, operator, its model server and its router."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = [tuple(map(int, line.split())) for line in listed.splitlines()]
    family = [pid]
    for member in family:  # it grows meanwhile
        family += [child for child, parent in parents if parent == member]
    return family[1:]


def is_running(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return state.strip() != "" and not state.startswith("Z")


def seen_by_mephisto(out: Path, stage: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """`{assignment: (status, work)}` of all units, from Mephisto's stock `DataBrowser`."""
    with data_browser(out, stage) as browser:
        units = browser.get_units_for_task_name(f"{REHEARSAL}-{stage}")
        records = [(unit.get_status(), browser.get_data_from_unit(unit)["data"]) for unit in units]
    return {data["inputs"]["page"]["hit"]: (status, data["work"]) for status, data in records}


def test_mephistos_data_browser_gives_what_was_written_judged_and_decided(rehearsed: Path) -> None:
    written = seen_by_mephisto(rehearsed, "writing")
    attempts = [attempt for _, work in written.values() for attempt in work["attempts"]]
    exported = attempts_of(rehearsed)
    by_id = {attempt["attempt_id"]: attempt for attempt in attempts}
    assert [by_id[one["attempt_id"]] for one in exported] == exported
    assert any(attempt["votes"] for attempt in attempts)
    for status, work in written.values():
        verdicts = {review["verdict"] for review in work["reviews"]}
        dropped = {attempt["dropped"] for attempt in work["attempts"]}
        assert (status == "soft_rejected") == (dropped == {"discarded"})
        assert status != "accepted" or verdicts == {"accept"}
    assert {status for status, _ in written.values()} >= {"accepted"}
    screened = seen_by_mephisto(rehearsed, "screening")
    assert {(status, work["outcome"]) for status, work in screened.values()} >= {("accepted", "passed")}
    votes = [vote for _, work in seen_by_mephisto(rehearsed, "validation").values() for vote in work["votes"]]
    assert {vote["attempt_id"] for vote in votes if vote["gold"] is None} == {
        attempt["attempt_id"] for attempt in attempts if attempt["votes"]
    }


def test_a_later_decision_reaches_mephistos_units_too(rehearsed: Path, tmp_path: Path) -> None:
    out = tmp_path / "campaign"
    shutil.copytree(rehearsed, out)
    assignment = next(
        name
        for name, (status, work) in seen_by_mephisto(out, "writing").items()
        if (status, len(work["reviews"])) == ("accepted", 1)
    )
    with campaign_store(str(out)) as store:
        for reviewer in ("second", "third"):
            Reviewing(BoundCampaign.open(store, REHEARSAL)).reject(assignment, reviewer, "not a question")
    status, work = seen_by_mephisto(out, "writing")[assignment]
    assert status == "completed"
    assert "discarded" not in {attempt["dropped"] for attempt in work["attempts"]}
    with campaign_store(str(out)) as store:
        for reviewer in ("second", "third"):
            Reviewing(BoundCampaign.open(store, REHEARSAL)).undo(assignment, reviewer)
    assert seen_by_mephisto(out, "writing")[assignment][0] == "accepted"
    with campaign_store(str(out)) as store:
        [writer] = [
            each.worker for each in store.assignments.confirmed(REHEARSAL, Stage.WRITING) if each.id == assignment
        ]
        Workforce(BoundCampaign.open(store, REHEARSAL)).revoke(writer, "ann", "copied")
    assert seen_by_mephisto(out, "writing")[assignment][0] == "soft_rejected"


def payments_of(out: Path) -> list[tuple[str, State, int]]:
    """Of the rehearsal and of its screenings."""
    with campaign_store(str(out)) as store:
        return sorted(
            (name, payment.state, payment.with_fee_cents)
            for name in store.campaigns.ids()
            for payment in Ledger(store.database, name).payments()
        )


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("three years of work")
    result = rehearse(tmp_path, "--workers", "1")
    assert result.returncode == 2
    assert "is no rehearsal" in result.stderr
    assert (tmp_path / "thesis.txt").read_text() == "three years of work"


@pytest.mark.thorough  # fast tests read the same file
def test_it_runs_on_real_squad(squad_dev: Path, tmp_path: Path) -> None:
    small = ("--workers", "1", "qualification=none", "round.max_hits=2", "validation.parts=[]")
    result = rehearse(tmp_path / "squad", f"contexts={squad_dev}", *small)
    assert result.returncode == 0, result.stderr
    human = {folded(q.text) for passage in squad.load(squad_dev) for q in passage.questions}
    asked = [attempt["work"]["question"] for attempt in attempts_of(tmp_path / "squad")]
    assert asked
    assert all(question.startswith(LEAD_IN) for question in asked), "a gold question was asked as it stands"
    assert {folded(question.removeprefix(LEAD_IN)) for question in asked} <= human


def test_prolific_and_forms_give_the_same_dataset_and_its_books_are_those_of_the_ledger(
    rehearsed: Path, tmp_path: Path
) -> None:
    """With lost replies, failing services, and a kill of each process; the rehearsal itself compares the books."""
    out = tmp_path / "prolific"
    forms = ("forms.before=[about_you]", "forms.after=[debriefing]")
    result = rehearse(out, "crowd=prolific", *forms, "--workers", str(WORKERS), "--seed", "1", "--faults", "heavy")
    assert result.returncode == 0, result.stderr
    assert re.search(r"The recruiter has paid £[1-9][0-9.]*, as the ledger says", result.stdout)
    assert {"the portal", "the recruiter"} & set(re.findall(r"killed after \d+ HITs: (.*)", result.stdout))
    released = [path for path in rehearsed.rglob("*") if path.is_file() and path.parts[len(rehearsed.parts)] in DATASET]
    assert len(released) >= 4
    for path in released:
        assert (out / path.relative_to(rehearsed)).read_bytes() == path.read_bytes(), path
    token = re.compile(rb"PROLIFIC_TOKEN|Authorization: Token")
    private = out / "private"
    assert not any(token.search(path.read_bytes()) for path in private.rglob("*.log"))
    people = people_by_form(out, tmp_path / "answers.jsonl")
    assert people["debriefing"]
    assert people["debriefing"] <= people["about_you"]


def people_by_form(out: Path, file: Path) -> dict[str, set[str]]:
    """Return who has answered each form, by its export."""
    done = CliRunner().invoke(main, ["forms", "export", str(out), "--out", str(file)])
    assert done.exit_code == 0, done.output
    people: dict[str, set[str]] = {}
    for row in map(json.loads, file.read_text().splitlines()):
        people.setdefault(row["form"], set()).add(row["person"])
    return people
