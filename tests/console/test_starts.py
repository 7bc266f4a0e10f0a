"""Campaigns that are started from the console: who may, drafts that last, faults at their fields, and one launch."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import yaml
from starlette.testclient import TestClient

from beat_the_ai.campaign.acts.act import Actor
from beat_the_ai.campaign.acts.jobs import OpenStage
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.campaign.starting.drafts import Choices
from beat_the_ai.campaign.starting.ground import Ground, task_folders
from beat_the_ai.campaign.starting.planning import Plan
from beat_the_ai.campaign.starting.rehearsing import REHEARSAL, jobs_of_draft, start_job
from beat_the_ai.cli.console import Opened, console_ground
from beat_the_ai.console import Pages, Site, by_key
from beat_the_ai.errors import Refused
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.terms.locate import private_folder
from benchmarks.stored_campaign import stored_campaign
from tests.campaign.acts.begun import begin, passage
from tests.cli.launching import NAME, ROOT, TASK, campaign_store, needs_pages, stop_serving
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.mephisto.mturk_rig import use
from tests.review.builders import PASSWORD
from tests.review.conftest import Reviewer

pytestmark = needs_pages
Console = Callable[..., Reviewer]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one campaign. Ann is a requester, and bob a lead."""
    place, _ = begin(tmp_path / "campaigns" / "known")
    new_account(place.store, "ann", PASSWORD, role=Role.REQUESTER)
    new_account(place.store, "bob", PASSWORD, role=Role.LEAD)
    place.store.close()
    return tmp_path / "campaigns"


@pytest.fixture
def console(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Console]:
    """Open a console of its own, and sign in at it."""
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.chdir(tmp_path)  # where `out/people` is looked for
    with ExitStack() as stack:

        def open_console(name: str = "ann") -> Reviewer:
            opened = stack.enter_context(Opened((str(folder),)))
            executor = stack.enter_context(ThreadPoolExecutor(1))
            ground = Ground(folder, task_folders([ROOT / "tasks"]))
            pages = Pages(tmp_path, tmp_path)
            site = Site(by_key(opened.all()), pages, executor, more=opened.more, ground=ground)
            stack.callback(site.close)
            browser = Reviewer(TestClient(site.app(), client=("10.0.0.1", 5000)))
            stack.callback(browser.http.close)
            assert not name or browser.sign_in(name) == 200
            return browser

        yield open_console


def begun(browser: Reviewer, task: str = "reading_comprehension", request: str = "request-1") -> Any:
    return browser.post("/api/starts", {"request": request, "task": task})


def sign_in_again(browser: Reviewer) -> None:
    browser.post("/api/sign-out", {})
    assert browser.sign_in("ann") == 200


def change(browser: Reviewer, draft: Any, **choices: Any) -> Any:
    return browser.post(f"/api/starts/draft?draft={draft['id']}", changed(draft, **choices))


def changed(draft: Any, **choices: Any) -> Any:
    return {"revision": draft["revision"], "choices": {**draft["choices"], **choices}}


def faults(draft: Any) -> dict[str, str]:
    return {each["field"]: each["message"] for each in draft["faults"]}


def send_file(browser: Reviewer, draft: Any, *passages: object, name: str = "mine.jsonl") -> Any:
    query = urlencode({"draft": draft["id"], "revision": draft["revision"], "name": name})
    headers = {"Content-Type": "application/octet-stream", "X-Form-Token": browser.token}
    content = "".join(f"{json.dumps(each)}\n" for each in passages).encode()
    return browser.http.post(f"/api/starts/contexts?{query}", content=content, headers=headers)


def launch(browser: Reviewer, draft: Any, agreed: int, status: int = 200) -> Any:
    sent = {"revision": draft["revision"], "agreed_cents": agreed}
    return browser.post(f"/api/starts/launches?draft={draft['id']}", sent, status)


def look(browser: Reviewer, draft: Any, status: int = 200) -> Any:
    sent = {"revision": draft["revision"]}
    return browser.post(f"/api/starts/estimates?draft={draft['id']}", sent, status)


def test_only_a_requester_with_the_form_token_starts_a_campaign(console: Console, folder: Path) -> None:
    ann = console()
    draft = begun(ann)
    for name, status in (("bob", 403), ("", 401)):
        other = console(name)
        assert other.get("/api/session").get("may_start", False) is False
        for path in ("", f"/draft?draft={draft['id']}"):
            other.get(f"/api/starts{path}", status)
        for path in ("draft", "discarded", "jobs", "forecasts", "estimates", "launches"):
            other.post(f"/api/starts/{path}?draft={draft['id']}", {}, status)
        other.post("/api/starts", {"request": "request-2", "task": "nli"}, status)
        assert send_file(other, draft, passage(1)).status_code == status
    ann.token = "0" * 64
    ann.post("/api/starts", {"request": "request-3", "task": "nli"}, 403)
    assert [each.name for each in (folder / "drafts").iterdir() if each.is_dir()] == [draft["id"]]


