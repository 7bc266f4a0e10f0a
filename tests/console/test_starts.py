"""Campaigns that are started from the console: who may, drafts that last, faults at their fields, and one launch."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import groupby, zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import yaml
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from beat_the_ai.campaign.acts.act import Actor
from beat_the_ai.campaign.acts.jobs import OpenStage
from beat_the_ai.campaign.settings.campaign_file import CampaignFile
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.campaign.starting.drafts import JOBS, Choices, Draft
from beat_the_ai.campaign.starting.ground import DRAFTS, Ground, task_folders
from beat_the_ai.campaign.starting.ground import NAME as NAME_PATTERN
from beat_the_ai.campaign.starting.planning import Plan, plan_of_draft, yaml_of
from beat_the_ai.campaign.starting.rehearsing import REHEARSAL, STOPPED, jobs_of_draft, start_job
from beat_the_ai.cli.console import console_ground
from beat_the_ai.cli.opened_campaigns import Opened
from beat_the_ai.console import Pages, Site, by_key
from beat_the_ai.errors import Refused
from beat_the_ai.files.permissions import OWNER_ONLY, PRIVATE
from beat_the_ai.process.job import Job
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import now
from beat_the_ai.terms.locate import private_folder
from benchmarks.stored_campaign import stored_campaign
from tests.campaign.acts.begun import begin, passage
from tests.cli.launching import NAME, ROOT, TASK, campaign_store, needs_pages, stop_serving
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.mephisto.mturk_rig import use
from tests.mephisto.wire import wait_until
from tests.review.builders import PASSWORD
from tests.review.conftest import Reviewer

pytestmark = needs_pages
Console = Callable[..., Reviewer]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one campaign, of which tests have copies. Ann is a requester, and bob a lead."""
    campaigns = tmp_path_factory.mktemp("known") / "campaigns"
    place, _ = begin(campaigns / "known")
    new_account(place.store, "ann", PASSWORD, role=Role.REQUESTER)
    new_account(place.store, "bob", PASSWORD, role=Role.LEAD)
    place.store.close()
    return campaigns


@pytest.fixture
def folder(known: Path, tmp_path: Path) -> Path:
    """A folder of campaigns of the test's own."""
    return shutil.copytree(known, tmp_path / "campaigns")


@contextmanager
def consoles(folder: Path) -> Iterator[Console]:
    """Open a console of its own, and sign in at it."""
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        patch.chdir(folder.parent)  # where `out/people` is looked for

        def open_console(name: str = "ann") -> Reviewer:
            opened = stack.enter_context(Opened((str(folder),)))
            executor = stack.enter_context(ThreadPoolExecutor(1))
            ground = Ground(folder, task_folders([ROOT / "tasks"]))
            pages = Pages(folder.parent, folder.parent)
            site = Site(by_key(opened.all()), pages, executor, sources=opened, ground=ground)
            stack.callback(site.close)
            browser = Reviewer(TestClient(site.app(), client=("10.0.0.1", 5000)))
            stack.callback(browser.http.close)
            assert not name or browser.sign_in(name) == 200
            return browser

        yield open_console


