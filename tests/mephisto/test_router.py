"""The router as a process, over real sockets: what it serves, to whom, and what it survives."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from beat_the_ai.mephisto.router.spool import Spool
from beat_the_ai.mephisto.router.switchboard import SOCKETS_OF_A_PAGE, Switchboard
from tests.mephisto.wire import CONFIG, CREDENTIALS, PATIENCE_SECONDS, Router, Socket, wait_until

UNAUTHORISED = 4401


@pytest.fixture(scope="module")
def router(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Router]:
    """One router for all tests that do not harm it; each takes agents of its own."""
    router = Router(tmp_path_factory.mktemp("router") / "router").start()
    yield router
    router.kill()


@pytest.fixture
def mortal_router(tmp_path: Path) -> Iterator[Router]:
    router = Router(tmp_path / "router").start()
    yield router
    router.kill()


@pytest.fixture
def agent_id(request: pytest.FixtureRequest) -> str:
    return f"agent of {request.node.name}"


def secret(agent_id: str, tmp_path: Path) -> str:
    return Switchboard(CREDENTIALS["agent_key"], Spool(tmp_path / "unused"), 1).secret(agent_id)


@pytest.fixture
def page(router: Router, agent_id: str, tmp_path: Path) -> Iterator[Socket]:
    with router.page(agent_id, secret(agent_id, tmp_path)) as page:
        yield page


def registration(worker: Any = "w", name: Any = "r") -> dict[str, Any]:
    return {"provider_data": {"worker_name": worker, "agent_registration_id": name}, "client_timestamp": 1.0}


def submission(agent_id: str, agent_secret: Any, final_data: Any) -> dict[str, Any]:
    return {"USED_AGENT_ID": agent_id, "agent_secret": agent_secret, "final_data": final_data}


# What everybody may ask for


def test_the_page_and_its_configuration_are_served(router: Router) -> None:
    assert router.get("/task_config.json").json() == CONFIG
    assert "<title>page</title>" in router.get("/?worker_id=w&assignment_id=a").text
    assert router.get("/is_alive").json() == {"status": "Alive!"}
    assert router.get("/get_timestamp").json()["timestamp"] > 1.6e12
    assert router.get("/health").json()["run"] == CREDENTIALS["run"]


@pytest.mark.parametrize(("method", "path"), [("POST", "/"), ("GET", "/nowhere"), ("GET", "/submit_task")])
def test_a_wrong_path_says_what_this_server_is(router: Router, method: str, path: str) -> None:
    answered = router.request(method, path)
    assert answered.status_code == 404
    assert answered.text.startswith(f"There is no {method} {path} here. This server has the page of one campaign.")


@pytest.mark.parametrize("path", ["/", "/missing", "/health", "/request_agent"])
def test_every_answer_carries_the_security_headers(router: Router, path: str) -> None:
    headers = router.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "/../credentials.json",
        "/..%2fcredentials.json",
        "/%2e%2e/credentials.json",
        "/static/..%2f..%2fcredentials.json",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/%00",
        "/" + "a" * 5000,
    ],
)
def test_nothing_outside_the_pages_folder_is_served(router: Router, path: str) -> None:
    with socket.create_connection(("127.0.0.1", router.port), timeout=PATIENCE_SECONDS) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    status = int(answer.split(b" ", 2)[1])
    assert status in (400, 404)
    assert CREDENTIALS["operator_token"].encode() not in answer
    assert b"root:" not in answer


def test_endless_headers_are_cut_off(router: Router) -> None:
    with socket.create_connection(("127.0.0.1", router.port), timeout=PATIENCE_SECONDS) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        with contextlib.suppress(OSError):  # reset, or a broken pipe
            for _ in range(100):
                raw.sendall(b"X-Filler: " + b"a" * 65536 + b"\r\n")
            raw.sendall(b"\r\n")
            assert raw.recv(65536).split(b" ", 2)[1] in (b"400", b"431")
    assert router.get("/health").is_success


# Registration


def test_a_page_gets_its_agent_and_the_secret_that_proves_it(router: Router, tmp_path: Path) -> None:
    with router.operator() as operator, ThreadPoolExecutor() as pool:
        asked = pool.submit(router.post, "/request_agent", registration())
        request = operator.get("register_agent")
        assert request["data"]["provider_data"] == registration()["provider_data"]
        details = {"request_id": request["data"]["request_id"], "agent_id": "7", "init_task_data": {"text": "𝄞"}}
        operator.send("agent_details", details, "channel")
        data = asked.result().json()["data"]
    assert data["init_task_data"] == {"text": "𝄞"}
    assert data["agent_secret"] == secret("7", tmp_path)


def test_without_an_operator_a_page_is_told_to_try_again(mortal_router: Router) -> None:
    answer = mortal_router.post("/request_agent", registration())
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "2"
    assert answer.json()["error"]["code"] == "away"


def test_a_page_is_told_to_try_again_when_the_operator_dies_over_its_request(mortal_router: Router) -> None:
    with ThreadPoolExecutor() as pool:
        with mortal_router.operator() as operator:
            asked = pool.submit(mortal_router.post, "/request_agent", registration())
            operator.get("register_agent")
        assert asked.result().status_code == 503


@pytest.mark.parametrize("value", [None, 7, "", "a" * 256, "a\nb", "\u202eevil", "\x00", ["w"]])
@pytest.mark.parametrize("field", ["worker_name", "agent_registration_id"])
def test_names_that_are_no_names_are_refused(router: Router, field: str, value: Any) -> None:
    body = registration()
    body["provider_data"][field] = value
    answer = router.post("/request_agent", body)
    assert answer.status_code == 400
    assert field in answer.json()["error"]["message"]


BAD_BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "not UTF-8": b"\xff\xfe{}",
    "a list": b"[]",
    "a number": b"7",
    "NaN": b'{"provider_data": {"worker_name": "w", "agent_registration_id": "r", "x": NaN}}',
    "nested deeply": b'{"provider_data": {"worker_name": "w", "agent_registration_id": "r", "x": '
    + b"[" * 500
    + b"]" * 500
    + b"}}",
    "nested too deeply for any parser": b"[" * 100_000,
    "a number of many digits": b'{"provider_data": ' + b"9" * 5000 + b"}",
    "without provider_data": b"{}",
    "a lone surrogate for a name": b'{"provider_data": {"worker_name": "\\ud800", "agent_registration_id": "r"}}',
}


@pytest.mark.parametrize("body", BAD_BODIES.values(), ids=BAD_BODIES)
@pytest.mark.parametrize("path", ["/request_agent", "/submit_task", "/submit_metadata", "/log_error"])
def test_a_body_that_is_no_use_gets_a_clear_error(router: Router, path: str, body: bytes) -> None:
    answer = router.request("POST", path, content=body)
    assert answer.status_code in (400, 403)
    assert answer.json()["error"]["message"]


def test_a_body_that_is_too_large_is_not_even_read(router: Router) -> None:
    body = {"final_data": "a" * 300_000}
    answer = router.post("/submit_task", body)
    assert answer.status_code == 413
    assert "262,144 bytes" in answer.json()["error"]["message"]


def test_a_body_that_does_not_say_its_size_is_limited_too(router: Router) -> None:
    answer = router.request("POST", "/submit_task", content=(b"a" * 65536 for _ in range(10)))
    assert answer.status_code == 413


@pytest.mark.parametrize("clock", [10**400, -1, "now", None, [], True, 1e308], ids=lambda value: str(value)[:9])
def test_a_clients_clock_may_say_what_it_likes(router: Router, agent_id: str, tmp_path: Path, clock: Any) -> None:
    body = submission(agent_id, secret(agent_id, tmp_path), {}) | {"client_timestamp": clock}
    assert router.post("/submit_task", body).json() == {"status": "Submitted!"}


# Who is who


@pytest.mark.parametrize("path", ["/submit_task", "/submit_metadata", "/log_error"])
@pytest.mark.parametrize("proof", [None, "", "wrong", 7, "\ud800", ["x"]])
def test_nobody_speaks_for_an_agent_without_its_secret(router: Router, path: str, proof: Any) -> None:
    body = submission("1", proof, {}) | {"metadata": {}, "error_data": {}}
    answer = router.request("POST", path, content=json.dumps(body))
    assert answer.status_code == 403
    assert "reload" in answer.json()["error"]["message"]


def test_the_secret_of_one_agent_is_none_for_another(router: Router, tmp_path: Path) -> None:
    assert router.post("/submit_task", submission("2", secret("1", tmp_path), {})).status_code == 403


@pytest.mark.parametrize("token", ["wrong", "operator-toke", "operator-tokens", "run-1"])
def test_an_operator_without_the_runs_token_is_turned_away(router: Router, token: str) -> None:
    with pytest.raises(InvalidStatus, match="403"), router.operator(token):
        pass


def test_a_page_behind_a_proxy_with_a_password_is_still_a_page(router: Router, agent_id: str, tmp_path: Path) -> None:
    headers = {"Authorization": "Basic Y3Jvd2Q6c2VjcmV0"}
    with connect(f"ws://127.0.0.1:{router.port}/", additional_headers=headers, proxy=None) as connection:
        page = Socket(connection)
        page.agent_id = agent_id
        page.send("alive", {"agent_secret": secret(agent_id, tmp_path)})
        assert page.get("update_status")["data"] == {"status": "none"}


@pytest.mark.parametrize("proof", [{}, {"agent_secret": "wrong"}, {"agent_secret": None}, {"agent_secret": "\ud800"}])
def test_a_socket_without_the_agents_secret_is_closed(router: Router, proof: Any) -> None:
    with router.stranger() as page:
        page.send("alive", proof, agent_id="1")
        assert page.close_code() == UNAUTHORISED


@pytest.mark.parametrize("kind", ["heartbeat", "mephisto_bound_live_update", "submit_unit", "update_status"])
def test_a_socket_that_did_not_say_who_it_is_can_send_nothing(router: Router, kind: str) -> None:
    with router.stranger() as page:
        page.send(kind, {"request_id": "a", "target": "state", "args": "{}"}, agent_id="1")
        assert page.close_code() == UNAUTHORISED


def test_a_page_cannot_speak_for_another_agent(router: Router, page: Socket) -> None:
    page.send("heartbeat", {}, agent_id="somebody else")
    assert page.close_code() == UNAUTHORISED


def test_a_page_cannot_become_another_agent(router: Router, page: Socket, tmp_path: Path) -> None:
    page.send("alive", {"agent_secret": secret("somebody else", tmp_path)}, agent_id="somebody else")
    assert page.close_code() == UNAUTHORISED


@pytest.mark.parametrize(
    "kind", ["agent_details", "client_bound_live_update", "update_status", "request_statuses", "x"]
)
def test_a_page_cannot_send_what_operators_send(router: Router, page: Socket, kind: str) -> None:
    page.send(kind, {"status": "completed"})
    assert "cannot send" in page.get("log_error")["data"]["message"]
    page.send("heartbeat", {})
    assert page.get("heartbeat")["data"]["status"] == "none"


def test_a_page_cannot_be_opened_without_end(router: Router, agent_id: str, tmp_path: Path) -> None:
    with contextlib.ExitStack() as tabs:
        for _ in range(SOCKETS_OF_A_PAGE):
            tabs.enter_context(router.page(agent_id, secret(agent_id, tmp_path)))
        with router.stranger() as one_too_many:
            one_too_many.send("alive", {"agent_secret": secret(agent_id, tmp_path)}, agent_id)
            assert one_too_many.close_code() == 1013


# Calls


def test_a_call_goes_to_the_operator_and_its_answer_to_this_page_alone(
    router: Router, page: Socket, tmp_path: Path
) -> None:
    with router.operator() as operator, router.page("bystander", secret("bystander", tmp_path)) as bystander:
        page.call("a", "state", '{"x": "𝄞"}')
        call = operator.get("mephisto_bound_live_update")
        assert (call["subject_id"], call["data"]["args"]) == (page.agent_id, '{"x": "𝄞"}')
        operator.answer(call, '{"ok": true, "hit": 1}')
        answer = page.get("client_bound_live_update")
        assert answer["data"] | {"handles": "a", "response": '{"ok": true, "hit": 1}'} == answer["data"]
        bystander.nothing_more("client_bound_live_update")


def test_a_call_outlives_page_and_operator(router: Router, agent_id: str, tmp_path: Path) -> None:
    with router.page(agent_id, secret(agent_id, tmp_path)) as page, router.operator() as operator:
        page.call("a")
        operator.get("mephisto_bound_live_update")
    with router.operator() as operator:
        call = operator.get("mephisto_bound_live_update")
        operator.answer(call)
        operator.nothing_more("mephisto_bound_live_update")
        with router.page(agent_id, secret(agent_id, tmp_path)) as page:
            page.call("a")
            assert page.get("client_bound_live_update")["data"]["handles"] == "a"
            operator.nothing_more("mephisto_bound_live_update")


HOSTILE_FRAMES = {
    "no JSON": "{",
    "a list": "[]",
    "null": "null",
    "a number of many digits": "9" * 5000,
    "nested deeply": "[" * 100_000,
    "without a type": '{"subject_id": "1", "data": {}}',
    "data is text": '{"packet_type": "alive", "subject_id": "1", "data": "x"}',
}


@pytest.mark.parametrize("frame", HOSTILE_FRAMES.values(), ids=HOSTILE_FRAMES)
def test_a_frame_that_is_no_packet_gets_a_complaint_and_the_page_goes_on(
    router: Router, page: Socket, frame: str
) -> None:
    page.connection.send(frame)
    assert page.get("log_error")["data"]["message"]
    page.nothing_more("log_error")


def test_a_binary_frame_ends_the_connection_and_nothing_else(router: Router, page: Socket) -> None:
    page.connection.send(b"\x00\xff")
    page.close_code()
    assert "Traceback" not in router.log()


@pytest.mark.parametrize("request_id", [None, 7, "", "a" * 256, {}])
def test_a_call_without_a_usable_id_gets_a_complaint(router: Router, page: Socket, request_id: Any) -> None:
    page.call(request_id)
    assert "request_id" in page.get("log_error")["data"]["message"]


@pytest.mark.parametrize(("target", "args"), [(None, "{}"), ("state", {}), ("state", None), (7, 7)])
def test_a_call_that_is_not_well_formed_is_answered_with_an_error(
    router: Router, page: Socket, target: Any, args: Any
) -> None:
    page.call("a", target, args)
    assert json.loads(page.get("client_bound_live_update")["data"]["response"])["error"]["code"] == "invalid"


@pytest.mark.parametrize("question", ["a" * 1_000_000, "𝄞" * 300_000])
def test_a_question_of_a_megabyte_is_answered_with_an_error(router: Router, page: Socket, question: str) -> None:
    args = json.dumps({"question": question}, ensure_ascii=False)
    call = {"request_id": "a", "target": "submit_attempt", "args": args}
    page.send("mephisto_bound_live_update", call, ascii_only=False)  # as browsers do
    answer = page.get("client_bound_live_update")["data"]
    assert answer["handles"] == "a"
    assert "too long" in json.loads(answer["response"])["error"]["message"]


def test_text_that_utf8_cannot_carry_does_not_lock_the_operator_out(mortal_router: Router, tmp_path: Path) -> None:
    """A lone surrogate is valid JSON but no valid text frame: sent on as it is, it breaks the operator's connection."""
    poison = "\ud800"
    proof = secret("1", tmp_path)
    with mortal_router.page("1", proof) as page:
        page.call(poison, poison, json.dumps({"question": poison}))
        body = json.dumps(submission("1", proof, {"feedback": poison}))
        assert mortal_router.request("POST", "/submit_task", content=body).is_success
        for _ in range(2):
            with mortal_router.operator() as operator:
                assert operator.get("submit_unit")["data"] == {"feedback": poison}
                assert operator.get("mephisto_bound_live_update")["data"]["request_id"] == poison


