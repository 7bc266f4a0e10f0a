"""From the first hypothesis to the report: written, explained, verified and exported by the kind's own rules."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import datasets  # type: ignore[import-untyped]
import pandas
import pytest

from beat_the_ai.analysis.pages import report_page
from beat_the_ai.campaign.results.outcomes import Votes
from beat_the_ai.campaign.results.report import campaign_subject
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.kinds.nli.labels import LABELS, Label, Pair, Prediction, Probabilities
from beat_the_ai.rules.adversary import Asker, Reply
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Context, Value
from beat_the_ai.rules.registry import bind
from beat_the_ai.store import Campaign, Round, Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.terms.writing import Terms
from beat_the_ai.validation import ValidationDesk, page_material, results, validators, vote_figures
from beat_the_ai.writing import WritingDesk
from tests.dataset.outcomes import among, validation_of
from tests.kinds.nli.premises import PREMISES
from tests.kinds.nli.recompute import recomputed
from tests.validation.recount import adjudicated, discarded_writers

EXPLANATION = {"label_reason": "It is so.", "model_reason": "It cannot count."}
EXCLUSIVE = "writer-0"
FATES = ("verified", "by_two_of_three", "overruled", "model_right", "no_majority", "flagged")
OTHER: dict[Label, Label] = {"entailment": "contradiction", "contradiction": "entailment", "neutral": "entailment"}


class Neutral:
    """A model that finds everything neutral."""

    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        del query, key, asker
        probabilities = Probabilities(entailment=0.2, neutral=0.7, contradiction=0.1)
        return Reply(Prediction(label="neutral", probabilities=probabilities), "m", "neutral", "a" * 64, "fp32")


class Mistaken:
    """A model that never finds the label that was asked for: `labels` by (premise, hypothesis)."""

    def __init__(self, labels: dict[tuple[str, str], Label]) -> None:
        self._labels = labels

    def ask(self, query: Pair, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        del key, asker
        label = self._labels[query.premise, query.hypothesis]
        probabilities = Probabilities(**{name: 0.8 if name == label else 0.1 for name in LABELS})
        return Reply(Prediction(label=label, probabilities=probabilities), "m", "mistaken", "a" * 64, "fp32")


@pytest.fixture
def kind() -> Kind:
    return bind("nli")


@pytest.fixture
def campaign(store: Store) -> Campaign:
    return store.campaigns.create(Campaign("nli", "nli", 3, "k" * 64, {}, now()))


def write(
    store: Store,
    kind: Kind,
    campaign: Campaign,
    premises: list[Context],
    number: int = 1,
    model: Any = None,
    writers: str = "writer",
) -> dict[str, Any]:
    """`{attempt: target}`: every writer tries once on every premise, and explains what beat the model."""

    def brief(context: Context, slot: int) -> dict[str, Any]:
        return dict(kind.writing.brief(context, slot, campaign.seed))

    desk = WritingDesk(store, kind.writing, model or Neutral(), Terms(1, 1, 5))
    targets = {}
    for hit in store.campaigns.offer(campaign.id, premises, round_number=number, slots=3, brief=brief):
        taken = store.campaigns.hit(hit)
        assignment, _ = desk.accept(hit, f"{writers}-{taken.slot}", f"r-{hit}")
        attempt, state = desk.submit(assignment.id, "k", taken.context.id, {"hypothesis": f"Claim {taken.slot}."})
        assert attempt.fooled == (taken.brief["target"] != attempt.prediction["label"])
        assert state.explanations_missing == attempt.fooled
        if attempt.fooled:
            assert desk.explain(assignment.id, attempt.id, EXPLANATION).explanations_missing == 0
        desk.finish(assignment.id)
        targets[attempt.id] = taken.brief["target"]
    assert Counter(targets.values()) == dict.fromkeys(LABELS, len(premises))
    return targets


def verify(
    store: Store, kind: Kind, campaign: Campaign, says: dict[str, list[Label | None]], round_number: int = 1
) -> dict[int, Any]:
    """Verifiers of a round answer in turn, for each attempt what is in `says`."""
    assert kind.checking is not None
    terms = ValidationTerms(works_per_hit=4, gold_per_hit=0, same_context=False)
    desk = ValidationDesk(BoundCampaign.open(store, campaign.id), kind.checking, terms, round_number=round_number)
    for number in range(100):
        worker = f"verifier-{number % 3}"
        if desk.complete():
            break
        if not desk.has_work(worker):
            continue
        assignment = desk.accept(f"h{round_number}/{number}", worker, f"r{round_number}/{number}")
        material = page_material(desk, assignment.id)
        assert {name for item in material["items"] for name in item["work"]} == {"hypothesis"}
        for item in desk.state(assignment.id).items:
            assert item.item.attempt_id is not None
            label = says[item.item.attempt_id].pop(0)
            vote = {"label": label} if label else {"label": None, "flag": "offensive"}
            desk.vote(assignment.id, item.item.id, "k", vote)
        desk.finish(assignment.id)
    assert desk.complete()
    return {1: desk.checking}


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_train_holds_all_and_dev_and_test_hold_verified_model_errors(
    store: Store, kind: Kind, campaign: Campaign, tmp_path: Path
) -> None:
    targets = write(store, kind, campaign, PREMISES)
    beaten = {name: target for name, target in targets.items() if target != "neutral"}
    by_fate = dict(zip(FATES, beaten, strict=False))
    says: dict[str, list[Label | None]] = {name: [target, target] for name, target in beaten.items()}
    target_of = {fate: beaten[name] for fate, name in by_fate.items()}
    says[by_fate["by_two_of_three"]] = [target_of["by_two_of_three"], "neutral", target_of["by_two_of_three"]]
    says[by_fate["overruled"]] = [OTHER[target_of["overruled"]]] * 2
    says[by_fate["model_right"]] = ["neutral"] * 2
    says[by_fate["no_majority"]] = list(LABELS)
    says[by_fate["flagged"]] = [None, target_of["flagged"], None]
    rulings = verify(store, kind, campaign, says)
    assert all(left == [] for left in says.values())

    snapshot = adjudicated(store, campaign.id, rulings)
    found = results(snapshot, rulings)
    assert {
        fate: (found[name].adjudication.status, found[name].adjudication.kept) for fate, name in by_fate.items()
    } == {
        "verified": ("verified", True),
        "by_two_of_three": ("verified", True),
        "overruled": ("overruled", True),
        "model_right": ("overruled", False),
        "no_majority": ("discarded", False),
        "flagged": ("discarded", False),
    }
    assert discarded_writers(found.values(), rulings) == set()

    store.rounds.amend(campaign.id, 1, {"dataset": {"train": 1, "dev": 1, "test": 1}})
    validation = validation_of(found, rulings, parts={1: ("dev", "test")})
    export_campaign(Placement(BoundCampaign.open(store, campaign.id), validation), tmp_path)
    parts = {name: rows(tmp_path / "jsonl" / f"{name}.jsonl") for name in ("train", "dev", "test")}
    assert recomputed(tmp_path / "attempts.jsonl")["parts"] == {
        name: {row["uid"]: {label[0]: label for label in LABELS}[row["label"]] for row in part}
        for name, part in parts.items()
    }
    assert {row["model_label"] for part in parts.values() for row in part} == {"n"}
    assert "n" in {row["label"] for row in parts["train"]}
    assert "n" not in {row["label"] for name in ("dev", "test") for row in parts[name]}
    uids = {row["uid"] for part in parts.values() for row in part}
    assert uids.isdisjoint(by_fate[fate] for fate in ("no_majority", "flagged"))
    assert by_fate["model_right"] not in {row["uid"] for name in ("dev", "test") for row in parts[name]}
    assert all(len({row["context"] for row in part}) for part in parts.values())
    row = next(row for part in parts.values() for row in part if row["uid"] == by_fate["overruled"])
    assert row["label"] == OTHER[target_of["overruled"]][0]
    assert (row["reason"], row["tag"], row["emturk"]) == ("It is so. It cannot count.", "R1", False)
    assert row["genre"] in {"encyclopedia", "news", "fiction", "spoken", "how_to"}
    assert [*row] == ["uid", "context", "hypothesis", "label", "model_label", "emturk", "genre", "reason", "tag"]

    attempts = {row["attempt_id"]: row for row in rows(tmp_path / "attempts.jsonl")}
    assert [vote["vote"]["label"] for vote in attempts[by_fate["no_majority"]]["votes"]] == list(LABELS)
    assert attempts[by_fate["flagged"]]["votes"][0]["vote"] == {"label": None, "flag": "offensive"}
    assert {name: row["explanation"] for name, row in attempts.items()} == {
        name: EXPLANATION if name in beaten else None for name in targets
    }
    frame = pandas.read_parquet(tmp_path / "attempts.parquet").set_index("attempt_id")["explanation"]
    assert frame[by_fate["verified"]] == EXPLANATION

    figures = vote_figures(found.values(), validators(snapshot.placed, rulings), rulings)
    subject = campaign_subject(
        Placement(BoundCampaign.open(store, campaign.id), validation), Votes(found, figures, rulings, seed=1)
    )
    page = report_page(subject.title, subject.introduction, subject.sections)
    titles = [section.title for section in subject.sections]
    assert titles[:4] == ["Pairs and labels", "Pairs by round and genre", "Labels by round and genre", "Model errors"]
    assert "Verified model errors" in titles
    assert "how to" in page


def test_exclusive_writers_are_in_test_alone_and_marked_so(
    store: Store, kind: Kind, campaign: Campaign, tmp_path: Path
) -> None:
    write(store, kind, campaign, PREMISES[:4])
    section = {"train": 1, "dev": 0, "test": 0, "exclusive_writers": [EXCLUSIVE]}
    store.rounds.amend(campaign.id, 1, {"dataset": section})
    export_campaign(Placement(BoundCampaign.open(store, campaign.id)), tmp_path)
    assert rows(tmp_path / "jsonl" / "train.jsonl") == []
    marks = {row["hypothesis"]: row["emturk"] for row in rows(tmp_path / "jsonl" / "test.jsonl")}
    assert marks["Claim 0."] is True
    assert {mark for hypothesis, mark in marks.items() if hypothesis != "Claim 0."} == {False}


def test_a_balanced_test_part_says_what_was_left_out_and_why(
    store: Store, kind: Kind, campaign: Campaign, tmp_path: Path
) -> None:
    """Of news there is one premise more than of fiction; the writers of slot 0 are exclusive."""
    by_genre = {genre: [each for each in PREMISES if each.private["genre"] == genre] for genre in ("fiction", "news")}
    premises = [*by_genre["fiction"][:1], *by_genre["news"][:2]]
    assert len(premises) == 3
    asked = {
        (each.text, f"Claim {slot}."): kind.writing.brief(each, slot, campaign.seed)["target"]
        for each in premises
        for slot in range(3)
    }
    targets = write(store, kind, campaign, premises, model=Mistaken({key: OTHER[each] for key, each in asked.items()}))
    rulings = verify(store, kind, campaign, {name: [target, target] for name, target in targets.items()})
    outcomes = results(adjudicated(store, campaign.id, rulings), rulings)
    validation = validation_of(outcomes, rulings, parts={1: ["test"]})
    section = {"train": 0, "dev": 0, "test": 1, "exclusive_writers": [EXCLUSIVE], "balanced": ["test"]}
    store.rounds.amend(campaign.id, 1, {"dataset": section})
    export_campaign(Placement(BoundCampaign.open(store, campaign.id), validation), tmp_path)

    test = rows(tmp_path / "jsonl" / "test.jsonl")
    assert Counter((row["label"], row["genre"]) for row in test) == dict.fromkeys(product("enc", by_genre), 1)
    recomputed_test = recomputed(tmp_path / "attempts.jsonl", campaign.seed)["parts"]["test"]
    assert {row["uid"]: row["label"] for row in test} == {uid: label[0] for uid, label in recomputed_test.items()}
    attempts = rows(tmp_path / "attempts.jsonl")
    assert Counter(row["dropped"] for row in attempts) == {None: 6, "unbalanced": 3}
    assert {tuple(row["stratum"]) for row in attempts} == set(product("enc", by_genre))
    card = (tmp_path / "README.md").read_text("utf-8")
    assert "test of round 1 is balanced by label and genre: 1 of each." in card
    assert "| left out to balance the part | 0 | 0 | 3 |" in card
    exclusive = [row for row in test if row["emturk"]]
    assert f"| test_exclusive | {len({row['context'] for row in exclusive})} | {len(exclusive)} | 3 | 100.0%" in card
    assert re.search(r"^\| test_exclusive \| 3 \| 0 \| 0 \| 100\.0%", card, re.MULTILINE)

    placed = store.validations.snapshot(campaign.id).placed
    votes = Votes(outcomes, vote_figures(outcomes.values(), validators(placed, rulings), rulings), rulings, seed=1)
    sections = {
        section.title: section
        for section in campaign_subject(Placement(BoundCampaign.open(store, campaign.id), validation), votes).sections
    }
    counted = {row[0]: (row[1], row[-1]) for row in sections["Verified model errors"].table.rows}
    assert counted == {"test": ("9", "6"), "test_exclusive": ("3", f"{len(exclusive)}")}
    assert {row[0]: row[1] for row in sections["Human performance"].table.rows} == {
        "test": "6",
        "test_exclusive": f"{len(exclusive)}",
    }
    for title in ("Pairs and labels", "Verified model errors", "Human performance"):
        assert "test_exclusive" in {row[0] for row in sections[title].table.rows}
    rates = {row[:2]: row[3] for row in sections["Model errors"].table.rows}
    assert (rates["1", "all genres"], rates["1", "exclusive writers"]) == ("9", "3")

    lacking = [name for name, target in targets.items() if target == "neutral"]
    gone = {
        name: replace(each, adjudication=replace(each.adjudication, kept=False))
        for name, each in outcomes.items()
        if name in lacking
    }
    without = replace(validation, outcomes=among({**outcomes, **gone}))
    export_campaign(Placement(BoundCampaign.open(store, campaign.id), without), tmp_path)
    assert len(rows(tmp_path / "jsonl" / "test.jsonl")) == 6
    assert "test of round 1 is not balanced: it has no example of n." in (tmp_path / "README.md").read_text("utf-8")


def test_each_round_is_released_as_a_folder_and_a_dataset_dict_of_its_own(
    store: Store, kind: Kind, campaign: Campaign, tmp_path: Path
) -> None:
    write(store, kind, campaign, PREMISES[:4], number=1)
    store.rounds.close(campaign.id, now())
    store.rounds.open(Round(campaign.id, 2, {}, now()))
    write(store, kind, campaign, PREMISES[4:], number=2)
    for _ in range(2):
        export_campaign(Placement(BoundCampaign.open(store, campaign.id)), tmp_path)
        for number, premises in ((1, PREMISES[:4]), (2, PREMISES[4:])):
            folder = tmp_path / "anli" / f"R{number}"
            released = {part: rows(folder / f"{part}.jsonl") for part in ("train", "dev", "test")}
            texts = {row["context"] for part in released.values() for row in part}
            assert texts == {premise.text for premise in premises}
            assert {row["tag"] for part in released.values() for row in part} == {f"R{number}"}
            loaded = datasets.load_from_disk(str(folder / "hf"))
            assert {name: len(part) for name, part in loaded.items()} == {
                "train": len(released["train"]),
                "validation": len(released["dev"]),
                "test": len(released["test"]),
            }
            assert len(list(folder.glob("hf/train/*.arrow"))) == 1
