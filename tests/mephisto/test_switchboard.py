"""The router's state, without sockets: single cases, then a state machine that tries every order of events."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, precondition, rule

from beat_the_ai.mephisto import packets
from beat_the_ai.mephisto.packets import Packet, packet
from beat_the_ai.mephisto.router import switchboard
from beat_the_ai.mephisto.router.spool import Spool
from beat_the_ai.mephisto.router.switchboard import HitIsOver, OperatorAway, Switchboard
from tests.examples import examples

KEY = "agent-key"


class Peer:
    """An end of a connection: what was sent to it."""

    def __init__(self) -> None:
        self.received: list[Packet] = []

    def send(self, packet: Packet) -> None:
        self.received.append(packet)

    def of(self, kind: str) -> list[Packet]:
        return [packet for packet in self.received if packet["packet_type"] == kind]

    def answers(self) -> Counter[str]:
        return Counter(packet["data"]["handles"] for packet in self.of(packets.ANSWER))


def call(request_id: str, **more: object) -> dict[str, object]:
    return {"request_id": request_id, "target": "state", "args": "{}", **more}


def answer(agent_id: str, request_id: str, response: str = '{"ok": true}') -> Packet:
    return packet(packets.ANSWER, agent_id, {"handles": request_id, "response": response})


def status(agent_id: str, value: str) -> Packet:
    return packet(packets.UPDATE_STATUS, agent_id, {"status": value})


def submit(board: Switchboard, agent_id: str, data: dict[str, object]) -> None:
    asyncio.run(board.submit(agent_id, data, None))


@pytest.fixture
def board(tmp_path: Path) -> Switchboard:
    return Switchboard(KEY, Spool(tmp_path), absence_seconds=900)


@pytest.fixture
def operator(board: Switchboard) -> Peer:
    peer = Peer()
    board.attach_operator(peer.send)
    return peer


@pytest.fixture
def page(board: Switchboard) -> Peer:
    peer = Peer()
    board.attach_page("1", peer.send)
    return peer


def test_a_secret_proves_one_agent_and_survives_a_restart(tmp_path: Path, board: Switchboard) -> None:
    secret = board.secret("1")
    assert Switchboard(KEY, Spool(tmp_path), 1).is_secret("1", secret)
    assert not Switchboard("another key", Spool(tmp_path), 1).is_secret("1", secret)
    assert not board.is_secret("2", secret)


@pytest.mark.parametrize(("agent_id", "secret"), [(1, "x"), ("1", None), (None, None), ("\ud800", "\ud800"), ([], {})])
def test_what_is_no_text_or_no_secret_proves_nothing(board: Switchboard, agent_id: object, secret: object) -> None:
    assert not board.is_secret(agent_id, secret)


def test_only_what_belongs_to_a_call_is_passed_on(board: Switchboard, operator: Peer) -> None:
    board.call("1", call("a", junk={"deep": [[[]]]}, update_id="chosen by the page"), 1.0)
    [passed] = operator.of(packets.CALL)
    assert set(passed["data"]) == {"request_id", "target", "args", "update_id"}
    assert passed["data"]["update_id"] != "chosen by the page"


def test_no_two_deliveries_share_an_update_id(board: Switchboard, operator: Peer) -> None:
    """Mephisto silently drops a packet whose update id it has seen, whichever agent it came from."""
    board.call("1", call("a"), None)
    board.call("2", call("a"), None)
    again = Peer()
    board.attach_operator(again.send)
    ids = [passed["data"]["update_id"] for passed in (*operator.of(packets.CALL), *again.of(packets.CALL))]
    assert len(ids) == len(set(ids)) == 4


def test_calls_beyond_the_limit_are_refused_and_repeated_ones_are_not(
    board: Switchboard, operator: Peer, page: Peer
) -> None:
    for number in range(switchboard.CALLS_IN_FLIGHT):
        board.call("1", call(str(number)), None)
    board.call("1", call("0"), None)
    assert page.answers() == {}
    board.call("1", call("one too many"), None)
    assert page.answers() == {"one too many": 1}
    assert "Too many requests" in page.of(packets.ANSWER)[0]["data"]["response"]
    assert len(operator.of(packets.CALL)) == switchboard.CALLS_IN_FLIGHT


@pytest.mark.parametrize("final", sorted(packets.LOST_STATUSES | packets.SUBMITTED_STATUSES))
def test_a_call_for_a_closed_hit_is_answered_at_once(
    board: Switchboard, operator: Peer, page: Peer, final: str
) -> None:
    board.from_operator(status("1", final))
    board.call("1", call("late"), None)
    assert page.answers() == {"late": 1}
    assert operator.of(packets.CALL) == []


def test_an_answer_nobody_asked_for_goes_nowhere_but_an_update_does(board: Switchboard, page: Peer) -> None:
    board.from_operator(answer("1", "never asked"))
    board.from_operator(packet(packets.ANSWER, "1", {"text": "a live update of another blueprint"}))
    assert [sent["data"] for sent in page.of(packets.ANSWER)] == [{"text": "a live update of another blueprint"}]


def test_two_tabs_of_a_page_both_get_the_answer(board: Switchboard, operator: Peer, page: Peer) -> None:
    second = Peer()
    board.attach_page("1", second.send)
    board.call("1", call("a"), None)
    board.from_operator(answer("1", "a"))
    assert page.answers() == second.answers() == {"a": 1}
    board.detach_page("1", second.send)
    board.from_operator(status("1", "completed"))
    assert page.of(packets.UPDATE_STATUS)[-1]["data"] == {"status": "completed"}
    assert second.of(packets.UPDATE_STATUS)[-1]["data"] == {"status": "none"}


def test_answers_do_not_pile_up(board: Switchboard, operator: Peer) -> None:
    for number in range(1000):
        board.call("1", call(str(number)), None)
        board.from_operator(answer("1", str(number)))
    assert len(board._pages["1"].answers) == switchboard.ANSWERS_KEPT


def test_of_agents_that_are_done_a_status_is_kept_and_nothing_else(board: Switchboard, operator: Peer) -> None:
    for number in range(100):
        page = Peer()
        board.attach_page(str(number), page.send)
        board.call(str(number), call("a"), None)
        board.from_operator(answer(str(number), "a"))
        board.from_operator(status(str(number), "completed"))
        board.detach_page(str(number), page.send)
        board.from_operator(answer(str(number), "late"))
    assert not board._pages
    again = Peer()
    board.attach_page("7", again.send)
    assert [sent["data"] for sent in again.received] == [{"status": "completed"}]
    board.call("7", call("late"), None)
    assert again.answers() == {"late": 1}
    submit(board, "8", {})  # once more: its answer was lost
    assert not operator.of(packets.SUBMIT_UNIT)
    board.from_operator(status("9", "timeout"))
    with pytest.raises(HitIsOver):
        submit(board, "9", {})


def test_a_disconnection_that_the_operator_has_not_heard_of_is_not_put_away(tmp_path: Path) -> None:
    board, operator, page = Switchboard(KEY, Spool(tmp_path), absence_seconds=0), Peer(), Peer()
    board.attach_operator(operator.send)
    board.from_operator(status("1", "in task"))
    for _ in range(2):
        board.from_operator(packet(packets.REQUEST_STATUSES, "mephisto", {}))
        assert operator.of(packets.RETURN_STATUSES)[-1]["data"] == {"1": "disconnect"}
        board.attach_page("1", page.send)
        board.detach_page("1", page.send)
    board.from_operator(status("1", "disconnect"))
    board.from_operator(packet(packets.REQUEST_STATUSES, "mephisto", {}))
    assert operator.of(packets.RETURN_STATUSES)[-1]["data"] == {}


def test_a_page_that_is_away_too_long_counts_as_disconnected(tmp_path: Path) -> None:
    board, operator = Switchboard(KEY, Spool(tmp_path), absence_seconds=0), Peer()
    here, submitted = Peer(), Peer()
    board.attach_operator(operator.send)
    for agent_id in ("away", "here", "submitted"):
        board.from_operator(status(agent_id, "in task"))
    board.attach_page("here", here.send)
    submit(board, "submitted", {})
    board.detach_page("submitted", submitted.send)
    board.from_operator(packet(packets.REQUEST_STATUSES, "mephisto", {}))
    assert operator.of(packets.RETURN_STATUSES)[-1]["data"] == {
        "away": "disconnect",
        "here": "in task",
        "submitted": "in task",  # its page may close: the work has been handed in
    }


@pytest.mark.parametrize("lost", sorted(packets.LOST_STATUSES))
def test_a_hit_that_was_taken_away_cannot_be_submitted(board: Switchboard, operator: Peer, lost: str) -> None:
    board.from_operator(status("1", lost))
    with pytest.raises(HitIsOver):
        submit(board, "1", {})
    assert operator.of(packets.SUBMIT_UNIT) == []


@pytest.mark.parametrize("done", sorted(packets.SUBMITTED_STATUSES))
def test_submitting_again_what_was_taken_up_changes_nothing(board: Switchboard, operator: Peer, done: str) -> None:
    board.from_operator(status("1", done))
    submit(board, "1", {})
    assert operator.of(packets.SUBMIT_UNIT) == []


def test_a_submission_without_a_socket_is_asked_for_until_the_operator_says_what_became_of_it(
    board: Switchboard, operator: Peer
) -> None:
    """Its router has died meanwhile, and the agent may be done, or have lost its HIT."""
    submit(board, "1", {})
    board.from_operator(packet(packets.REQUEST_STATUSES, "mephisto", {}))
    assert operator.of(packets.RETURN_STATUSES)[-1]["data"] == {"1": "none"}
    board.from_operator(status("1", "returned"))
    with pytest.raises(HitIsOver):
        submit(board, "1", {})


def test_a_spooled_submission_is_asked_for_until_the_operator_says_what_became_of_it(tmp_path: Path) -> None:
    submit(Switchboard(KEY, Spool(tmp_path), 900), "1", {})
    board, operator = Switchboard(KEY, Spool(tmp_path), 900), Peer()
    board.attach_operator(operator.send)
    board.from_operator(packet(packets.REQUEST_STATUSES, "mephisto", {}))
    assert operator.of(packets.RETURN_STATUSES)[-1]["data"] == {"1": "none"}


async def asked_by_now(operator: Peer, number: int = 1) -> list[Packet]:
    """The registrations that reached the operator."""
    for _ in range(100):
        if len(operator.of(packets.REGISTER_AGENT)) == number:
            break
        await asyncio.sleep(0)
    return operator.of(packets.REGISTER_AGENT)


def registering(board: Switchboard, worker: str = "w", registration: str = "r") -> asyncio.Task[Packet]:
    return asyncio.ensure_future(board.register({"worker_name": worker, "agent_registration_id": registration}, None))


def test_two_requests_of_a_registration_are_one_and_another_workers_is_another(
    board: Switchboard, operator: Peer
) -> None:
    async def register() -> list[Packet]:
        asked = [registering(board), registering(board), registering(board, worker="foreign")]
        for number, request in enumerate(await asked_by_now(operator, 2)):
            details = {"request_id": request["data"]["request_id"], "agent_id": str(number)}
            board.from_operator(packet(packets.AGENT_DETAILS, "channel", details))
        return list(await asyncio.gather(*asked))

    first, second, foreign = asyncio.run(register())
    assert len(operator.of(packets.REGISTER_AGENT)) == 2
    assert first["data"] == second["data"]
    assert first["data"]["agent_secret"] == board.secret("0")
    assert foreign["data"]["agent_id"] == "1"


def test_no_secret_is_given_to_a_worker_who_got_no_work(board: Switchboard, operator: Peer) -> None:
    async def register() -> Packet:
        asked = registering(board)
        [request] = await asked_by_now(operator)
        details = {"request_id": request["data"]["request_id"], "agent_id": None, "failure_reason": "no work"}
        board.from_operator(packet(packets.AGENT_DETAILS, "channel", details))
        return await asked

    assert "agent_secret" not in asyncio.run(register())["data"]


@pytest.mark.parametrize("leave", ["left", "replaced"])
def test_a_registration_ends_when_its_operator_does(board: Switchboard, operator: Peer, leave: str) -> None:
    async def register() -> None:
        asked = registering(board)
        await asked_by_now(operator)
        if leave == "left":
            board.detach_operator(operator.send)
        else:
            board.attach_operator(Peer().send)
        with pytest.raises(OperatorAway):
            await asked
        await asyncio.sleep(0)
        assert board._registering == {}
        assert board._details == {}

    asyncio.run(register())


def test_a_registration_that_the_operator_loses_can_be_tried_again(
    board: Switchboard, operator: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(switchboard, "REGISTRATION_SECONDS", 0.05)

    async def register() -> None:
        for _ in range(2):
            with pytest.raises(OperatorAway):
                await registering(board)
            await asyncio.sleep(0)

    asyncio.run(register())
    assert len(operator.of(packets.REGISTER_AGENT)) == 2


AGENTS = ("1", "2")
REQUESTS = ("a", "b", "c")  # fewer than the answers that are kept


AFTER = {"target": "forms_after"}


def test_a_call_for_afterwards_is_refused_before_the_submission(board: Switchboard, operator: Peer, page: Peer) -> None:
    board.from_operator(status("1", "in task"))
    board.call("1", call("r", **AFTER), None)
    assert operator.of(packets.CALL) == []
    assert "not submitted yet" in page.of(packets.ANSWER)[0]["data"]["response"]


@pytest.mark.parametrize("ended", sorted(packets.FINAL_STATUSES))
def test_a_call_for_afterwards_waits_until_the_operator_has_the_submission(
    board: Switchboard, operator: Peer, page: Peer, ended: str
) -> None:
    board.from_operator(status("1", "in task"))
    submit(board, "1", {})
    board.call("1", call("r", **AFTER), None)
    board.call("1", call("other"), None)
    other = Peer()
    board.attach_operator(other.send)
    assert {one["data"]["request_id"] for peer in (operator, other) for one in peer.of(packets.CALL)} == {"other"}
    other.received.clear()
    board.from_operator(status("1", ended))
    is_submitted = ended in packets.SUBMITTED_STATUSES
    assert [one["data"]["request_id"] for one in other.of(packets.CALL)] == (["r"] if is_submitted else [])
    board.from_operator(answer("1", "r"))
    board.from_operator(answer("1", "r"))
    assert page.answers()["r"] == (1 if is_submitted else 0)


def test_a_call_for_afterwards_is_served_of_a_page_that_comes_back(board: Switchboard, operator: Peer) -> None:
    board.from_operator(status("1", "completed"))
    page = Peer()
    board.attach_page("1", page.send)
    for number in range(2):  # what the page repeats reaches the operator once
        board.call("1", call("r", **AFTER), None)
        assert len(operator.of(packets.CALL)) == 1, number
    other = Peer()
    board.attach_operator(other.send)
    assert len(other.of(packets.CALL)) == 1
    board.call("1", call("other"), None)
    assert page.answers() == Counter({"other": 1})


class Exchange(RuleBasedStateMachine):
    """Operators and pages come and go; calls and submissions are repeated at will; the router may die.

    The model knows what every peer must have got, and no more than that.
    """

    sockets = Bundle("sockets")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.operator: Peer | None = None
        self.everybody: list[tuple[str, Peer, Counter[str]]] = []
        self.unconfirmed: dict[str, int] = {}  # on disk: it outlives routers and operators
        self.finished: set[str] = set()  # as every operator knows from its database
        self.texts = 0
        self.restart_router()

    def teardown(self) -> None:
        self.folder.cleanup()

    def restart_router(self) -> None:
        self.board = Switchboard(KEY, Spool(Path(self.folder.name)), absence_seconds=900)
        self.operator = None
        self.attached: list[tuple[str, Peer, Counter[str]]] = []
        self.pending: set[tuple[str, str]] = set()
        self.answered: set[tuple[str, str]] = set()
        self.closed: set[str] = set()
        self.delivered: Counter[tuple[str, str]] = Counter()
        self.handed_in: list[tuple[str, int]] = []

    @rule()
    def the_router_dies(self) -> None:
        self.restart_router()

    @rule()
    def an_operator_comes(self) -> None:
        self.operator = Peer()
        self.board.attach_operator(self.operator.send)
        self.delivered = Counter(self.pending)
        self.handed_in = list(self.unconfirmed.items())
        for agent_id in self.finished:  # as the real operator tells everybody's status when it comes back
            self.confirm(agent_id)

    @precondition(lambda self: self.operator is not None)
    @rule()
    def the_operator_goes(self) -> None:
        assert self.operator is not None
        self.board.detach_operator(self.operator.send)
        self.operator = None

    @rule(target=sockets, agent_id=st.sampled_from(AGENTS))
    def a_page_opens(self, agent_id: str) -> tuple[str, Peer, Counter[str]]:
        socket = (agent_id, Peer(), Counter[str]())
        of_agent = [other for other in self.attached if other[0] == agent_id]
        accepted = self.board.attach_page(agent_id, socket[1].send)
        assert accepted == (len(of_agent) < switchboard.SOCKETS_OF_A_PAGE)
        if accepted:
            self.attached.append(socket)
            self.everybody.append(socket)
        return socket

    @rule(socket=consumes(sockets))
    def a_page_closes(self, socket: tuple[str, Peer, Counter[str]]) -> None:
        self.board.detach_page(socket[0], socket[1].send)
        self.attached = [other for other in self.attached if other is not socket]

    def all_tabs(self, agent_id: str, request_id: str) -> None:
        for owner, _, expected in self.attached:
            expected[request_id] += owner == agent_id

    @rule(agent_id=st.sampled_from(AGENTS), request_id=st.sampled_from(REQUESTS))
    def a_page_calls(self, agent_id: str, request_id: str) -> None:
        called = (agent_id, request_id)
        self.board.call(agent_id, call(request_id), None)
        if called in self.answered or agent_id in self.closed:
            self.all_tabs(*called)
        elif called not in self.pending:
            self.pending.add(called)
            self.delivered[called] += self.operator is not None

    @precondition(lambda self: self.pending | self.answered)
    @rule(data=st.data())
    def a_page_repeats_itself(self, data: st.DataObject) -> None:
        self.a_page_calls(*data.draw(st.sampled_from(sorted(self.pending | self.answered))))

    @precondition(lambda self: self.operator is not None and self.pending)
    @rule(data=st.data())
    def the_operator_answers(self, data: st.DataObject) -> None:
        agent_id, request_id = data.draw(st.sampled_from(sorted(self.pending)))
        self.board.from_operator(answer(agent_id, request_id))
        self.pending.remove((agent_id, request_id))
        self.answered.add((agent_id, request_id))
        self.all_tabs(agent_id, request_id)

    @precondition(lambda self: self.operator is not None)
    @rule(agent_id=st.sampled_from(AGENTS), request_id=st.sampled_from(REQUESTS))
    def the_operator_answers_what_is_not_asked(self, agent_id: str, request_id: str) -> None:
        """Because it answers twice, or what an earlier router passed on."""
        if (agent_id, request_id) not in self.pending:
            self.board.from_operator(answer(agent_id, request_id))

    @rule(agent_id=st.sampled_from(AGENTS))
    def a_page_submits(self, agent_id: str) -> None:
        self.texts += 1
        submit(self.board, agent_id, {"text": self.texts})
        if agent_id not in self.unconfirmed and agent_id not in self.closed:
            self.unconfirmed[agent_id] = self.texts
            if self.operator is not None:
                self.handed_in.append((agent_id, self.texts))

    @precondition(lambda self: self.operator is not None and self.unconfirmed)
    @rule(data=st.data())
    def the_operator_confirms(self, data: st.DataObject) -> None:
        agent_id = data.draw(st.sampled_from(sorted(self.unconfirmed)))
        self.finished.add(agent_id)
        self.confirm(agent_id)

    def confirm(self, agent_id: str) -> None:
        self.board.from_operator(status(agent_id, "completed"))
        asyncio.run(self.board._spool._empty_line())
        self.unconfirmed.pop(agent_id, None)
        self.closed.add(agent_id)
        self.pending = {called for called in self.pending if called[0] != agent_id}
        self.answered = {called for called in self.answered if called[0] != agent_id}

    @invariant()
    def the_operator_got_every_open_call_once_and_no_other(self) -> None:
        if self.operator is not None:
            got = Counter((sent["subject_id"], sent["data"]["request_id"]) for sent in self.operator.of(packets.CALL))
            assert got == +self.delivered
            assert self.pending <= set(got)

    @invariant()
    def the_operator_got_every_open_submission_once_as_it_was_first(self) -> None:
        if self.operator is not None:
            got = [(sent["subject_id"], sent["data"]["text"]) for sent in self.operator.of(packets.SUBMIT_UNIT)]
            assert sorted(got) == sorted(self.handed_in)
            assert set(self.unconfirmed.items()) <= set(got)

    @invariant()
    def no_page_got_a_packet_of_another_and_every_answer_came_once(self) -> None:
        for agent_id, peer, expected in self.everybody:
            assert {sent["subject_id"] for sent in peer.received} == {agent_id}
            assert peer.answers() == +expected


TestExchange: Callable[[], Any] = Exchange.TestCase
Exchange.TestCase.settings = settings(max_examples=examples(300), stateful_step_count=30, deadline=None)
