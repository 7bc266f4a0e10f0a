"""Reading a task folder's configuration."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from beat_the_ai.adversary.registry import member_name
from beat_the_ai.campaign.settings.addresses import frame_ancestors, hosts
from beat_the_ai.campaign.settings.configuration import Settings, load_task, read_settings
from beat_the_ai.campaign.settings.qualification import requirement_set
from beat_the_ai.errors import InvalidInput
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.division import Division
from beat_the_ai.terms.fees import Fees

PRICED = [
    "adversary.members=['openai:http://127.0.0.1:1/v1?cents_per_million_tokens_in=1&cents_per_million_tokens_out=1#tiny']"
]
PROLIFIC = ["crowd=prolific", "crowd.prolific.workspace=w1", "crowd.prolific.minutes=5"]
TASK = Path(__file__).parents[3] / "tasks" / "reading_comprehension"


def settings(*overrides: str, **given: Any) -> Settings:
    return read_settings(TASK, list(overrides), **{"out": Path("/nowhere"), **given})


def test_the_defaults_are_the_papers() -> None:
    read = settings()
    assert read.task.options["f1_threshold"] == 0.4
    assert (read.round.wins_wanted, read.round.max_wins) == (3, 5)
    assert (read.pay.reward_cents, read.pay.cap_cents) == (200, 2_700_000)
    assert read.pay.rules() == BonusRules()
    assert read.adversary.members == ["onnx:bidaf-small"]


def test_the_command_line_overrides_the_file() -> None:
    read = settings("round.max_wins=4", "adversary=huggingface", "adversary.members=['huggingface:/models/x']")
    assert read.round.max_wins == 4
    assert read.adversary.members == ["huggingface:/models/x"]


@pytest.mark.parametrize(
    ("task", "name", "first", "figures"),
    [
        ("reading_comprehension", "bidaf", "onnx:bidaf-small", {"exact_match", "f1"}),
        ("reading_comprehension", "bert", "huggingface:google-bert/bert-large-", {"exact_match", "f1"}),
        ("reading_comprehension", "roberta", "huggingface:csarron/roberta-large-", {"exact_match", "f1"}),
        ("nli", "roberta_nli", "huggingface:ynie/roberta-large-", {"accuracy"}),
    ],
)
def test_an_adversary_by_name_is_one_model_at_a_commit_with_its_published_scores(
    task: str, name: str, first: str, figures: set[str]
) -> None:
    read = read_settings(TASK.parent / task, [f"adversary={name}"], out=Path("/nowhere"))
    [member] = read.members
    assert member.startswith(first)
    assert not member.startswith("huggingface:") or re.search("@[0-9a-f]{40}$", member)
    assert "@" not in member_name(member)
    published = read.adversary.published
    assert published is not None
    assert set(published.scores) == figures
    assert published.licence in ("MIT", "Apache-2.0")
    elsewhere = read_settings(
        TASK.parent / task, [f"adversary={name}", "adversary.members=['huggingface:/models/x']"], out=Path("/nowhere")
    )
    assert (elsewhere.members, elsewhere.adversary.published) == (["huggingface:/models/x"], published)


def test_the_division_of_the_dataset_is_configuration() -> None:
    assert settings().dataset.division(1) == Division(1)
    chosen = settings("dataset.dev=2", "dataset.exclusive_writers=[W1,W2]", "dataset.exclusive_share=0.1")
    assert chosen.dataset.division(5) == Division(5, 10, 2, 1, frozenset({"W1", "W2"}), 0.1)


def test_people_judge_every_screening_in_the_papers_configuration_and_by_setting() -> None:
    judged_by = {name: settings(f"qualification={name}").qualification.judged_by for name in ("paper", "open", "none")}
    assert judged_by == {"paper": "people", "open": "grader", "none": "grader"}
    chosen = settings("qualification=open", "qualification.judged_by=people", "qualification.second_person=false")
    assert (chosen.qualification.judged_by, chosen.qualification.second_person) == ("people", False)
    assert settings().qualification.second_person


def test_people_cannot_qualify_for_hits_that_ask_for_no_qualification() -> None:
    requirement_set(settings("qualification=open", "qualification.judged_by=people"))
    with pytest.raises(InvalidInput, match=r"requirements=experienced do not ask for it \('own'\)"):
        requirement_set(settings("qualification=none", "qualification.judged_by=people"))


def test_bonus_rules_are_configuration() -> None:
    read = settings("pay.bonus_cents_per_verified_win=50", "pay.streak_bonus_cents={3: 25}", "pay.masters=true")
    assert read.pay.rules() == BonusRules(cents_per_verified_win=50, streak_cents={3: 25})
    assert read.terms.tariff(read.kind).fees == Fees(masters=True)


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("round.max_win=4", "max_win"),
        ("round.max_hits=0", "round.max_hits"),
        ("adversary=robrta", "robrta"),
        ("pay.reward_cents=-1", "pay.reward_cents"),
        ("pay.cap_cents=-1", "pay.cap_cents"),
        ("dataset.exclusive_share=2", "dataset.exclusive_share"),
        ("dataset.dev=-1", "dataset.dev"),
        ("qualification.judged_by=nobody", "qualification.judged_by"),
        ("pay.streak_bonus_cents={three: 25}", "pay.streak_bonus_cents"),
        ("contexts=/no/such/file.json", "/no/such/file.json"),
        ("name='a/b'", "name"),
        ("profile.frame_ancestors=['https://a.example; script-src *']", "profile.frame_ancestors"),
        ("profile.connections_per_address=-1", "profile.connections_per_address"),
    ],
)
def test_what_is_wrong_is_named(override: str, named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        settings(override)


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["pay.bonus_cent_per_win=10"], "Did you mean 'pay.bonus_cents_per_win'?"),
        (["cap=3"], "Unknown setting 'cap'. Available: pay.cap_cents."),
        (["salary=3"], "Available: adversary, "),
        (["crowd=mturk", "crowd.endpoint_ulr=x"], "Did you mean 'crowd.endpoint_url'?"),
        (["round.max_win=4", "adversary=robrta"], "Available: bert, "),
        (
            ["qualification=opne"],
            "Unknown qualification 'opne'. Available: masters, none, open, paper. Did you mean 'open'?",
        ),
        (
            ["crowd.provider=mocc"],
            "Unknown crowd.provider 'mocc'. Available: link, mock, mturk, own, prolific. Did you mean 'mock'?",
        ),
        (["crowd=mturk", "crowd.provider=mturk_sandbox"], "Available: link, mock, mturk, own, prolific."),
        (["round.max_hits"], "'round.max_hits' was given. A setting has a value: KEY=VALUE."),
        (["validation.parts=train"], "A list is needed, as in validation.parts=[one,other]."),
        (["pay.streak_bonus_cents=25"], "Pairs are needed, as in 'pay.streak_bonus_cents={2: 25}'."),
        (["+pay.tip=1"], "pay.tip=1: There is no such setting."),
    ],
)
def test_what_is_misspelt_is_told_with_what_there_is(overrides: list[str], told: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        settings(*overrides)
    assert told in str(caught.value)
    assert "path=" not in str(caught.value)


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["crowd=own", "crowd.unit=euros"], "crowd.unit"),
        (["crowd=mturk", "+crowd.unit=EUR"], "the unit of mturk is USD"),
        (["+crowd.unit=points"], "the unit of mock is USD"),
        ([*PROLIFIC, "crowd.unit=points"], "the currency of the workspace"),
        (["crowd=own", "crowd.unit=points", "pay.fees=true"], "Set pay.fees=false"),
        (["crowd=own", "crowd.unit=hours", *PRICED], "this language model costs money"),
    ],
)
def test_a_unit_that_the_crowd_or_the_costs_do_not_allow_is_refused(overrides: list[str], told: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(told)):
        read_settings(TASK, overrides, out=Path("/nowhere"))


def test_people_of_ones_own_may_get_points_and_nothing() -> None:
    settings = read_settings(TASK, ["crowd=own", "crowd.unit=points", "pay.reward_cents=0"], out=Path("/nowhere"))
    assert settings.crowd.amount(settings.pay.reward_cents) == "0 points"


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ([], ["'self'"]),
        (["crowd=mturk"], ["https://*.mturk.com"]),
        (
            ["crowd=mturk", "crowd.endpoint_url=http://127.0.0.1:8700"],
            ["http://127.0.0.1:8700", "http://localhost:8700"],
        ),
        (["crowd=mturk", "crowd.endpoint_url=https://market.example.org/"], ["https://market.example.org"]),
        (["profile.frame_ancestors=[https://a.example]"], ["https://a.example"]),
    ],
)
def test_the_crowd_alone_may_frame_the_page(
    overrides: list[str], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL_MTURK", raising=False)
    assert list(frame_ancestors(settings(*overrides))) == expected


def test_the_crowd_is_found_where_boto3_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_MTURK", "https://market.example.org:8443")
    assert frame_ancestors(settings("crowd=mturk")) == ("https://market.example.org:8443",)


def test_the_router_answers_to_the_name_that_workers_are_sent_to() -> None:
    read = settings("crowd=mturk", "crowd.page_url=https://tasks.example.org/", "profile.hosts=[other.example.org]")
    assert hosts(read) == ("other.example.org", "tasks.example.org")


@pytest.mark.parametrize(
    "promised",
    [
        ["pay.bonus_cents_per_verified_win=50"],
        ["pay.streak_bonus_cents={3: 25}", "pay.verified_streaks=true"],
    ],
)
def test_a_bonus_that_nobody_could_ever_earn_is_not_promised(promised: list[str]) -> None:
    settings(*promised)
    with pytest.raises(InvalidInput, match="nobody checks any") as caught:
        settings(*promised, "validation.parts=[]")
    assert caught.value.field == "validation.parts"


def test_a_path_with_quotes_and_spaces_arrives_as_it_is(tmp_path: Path) -> None:
    odd = tmp_path / 'it\'s a "path", [really]'
    assert settings(out=odd).out == odd


@pytest.mark.parametrize("name", ["x?", "x?y=1", "x%41", "x%3Fy"])
def test_a_folder_that_means_another_one_in_a_url_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match="Choose a folder without them") as refused:
        settings(out=tmp_path / name)
    assert refused.value.field == "out"
    assert settings("store.url=postgresql+psycopg://host/database", out=tmp_path / name).out == tmp_path / name


@pytest.mark.parametrize("name", ["x#y", "50%", "100% x", "a@b", "a;b&c=d"])
def test_the_store_lies_in_the_folder_whatever_its_name(tmp_path: Path, name: str) -> None:
    url = settings(out=tmp_path / name).store.url
    assert sa.make_url(url).database == str(tmp_path / name / "private" / "campaign.db")


def test_a_folder_without_configuration_is_no_task(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"conf/config\.yaml"):
        read_settings(tmp_path, [], out=tmp_path)


def test_the_task_names_its_blueprint() -> None:
    assert load_task(TASK).BLUEPRINT_TYPE == "beat_the_ai_writing"


def test_parts_are_balanced_only_where_examples_have_labels() -> None:
    with pytest.raises(InvalidInput, match=r"reading_comprehension has no labels .* dataset\.balanced=\[\]"):
        settings("dataset.balanced=[test]")