def test_a_console_of_single_campaigns_starts_none(folder: Path, tmp_path: Path) -> None:
    assert console_ground((str(folder),), ()) is not None
    assert console_ground((str(folder / "known"),), ()) is None
    assert console_ground((str(folder), str(folder / "known")), ()) is None
    in_a_database = tmp_path / "in_a_database"
    (in_a_database / PRIVATE).mkdir(parents=True)  # its store is where the environment says
    assert console_ground((str(in_a_database),), ()) is None


def test_a_draft_outlives_its_console_and_is_begun_once(console: Console, folder: Path) -> None:
    ann = console()
    draft = begun(ann)
    assert begun(ann)["id"] == draft["id"] == begun(console())["id"]
    kept = change(ann, draft, name="pilot-2", reward="1.50", others="round.max_tries=7")
    again = console()
    shown = again.get(f"/api/starts/draft?draft={draft['id']}")
    assert (shown["choices"], shown["revision"]) == (kept["choices"], 2)
    assert [each["name"] for each in again.get("/api/starts")["drafts"]] == ["pilot-2"]
    again.post(f"/api/starts/draft?draft={draft['id']}", changed(draft, name="of another tab"), 409)
    assert (folder / "drafts").stat().st_mode & 0o077 == 0
    again.post(f"/api/starts/discarded?draft={draft['id']}", {})
    again.get(f"/api/starts/draft?draft={draft['id']}", 404)
    assert again.get("/api/starts")["drafts"] == []


def test_each_fault_is_told_at_its_field_and_all_at_once(console: Console) -> None:
    ann = console()
    draft = begun(ann)
    assert set(faults(draft)) == {"name"}
    assert draft["estimate"]["worst_cents"] > 0
    wrong = {
        "name": "known",
        "reward": "two",
        "hits": "0",
        "cap": "1e9",
        "preset": "nie-2019-round-1",
        "has_file": True,
    }
    told = faults(change(ann, draft, **wrong, others="round.max_tries=many"))
    assert set(told) == {*wrong, "others"}
    assert "is there already" in told["name"]
    assert "is for nli" in told["preset"]


def test_a_cost_beyond_the_cap_is_a_fault_of_the_cap(console: Console) -> None:
    ann = console()
    draft = change(ann, begun(ann), name="dear", cap="1")
    assert "could cost up to" in faults(draft)["cap"]
    assert draft["estimate"] is None
    ann.post(f"/api/starts/jobs?draft={draft['id']}", {"job": "rehearsal"}, 409)
    launch(ann, draft, 10**9, status=409)


HOSTILE: tuple[tuple[str, str], ...] = (
    *(("name", name) for name in ("../known", "..", ".hidden", "a/b", "${oc.env:PATH}", "drafts", "-x", "a b")),
    *(("task", name) for name in ("../tasks", "/etc", "reading_comprehension/")),
    *(("preset", name) for name in ("../base", "none/../x", "{a: 1}")),
    *(("model", name) for name in ("../crowd/own", "[onnx:x]", "${task_dir}")),
    *(("crowd", name) for name in ("mock", "../own", "")),
    *(("reward", text) for text in ("-1", "1.234", "${oc.env:HOME}", "1" * 30)),
    *(
        ("others", text)
        for text in (
            "contexts=/etc/passwd",
            "pay=../../../etc/x",
            "round.max_tries=${oc.env:PATH}",
            "round={number: 2}",
            "+pay.x=1",
            "hydra.run.dir=/tmp/x",
            "store.url=sqlite:////tmp/x.db",
            "adversary.members=[onnx:x]",
            "pay.reward_cents=1",
            "no setting",
            "round.shares=2",
            "dataset.seed='\x1b[2J'",
            "dataset.seed='\0'",
        )
    ),
)


@pytest.mark.parametrize(("field", "text"), HOSTILE)
def test_a_page_names_no_path_program_or_secret(console: Console, field: str, text: str) -> None:
    ann = console()
    draft = change(ann, begun(ann), **{"name": "fine", field: text})
    assert field in faults(draft)
    assert os.environ["PATH"] not in json.dumps(draft)
    given = yaml.safe_load(draft["yaml"])
    assert not [value for value in given if "${" in value or "/" in value or "passwd" in value]


