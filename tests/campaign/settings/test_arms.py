"""Settings that an arm may have of its own, and the refusals of all others."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from beat_the_ai.campaign.settings.changes import check_changes
from beat_the_ai.campaign.settings.configuration import Settings, amended, read_settings
from beat_the_ai.campaign.settings.words import arm_words, campaign_words
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Round
from beat_the_ai.terms.arms import ArmSettings
from beat_the_ai.terms.round import RoundTerms
from tests.store.builders import NEW_YEAR

TASKS = Path(__file__).parents[3] / "tasks"
TASK = TASKS / "reading_comprehension"
STUDY = "round.arms={human: {shows_model: false}, model: {}}"
ALLOWED = (
    "shows_model, suggestions, words, adversary.members, pay.bonus_cents_per_win, pay.bonus_cents_per_verified_win, "
    "pay.streak_bonus_cents, pay.verified_streaks, round.wins_wanted, round.max_wins, round.max_tries, round.min_tries"
)


def settings(*overrides: str, task: Path = TASK) -> Settings:
    return read_settings(task, list(overrides), out=Path("/nowhere"))


def test_arms_are_kept_with_the_terms_of_their_round_in_their_order() -> None:
    read = settings("round.arms={model: {}, human: {shows_model: false}, paid: {pay: {bonus_cents_per_win: 30}}}")
    assert list(read.terms.arms) == ["model", "human", "paid"]
    kept = RoundTerms.of(Round("pilot", 1, read.of_round(), NEW_YEAR))
    assert list(kept.arms.items()) == list(read.terms.arms.items())
    assert [str(arm) for arm in kept.arms.values()] == [
        "those of all",
        "shows_model=false",
        "pay.bonus_cents_per_win=30",
    ]
    assert settings().terms.arms == {}


@pytest.mark.parametrize(
    ("arms", "said"),
    [
        ("{a: {}, b: {pay: {reward_cents: 300}}}", f"An arm has no pay.reward_cents of its own. Allowed: {ALLOWED}"),
        ("{a: {}, b: {round: {time_limit_seconds: 60}}}", "no round.time_limit_seconds of its own. Allowed"),
        ("{a: {}, b: {task: {title: x}}}", "An arm has no task of its own. Allowed"),
        ("{a: {}}", "One arm has nothing to be compared with."),
        ("{A: {}, b: {}}", "String should match pattern"),
        ("{a: {}, b: {round: {max_wins: 2}}}", "wins_wanted=3, max_wins=2 and max_tries=25 were given"),
        ("{a: {}, b: {pay: {bonus_cents_per_win: -1}}}", "greater than or equal to 0"),
        ("{a: {}, b: {adversary: {members: []}}}", "at least 1 item"),
        ("{a: {}, b: {adversary: {members: [gpt]}}}", "Unknown round.arms.b.adversary.members 'gpt'. Available: bidaf"),
        ("{a: {}, b: {words: nowhere}}", "nowhere has no folder of a language, as en"),
        ("{a: {}, b: {words: ../words}}", "String should match pattern"),
        ("{a: {}, b: {suggestions: nowhere.jsonl}}", "nowhere.jsonl is no file"),
        ("{a: {}, b: {suggestions: ../s.jsonl}}", "String should match pattern"),
        ("{a: {}, b: {suggestions: /etc/passwd}}", "String should match pattern"),
    ],
)
def test_whatever_an_arm_may_not_have_is_refused_with_what_it_may(arms: str, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        settings(f"round.arms={arms}")
    assert said in str(refused.value)


def test_an_arm_without_a_model_pays_no_bonuses_and_needs_a_page_of_its_kind() -> None:
    with pytest.raises(InvalidInput, match="human shows no model, so its writers cannot know of wins"):
        settings(STUDY, "pay.bonus_cents_per_win=5")
    longer = ("round.max_wins=8", "pay.streak_bonus_cents={7: 100}")  # than a HIT has wins unless it says so
    with pytest.raises(InvalidInput, match="human shows no model, so its writers cannot know of wins"):
        settings(STUDY, *longer)
    free = "round.arms={human: {shows_model: false, pay: {bonus_cents_per_win: 0}}, model: {}}"
    assert settings(free, "pay.bonus_cents_per_win=5").terms.arms["human"].pay.bonus_cents_per_win == 0
    quizbowl = settings(STUDY, "pay.bonus_cents_per_win=0", task=TASKS / "quizbowl")
    assert not quizbowl.terms.tariff(quizbowl.kind).arms["human"].terms.shows_model


def test_no_board_tells_of_wins_that_an_arm_keeps_from_its_writers() -> None:
    with pytest.raises(InvalidInput, match=r"Set review\.shows_board=false"):
        settings(STUDY, "review.shows_board=true")
    with pytest.raises(InvalidInput, match=r"Set review\.shows_board=false"):
        amended(settings(STUDY), ["review.shows_board=true"])
    assert settings("round.arms={a: {}, b: {}}", "review.shows_board=true").terms.arms


def test_a_bonus_of_an_arm_needs_somebody_who_checks() -> None:
    paid = "round.arms={model: {}, paid: {pay: {bonus_cents_per_verified_win: 50}}}"
    with pytest.raises(InvalidInput, match="nobody checks any"):
        settings(paid, "validation.parts=[]")
    assert settings(paid).terms.arms


def test_members_are_named_as_in_the_pool() -> None:
    pool = "adversary.members=['onnx:bidaf-small','huggingface:/models/big']"
    one_each = "{a: {adversary: {members: [big]}}, b: {adversary: {members: [bidaf-small]}}}"
    assert settings(pool, f"round.arms={one_each}").terms.arms["a"].adversary.members == ("big",)


def test_arms_are_told_to_writers_and_never_change_after_that() -> None:
    before = settings(STUDY)
    other = amended(before, ["round.arms.model.round.max_tries=9"])
    check_changes(before, other, frozen=())
    with pytest.raises(InvalidInput, match=r"round\.arms\.model\.round\.max_tries"):
        check_changes(before, other, frozen=(Stage.WRITING,))
    with pytest.raises(InvalidInput, match=r"round\.arms"):
        check_changes(settings(), before, frozen=(Stage.WRITING,))


def test_newcomers_are_screened_alike() -> None:
    read = settings(STUDY)
    sample = read.qualification.sample_terms(read.terms, read.terms.writing(read.kind))
    assert sample.arms == {}


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A task folder with other words for an arm."""
    copied = copytree(TASK, tmp_path / "task")
    folder = copied / "words_other" / "en"
    folder.mkdir(parents=True)
    (folder / "reading.json").write_text('{"aim": "Ask what a child would not know."}', encoding="utf-8")
    return copied