def test_a_page_that_reads_nothing_delays_nobody_else(mortal_router: Router, tmp_path: Path) -> None:
    with (
        mortal_router.operator() as operator,
        mortal_router.page("deaf", secret("deaf", tmp_path)),
        mortal_router.page("other", secret("other", tmp_path)) as other,
    ):
        for _ in range(300):  # the deaf page's client stops reading after a few messages that nobody takes
            operator.send("client_bound_live_update", {"text": "x" * 100_000}, "deaf")
        other.call("a")
        operator.answer(operator.get("mephisto_bound_live_update"))
        assert other.get("client_bound_live_update")["data"]["handles"] == "a"
        wait_until(lambda: "does not read" in mortal_router.log(), "the deaf page is cut off")


# Submissions, and the router's own death


def test_a_submission_is_handed_to_the_operator_once(router: Router, agent_id: str, tmp_path: Path) -> None:
    with router.operator() as operator:
        for text in ("first", "second"):
            body = submission(agent_id, secret(agent_id, tmp_path), {"feedback": text})
            assert router.post("/submit_task", body).json() == {"status": "Submitted!"}
        while (packet := operator.get("submit_unit"))["subject_id"] != agent_id:
            pass  # of the tests before, which no operator has confirmed
        assert packet["data"] == {"feedback": "first"}
        operator.nothing_more("submit_unit")
        operator.send("update_status", {"status": "completed"}, agent_id)
        operator.nothing_more("submit_unit")
    assert router.post("/submit_task", submission(agent_id, secret(agent_id, tmp_path), {})).is_success
    with router.operator() as operator:
        operator.send("request_statuses", {})
        while (packet := operator.get("submit_unit", "return_statuses"))["packet_type"] == "submit_unit":
            assert packet["subject_id"] != agent_id


