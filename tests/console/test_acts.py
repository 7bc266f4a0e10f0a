"""Requesters' acts through the console's API: who may act, what is done once, and what a page may not send."""

from __future__ import annotations

import asyncio
import errno
import json
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient
from starlette.types import Message

from beat_the_ai.campaign.acts.act import Place
from beat_the_ai.campaign.acts.round_acts import OpenRound
from beat_the_ai.console import Pages, Site, by_key, uploads
from beat_the_ai.console.uploads import MOST_BYTES, plain_name
from beat_the_ai.errors import DiskFull
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from tests.campaign.acts.begun import HITS, begin, opened, passage
from tests.cli.launching import NAME
from tests.console.conftest import watched_at
from tests.review.builders import PASSWORD
from tests.review.conftest import Reviewer

HIT_CENTS = 240
QUERY = f"campaign={NAME}"
Console = Callable[..., Reviewer]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A campaign whose writing has begun. Ann is a requester, and bob a lead."""
    begun, _ = begin(tmp_path / "campaign", "crowd=mturk", f"pay.cap_cents={6 * HIT_CENTS}")
    new_account(begun.store, "ann", PASSWORD, role=Role.REQUESTER)
    new_account(begun.store, "bob", PASSWORD, role=Role.LEAD)
    yield begun
    begun.store.close()


@pytest.fixture
def received(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which files that are sent lie meanwhile."""
    folder = tmp_path / "received"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def console(place: Place, tmp_path: Path) -> Iterator[Console]:
    """Open a console of its own, with its own store, and sign in at it."""
    with ExitStack() as stack:

        def open_console(name: str = "ann") -> Reviewer:
            store = opened(place.out)
            stack.callback(store.close)
            executor = stack.enter_context(ThreadPoolExecutor(1))
            site = Site(by_key([watched_at(store, place.out)]), Pages(tmp_path, tmp_path), executor)
            stack.callback(site.close)
            browser = Reviewer(TestClient(site.app(), client=("10.0.0.1", 5000)))
            stack.callback(browser.http.close)
            assert not name or browser.sign_in(name) == 200
            return browser

        yield open_console


def deed(action: str, request: str = "request-1", agreed: int | None = None, **values: Any) -> dict[str, Any]:
    return {"action": action, "values": values, "request": request, "agreed_cents": agreed}


def do(browser: Reviewer, sent: dict[str, Any], status: int = 200) -> Any:
    return browser.post(f"/api/acts/deeds?{QUERY}", sent, status)


def send_file(browser: Reviewer, path: str, act: dict[str, Any], content: Any, name: str = "new.jsonl") -> Any:
    query = urlencode({"campaign": NAME, "name": name, "act": json.dumps(act)})
    headers = {"Content-Type": "application/octet-stream", "X-Form-Token": browser.token}
    return browser.http.post(f"/api/acts/{path}?{query}", content=content, headers=headers)


def lines(*passages: object) -> bytes:
    return "".join(f"{json.dumps(each)}\n" for each in passages).encode()


def logged(place: Place) -> list[tuple[str, str, str]]:
    return [(each.who, each.action, each.machine_user) for each in place.store.audit.entries()][::-1]


def acts(place: Place) -> list[str]:
    return [action for _, action, _ in logged(place) if action != "sign_in"]


def test_only_a_requester_with_the_form_token_acts(console: Console, place: Place) -> None:
    for name, status in (("bob", 403), ("", 401)):
        browser = console(name)
        browser.get(f"/api/acts?{QUERY}", status)
        browser.get(f"/api/acts/settings?{QUERY}", status)
        browser.get(f"/api/acts/best-models?{QUERY}", status)
        do(browser, deed("pause"), status if name else 401)
        browser.post(f"/api/acts/estimates?{QUERY}", {"action": "pause"}, status)
        assert send_file(browser, "previews", {"action": "add_contexts"}, b"").status_code == status
        assert send_file(browser, "deeds-with-file", deed("add_contexts"), b"").status_code == status
    ann = console()
    for headers in ({}, {"X-Form-Token": ann.token, "Origin": "http://evil.example"}):
        assert ann.http.post(f"/api/acts/deeds?{QUERY}", json=deed("pause"), headers=headers).status_code == 403
    plain = {"X-Form-Token": ann.token, "Content-Type": "text/plain"}
    assert ann.http.post(f"/api/acts/previews?{QUERY}", content=b"", headers=plain).status_code == 403
    ann.token = "0" * 64
    assert send_file(ann, "deeds-with-file", deed("add_contexts"), lines(passage(1))).status_code == 403
    assert (acts(place), place.store.campaigns.get(NAME).paused_at) == ([], None)


