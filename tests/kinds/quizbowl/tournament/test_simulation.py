"""Simulated people play an event that is served; what broke off is played on."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from beat_the_ai.kinds.quizbowl.tournament.commands import event
from beat_the_ai.kinds.quizbowl.tournament.folder import EventFolder
from beat_the_ai.kinds.quizbowl.tournament.log import Match, Tossup
from beat_the_ai.kinds.quizbowl.tournament.results import Result, read_result
from tests.kinds.quizbowl.questions import ANSWERS, KILN, LOOM
from tests.kinds.quizbowl.tournament.matches import model
from tests.kinds.quizbowl.tournament.serving import serving

TOSSUPS = [
    Tossup(id="loom", text=LOOM, answer=ANSWERS[0], adversarial=True),
    Tossup(id="kiln", text=KILN, answer=ANSWERS[1], adversarial=False),
]


def created(folder: Path) -> EventFolder:
    bot = model("bot", loom=(len(LOOM.split()), "Kiln"), kiln=(1, "Loom"))
    return EventFolder.create(folder, [Match(room="A", teams=["owls", "jays"], models=[bot], tossups=TOSSUPS)])


def rehearsed(folder: Path) -> Result:
    done = CliRunner().invoke(event, ["rehearse", str(folder), "--seed", "3"])
    assert done.exit_code == 0, done.output
    [(_, path)] = EventFolder.open(folder).matches()
    return read_result(path)


def test_a_match_is_played_to_its_end_and_alike_by_the_same_seed(tmp_path: Path) -> None:
    created(tmp_path / "one")
    created(tmp_path / "other")
    one, other = rehearsed(tmp_path / "one"), rehearsed(tmp_path / "other")
    assert (one.ended, one.tossups_played, one.agrees) == (True, 2, True)
    assert one.standings == other.standings
    assert any(row.outcome for row in one.buzzes if not row.is_model)
    assert rehearsed(tmp_path / "one") == one, "what has ended stays as it is"


def test_a_match_that_broke_off_while_somebody_had_the_floor_is_played_on(tmp_path: Path) -> None:
    folder = created(tmp_path / "event")
    with serving(folder) as server:
        moderator, owls = server.moderator("A"), server.player("A", "owls", "Ada")
        assert moderator.happen("begun", tossup=1) is None
        assert moderator.happen("read", tossup=1, words=1) is None
        assert owls.send("buzz", tossup=1) is None
    result = rehearsed(tmp_path / "event")
    assert (result.ended, result.tossups_played, result.agrees) == (True, 2, True)
    [first] = [row for row in result.buzzes if row.player == "Ada"]
    assert first.outcome == "interrupt"
