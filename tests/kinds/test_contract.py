"""What a kind of task from elsewhere is promised: it is found, and all that the engine does with work it does with its.

`labels.py` lies outside of the package; nothing in the package knows it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas
import pytest

from beat_the_ai.analysis.pages import report_page
from beat_the_ai.campaign.results.outcomes import Votes
from beat_the_ai.campaign.results.report import campaign_subject
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.process.importing import absolute, object_at
from beat_the_ai.rules.adversary import Asker, Reply
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Context, Value
from beat_the_ai.rules.registry import bind
from beat_the_ai.store import Campaign, Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.terms.writing import Terms
from beat_the_ai.validation import ValidationDesk, page_material, page_validation, results, validators, vote_figures
from beat_the_ai.writing import WritingDesk, page_attempt
from tests.dataset.outcomes import validation_of
from tests.validation.recount import adjudicated, discarded_writers

PLACE = f"{Path(__file__).parent / 'labels.py'}:kind"
WORDS_OF_ANOTHER_KIND = re.compile("question|passage|answer", re.IGNORECASE)
PREMISES = [
    Context(f"p{number}", f"Premise {number}.", private={"known": [{"hypothesis": "It holds.", "target": "neutral"}]})
    for number in range(3)
]


class Guessing:
    """Always says "neutral"."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind

    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        del key, asker
        assert isinstance(query, self._kind.writing.query_type)
        prediction = self._kind.writing.prediction_type(label="neutral", sure=0.75)
        return Reply(prediction, "m", "guessing", "a" * 64, "fp32")


@pytest.fixture
def kind() -> Kind:
    return bind(PLACE, {"most_words": 5})


@pytest.fixture
def campaign(store: Store) -> Campaign:
    return store.campaigns.create(Campaign("labels", PLACE, 3, "k" * 64, {}, now()))


def write(store: Store, kind: Kind, campaign: Campaign) -> dict[str, str]:
    """`{attempt: target}` of those that beat the model: each of three writers writes on every premise."""

    def brief(context: Context, slot: int) -> dict[str, Any]:
        return dict(kind.writing.brief(context, slot, campaign.seed))

    desk = WritingDesk(store, kind.writing, Guessing(kind), Terms(1, 1, 3))
    won = {}
    for hit in store.campaigns.offer(campaign.id, PREMISES, round_number=1, slots=3, brief=brief):
        taken = store.campaigns.hit(hit)
        assignment, _ = desk.accept(hit, f"writer-{taken.slot}", f"r-{hit}")
        claims = {"hypothesis": f"Hypothesis {taken.slot}.", "target": "neutral"}
        made, state = desk.submit(assignment.id, "k", taken.context.id, claims)
        assert made.work == {"hypothesis": f"Hypothesis {taken.slot}.", "target": taken.brief["target"]}
        assert state.wins == (taken.brief["target"] != "neutral")
        desk.finish(assignment.id)
        if made.fooled:
            won[made.id] = taken.brief["target"]
    assert sorted(won.values()) == ["contradiction"] * 3 + ["entailment"] * 3
    return won


def check(store: Store, kind: Kind, campaign: Campaign, says: dict[str, list[str]]) -> ValidationDesk:
    """Validators answer in turn, for each attempt what is in `says`; gold is "neutral"."""
    assert kind.checking is not None
    terms = ValidationTerms(works_per_hit=2, gold_per_hit=1, same_context=False, adaptive=True)
    desk = ValidationDesk(BoundCampaign.open(store, campaign.id), kind.checking, terms)
    number = 0
    while not desk.complete():
        number += 1
        assert number < 40
        worker = f"validator-{number % 4}"
        if not desk.has_work(worker):
            continue
        assignment = desk.accept(f"h{number}", worker, f"r{number}")
        shown = page_material(desk, assignment.id)
        assert all(set(item["work"]) == {"hypothesis"} for item in shown["items"])
        for item in desk.state(assignment.id).items:
            attempt = item.item.attempt_id
            vote = "neutral" if attempt is None else says[attempt].pop(0)
            desk.vote(assignment.id, item.item.id, "k", {"label": vote})
        assert page_validation(desk.state(assignment.id))["complete"]
        desk.finish(assignment.id)
    return desk


