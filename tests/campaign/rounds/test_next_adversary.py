"""The next adversary is one of the newly trained; what no paired test tells apart is called a tie."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.campaign.models.scores import ModelScores
from beat_the_ai.campaign.rounds.next_adversary import ON_DEV, ON_ORDINARY, choose
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.cli import main
from beat_the_ai.errors import InvalidInput
from beat_the_ai.store import now, open_store
from beat_the_ai.terms.locate import private_folder

TASK = Path(__file__).parents[3] / "tasks" / "reading_comprehension"

GOLDS = {ON_DEV: ["1/dev", "2/dev"], ON_ORDINARY: ["ordinary.jsonl"]}
NONE, ALL = [0.0] * 20, [1.0] * 20
HALF = [0.0, 1.0] * 10


def measured(out: Path, marks: Mapping[str, Sequence[Sequence[float]]]) -> ModelScores:
    """Scores of models on the three gold files, written and read again."""
    scores = ModelScores(out)
    names = [name for golds in GOLDS.values() for name in golds]
    paths = {name: out / name.replace("/", "-") for name in names}
    for path in paths.values():
        path.write_text(path.name)
    for model, of_golds in marks.items():
        scores.measure(model, model, paths, partial(marked, dict(zip(paths.values(), of_golds, strict=True))))
    return ModelScores(out)


def marked(by_path: Mapping[Path, Sequence[float]], path: Path) -> tuple[Mapping[str, float], Sequence[float]]:
    return {"accuracy": 1.0}, by_path[path]


def test_an_earlier_adversary_is_never_chosen_however_good_it_is(tmp_path: Path) -> None:
    """On the last round's development part its own adversary is wrong by the way that part came about."""
    scores = measured(tmp_path, {"first": [NONE, ALL, ALL], "second": [ALL, NONE, ALL], "new": [HALF, HALF, NONE]})
    choice = choose(scores, ["new"], ["second"], GOLDS)
    assert choice.models == ["new"]
    [worse] = choice.comparisons
    assert (worse.one, worse.other, worse.on, worse.one_better, worse.other_better) == (
        "new",
        "second",
        ON_ORDINARY,
        0,
        20,
    )
    assert not worse.is_tie


def test_all_development_parts_decide_together(tmp_path: Path) -> None:
    """The last one alone would choose the other one."""
    scores = measured(tmp_path, {"late": [NONE, [*NONE[:10], *ALL[:10]], ALL], "both": [ALL, HALF, ALL]})
    choice = choose(scores, ["late", "both"], [], GOLDS)
    assert choice.models == ["both"]
    assert choice.comparisons[0].p < 0.001


def test_what_no_test_tells_apart_is_a_tie_and_ordinary_data_may_decide_it(tmp_path: Path) -> None:
    one_more = [1.0, 1.0, *HALF[2:]]
    scores = measured(tmp_path, {"a": [HALF, HALF, ALL], "b": [one_more, HALF, ALL], "c": [HALF, HALF, NONE]})
    tied = choose(scores, ["a", "b"], [], GOLDS)
    assert list(tied.models) in (["a", "b"], ["b", "a"])
    assert [each.is_tie for each in tied.comparisons] == [True, True]
    decided = choose(scores, ["a", "b", "c"], [], GOLDS)
    assert set(decided.models) == {"a", "b"}
    assert [(each.other, each.on) for each in decided.comparisons if not each.is_tie] == [("c", ON_ORDINARY)]


def test_nothing_is_compared_with_one_candidate_and_no_ordinary_data(tmp_path: Path) -> None:
    choice = choose(ModelScores(tmp_path), ["new"], ["old"], {ON_DEV: [], ON_ORDINARY: []})
    assert (choice.models, choice.comparisons) == (["new"], [])


def test_a_model_without_marks_on_a_file_as_it_is_now_is_named(tmp_path: Path) -> None:
    scores = measured(tmp_path, {"a": [ALL, ALL, ALL]})
    with pytest.raises(InvalidInput, match=r"b has no marks on '1/dev' as it is now"):
        choose(scores, ["a", "b"], [], GOLDS)
    (tmp_path / "1-dev").write_text("otherwise")
    scores.measure("b", "b", {"1/dev": tmp_path / "1-dev"}, lambda _: ({"accuracy": 1.0}, ALL))
    with pytest.raises(InvalidInput, match=r"a has no marks on '1/dev'"):
        choose(scores, ["a", "b"], [], {ON_DEV: ["1/dev"]})


def test_no_round_goes_back_to_the_last_adversary_unasked(tmp_path: Path) -> None:
    """Where models were trained after the last round, the next one names its adversary, be it the old one."""
    out = tmp_path / "campaign"
    store = open_store(str(private_folder(out) / "campaign.db"))
    settings = read_settings(TASK, ["round.max_hits=4"], out=out)
    begin_or_resume(PlannedRound(store, settings))
    store.rounds.close(settings.name, now())
    store.close()
    folder = out / "rounds" / "1" / "models"
    folder.mkdir(parents=True)
    (folder / "trained.json").write_text(json.dumps({"models": ["onnx:rounds/1/models/after-round-1"]}))
    command = ["round", "open", "--out", str(out), "round.max_hits=4"]
    refused = CliRunner().invoke(main, command)
    assert refused.exit_code == 2
    assert "models/after-round-1 came out of round 1, and no adversary was named" in refused.stderr
    assert CliRunner().invoke(main, [*command, "adversary.members=['onnx:bidaf-small']"]).exit_code == 0