@pytest.mark.parametrize("final_data", [None, [], "done", {"files": [{"filename": "/etc/passwd"}]}])
def test_a_submission_that_is_no_object_or_brings_files_is_refused(
    router: Router, agent_id: str, tmp_path: Path, final_data: Any
) -> None:
    answer = router.post("/submit_task", submission(agent_id, secret(agent_id, tmp_path), final_data))
    assert answer.status_code == 400
    assert "final_data" in answer.json()["error"]["message"]


def test_a_hit_that_was_given_to_somebody_else_cannot_be_submitted(
    router: Router, agent_id: str, tmp_path: Path
) -> None:
    with router.operator() as operator:
        operator.send("update_status", {"status": "disconnect"}, agent_id)
        operator.nothing_more("register_agent")
    answer = router.post("/submit_task", submission(agent_id, secret(agent_id, tmp_path), {}))
    assert answer.status_code == 409
    assert "given up" in answer.json()["error"]["message"]


def test_a_router_that_is_killed_comes_back_with_everything(mortal_router: Router, tmp_path: Path) -> None:
    proof = secret("1", tmp_path)
    assert mortal_router.post("/submit_task", submission("1", proof, {"feedback": "kept"})).is_success
    port = mortal_router.port
    mortal_router.process.send_signal(signal.SIGKILL)
    mortal_router.process.wait()
    mortal_router.start()
    assert mortal_router.port == port
    with mortal_router.operator() as operator, mortal_router.page("1", proof) as page:
        assert operator.get("submit_unit")["data"] == {"feedback": "kept"}
        page.call("a")
        operator.answer(operator.get("mephisto_bound_live_update"))
        assert page.get("client_bound_live_update")["data"]["handles"] == "a"


def test_a_router_that_is_stopped_ends_soon_although_pages_are_connected(mortal_router: Router, tmp_path: Path) -> None:
    with mortal_router.page("1", secret("1", tmp_path)), mortal_router.operator():
        mortal_router.process.terminate()
        mortal_router.process.wait(PATIENCE_SECONDS)
    assert "Traceback" not in mortal_router.log()


def test_heartbeats_tell_the_page_whether_the_operator_is_there(mortal_router: Router, tmp_path: Path) -> None:
    with mortal_router.page("1", secret("1", tmp_path)) as page:
        page.send("heartbeat", {})
        assert page.get("heartbeat")["data"] == {"status": "none", "operator": False}
        with mortal_router.operator():
            page.send("heartbeat", {})
            assert page.get("heartbeat")["data"]["operator"] is True
        wait_until(
            lambda: mortal_router.get("/health").json()["status"] == "operator_away", "the router sees that it left"
        )


def test_what_passed_through_left_no_secret_in_the_log(router: Router) -> None:
    assert not any(value in router.log() for name, value in CREDENTIALS.items() if name != "run")
    assert "Traceback" not in router.log()