def test_what_a_recruiter_is_told_is_asked_for_and_has_the_one_brace_that_it_needs(console: Console) -> None:
    ann = console()
    draft = change(ann, begun(ann), name="sent", crowd="link")
    assert set(faults(draft)) == {"person"}
    recruiter = {"person": "pid", "done": "c0de", "finish_url": "https://recruiter.example/back?cc={code}"}
    draft = change(ann, draft, **recruiter)
    assert (faults(draft), draft["unit"]) == ({}, "USD")
    assert "crowd.recruiter.finish_url='https://recruiter.example/back?cc={code}'" in yaml.safe_load(draft["yaml"])
    for address in (
        "https://x.example/{other}",
        "javascript:alert(1)",
        "https://x.example/${oc.env:PATH}",
        "https://x/'",
        "https://x/\0{code}",
        "https://x/\x1b[2J",
    ):
        draft = change(ann, draft, finish_url=address)
        assert "finish_url" in faults(draft), address


def test_keys_of_a_crowd_are_said_to_be_there_and_never_shown(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROLIFIC_TOKEN", raising=False)
    ann = console()
    draft = change(ann, begun(ann), name="paid", crowd="prolific", workspace="abc", minutes="10")
    assert (draft["has_keys"], draft["unit"]) == (False, "GBP")
    monkeypatch.setenv("PROLIFIC_TOKEN", "a-very-secret-token")
    draft = change(ann, draft)
    assert draft["has_keys"]
    assert "a-very-secret-token" not in json.dumps(draft)


def test_the_yaml_is_what_the_command_line_and_a_task_folder_give(console: Console, tmp_path: Path) -> None:
    ann = console()
    draft = change(ann, begun(ann), name="2026", model="bidaf_small", has_consent=True, reward="1.5", hits="9")
    draft = change(ann, draft, cap="300", others="round.reoffers=0\nround.max_tries=7")
    assert faults(draft) == {}
    overrides = yaml.safe_load(draft["yaml"])
    command = draft["yaml"].splitlines()[0].removeprefix("# beat-the-ai launch ")
    assert shlex.split(command) == [str(TASK), *overrides, "--out", str(tmp_path / "campaigns" / "2026")]
    copy = tmp_path / "tasks" / "copy"
    shutil.copytree(TASK, copy)
    shutil.copytree(ROOT / "hydra_configs", tmp_path / "hydra_configs")
    (tmp_path / "blueprints").mkdir()
    (copy / "conf" / "config.yaml").write_text(CONFIG)
    own = {"task_dir": copy, "contexts": copy / "contexts" / "sample.jsonl"}
    by_command = read_settings(TASK, overrides, out=tmp_path)
    assert read_settings(copy, [], out=tmp_path) == by_command.model_copy(update=own)


CONFIG = """
defaults:
  - base
  - task: reading_comprehension
  - override adversary: bidaf_small
  - override crowd: own
  - override forms: consent
  - _self_
name: "2026"
contexts: ${task_dir}/contexts/sample.jsonl
pay: {reward_cents: 150, cap_cents: 30000}
round: {max_hits: 9, reoffers: 0, max_tries: 7}
"""


@pytest.mark.parametrize("task", ["reading_comprehension", "nli", "quizbowl"])
def test_each_task_has_models_and_a_cost_from_the_start(console: Console, task: str) -> None:
    ann = console()
    draft = begun(ann, task)
    assert set(faults(draft)) == {"name"}
    assert draft["estimate"]["worst_cents"] > 0
    models = {member for each in draft["models"] for member in each["members"]}
    assert draft["defaults"]["model"] in models
    assert draft["presets"]


def test_contexts_of_another_kind_are_a_fault_without_the_path_of_the_server(console: Console, folder: Path) -> None:
    ann = console()
    draft = change(ann, begun(ann), name="other")
    send_file(ann, draft, passage(1))
    draft = ann.get(f"/api/starts/draft?draft={draft['id']}")
    told = faults(change(ann, draft, task="quizbowl"))
    assert "mine.jsonl" in told["has_file"]
    assert str(folder) not in told["has_file"]


def test_a_preset_and_what_stands_above_it(console: Console, tmp_path: Path) -> None:
    ann = console()
    draft = change(ann, begun(ann), name="paper", preset="bartolo-2020-bidaf", reward="1.5", hits="9", cap="3000")
    assert faults(draft) == {}
    settings = read_settings(TASK, yaml.safe_load(draft["yaml"]), out=tmp_path)
    assert settings.preset is not None
    assert (settings.preset.name, settings.pay.reward_cents) == ("bartolo-2020-bidaf", 150)
    assert draft["yaml"].splitlines()[0].endswith("--stage screening")  # which the preset has
    assert draft["estimate"]["title"] == "Campaign paper: screening"


def test_a_file_of_contexts_is_looked_at_line_by_line_and_kept_without_faults(console: Console, folder: Path) -> None:
    ann = console()
    draft = change(ann, begun(ann), name="mine")
    told = send_file(ann, draft, passage(1), {"id": "<script>"}).json()
    assert [each["place"] for each in told["faults"]] == ["line 2"]
    shown = ann.get(f"/api/starts/draft?draft={draft['id']}")
    assert (shown["contexts"], shown["revision"]) == (None, draft["revision"])
    assert send_file(ann, draft).json()["faults"]
    told = send_file(ann, draft, passage(1), passage(2), name="../../a b.jsonl").json()
    assert (told["new"], told["faults"]) == (2, [])
    shown = ann.get(f"/api/starts/draft?draft={draft['id']}")
    assert (shown["contexts"]["name"], shown["contexts"]["number"], shown["choices"]["has_file"]) == (
        "a_b.jsonl",
        2,
        True,
    )
    assert shown["estimate"]["lines"][0]["value"] == "2"
    [path] = [value.partition("=")[2] for value in yaml.safe_load(shown["yaml"]) if value.startswith("contexts=")]
    assert Path(path).parent == folder.resolve() / "mine" / "private" / "contexts"
    assert send_file(ann, draft, passage(3)).status_code == 409  # of an older revision
    assert faults(change(ann, shown, has_file=False)) == {}


def test_files_that_others_have_replaced_take_no_room(console: Console, folder: Path) -> None:
    ann = console()
    draft = begun(ann)
    for number in range(1, 6):
        assert send_file(ann, draft, passage(number)).json()["faults"] == []
        draft = ann.get(f"/api/starts/draft?draft={draft['id']}")
    kept = list((folder / "drafts" / draft["id"] / "contexts").iterdir())
    assert len(kept) == 2  # with the last one, which a rehearsal may still read
    assert any(path.name.startswith(draft["contexts"]["sha256"][:12]) for path in kept)


def test_a_model_that_charges_is_not_rehearsed_without_consent(folder: Path) -> None:
    ground = Ground(folder, task_folders([ROOT / "tasks"]))
    draft = ground.drafts.begin("request-1", Choices(task="reading_comprehension", name="dear"), "ann")
    prices = "cents_per_million_tokens_in=1&cents_per_million_tokens_out=1"
    members = f"adversary.members=['openai:http://127.0.0.1:1/v1?{prices}#tiny']"
    plan = Plan((), settings=read_settings(ground.task("reading_comprehension"), [members], out=folder / "dear"))
    with pytest.raises(Refused, match="charges for its answers"):
        start_job(ground, draft, plan, Actor("ann"), REHEARSAL)
    assert jobs_of_draft(ground, draft) == []


def test_a_forecast_needs_a_source_and_finds_the_reward_for_an_hour(console: Console, folder: Path) -> None:
    stored_campaign(folder / "growth", 300)
    with campaign_store(folder / "growth") as store:
        new_account(store, "ann", PASSWORD, role=Role.REQUESTER)
    ann = console()
    draft = change(ann, begun(ann), name="next", hourly="15")
    path = f"/api/starts/forecasts?draft={draft['id']}"
    assert "Rehearse" in ann.post(path, {}, 409)["error"]["message"]
    assert {each["key"] for each in draft["pilots"]} == {"growth", NAME}
    assert ann.post(path.replace(draft["id"], change(ann, draft, pilot="unknown")["id"]), {}, 404)["error"]
    draft = change(ann, ann.get(f"/api/starts/draft?draft={draft['id']}"), pilot="growth")
    draft = ann.post(path, {})
    forecast = draft["forecast"]
    assert (draft["is_forecast"], forecast["target_cents"] > 0) == (True, True)
    assert "$15.00 an hour" in forecast["target"]
    rows = {row["what"]: row for part in forecast["parts"] for row in part["rows"]}
    assert " to " in rows["everything"]["interval"]
    assert any(line["name"] == "forecast of everything" for line in draft["estimate"]["lines"])
    assert not change(ann, draft, hits="20")["is_forecast"]


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as started:
        yield started


@pytest.fixture
def at_the_crowd(market: Rehearsal, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[None]:
    use(monkeypatch, market).close()
    yield
    for out in (path for path in folder.iterdir() if path.name != "drafts"):
        stop_serving(out)


def test_a_launch_from_two_consoles_is_one_campaign(console: Console, folder: Path, at_the_crowd: None) -> None:
    ann, also_ann = console(), console()
    draft = change(ann, begun(ann), name="once", crowd="mturk", hits="2", others="round.reoffers=0")
    shown = look(ann, draft)["estimate"]
    assert shown["balance_cents"] == 100_000
    assert "agreed" in launch(ann, draft, shown["worst_cents"] - 1, 409)["error"]["message"]
    assert not (folder / "once").exists()
    with ThreadPoolExecutor(4) as threads:
        by = [ann, ann, also_ann, also_ann]
        told = list(threads.map(lambda browser: launch(browser, draft, shown["worst_cents"]), by))
    assert {(each["campaign"], "has been started" in each["told"]) for each in told} == {("once", True)}
    assert launch(console(), draft, shown["worst_cents"]) == told[0]
    with campaign_store(folder / "once") as store:
        opened = [each.machine_user for each in store.audit.entries() if each.action == "open_stage"]
        assert opened.count("") == 1
        assert [each.name for each in store.accounts.all()] == ["ann"]
    seen = [{one["id"] for one in each.get("/api/session")["campaigns"]} for each in (ann, also_ann)]
    assert {NAME, "once"} in seen  # whoever has launched it need not sign in again
    for browser in (ann, also_ann):
        sign_in_again(browser)
        assert browser.get("/api/session")["campaigns"][1]["role"] == "requester"
        assert browser.get("/api/figures?campaign=once")["progress"]["hits_submitted"] == 0
    assert browser.get("/review/once/api/session")["reviewer"] == "ann"
    shown = ann.get(f"/api/starts/draft?draft={draft['id']}")
    assert "was launched" in ann.post(f"/api/starts/draft?draft={draft['id']}", changed(shown), 409)["error"]["message"]
    second = change(ann, begun(ann, request="request-2"), name="once")
    assert "is there already" in faults(second)["name"]


def test_nothing_is_launched_that_somebody_else_has_changed_since_it_was_agreed_to(
    console: Console, folder: Path, at_the_crowd: None
) -> None:
    ann, other = console(), console()
    draft = change(ann, begun(ann), name="agreed", crowd="mturk", hits="2", others="round.reoffers=0")
    agreed = look(ann, draft)["estimate"]["worst_cents"]
    changed_meanwhile = change(other, draft, others="round.reoffers=0\nround.max_tries=9")
    for told in (look(ann, draft, 409), launch(ann, draft, agreed, 409)):
        assert "Somebody else has changed this draft" in told["error"]["message"]
    assert not (folder / "agreed").exists()
    assert look(ann, changed_meanwhile)["estimate"]["worst_cents"] == agreed


def test_a_console_that_is_killed_in_a_launch_goes_on_where_it_was(
    console: Console, folder: Path, at_the_crowd: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def kill(*_: object) -> None:
        raise Killed

    ann = console()
    draft = change(ann, begun(ann), name="killed", crowd="mturk", hits="2", others="round.reoffers=0")
    for place, name in ((Path, "rename"), (OpenStage, "do")):
        with monkeypatch.context() as patch:
            patch.setattr(place, name, kill)
            with pytest.raises(Killed):
                launch(ann, draft, 10**6)
        assert (folder / "killed").exists() == (name == "do")
    again = console()
    assert again.get("/api/session")["campaigns"][0]["id"] in ("killed", NAME)
    told = launch(again, draft, 10**6)
    assert (told["campaign"], "has been started" in told["told"]) == ("killed", True)
    assert again.get("/api/starts")["drafts"][0]["campaign"] == "killed"


def test_a_campaign_of_the_command_line_appears_without_a_restart(console: Console, folder: Path) -> None:
    ann = console()
    private_folder(folder / "later")
    with campaign_store(folder / "later") as store:
        assert {each["id"] for each in ann.get("/api/session")["campaigns"]} == {NAME}  # nothing is in it yet
        begin_or_resume(PlannedRound(store, read_settings(TASK, ["name=later"], out=folder / "later")))
        new_account(store, "ann", PASSWORD, role=Role.OBSERVER)
    assert {each["id"] for each in ann.get("/api/session")["campaigns"]} == {NAME}
    sign_in_again(ann)
    assert {each["id"]: each["role"] for each in ann.get("/api/session")["campaigns"]} == {
        NAME: "requester",
        "later": "observer",
    }