def test_an_arm_has_words_of_its_own_above_those_without_a_model(task: Path) -> None:
    other = "{plain: {}, other: {words: words_other}, human: {shows_model: false, words: words_other}}"
    read = settings(f"round.arms={other}", "language.choices=[de]", task=task)
    words: dict[str, dict[str, Any]] = {name: arm_words(read, name) for name in read.terms.arms}
    assert words["plain"]["en"]["messages"] == {}
    assert words["other"]["en"]["messages"] == {"reading.aim": "Ask what a child would not know."}
    assert words["human"]["en"]["messages"]["reading.aim"] == "Ask what a child would not know."
    assert words["human"]["de"]["messages"]["writing.wins"] == "Abgeschickt"
    assert words["human"]["de"]["texts"].keys() == {"reading_rejected"}


def test_words_of_an_arm_that_would_break_a_page_are_refused(task: Path) -> None:
    (task / "words_other" / "en" / "reading.json").write_text('{"aim": "<script>"}', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"words_other/en/reading\.json"):
        campaign_words(settings("round.arms={a: {}, b: {words: words_other}}", task=task))


def test_an_arm_says_what_is_its_own() -> None:
    arm = ArmSettings.model_validate(
        {"words": "w", "adversary": {"members": ["a", "b"]}, "pay": {"streak_bonus_cents": {2: 5}}}
    )
    assert str(arm) == "words=w, adversary.members=[a, b], pay.streak_bonus_cents={2: 5}"
