"""A pool whose members are processes of their own, killed while people write: no attempt is lost or doubled."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from beat_the_ai.adversary.client import AdversaryClient
from beat_the_ai.adversary.in_the_loop import ModelInTheLoop
from beat_the_ai.adversary.pool import Member, Pool
from beat_the_ai.campaign.service.adversaries import model_in_the_loop
from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query
from beat_the_ai.rules.adversary import Asker
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Assignment, Hit, Store
from beat_the_ai.writing import WritingDesk
from tests.cli.launching import TASK
from tests.mephisto.wire import wait_until
from tests.model_servers import ROOT, TOKEN, VARIABLE, RayServer, ServerProcess

pytest.importorskip("ray", reason="Ray is not installed: make ray")

SHIPPED = ROOT / "src" / "beat_the_ai" / "kinds" / "reading_comprehension" / "weights" / "bidaf-small"
ASKER = Asker("a", "w1", 25)
QUERY = Query(context="Rome fell in 476.", question="When did Rome fall?")
WRITERS, TRIES = 4, 1000  # more than the slowest machine takes the time for
THINK_SECONDS, BUSY_SECONDS = 0.5, 0.5
RECOVERY_SECONDS = 150  # of a process that was killed, on a machine that is busy with other things


@pytest.fixture(scope="module")
def ray() -> Iterator[RayServer]:
    with RayServer("--member", "far=onnx:bidaf-small", "--min-replicas", "2") as server:
        assert isinstance(server, RayServer)
        yield server


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, TOKEN)


def settings(folder: Path, servers: dict[str, str], *members: str) -> Settings:
    """A campaign with these servers by name, and what its operator loads itself."""
    own = [f"adversary.members={json.dumps(members)}", "adversary.timeout_seconds=5"]
    own += [f"round.max_hits={WRITERS}", f"round.max_tries={TRIES}", f"round.max_wins={TRIES}"]
    for name, address in servers.items():
        own += [f"+adversary.servers.{name}.address={address}", f"+adversary.servers.{name}.token_variable={VARIABLE}"]
    return read_settings(TASK, own, out=folder)


@dataclass
class Writers:
    """One at each HIT, in a thread of its own: asks, thinks, and asks again what was not answered."""

    desk: WritingDesk
    work_on: list[tuple[Assignment, Hit]]
    told: list[str] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=self._write, args=each) for each in self.work_on]

    def __enter__(self) -> Writers:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _write(self, assignment: Assignment, hit: Hit) -> None:
        answer = {name: hit.context.private["questions"][0]["answer"][name] for name in ("text", "start")}
        try:
            for number in count():
                question = f"What is the name of number {number}?"
                while not self._stopping.is_set():
                    try:
                        work = {"question": question, "answer": answer}
                        attempt, _ = self.desk.submit(assignment.id, f"k{number}", hit.context.id, work)
                    except AdversaryError:
                        self._stopping.wait(BUSY_SECONDS)
                    else:
                        self.told.append(attempt.id)
                        break
                if self._stopping.wait(THINK_SECONDS):
                    return
        except Exception as error:  # noqa: BLE001 - told by the test
            self.faults.append(error)


@contextmanager
def writing(store: Store, of: Settings) -> Iterator[tuple[Writers, int | None]]:
    """And the process of the operator's own model server. Afterwards nothing is lost, doubled or of nobody."""
    begin_or_resume(PlannedRound(store, of))
    with model_in_the_loop(PlannedRound(store, of), Stage.WRITING) as (model, process):
        assert model is not None
        create_hits(PlannedRound(store, of))
        desk = WritingDesk(store, of.kind.writing, model, of.terms.writing(of.kind))
        offered = sorted(store.campaigns.hits(of.name))
        accepted = [desk.accept(hit, f"W{number}", f"r{number}") for number, hit in enumerate(offered)]
        with Writers(desk, accepted) as writers:
            yield writers, process
    stored = [row.attempt for row in store.attempts.of_campaign(of.name)]
    assert writers.faults == []
    assert sorted(attempt.id for attempt in stored) == sorted(writers.told)
    assert len({(attempt.assignment_id, attempt.key) for attempt in stored}) == len(stored)
    identities = {model["member"]: model for model in store.rounds.get(of.name, 1).models}
    pool = Pool([Member(name, "http://127.0.0.1") for name in identities], of.seed)
    for attempt in stored:
        met = identities[attempt.member]
        assert (attempt.model_hash, attempt.model_precision) == (met["hash"], met["precision"])
        assert attempt.member == pool.draw(attempt.id).name


def answered_by(store: Store, of: Settings) -> Counter[str]:
    return Counter(row.attempt.member for row in store.attempts.of_campaign(of.name))