def test_the_acts_are_told_with_the_reasons_why_not(console: Console, place: Place) -> None:
    ann = console()
    told = {(each["action"], each["stage"], each["number"]): each for each in ann.get(f"/api/acts?{QUERY}")["acts"]}
    assert told["pause", None, None]["refusal"] is None
    assert told["open_stage", "writing", None]["refusal"] is None
    assert told["close_stage", "writing", None]["fields"] == ["stage"]
    assert "was never opened" in told["close_stage", "screening", None]["refusal"]
    assert "Round 1 goes on" in told["open_round", None, 2]["refusal"]
    assert "Round 1 goes on" in told["freeze_round", None, 1]["refusal"]
    assert "No round is frozen" in told["train_models", None, None]["refusal"]
    do(ann, deed("pause"))
    do(ann, deed("close_stage", "request-2", stage="writing"))
    told = {(each["action"], each["stage"], each["number"]): each for each in ann.get(f"/api/acts?{QUERY}")["acts"]}
    assert ("pause", None, None) not in told
    for action, stage in (("open_stage", "writing"), ("close_stage", "writing"), ("add_contexts", None)):
        assert "closed" in told[action, stage, None]["refusal"]
    shown = ann.get(f"/api/acts?{QUERY}")
    assert [(each["who"], each["action"]) for each in shown["log"]] == [("ann", "close_stage"), ("ann", "pause")]
    assert shown["again_seconds"] is None


def test_settings_are_those_that_name_nothing_of_the_machine(console: Console) -> None:
    ann = console()
    told = {each["key"]: each for each in ann.get(f"/api/acts/settings?{QUERY}")["settings"]}
    assert (told["round.max_hits"]["value"], told["round.max_hits"]["may_change"]) == (str(HITS), True)
    assert not told["dataset.train"]["may_change"]
    assert "Workers were told it" in told["dataset.train"]["reason"]
    assert not {"store.url", "contexts", "crowd.endpoint_url", "adversary.members", "task_dir"} & told.keys()


FOREIGN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("change_terms", {"values": ["round.max_hits=${oc.env:PATH}"]}),
    ("change_terms", {"values": ["round={number: 2}"]}),
    ("change_terms", {"values": ["store.url=sqlite:////tmp/other.db"]}),
    ("change_terms", {"values": ["contexts=/etc/passwd"]}),
    ("change_terms", {"values": "round.max_hits=5"}),
    ("open_round", {"number": 2, "values": ["task_dir=/tmp"]}),
    ("open_round", {"number": 2, "contexts": "/etc/passwd"}),
    ("open_stage", {"stage": "review"}),
    ("pause", {"stage": "writing"}),
    ("train_models", {"weight": -1}),
    ("add_contexts", {"file": "/etc/passwd"}),
    ("__class__", {}),
)


def test_a_page_cannot_reach_the_machine(console: Console, place: Place) -> None:
    ann = console()
    for action, values in FOREIGN:
        for path, sent in (("estimates", {"action": action, "values": values}), ("deeds", deed(action, **values))):
            told = ann.http.post(f"/api/acts/{path}?{QUERY}", json=sent, headers={"X-Form-Token": ann.token})
            assert told.status_code in (400, 404), sent
            assert not any(hidden in told.text for hidden in ("/usr", "root:")), sent
    assert acts(place) == []


def test_a_request_is_carried_out_once_and_two_consoles_do_an_act_once(console: Console, place: Place) -> None:
    ann, beside = console(), console()
    told = ann.post(
        f"/api/acts/estimates?{QUERY}", {"action": "change_terms", "values": {"values": ["round.max_hits=6"]}}
    )
    estimate = told["estimate"]
    assert (estimate["worst_cents"], estimate["needs_consent"]) == (6 * HIT_CENTS, True)
    more = deed("change_terms", "request-1", estimate["worst_cents"], values=["round.max_hits=6"])
    assert "at once" in do(ann, more)["told"]
    assert do(ann, more)["has_changed"]  # the first answer again
    do(ann, {**more, "values": {"values": ["round.max_hits=5"]}}, 409)
    with ThreadPoolExecutor(4) as pool:
        browsers = [ann, beside] * 2
        sent = [deed("pause", f"request-{number}") for number in (2, 3, 2, 4)]
        answers = list(pool.map(lambda one: do(*one), zip(browsers, sent, strict=True)))
    assert sum(each["has_changed"] for each in answers) in (1, 2)  # 2: the same request's answer twice
    assert acts(place) == ["change_terms", "pause"]
    assert place.store.campaigns.number_of_contexts(NAME) == HITS + 2


def test_more_than_was_agreed_to_is_refused(console: Console, place: Place) -> None:
    more = deed("change_terms", "request-1", HITS * HIT_CENTS, values=["round.max_hits=5"])
    assert "than was agreed to" in do(console(), more, 409)["error"]["message"]
    assert acts(place) == []


