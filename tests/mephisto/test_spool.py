from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from beat_the_ai.mephisto.packets import SUBMIT_UNIT, packet
from beat_the_ai.mephisto.router import spool as spools
from beat_the_ai.mephisto.router.spool import FILE, Spool
from tests.mephisto.wire import wait_until


def submission(agent_id: str, text: str) -> dict[str, object]:
    return packet(SUBMIT_UNIT, agent_id, {"feedback": text})


def keep(spool: Spool, agent_id: str, text: str) -> bool:
    return asyncio.run(spool.keep(agent_id, submission(agent_id, text)))


def feedback(spool: Spool) -> list[str]:
    return [kept["data"]["feedback"] for kept in spool.waiting()]


def test_what_was_kept_is_there_for_the_next_process(tmp_path: Path) -> None:
    assert keep(Spool(tmp_path), "1", "fine")
    assert feedback(Spool(tmp_path)) == ["fine"]


def test_the_first_submission_of_an_agent_stands(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    assert keep(spool, "1", "first")
    assert not keep(spool, "1", "second")
    assert not keep(Spool(tmp_path), "1", "third")
    assert feedback(spool) == ["first"]


def test_of_submissions_of_one_agent_that_come_at_once_one_is_new_and_all_are_on_disk_when_they_are_answered(
    tmp_path: Path,
) -> None:
    spool = Spool(tmp_path)

    async def at_once() -> list[bool]:
        return list(await asyncio.gather(*(told(number) for number in range(8))))

    async def told(number: int) -> bool:
        is_new = await spool.keep("1", submission("1", str(number)))
        assert feedback(Spool(tmp_path)) == ["0"]
        return is_new

    assert asyncio.run(at_once()) == [True, *[False] * 7]


def test_those_that_come_while_the_disk_is_busy_are_synced_together(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    transactions: list[str] = []
    spool._connection.set_trace_callback(lambda said: transactions.append(said) if said.startswith("BEGIN") else None)

    async def many() -> None:
        await asyncio.gather(*(spool.keep(str(number), submission(str(number), "x")) for number in range(50)))

    asyncio.run(many())
    assert len(spool.waiting()) == 50
    assert len(transactions) <= 2


def test_a_confirmed_submission_is_gone_and_may_be_confirmed_twice(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    keep(spool, "1", "a")
    keep(spool, "2", "b")
    spool.drop("1")
    spool.drop("1")
    assert not spool.has("1")
    assert spool.has("2")
    assert feedback(spool) == ["b"]


def test_what_was_confirmed_leaves_the_disk_soon_though_nothing_else_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spools, "DROP_SECONDS", 0.01)
    spool = Spool(tmp_path)

    async def confirm() -> None:
        await spool.keep("1", submission("1", "a"))
        spool.drop("1")
        await asyncio.to_thread(wait_until, lambda: not feedback(Spool(tmp_path)), "it has left the disk")

    asyncio.run(confirm())


@pytest.mark.parametrize("agent_id", ["../../escape", "/etc/passwd", ".", "a\x00b", "onboarding_1", "𝄞", "\ud800"])
def test_no_agent_id_reaches_outside_the_folder(tmp_path: Path, agent_id: str) -> None:
    folder = tmp_path / "a" / "b" / "spool"
    keep(Spool(folder), agent_id, "x")
    assert Spool(folder).has(agent_id)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.parent for path in files} == {folder}


def test_what_the_disk_does_not_take_is_refused_and_may_come_again(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    spool._connection.execute("PRAGMA busy_timeout=1")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        keep(spool, "1", "first")
    other.execute("ROLLBACK")
    assert not spool.has("1")
    assert keep(spool, "1", "again")
    assert feedback(spool) == ["again"]


def test_text_that_utf8_cannot_carry_is_kept_all_the_same(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    keep(spool, "1", "lone \ud800 surrogate, 𝄞, \u202e")
    assert feedback(spool) == ["lone \ud800 surrogate, 𝄞, \u202e"]
