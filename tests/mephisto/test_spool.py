from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.mephisto.packets import SUBMIT_UNIT, packet
from beat_the_ai.mephisto.router.spool import Spool


def submission(agent_id: str, text: str) -> dict[str, object]:
    return packet(SUBMIT_UNIT, agent_id, {"feedback": text})


def feedback(spool: Spool) -> list[str]:
    return [kept["data"]["feedback"] for kept in spool.waiting()]


def test_what_was_kept_is_there_for_the_next_process(tmp_path: Path) -> None:
    assert Spool(tmp_path).keep("1", submission("1", "fine"))
    assert feedback(Spool(tmp_path)) == ["fine"]


def test_the_first_submission_of_an_agent_stands(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    assert spool.keep("1", submission("1", "first"))
    assert not spool.keep("1", submission("1", "second"))
    assert feedback(spool) == ["first"]


def test_a_confirmed_submission_is_gone_and_may_be_confirmed_twice(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.keep("1", submission("1", "a"))
    spool.keep("2", submission("2", "b"))
    spool.drop("1")
    spool.drop("1")
    assert not spool.has("1")
    assert spool.has("2")
    assert feedback(spool) == ["b"]


@pytest.mark.parametrize("agent_id", ["../../escape", "/etc/passwd", ".", "a\x00b", "onboarding_1", "𝄞"])
def test_no_agent_id_reaches_outside_the_folder(tmp_path: Path, agent_id: str) -> None:
    folder = tmp_path / "a" / "b" / "spool"
    Spool(folder).keep(agent_id, submission(agent_id, "x"))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.parent for path in files] == [folder]


def test_half_a_draft_of_a_process_that_died_is_no_submission(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    (tmp_path / f"{b'1'.hex()}.draft").write_text('{"packet_ty')
    assert spool.waiting() == []
    assert spool.keep("1", submission("1", "whole"))
    assert feedback(spool) == ["whole"]


def test_a_spoilt_file_does_not_hold_up_the_others(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    spool = Spool(tmp_path)
    spool.keep("1", submission("1", "a"))
    (tmp_path / "00.json").write_text("")
    assert feedback(spool) == ["a"]
    assert "00.json" in caplog.text


def test_text_that_utf8_cannot_carry_is_kept_all_the_same(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.keep("1", submission("1", "lone \ud800 surrogate, 𝄞, \u202e"))
    assert feedback(spool) == ["lone \ud800 surrogate, 𝄞, \u202e"]