def test_a_file_is_previewed_and_added_once(console: Console, place: Place, received: Path) -> None:
    ann, act = console(), {"action": "add_contexts"}
    bad = lines(passage(1)) + b"no json\n" + lines({"id": "<script>"})
    told = send_file(ann, "previews", act, bad).json()
    assert [each["place"] for each in told["faults"]] == ["line 2", "line 3"]
    assert told["estimate"] is None
    assert send_file(ann, "deeds-with-file", deed("add_contexts"), bad).status_code == 400
    good = lines(passage(1), passage(2))
    preview = send_file(ann, "previews", act, good).json()
    assert (preview["new"], preview["estimate"]["worst_cents"]) == (2, 6 * HIT_CENTS)
    adds = {**deed("add_contexts", "request-2", 6 * HIT_CENTS), "sha256": preview["sha256"]}
    other = send_file(ann, "deeds-with-file", adds, lines(passage(3)))
    assert (other.status_code, "not the file that was previewed" in other.text) == (409, True)
    first, again = (send_file(ann, "deeds-with-file", adds, good).json() for _ in range(2))
    assert first == again == {"has_changed": True, "told": "2 new passages are offered."}
    assert acts(place) == ["add_contexts"]
    assert list(received.iterdir()) == []


def test_a_round_is_opened_with_the_file_that_was_previewed(console: Console, place: Place) -> None:
    ann, act = console(), {"action": "open_round", "values": {"number": 2}}
    do(ann, deed("close_stage", "request-1", stage="writing"))
    preview = send_file(ann, "previews", act, lines(passage(1), passage(2))).json()
    opens = {**deed("open_round", "request-2", number=2), "sha256": preview["sha256"]}
    told = send_file(ann, "deeds-with-file", opens, lines(passage(3)))
    assert (told.status_code, "not the file that was previewed" in told.text) == (409, True)
    assert place.store.rounds.current(NAME).number == 1


def test_a_full_disk_is_told_as_one() -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": b"a file"}

    async def keep() -> None:
        async with uploads.received(Request({"type": "http", "headers": []}, receive), "a.jsonl"):
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(DiskFull):
        asyncio.run(keep())


def test_a_file_beyond_the_limit_is_refused_and_not_kept(console: Console, received: Path) -> None:
    def parts() -> Iterator[bytes]:
        """Declare no length."""
        for _ in range(34):
            yield b" " * 2**20

    ann = console()
    declared = send_file(ann, "previews", {"action": "add_contexts"}, b" " * (MOST_BYTES + 1))
    streamed = send_file(ann, "previews", {"action": "add_contexts"}, parts())
    for told in (declared, streamed):
        assert (told.status_code, told.json()["error"]["code"]) == (413, "too_large")
    unpacked = send_file(ann, "previews", {"action": "add_contexts"}, b" " * (MOST_BYTES - 2**10))
    assert (unpacked.status_code, "more than 32 MiB" in unpacked.text) == (400, True)
    assert list(received.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("../../etc/passwd.jsonl", "passwd.jsonl"),
        ("..\\x\\..\\new file.csv", "new_file.csv"),
        ("-rf\x1b[31m\u202e.jsonl", "rf_31m_.jsonl"),
        ("...", "contexts.jsonl"),
        ("", "contexts.jsonl"),
        ("a" * 300 + ".jsonl.gz", "a" * 71 + ".jsonl.gz"),
    ],
)
def test_the_name_of_a_file_leads_nowhere(name: str, plain: str) -> None:
    assert plain_name(name) == plain


def test_a_round_is_opened_with_a_file_that_is_kept(console: Console, place: Place) -> None:
    ann = console()
    do(ann, deed("close_stage", stage="writing"))
    opens = deed("open_round", "request-2", number=2)
    assert "line 1" in send_file(ann, "deeds-with-file", opens, b"{}\n").json()["error"]["message"]
    unknown = send_file(ann, "deeds-with-file", {**opens, "values": {"number": 2, "members": ["onnx:none"]}}, b"")
    assert (unknown.status_code, "onnx:none" in unknown.text) == (404, True)
    content = lines(*map(passage, range(8)))
    told = send_file(ann, "deeds-with-file", opens, content, "../round 2.jsonl").json()
    assert "Round 2 of" in told["told"]
    [kept] = (place.out / "private" / "contexts").iterdir()
    assert (kept.read_bytes(), kept.name[:2], kept.name[-13:]) == (content, "2-", "round_2.jsonl")
    assert do(ann, deed("freeze_round", "request-3", number=1))["has_changed"]
    assert acts(place) == ["close_stage", "open_round", "freeze_round"]
    told = {(each["action"], each["number"]): each["refusal"] for each in ann.get(f"/api/acts?{QUERY}")["acts"]}
    assert ("freeze_round", 1) not in told
    assert told["train_models", None] is None
    best = ann.get(f"/api/acts/best-models?{QUERY}")
    assert (best["models"], "No model was trained after round 1" in best["refusal"]) == ([], True)
    assert OpenRound(number=2).do(place, None).has_changed is False  # type: ignore[arg-type]