@pytest.fixture
def console(folder: Path) -> Iterator[Console]:
    with consoles(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def ann(known: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reviewer]:
    """Ann at a console that tests share: each has a draft of its own."""
    with consoles(shutil.copytree(known, tmp_path_factory.mktemp("shared") / "campaigns")) as opened:
        yield opened()


@pytest.fixture
def request_id(request: pytest.FixtureRequest) -> str:
    """Return the id of a request that no other test makes."""
    return hashlib.sha256(request.node.nodeid.encode()).hexdigest()


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


def settings_in(draft: Any, folder: Path) -> Settings:
    """Return the settings that the command line has with the file of a draft."""
    (folder / "downloaded.yaml").write_text(draft["yaml"], encoding="utf-8")
    file = CampaignFile.read(folder / "downloaded.yaml", Settings)
    return read_settings(file.task_dir, list(file.overrides), out=folder)


def test_only_a_requester_with_the_form_token_starts_a_campaign(console: Console, folder: Path) -> None:
    ann = console()
    draft = begun(ann)
    for name, status in (("bob", 403), ("", 401)):
        other = console(name)
        assert other.get("/api/session").get("may_start", False) is False
        for path in ("", f"/draft?draft={draft['id']}"):
            other.get(f"/api/starts{path}", status)
        for path in ("draft", "discarded", "jobs", "stops", "forecasts", "estimates", "launches"):
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
    assert "it was discarded" in again.get(f"/api/starts/draft?draft={draft['id']}", 404)["error"]["message"]
    assert again.get("/api/starts")["drafts"] == []


def test_a_draft_that_cannot_be_read_is_listed_with_its_fault_and_can_be_discarded(
    console: Console, folder: Path
) -> None:
    ann = console()
    [cut, other, fine] = [begun(ann, request=f"request-{number}") for number in range(3)]
    drafts = folder / "drafts"
    cut_file, other_file = (drafts / each["id"] / "draft.json" for each in (cut, other))
    cut_file.write_bytes(cut_file.read_bytes()[:40])
    other_file.write_text(json.dumps({**json.loads(other_file.read_text()), "<script>": 1}))
    for name in ("no id", "f" * 16):  # nobody's, and one that was being begun
        (drafts / name).mkdir()
    (drafts / "no id" / "draft.json").write_text("{")
    listed = ann.get("/api/starts")
    assert [each["id"] for each in listed["drafts"]] == [fine["id"]]
    assert {each["id"] for each in listed["unreadable"]} == {cut["id"], other["id"]}
    for each in listed["unreadable"]:
        assert each["fault"].startswith(f"drafts/{each['id']}/draft.json cannot be read: ")
        assert "Restore it from a backup, or discard the draft." in each["fault"]
        assert str(folder) not in each["fault"]
    assert change(ann, fine, name="works")["choices"]["name"] == "works"
    assert begun(ann, request="request-3")["revision"] == 1
    told = ann.get(f"/api/starts/draft?draft={cut['id']}", 400)["error"]["message"]
    assert told == next(each["fault"] for each in listed["unreadable"] if each["id"] == cut["id"])
    ann.post(f"/api/starts/discarded?draft={cut['id']}", {})
    for name in ("no id", "f" * 16, cut["id"], "../known"):
        ann.post(f"/api/starts/discarded?{urlencode({'draft': name})}", {}, 404)
    assert [each["id"] for each in ann.get("/api/starts")["unreadable"]] == [other["id"]]


def test_each_fault_is_told_at_its_field_and_all_at_once(ann: Reviewer, request_id: str) -> None:
    draft = begun(ann, request=request_id)
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
    assert told["others"] == "round.max_tries='many': A whole number is needed, as in round.max_tries=10."
    assert "is there already" in told["name"]
    assert "is for nli" in told["preset"]


def test_a_setting_with_a_field_of_its_own_is_said_to_have_one(ann: Reviewer, request_id: str) -> None:
    for line in ("contexts=more.jsonl", "round.max_hits=7", "preset=none"):
        told = faults(change(ann, begun(ann, request=f"{request_id[:60]}-{line[0]}"), name="fine", others=line))
        assert told["others"] == f"{line.partition('=')[0]} has a field of its own. Set it there."


def test_a_cost_beyond_the_cap_is_a_fault_of_the_cap(ann: Reviewer, request_id: str) -> None:
    draft = change(ann, begun(ann, request=request_id), name="dear", cap="1")
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


AT_ONCE = [dict(filter(None, each)) for each in zip_longest(*(list(of) for _, of in groupby(HOSTILE, itemgetter(0))))]


@pytest.mark.parametrize("choices", AT_ONCE, ids=lambda choices: " ".join(choices))
def test_a_page_names_no_path_program_or_secret(ann: Reviewer, request_id: str, choices: dict[str, str]) -> None:
    draft = change(ann, begun(ann, request=request_id), **{"name": "fine", **choices})
    assert set(faults(draft)) == set(choices)
    assert os.environ["PATH"] not in json.dumps(draft)
    given = yaml.safe_load(draft["yaml"])
    assert given.pop("task_dir", str(TASK)) == str(TASK)
    assert not [value for value in map(str, given.values()) if "${" in value or "/" in value or "passwd" in value]


def test_what_a_recruiter_is_told_is_asked_for_and_has_the_one_brace_that_it_needs(
    ann: Reviewer, request_id: str
) -> None:
    draft = change(ann, begun(ann, request=request_id), name="sent", crowd="link")
    assert set(faults(draft)) == {"person"}
    recruiter = {"person": "pid", "done": "c0de", "finish_url": "https://recruiter.example/back?cc={code}"}
    draft = change(ann, draft, **recruiter)
    assert (faults(draft), draft["unit"]) == ({}, "USD")
    assert yaml.safe_load(draft["yaml"])["crowd.recruiter.finish_url"] == "https://recruiter.example/back?cc={code}"
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
    ann: Reviewer, request_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROLIFIC_TOKEN", raising=False)
    draft = change(ann, begun(ann, request=request_id), name="paid", crowd="prolific", workspace="abc", minutes="10")
    assert (draft["has_keys"], draft["unit"]) == (False, "GBP")
    monkeypatch.setenv("PROLIFIC_TOKEN", "a-very-secret-token")
    draft = change(ann, draft)
    assert draft["has_keys"]
    assert "a-very-secret-token" not in json.dumps(draft)


def test_the_yaml_is_what_a_task_folder_gives(ann: Reviewer, request_id: str, tmp_path: Path) -> None:
    draft = change(
        ann, begun(ann, request=request_id), name="2026", model="bidaf_small", has_consent=True, reward="1.5", hits="9"
    )
    draft = change(ann, draft, cap="300", others="round.reoffers=0\nround.max_tries=7")
    assert faults(draft) == {}
    assert draft["yaml"].startswith("# beat-the-ai launch 2026.yaml --out ")
    copy = tmp_path / "tasks" / "copy"
    shutil.copytree(TASK, copy)
    shutil.copytree(ROOT / "hydra_configs", tmp_path / "hydra_configs")
    (tmp_path / "blueprints").mkdir()
    (copy / "conf" / "config.yaml").write_text(CONFIG)
    own = {"task_dir": copy, "contexts": copy / "contexts" / "sample.jsonl"}
    by_file = settings_in(draft, tmp_path)
    assert read_settings(copy, [], out=tmp_path) == by_file.model_copy(update=own)


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


RECRUITERS = st.fixed_dictionaries(
    {
        "crowd": st.just("link"),
        "person": st.from_regex("[a-zA-Z]{1,5}", fullmatch=True),
        "done": st.from_regex("[A-Za-z0-9_-]{1,6}", fullmatch=True),
        "finish_url": st.sampled_from(["https://a.example/?cc={code}", "http://b.example/#:~x=1,2;[3]"]),
    }
)
CROWDS = st.sampled_from([{"crowd": "own"}, {"crowd": "mturk"}]) | RECRUITERS
PAY = st.fixed_dictionaries({}, optional={"reward": st.sampled_from(["0.5", "2", "1.05"]), "hits": st.just("7")})
MORE = (
    "round.max_tries=7",
    "validation.parts=[dev]",
    "round.reoffers=0",
    "pay.bonus_cents_per_win=1_0",
)
CHOSEN = st.builds(
    lambda name, crowd, pay, preset, more: {"name": name, **crowd, **pay, "preset": preset, "others": "\n".join(more)},
    st.from_regex(NAME_PATTERN, fullmatch=True).filter(lambda name: name not in (DRAFTS, "known")),
    CROWDS,
    PAY,
    st.sampled_from(["", "bartolo-2020-bidaf"]),
    st.lists(st.sampled_from(MORE), unique=True),
)


@settings(max_examples=8, phases=(Phase.explicit, Phase.generate))  # each takes a second
@given(CHOSEN)
def test_the_file_of_a_draft_is_the_same_campaign_on_the_command_line(
    tmp_path_factory: pytest.TempPathFactory, chosen: dict[str, Any]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    ground = Ground(folder / "started", {TASK.name: TASK})
    choices = Choices(task=TASK.name, **chosen)
    draft = Draft(id="0" * 16, by="ann", changed_at=now(), choices=choices)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        planned = plan_of_draft(ground, draft, Actor("ann"))
    read = settings_in({"yaml": yaml_of(ground, draft, planned)}, folder)
    assert planned.faults.keys() <= {"cap"}
    out = {name: getattr(read, name) for name in ("out", "store")}
    assert planned.settings is not None
    assert planned.settings.model_copy(update=out) == read


@pytest.mark.parametrize("task", ["reading_comprehension", "nli", "quizbowl"])
def test_each_task_has_models_and_a_cost_from_the_start(ann: Reviewer, request_id: str, task: str) -> None:
    draft = begun(ann, task, request_id)
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


def test_a_preset_and_what_stands_above_it(ann: Reviewer, request_id: str, tmp_path: Path) -> None:
    draft = change(
        ann,
        begun(ann, request=request_id),
        name="paper",
        preset="bartolo-2020-bidaf",
        reward="1.5",
        hits="9",
        cap="3000",
    )
    assert faults(draft) == {}
    settings = settings_in(draft, tmp_path)
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
    assert Path(yaml.safe_load(shown["yaml"])["contexts"]).parent == folder.resolve() / "mine" / "private" / "contexts"
    assert send_file(ann, draft, passage(3)).status_code == 409  # of an older revision
    assert faults(change(ann, shown, has_file=False)) == {}


def test_files_that_others_have_replaced_take_no_room(console: Console, folder: Path) -> None:
    ann = console()
    draft = begun(ann)
    for number in range(1, 4):
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


def test_a_job_that_hangs_is_stopped_once_and_its_draft_is_usable(console: Console, folder: Path) -> None:
    ann, also_ann = console(), console()
    draft = begun(ann)
    job = hanging(folder / "drafts" / draft["id"])
    stops, shown = f"/api/starts/stops?draft={draft['id']}", f"/api/starts/draft?draft={draft['id']}"
    [seen] = ann.get(shown)["jobs"]
    assert "Stop it" in ann.post(f"/api/starts/discarded?draft={draft['id']}", {}, 409)["error"]["message"]
    earlier = {"job": "rehearsal", "began_at": "2026-01-01T00:00:00+00:00"}
    assert [each["stands"] for each in ann.post(stops, earlier)["jobs"]] == ["running"]
    ann.post(stops, {**earlier, "job": "../known"}, 400)
    sent = {"job": "rehearsal", "began_at": seen["began_at"]}
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda browser: browser.post(stops, sent), (ann, also_ann)))
    [stopped] = also_ann.post(stops, sent)["jobs"]
    assert (stopped["stands"], stopped["stopped_by"]) == ("stopped", "ann")
    with campaign_store(folder / "known") as store:
        entries = [each for each in store.audit.entries() if each.action == STOPPED]
    assert [(each.who, each.subject) for each in entries] == [("ann", draft["id"])]
    kept = change(ann, draft, name="usable")
    assert (
        "did not come to its end" in ann.post(f"/api/starts/forecasts?draft={draft['id']}", {}, 409)["error"]["message"]
    )
    assert job.start([sys.executable, "-c", ""], "ann")
    wait_until(lambda: ann.get(shown)["jobs"][0]["stands"] == "done", "the job runs again")
    assert ann.get(shown)["choices"] == kept["choices"]
    ann.post(f"/api/starts/discarded?draft={draft['id']}", {})
    assert not (folder / "drafts" / draft["id"]).exists()


def hanging(draft: Path) -> Job:
    """The rehearsal of a draft, which never ends."""
    (draft / JOBS).mkdir()
    job = Job(draft / JOBS, REHEARSAL)
    assert job.start([sys.executable, "-c", "import time; time.sleep(600)"], "ann")
    return job


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
    private = folder / "once" / "private"
    assert not [path for path in (private / "draft", private / "campaign.yaml") if path.stat().st_mode & OWNER_ONLY]
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