def answers_again(store: Store, of: Settings, member: str) -> None:
    """More than a call that was on its way when its server was killed."""
    before = answered_by(store, of)[member]
    wait_until(lambda: answered_by(store, of)[member] >= before + 3, f"{member} answers again", RECOVERY_SECONDS)


def kill_a_replica(server: RayServer, old: set[int]) -> None:
    """One of the old ones. Returns when there is a new one in its place."""
    before = server.replicas()
    victim = min(before & old)
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: len(server.replicas() - {victim}) >= len(before), "Ray starts another replica", RECOVERY_SECONDS)


@pytest.mark.timeout(900)
def test_each_of_a_pool_of_four_is_killed_under_load(ray: RayServer, store: Store, tmp_path: Path) -> None:
    """The shipped model in the operator's child, a folder of Hugging Face's, two replicas, a server of chats.

    Each once, but the replicas one after the other.
    """
    transformers = pytest.importorskip("transformers", reason="the extra 'gpu' is not installed")
    from tests.networks.tiny_bert import write_tiny_bert

    folder = write_tiny_bert(tmp_path / "tiny-bert", transformers.BertForQuestionAnswering)
    serve = ("beat_the_ai.cli", "adversary", "serve", "--member", f"tiny-bert=huggingface:{folder}", "--port")
    with ExitStack() as servers:
        chat = servers.enter_context(ServerProcess("tests.language_models.serve_chat"))
        tiny = ServerProcess(*serve)
        tiny.start("0")
        servers.push(tiny)
        own = ["onnx:bidaf-small", f"openai:{chat.address}?timeout_seconds=2#chat"]
        of = settings(tmp_path, {"far": ray.address, "tiny-bert": tiny.address}, *own)
        with writing(store, of) as (_, child):
            assert child is not None
            old = ray.replicas()
            assert len(old) == 2
            kills: dict[str, Callable[[], None]] = {
                "far": lambda: kill_a_replica(ray, old),
                "tiny-bert": lambda: kill_and_start(tiny),
                "chat": lambda: kill_and_start(chat),
                "bidaf-small": lambda: os.kill(child, signal.SIGKILL),
            }
            for member in (*kills, "far"):
                answers_again(store, of, member)
                kills[member]()
                answers_again(store, of, member)
            assert not ray.replicas() & old
        assert answered_by(store, of).keys() == kills.keys()


def kill_and_start(server: ServerProcess) -> None:
    port = urlsplit(server.address).port
    server.kill()
    server.start(str(port))


@pytest.mark.thorough  # `test_adversaries` and `test_changes` have its refusals without Ray
@pytest.mark.timeout(600)
def test_a_replaced_model_answers_without_a_pause_and_no_campaign_takes_it_for_the_old_one(
    ray: RayServer, store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = tmp_path / "other"
    shutil.copytree(SHIPPED, other)
    (other / "config.json").write_text((other / "config.json").read_text() + "\n")
    of = settings(tmp_path, {"far": ray.address})
    begin_or_resume(PlannedRound(store, of))
    with (
        model_in_the_loop(PlannedRound(store, of), Stage.WRITING) as (model, _),
        AdversaryClient(ray.address, 20, TOKEN) as client,
    ):
        assert isinstance(model, ModelInTheLoop)
        assert model.ask(QUERY, key="a1", asker=ASKER).member == "far"
        replacing = threading.Event()
        answers: list[str] = []

        def ask() -> None:
            while not replacing.wait(0.05):
                answers.append(client.predict([QUERY], Prediction, "far").identity.hash)

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            replaced = ray.command("deploy", "--member", f"far=onnx:{other}", "--min-replicas", "2")
            assert (replaced.returncode, json.loads(replaced.stdout)["address"]) == (0, ray.address), replaced.stderr
        finally:
            replacing.set()
            asking.join()
        old, new = answers[0], client.models()["far"].identity.hash
        assert old != new
        assert set(answers) <= {old, new}
        with pytest.raises(AdversaryError, match="not answering right now"):
            model.ask(QUERY, key="a2", asker=ASKER)
        assert "has another model 'far' now" in caplog.text
        assert client.predict([QUERY], Prediction, "far").identity.hash == new
    with (
        pytest.raises(InvalidInput, match=f"{old[:8]}.*loaded were far .{new[:8]}.*A round keeps its models"),
        model_in_the_loop(PlannedRound(store, of), Stage.WRITING),
    ):
        pass
    there = ray.command("deployed")
    assert json.loads(there.stdout)["adversary"] == {"status": "RUNNING", "message": "", "replicas": {"RUNNING": 2}}
    unknown = ray.command("undeploy", "advresary")
    assert "Did you mean 'adversary'?" in unknown.stderr
    assert ray.command("undeploy", "adversary").returncode == 0
    with AdversaryClient(ray.address, 5, TOKEN) as client, pytest.raises(AdversaryError, match="404"):
        client.models()
