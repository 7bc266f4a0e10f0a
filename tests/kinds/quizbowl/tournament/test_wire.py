"""An event at the wire: who sees what and may do what, what is hostile, and what survives."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from beat_the_ai.kinds.quizbowl.tournament.client import PATIENCE_SECONDS, Client
from beat_the_ai.kinds.quizbowl.tournament.server import PAGE
from tests.kinds.quizbowl.tournament.matches import WORDS, event, match
from tests.kinds.quizbowl.tournament.serving import COMMAND, ServedEvent, serving

ROOMS = ("secrets", "hostile", "crowd", "chair", "flood", "protests", "names")
pytestmark = pytest.mark.skipif(not (PAGE / "bundle.js").is_file(), reason="the page is not built: make webapp")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedEvent]:
    """For all tests of the module, each in a room of its own."""
    matches = [match(room) for room in ROOMS]
    with serving(event(tmp_path_factory.mktemp("event") / "e", *matches)) as running:
        yield running


def read(moderator: Client, tossup: int, words: int, since: int = 0) -> None:
    for word in range(since + 1, words + 1):
        assert moderator.happen("read", tossup=tossup, words=word) is None


def test_nobody_but_the_moderator_sees_what_is_not_yet_to_be_seen(server: ServedEvent) -> None:
    moderator = server.moderator("secrets")
    watchers = [server.spectator("secrets"), server.player("secrets", "Owls", "Ada")]
    player = watchers[1]

    def heard_by_others() -> str:
        for watcher in watchers:
            watcher.send("ping")
        return "".join(text for watcher in watchers for text in watcher.heard)

    moderator.happen("begun", tossup=1)
    read(moderator, 1, 3)
    assert player.send("buzz", tossup=1) is None
    assert player.send("say", tossup=1, answer="a secret guess") is None
    moderator.wait(lambda: moderator.state["reading"]["said"])
    assert moderator.state["reading"]["said"] == "a secret guess"
    assert moderator.state["reading"]["text"].endswith(f"word1x{WORDS}")
    heard = heard_by_others()
    assert "word1x3" in heard
    for secret in ("word1x4", "Thing", "Gadget", "Wrong", "secret guess", "Crafts", "adversarial", "reading"):
        assert secret not in heard
    for secret in ("Wrong", "adversarial"):  # nor do moderators know what models will say, and what to expect of people
        assert secret not in "".join(moderator.heard)

    moderator.happen("ruled", tossup=1, team="Owls", correct=False)
    assert "a secret guess" in heard_by_others()
    read(moderator, 1, 4, since=3)
    moderator.happen("read", tossup=1, words=5)  # the early bot, which is wrong
    heard = heard_by_others()
    assert "Wrong 1" in heard
    assert "word1x5" not in heard
    assert "Thing" not in heard

    moderator.happen("closed", tossup=1)
    heard = heard_by_others()
    assert "Thing 1" in heard
    assert "word1x5" not in heard
    for keys in server.keys.values():
        assert keys.moderator not in heard + "".join(moderator.heard)
        assert not any(code in heard for code in keys.teams.values())
    [played] = watchers[0].state["played"]
    assert (played["answer"], played["adversarial"]) == ("Thing 1", False)
    assert [(guess["model"], guess["right"]) for guess in played["guesses"]] == [
        *(("Early Bot", False), ("Late Bot", True)),
    ]


def hello(server: ServedEvent, **changes: Any) -> dict[str, Any]:
    keys = server.keys["hostile"]
    whole: dict[str, dict[str, Any]] = {
        "team": {"role": "team", "code": keys.teams["Owls"], "player": "Ada"},
        "moderator": {"role": "moderator", "room": "hostile", "token": keys.moderator, "page": "p", "chair": True},
        "spectator": {"role": "spectator", "room": "hostile"},
    }
    return {**whole.get(changes["role"], {}), **changes}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"role": "moderator", "token": "x"}, "not the moderator's link"),
        ({"role": "moderator", "token": "\ud800é"}, "unexpected"),
        ({"role": "moderator", "page": "é"}, "printable ASCII"),
        ({"role": "moderator", "room": "../keys"}, "no such room"),
        ({"role": "spectator", "room": "keys.json"}, "no such room"),
        ({"role": "spectator", "token": "x"}, "unexpected"),
        ({"role": "team", "code": "BBBBBBBB"}, "No team has this code"),
        ({"role": "team", "code": ""}, "No team has this code"),
        ({"role": "team", "player": "<b>Ada</b>"}, "markup"),
        ({"role": "team", "player": "Ada\u202e"}, "direction"),
        ({"role": "team", "player": " "}, "empty"),
        ({"role": "team", "player": "x" * 41}, "at most 40"),
        ({"role": "king"}, "unexpected"),
    ],
    ids=str,
)
def test_whoever_has_no_right_to_enter_is_told_why(server: ServedEvent, changes: dict[str, Any], reason: str) -> None:
    client = server.client(**hello(server, **changes))
    assert client.problem is not None
    assert reason in client.problem
    assert client.state == {}


def test_a_code_may_be_typed_in_small_letters_with_spaces(server: ServedEvent) -> None:
    code = server.keys["hostile"].teams["Jays"].lower()
    client = server.client(**hello(server, role="team", code=f" {code[:4]}-{code[4:]} "))
    assert client.state["you"] == {"role": "team", "team": "Jays", "player": "Ada", "chair": None}


NOT_THEIRS: list[str | bytes] = [
    '{"act": "happen", "key": "k", "event": {"event": "ended"}}',
    '{"act": "happen", "key": "k", "event": {"event": "ruled", "tossup": 1, "team": "Owls", "correct": true}}',
    '{"act": "take_chair", "key": "k"}',
    '{"act": "buzz", "key": "k", "tossup": 1, "team": "Jays"}',
    '{"act": "buzz", "key": "k", "tossup": -1}',
    '{"act": "buzz", "key": "k", "tossup": "1"}',
    '{"act": "buzz", "tossup": 1}',
    '{"act": ["buzz"], "key": "k"}',
    "[" * 5000,
    "nothing",
    "",
    b"\x00\xff",
]


@pytest.mark.parametrize("message", NOT_THEIRS, ids=lambda message: str(message[:60]))
def test_what_no_page_of_a_team_sends_ends_its_connection_and_changes_nothing(
    server: ServedEvent, message: str | bytes
) -> None:
    before = server.lines("hostile")
    assert "The page sent something" in server.player("hostile", "Owls", "Eve").raw(message)
    assert server.lines("hostile") == before


def test_a_message_that_is_too_long_is_not_read(server: ServedEvent) -> None:
    assert "1009" in server.player("hostile", "Owls", "Eve").raw("x" * 10_000)


@pytest.mark.parametrize(
    ("act", "fields", "reason"),
    [
        ("buzz", {"tossup": 999}, "not the one that is being read"),
        ("buzz", {"tossup": 1, "key": "k" * 65}, "printable ASCII"),
        ("buzz", {"tossup": 1, "key": "\n"}, "printable ASCII"),
        ("say", {"tossup": 1, "answer": "Loom"}, "not the one that is being read"),
        ("say", {"tossup": 1, "answer": "<img src=x onerror=alert(1)>"}, "markup"),
        ("say", {"tossup": 1, "answer": "x" * 201}, "at most 200"),
        ("protest", {"tossup": 1, "against": "Jays", "reason": "unfair"}, "has not been read"),
        ("protest", {"tossup": 1, "against": "Jays", "reason": "\u202eunfair"}, "direction"),
    ],
    ids=str,
)
def test_a_command_that_cannot_be_carried_out_is_refused_with_a_reason(
    server: ServedEvent, act: str, fields: dict[str, Any], reason: str
) -> None:
    player = server.player("hostile", "Owls", "Eve")
    refusal = player.send(act, **fields)
    assert refusal is not None
    assert reason in refusal


def test_a_flood_ends_the_connection_that_it_comes_from(server: ServedEvent) -> None:
    eve, ada = server.player("flood", "Owls", "Eve"), server.player("flood", "Jays", "Ada")
    with suppress(ConnectionClosed):  # at any of them
        for number in range(400):
            eve.post("buzz", f"k{number}", tossup=1)
    eve.wait(lambda: eve.problem)
    assert ada.send("ping") is None
    assert len(server.lines("flood")) < 100


def test_one_teams_protests_neither_fill_the_log_nor_keep_another_from_protesting(server: ServedEvent) -> None:
    moderator = server.moderator("protests")
    moderator.happen("begun", tossup=1)
    read(moderator, 1, 1)
    eve, bob, ada = (server.player("protests", *who) for who in (("Owls", "Eve"), ("Owls", "Bob"), ("Jays", "Ada")))
    assert eve.send("buzz", tossup=1) is None
    moderator.happen("ruled", tossup=1, team="Owls", correct=False)
    before = len(server.lines("protests"))
    refusals = [
        page.send("protest", tossup=1, against="Owls", reason=f"Reason {number}.")
        for number in range(15)
        for page in (eve, bob)
    ]
    assert [refusal is None for refusal in refusals] == [True] * 20 + [False] * 10
    assert "answered and protested 20 times" in str(refusals[-1])
    assert len(server.lines("protests")) == before + 20
    assert ada.send("protest", tossup=1, against="Owls", reason="They were right.") is None
    moderator.happen("closed", tossup=1)
    moderator.happen("begun", tossup=2)
    assert eve.send("protest", tossup=1, against="Owls", reason="One more.") is None


def test_a_page_of_another_site_gets_no_socket(server: ServedEvent) -> None:
    place = f"ws{server.address.removeprefix('http')}/socket"
    for origin in ("http://evil.example", "null", "http://[", server.address.replace("http:", "http://x@")[:-1]):
        with pytest.raises(InvalidStatus) as refused, connect(place, origin=Origin(origin)):
            pass
        assert refused.value.response.status_code == 403
    with connect(place, origin=Origin(server.address)) as socket:
        socket.send('{"role": "spectator", "room": "names"}')
        assert "match" in json.loads(socket.recv())["state"]


def test_files_of_the_page_are_served_and_no_others(server: ServedEvent) -> None:
    with httpx.Client(base_url=server.address) as http:
        page = http.get("/")
        assert page.status_code == 200
        assert "default-src 'none'" in page.headers["content-security-policy"]
        bundle = http.get("/bundle.js")
        assert bundle.headers["content-encoding"] in ("br", "gzip")
        assert http.get("/bundle.js", headers={"If-None-Match": bundle.headers["etag"]}).status_code == 304
        assert http.get("/rooms").json()["rooms"][0] == {"room": "secrets", "teams": ["Owls", "Jays"]}
        for path in ("/keys.json", "/../keys.json", "/matches/secrets.jsonl", "/%2e%2e/package.json"):
            assert http.get(path).status_code == 404
        assert http.post("/rooms", content=b"x").status_code == 405
        assert http.post("/faults", json={"text": "it broke"}).status_code == 204


def test_of_two_hundred_buzzes_at_once_one_has_the_floor_and_all_are_in_the_log(server: ServedEvent) -> None:
    moderator = server.moderator("crowd")
    moderator.happen("begun", tossup=1)
    read(moderator, 1, 1)

    async def buzz_at_once(opened: AsyncExitStack) -> list[str | None]:
        place = f"ws{server.address.removeprefix('http')}/socket"
        sockets = [
            await opened.enter_async_context(connect_async(place, open_timeout=PATIENCE_SECONDS)) for _ in range(200)
        ]
        for number, each in enumerate(sockets):
            code = server.keys["crowd"].teams["Owls" if number % 2 else "Jays"]
            await each.send(json.dumps({"role": "team", "code": code, "player": f"P{number}"}))
        await asyncio.gather(*(each.recv() for each in sockets))
        command = {"act": "buzz", "tossup": 1}
        await asyncio.gather(*(each.send(json.dumps({**command, "key": f"b{n}"})) for n, each in enumerate(sockets)))

        async def reply(each: Any) -> str | None:
            while not (replies := json.loads(await each.recv())["replies"]):
                pass
            error: str | None = replies[0]["error"]
            return error

        return await asyncio.gather(*map(reply, sockets))

    async def main() -> list[str | None]:
        async with AsyncExitStack() as opened:
            return await buzz_at_once(opened)

    errors = asyncio.run(main())
    first = errors.index(None)
    assert [error for error in errors if error is None] == [None]
    team = "Owls" if first % 2 else "Jays"
    assert {error for error in errors if error} == {f"P{first} of {team} was faster."}
    buzzes = [line for line in server.lines("crowd") if line["event"]["event"] == "buzzed"]
    assert sorted(line["key"] for line in buzzes) == sorted(f"b{number}" for number in range(200))
    assert [line["key"] for line in buzzes if line["refusal"] is None] == [f"b{first}"]
    moderator.wait(lambda: moderator.tossup["floor"])
    assert moderator.tossup["floor"] == {"side": team, "player": f"P{first}"}


def test_of_two_moderators_one_has_the_chair_and_whoever_takes_it_has_it(server: ServedEvent) -> None:
    first, second = server.moderator("chair", "one"), server.moderator("chair", "two")
    assert (first.state["you"]["chair"], second.state["you"]["chair"]) == ("yours", "other")
    first.happen("begun", tossup=1)
    refusal = second.happen("read", tossup=1, words=1)
    assert refusal is not None
    assert "Somebody else moderates" in refusal
    assert second.send("take_chair") is None
    assert second.happen("read", tossup=1, words=1) is None
    assert first.happen("read", tossup=1, words=2) is not None
    first.wait(lambda: first.tossup["words_read"] == 1)
    assert first.state["you"]["chair"] == "other"
    second.close()  # a browser that dies keeps the chair until another page takes it
    first.reconnect()
    assert first.state["you"]["chair"] == "other"
    assert first.send("take_chair") is None
    assert first.happen("read", tossup=1, words=2) is None


def test_the_moderator_sees_who_is_there_and_what_codes_teams_have(server: ServedEvent) -> None:
    moderator = server.moderator("names")
    ada = server.player("names", "Owls", "Ada")
    server.spectator("names")
    moderator.wait(lambda: moderator.state["people"]["spectators"] == 1)
    owls, jays = moderator.state["people"]["teams"]
    assert owls == {"team": "Owls", "code": server.keys["names"].teams["Owls"], "players": ["Ada"]}
    assert jays["players"] == []
    ada.close()
    moderator.wait(lambda: moderator.state["people"]["teams"][0]["players"] == [])


def test_a_folder_is_served_by_one_server_at_a_time(server: ServedEvent) -> None:
    again = subprocess.run(
        [*COMMAND, "serve", str(server.folder.path)], capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    assert (again.returncode, again.stdout) == (1, "")
    assert "is being served already" in again.stderr


def test_a_command_that_died_with_the_server_happens_once_when_it_is_sent_again(tmp_path: Path) -> None:
    with serving(event(tmp_path / "e", match("A"))) as server:
        moderator, ada = server.moderator("A"), server.player("A", "Owls", "Ada")
        moderator.happen("begun", tossup=1)
        read(moderator, 1, 2)
        key = ada.post("buzz", tossup=1)  # whether it was kept before the kill nobody knows
        server.kill()
        server.start()
        watching = server.spectator("A")
        moderator.reconnect()
        ada.reconnect()
        assert ada.send("buzz", key, tossup=1) is None
        assert ada.send("buzz", key, tossup=1) is None
        watching.wait(lambda: watching.tossup["floor"])
        assert moderator.happen("ruled", tossup=1, team="Owls", correct=True) is None
        assert [line["key"] for line in server.lines("A") if line["by"] == "Owls"] == [key]
        watching.wait(lambda: watching.tossup["over"])
        assert watching.points() == {"Owls": 15, "Jays": 0, "Early Bot": 0, "Late Bot": 0}
        counts = {"power": 1, "correct": 0, "interrupt": 0, "wrong": 0}
        assert watching.state["standings"][0] == {"side": "Owls", "model": False, "points": 15, **counts}


def test_a_match_of_twenty_tossups_survives_reloads_and_kills_and_is_counted_alike(tmp_path: Path) -> None:
    """Two teams against two models. What each side gets is counted here, from what this test itself does."""
    expected = dict.fromkeys(("Owls", "Jays", "Early Bot", "Late Bot"), 0)
    with serving(event(tmp_path / "e", match("A", tossups=20))) as server:
        moderator, watching = server.moderator("A"), server.spectator("A")
        owls, jays = server.player("A", "Owls", "Ada"), server.player("A", "Jays", "Bo")

        def reconnect_all() -> None:
            for client in (moderator, watching, owls, jays):
                client.reconnect()

        def answer(team: str, player: Client, number: int, said: str, correct: bool) -> None:
            assert player.send("buzz", tossup=number) is None
            assert player.send("say", tossup=number, answer=said) is None
            assert moderator.happen("ruled", tossup=number, team=team, correct=correct) is None

        for number in range(1, 21):
            assert moderator.happen("begun", tossup=number) is None
            if number == 6:
                owls.reconnect()
            read(moderator, number, 2)
            if number == 9:
                server.kill()
                server.start()
                reconnect_all()
            if number % 4 == 1:  # Owls are early and right
                answer("Owls", owls, number, f"gadget {number}!", True)
                expected["Owls"] += 15
                continue
            if number % 4 == 2:  # Jays interrupt and are wrong
                answer("Jays", jays, number, "a guess", False)
                expected["Jays"] -= 5
            read(moderator, number, 4, since=2)
            assert moderator.happen("read", tossup=number, words=5) is None  # Early Bot buzzes instead
            if number % 3 == 0:
                expected["Early Bot"] += 15
                continue
            expected["Early Bot"] -= 5 if number % 4 != 2 else 0
            if number == 12:
                moderator.reconnect()
            read(moderator, number, 6, since=4)
            if number % 4 == 3:  # Owls once more, late and right
                answer("Owls", owls, number, f"thing {number}", True)
                expected["Owls"] += 10
                continue
            read(moderator, number, 7, since=6)
            assert moderator.happen("read", tossup=number, words=8) is None  # Late Bot
            expected["Late Bot"] += 10
        assert jays.send("protest", tossup=2, against="Jays", reason="That is another name of it.") is None
        moderator.wait(lambda: moderator.state["protests"])
        server.kill()
        server.start()
        reconnect_all()
        assert [each["reason"] for each in moderator.state["protests"]] == ["That is another name of it."]
        assert moderator.happen("settled", tossup=2, against="Jays", correct=True) is None
        expected["Jays"] += 5 + 15
        expected["Late Bot"] -= 10  # what came after a right answer is void
        assert moderator.happen("ended") is None
        watching.wait(lambda: watching.state["match"]["ended"])
        assert watching.points() == expected
        assert server.stop() == 0
    scored = subprocess.run(
        [*COMMAND, "score", str(tmp_path / "e"), "--json"], capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    [room] = json.loads(scored.stdout)["rooms"]
    assert {row["side"]: row["points"] for row in room["standings"]} == room["recount"] == expected
    assert (room["ended"], room["tossups_played"]) == (True, 20)
