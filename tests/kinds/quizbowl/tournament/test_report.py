"""An event's page: who was right when, on which questions, with what tests say of the difference."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.kinds.quizbowl.tournament.commands import event
from beat_the_ai.kinds.quizbowl.tournament.events import Begun, Buzzed, Closed, Read, Ruled
from beat_the_ai.kinds.quizbowl.tournament.folder import EventFolder, match_path
from beat_the_ai.kinds.quizbowl.tournament.log import Match, MatchLog, Tossup, read_match
from beat_the_ai.kinds.quizbowl.tournament.report import EventRoom, event_sections
from beat_the_ai.kinds.quizbowl.tournament.results import read_result
from beat_the_ai.kinds.quizbowl.tournament.room import Room
from tests.kinds.quizbowl.questions import ANSWERS
from tests.kinds.quizbowl.tournament.matches import model

LENGTH = 20
TEXT = " ".join(f"word{number}" for number in range(LENGTH))


def played(folder: Path) -> Path:
    """Four tossups of twenty words, the last of them not played: the owls are right on an adversarial and on a regular
    one after half of the words and wrong on another regular one, which the model takes at the end."""
    tossups = [Tossup(id=f"t{number}", text=TEXT, answer=ANSWERS[0], adversarial=number == 0) for number in range(4)]
    bot = model("bot", t0=(LENGTH, "Kiln"), t1=(LENGTH, "Loom"), t2=(LENGTH, "Loom"), t3=(1, "Loom"))
    match = Match(room="A", teams=["owls"], models=[bot], tossups=tossups)
    EventFolder.create(folder, [match])
    with closing(MatchLog(match_path(folder, "A"))) as log:
        room = Room(log)
        room.take_chair("page")
        for tossup, correct in ((1, True), (2, True), (3, False)):
            room.moderate("page", f"begin-{tossup}", Begun(tossup=tossup))
            for word in range(1, LENGTH // 2 + 1):
                room.moderate("page", f"{tossup}-{word}", Read(tossup=tossup, words=word))
            room.play("owls", f"buzz-{tossup}", Buzzed(tossup=tossup, team="owls", player="Ada"))
            room.moderate("page", f"rule-{tossup}", Ruled(tossup=tossup, team="owls", correct=correct))
        for word in range(LENGTH // 2 + 1, LENGTH + 1):
            room.moderate("page", f"3-{word}", Read(tossup=3, words=word))
        room.moderate("page", "close", Closed(tossup=3))
    return folder


def test_people_and_models_are_told_apart_and_so_are_their_questions(tmp_path: Path) -> None:
    [(_, path)] = EventFolder.open(played(tmp_path / "event")).matches()
    answers, course, sides, wins = event_sections([EventRoom(read_match(path)[0], read_result(path))])
    assert [(row[0], row[1], row[2].split(" ")[0]) for row in answers.table.rows] == [
        ("people, regular", "2", "50.0%"),
        ("people, adversarial", "1", "100.0%"),
        ("models, regular", "1", "100.0%"),
        ("models, adversarial", "0", "–"),
    ]
    assert answers.table.rows[1][3] == "1.000"
    assert [[cell.split(" ")[0] for cell in row] for row in course.table.rows] == [
        ["25%", "0.0%", "0.0%", "0.0%", "0.0%"],
        ["50%", "50.0%", "100.0%", "0.0%", "0.0%"],
        ["75%", "50.0%", "100.0%", "0.0%", "0.0%"],
        ["100%", "50.0%", "100.0%", "50.0%", "0.0%"],
    ]
    assert [row[:4] for row in sides.table.rows] == [("owls", "A", "25", "3"), ("bot (model)", "A", "10", "1")]
    assert wins.table.rows[0][2].startswith("0.00 ")
    regular = float(wins.table.rows[0][1].split(" ")[0])
    at_the_end, at_once = 1 - 0.842, 1 - 0.842 * (1 / LENGTH) ** (0.717 / 0.283)
    assert regular == pytest.approx((2 * at_the_end + at_once) / 3, abs=0.005)


def test_the_page_is_written(tmp_path: Path) -> None:
    out = tmp_path / "event.html"
    made = CliRunner().invoke(event, ["report", str(played(tmp_path / "event")), "--out", str(out)])
    assert made.exit_code == 0, made.output
    page = out.read_text("utf-8")
    assert "3 tossups played in a room" in page
    assert page.count("<polyline") == 4