def json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_work_is_written_voted_on_and_exported_by_its_own_rules(
    store: Store, kind: Kind, campaign: Campaign, tmp_path: Path
) -> None:
    won = write(store, kind, campaign)
    verified, relabelled, model_was_right, disputed, *others = won
    other = {"entailment": "contradiction", "contradiction": "entailment"}
    says = {
        verified: [won[verified]] * 2,
        relabelled: [won[relabelled], *[other[won[relabelled]]] * 2],
        model_was_right: ["neutral"] * 2,
        disputed: [won[disputed], other[won[disputed]], "neutral"],
        **{name: [won[name]] * 2 for name in others},
    }
    desk = check(store, kind, campaign, says)
    assert all(left == [] for left in says.values())
    checking_by_round = {1: desk.checking}
    found = results(adjudicated(store, campaign.id, checking_by_round), checking_by_round)
    assert {name: (found[name].adjudication.status, found[name].adjudication.kept) for name in list(won)[:4]} == {
        verified: ("verified", True),
        relabelled: ("relabelled", True),
        model_was_right: ("relabelled", False),
        disputed: ("disputed", False),
    }
    assert (len(found), sum(each.adjudication.kept for each in found.values())) == (6, 4)
    assert discarded_writers(found.values(), checking_by_round) == set()
    records = validators(store.validations.snapshot(campaign.id).placed, checking_by_round)
    figures = vote_figures(found.values(), records, checking_by_round)
    assert [figure.name for figure in figures.agreement] == ["alpha"]

    validation = validation_of(found, checking_by_round, parts={1: ("train", "dev", "test")})
    written = export_campaign(Placement(BoundCampaign.open(store, campaign.id), validation), tmp_path)
    assert {path.name for path in written} >= {"anli.json", "attempts.jsonl", "attempts.parquet", "README.md"}
    rows = [row for part in ("train", "dev", "test") for row in json_lines(tmp_path / "jsonl" / f"{part}.jsonl")]
    assert {row["uid"] for row in rows} == {verified, relabelled, *others}
    label = {row["uid"]: row["label"] for row in rows}
    assert (label[verified], label[relabelled]) == (won[verified][0], other[won[relabelled]][0])
    frames = [pandas.read_parquet(path) for path in (tmp_path / "parquet").glob("*.parquet")]
    assert sum(len(frame) for frame in frames) == len(rows)
    assert sum(map(len, json.loads((tmp_path / "anli.json").read_text()).values())) == len(rows)

    attempts = {row["attempt_id"]: row for row in json_lines(tmp_path / "attempts.jsonl")}
    assert len(attempts) == 9
    assert {attempts[name]["dropped"] for name in (model_was_right, disputed)} == {"invalid"}
    assert attempts[verified]["scores"] == {"surprise": 0.75}
    assert [vote["vote"] for vote in attempts[verified]["votes"]] == [{"label": won[verified]}] * 2
    kept = pandas.read_parquet(tmp_path / "attempts.parquet").set_index("attempt_id")["work"]
    assert kept[verified] == attempts[verified]["work"]

    card = (tmp_path / "README.md").read_text()
    assert '- "text-classification"' in card
    assert "| part | premises | hypotheses |" in card
    assert "| `scores.surprise` | how sure the model was of what it said |" in card
    assert not WORDS_OF_ANOTHER_KIND.search(card)

    subject = campaign_subject(
        Placement(BoundCampaign.open(store, campaign.id), validation), Votes(found, figures, checking_by_round, seed=1)
    )
    page = report_page(subject.title, subject.introduction, subject.sections)
    titles = [section.title for section in subject.sections]
    of_others = ["Error rate", "Human performance", "Validators"]
    assert titles == ["How often the model was beaten", *of_others, "Writers", "Time for a HIT"]
    assert not WORDS_OF_ANOTHER_KIND.search(page)


def test_a_page_gets_the_verdict_in_its_kinds_own_fields(store: Store, kind: Kind, campaign: Campaign) -> None:
    write(store, kind, campaign)
    row = next(iter(store.attempts.of_campaign(campaign.id)))
    shown = page_attempt(row.attempt)
    assert (set(shown["work"]), set(shown["prediction"]), set(shown["scores"])) == (
        {"hypothesis", "target"},
        {"label", "sure"},
        {"surprise"},
    )


def test_its_options_are_its_own(kind: Kind) -> None:
    assert kind.writing == bind(PLACE, {"most_words": 5}).writing
    with pytest.raises(InvalidInput, match=r"task\.options\.least_words is no option. Allowed: most_words"):
        bind(PLACE, {"least_words": 5})
    with pytest.raises(InvalidInput, match=r"validation\.rules\.majority='two': Input should"):
        bind(PLACE, {}, {"majority": "two"})


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("labels", "Unknown task 'labels'. Available: nli, quizbowl, reading_comprehension"),
        ("nowhere.at_all:kind", "There is no package 'nowhere.at_all' here"),
        ("/nowhere/labels.py:kind", "There is no /nowhere/labels.py"),
        (f"{Path(__file__).parent / 'labels.py'}:kinds", "has no 'kinds'"),
        ("json:kind", "json has no 'kind'"),
    ],
)
def test_a_kind_that_cannot_be_found_is_a_clear_error(name: str, told: str) -> None:
    with pytest.raises((UnknownName, InvalidInput), match=told):
        bind(name)


def test_a_kind_may_be_a_folder_or_a_package_that_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "my-kinds"
    folder.mkdir()
    (folder / "rules.py").write_text((Path(__file__).parent / "labels.py").read_text("utf-8"))
    (folder / "__init__.py").write_text("from .rules import kind\n")
    assert bind(f"{folder}:kind").name == "labels"
    (tmp_path / "installed_kinds.py").write_text((folder / "rules.py").read_text("utf-8"))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert bind("installed_kinds:kind").name == "labels"


def test_places_that_differ_in_a_sign_are_two(tmp_path: Path) -> None:
    for name in ("my-kind", "my_kind", "my.kind"):
        (tmp_path / f"{name}.py").write_text(f"NAME = {name!r}\n")
        assert object_at(f"{tmp_path}/{name}.py:NAME", "task.kind") == name


def test_files_are_named_from_the_task_folder_and_packages_are_not(tmp_path: Path) -> None:
    assert absolute("kind.py:kind", tmp_path) == f"{tmp_path}/kind.py:kind"
    assert absolute("../kinds:BACKEND:a/b", tmp_path / "task") == f"{tmp_path}/kinds:BACKEND:a/b"
    for name in ("reading_comprehension", "my.kinds:kind", "huggingface:deepset/model"):
        assert absolute(name, tmp_path) == name
