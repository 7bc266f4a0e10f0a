"""An event's page: who was right when, on which questions, with what tests say of the difference."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import ValidationError

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


def played(folder: Path, levels: Mapping[str, str] | None = None) -> Path:
    """Four tossups of twenty words, the last of them not played: the owls are right on an adversarial and on a regular
    one after half of the words and wrong on another regular one, which the model takes at the end."""
    tossups = [Tossup(id=f"t{number}", text=TEXT, answer=ANSWERS[0], adversarial=number == 0) for number in range(4)]
    bot = model("bot", t0=(LENGTH, "Kiln"), t1=(LENGTH, "Loom"), t2=(LENGTH, "Loom"), t3=(1, "Loom"))
    match = Match(room="A", teams=["owls"], models=[bot], tossups=tossups, levels=dict(levels or {}))
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
    answers, course, _, _, sides, wins = event_sections([EventRoom(read_match(path)[0], read_result(path))])
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
    assert wins.table.rows[0][2] == "0.00"
    regular = float(wins.table.rows[0][1].split(" ")[0])
    at_the_end, at_once = 1 - 0.842, 1 - 0.842 * (1 / LENGTH) ** (0.717 / 0.283)
    assert regular == pytest.approx((2 * at_the_end + at_once) / 3, abs=0.005)


def test_the_page_is_written(tmp_path: Path) -> None:
    out = tmp_path / "event.html"
    made = CliRunner().invoke(event, ["report", str(played(tmp_path / "event")), "--out", str(out)])
    assert made.exit_code == 0, made.output
    page = out.read_text("utf-8")
    assert "3 tossups played in a room" in page
    assert page.count("<polyline") == 4 + 2  # people and models together, the model alone


def test_players_stand_apart_by_the_level_of_their_team(tmp_path: Path) -> None:
    """The experts' room counts for experts, the room of a team without a level for nobody's level."""
    path = match_path(played(tmp_path / "event", {"owls": "expert"}), "A")
    experts = EventRoom(read_match(path)[0], read_result(path))
    path = match_path(played(tmp_path / "other"), "A")
    others = EventRoom(read_match(path)[0], read_result(path))
    found = {section.title: section.table.rows for section in event_sections([experts, others])}
    assert [(*row[:2], row[2].split(" ")[0], row[3]) for row in found["Answers: people by level"]] == [
        ("expert, regular", "2", "50.0%", ""),
        ("expert, adversarial", "1", "100.0%", "1.000"),
    ]
    course = found["Right answers in the course of a question: people by level"]
    assert [[cell.split(" ")[-1] for cell in row] for row in course] == [
        ["25%", "0", "0"],
        ["50%", "1", "1"],
        ["75%", "1", "1"],
        ["100%", "1", "1"],
    ]
    assert course[3][1].startswith("50.0% ")
    assert [row[1] for row in found["Answers"]][:2] == ["4", "2"]
    assert not [section for section in event_sections([others]) if "level" in section.title]


def test_each_model_is_measured_alone_whoever_was_faster(tmp_path: Path) -> None:
    path = match_path(played(tmp_path / "event"), "A")
    found = {section.title: section for section in event_sections([EventRoom(read_match(path)[0], read_result(path))])}
    answers = found["Answers: each model alone"].table.rows
    assert [(*row[:2], row[2].split(" ")[0], row[4].split(" ")[0]) for row in answers] == [
        ("bot, regular", "3", "100.0%", "0.32"),  # at the end twice, once after a word
        ("bot, adversarial", "1", "0.0%", "0.00"),
    ]
    course = found["Right answers in the course of a question: each model alone"]
    assert [row[1].split(" ")[0] for row in course.table.rows] == ["33.3%", "33.3%", "33.3%", "100.0%"]
    assert course.source == "Figure 7"


def test_only_a_team_has_a_level(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="bot has a level and is no team"):
        played(tmp_path / "event", {"bot": "expert"})
    files = [tmp_path / "regular.jsonl", tmp_path / "adversarial.jsonl"]
    for file in files:
        file.write_text('{"text": "What weaves?", "page": "Loom"}\n', "utf-8")
    command = ["new", str(tmp_path / "new"), "--regular", str(files[0]), "--adversarial", str(files[1])]
    refused = CliRunner().invoke(event, [*command, "--room", "A=owls, jays", "--level", "bot=expert"])
    assert str(refused.exception) == "bot was given a level and plays in no room. Teams: owls, jays."
