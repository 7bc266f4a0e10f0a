"""The report's comparison of arms, worked out again from what is exported and from the ledger."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from beat_the_ai.analysis.arms import COMPARED
from beat_the_ai.campaign.results.files import export_and_report, report_figures
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.results.progress import Arm, progress_of
from beat_the_ai.campaign.results.report import Subject, subject_of
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.payments import owed_by
from beat_the_ai.rules.stage import Stage
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.section import Section
from beat_the_ai.store import ArmBlocks, Campaign, Store, now
from beat_the_ai.store.tables import attempts
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import AdjudicatedWorks
from beat_the_ai.workforce import Workforce
from tests.campaign.configured import config
from tests.recompute.differences import differences
from tests.validation.written import ANSWERS, answer_all, new_desk, passages, write

ARMS: dict[str, Any] = {
    "model": {},
    "human": {"shows_model": False, "pay": {"bonus_cents_per_verified_win": 0}},
    "paid": {"pay": {"bonus_cents_per_win": 30}, "suggestions": "made.jsonl"},
}
BLOCKS = ArmBlocks(tuple(ARMS), seed=4)
WRITERS = [f"writer-{number}" for number in range(9)]
REVOKED, POOR = WRITERS[7], WRITERS[8]


@pytest.fixture
def played(store: Store) -> BoundCampaign:
    """Nine writers in three arms; one is revoked, the work of another is discarded for what others say of it."""
    settings = config(pay={"bonus_cents_per_verified_win": 20})
    settings["round"]["arms"] = ARMS
    campaign = store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()), settings)
    store.campaigns.offer("pilot", passages(5), round_number=1, slots=4)
    answers: dict[str, str] = {}
    for number, writer in enumerate(WRITERS):
        won, minutes = list(ANSWERS[number % 3 : number % 3 + 1 + number % 4]), 4 + 3 * number
        made = write(store, f"mill/{number % 5}", writer, won, slot=number // 5, arms=BLOCKS, minutes=minutes)
        answers |= dict(zip(made, won, strict=True))
        if number % 2:
            lost, place = ANSWERS[: number % 3 + 1], f"mill/{(number + 1) % 5}"
            write(store, place, writer, lost, slot=2 + number // 5, arms=BLOCKS, minutes=2, fooled=False)
    poor = {row.attempt.id for row in store.attempts.of_campaign("pilot") if row.assignment.worker == POOR}
    said = {name: None if name in poor else answer for name, answer in answers.items()}
    said |= dict.fromkeys(list(answers)[1::5])  # nobody can answer some of the others'
    desk = new_desk(store, campaign, works_per_hit=50)
    for worker in ("v1", "v2", "v3"):
        answer_all(desk, worker, said)
    Workforce(BoundCampaign.open(store, campaign.id)).revoke(REVOKED, "ann", "copied")
    _suggest(store)
    return BoundCampaign.open(store, campaign.id)


def _suggest(store: Store) -> None:
    """Make every other attempt of the arm with suggestions of one of them, every fourth without any change."""
    paid = [row.attempt.id for row in store.attempts.of_campaign("pilot") if row.assignment.arm == "paid"]
    with store.database.writing() as connection:
        for number, name in enumerate(paid[::2]):
            origin = {"id": f"s{number}", "model": "gpt", "edited": number % 2 == 1, "distance": 5 * (number % 2)}
            connection.execute(sa.update(attempts).filter_by(id=name).values(suggestion=origin))


def section_of(campaign: BoundCampaign, out: Path) -> Section:
    """Export the campaign, and return what its report says of arms."""
    return section_in(export_and_report(campaign, out))


def section_in(subject: Subject) -> Section:
    [section] = [each for each in subject.sections if each.title.startswith(COMPARED)]
    return section


def shown(section: Section) -> dict[tuple[str, str], str]:
    return {(figure, arm): value for figure, arm, value, _ in section.table.rows}


def ratio(above: float, below: float) -> float:
    return above / below


def again(campaign: BoundCampaign, rows: list[dict[str, Any]]) -> dict[tuple[str, str], str]:
    """The figures of each arm from the attempts that were exported, and from what counts and is owed."""
    revoked = {pseudonym(worker, campaign.record) for worker in campaign.store.standings.discarded("pilot")}
    verified = AdjudicatedWorks(campaign).verified_wins()
    owed = owed_by(campaign, verified)
    confirmed = {one.id: one for one in campaign.store.assignments.confirmed("pilot", Stage.WRITING)}
    discarded = {row["worker"] for row in rows if row["dropped"] == "discarded"}
    found = dict[tuple[str, str], str]()
    for arm in ARMS:
        of_arm = [row for row in rows if row["arm"] == arm]
        mine = [row for row in of_arm if row["worker"] not in discarded and not row["retracted"]]
        wins = sum(row["fooled"] for row in mine)
        hits: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in of_arm:
            if row["worker"] not in revoked:
                hits[row["assignment"]].append(row)
        settled = [
            hit
            for hit in hits.values()
            if all(row["validation"] in ("valid", "invalid") for row in hit if row["fooled"])
        ]
        votes = [row["validation"] for row in of_arm if row["worker"] not in revoked and row["validation"]]
        names = {pseudonym(one.worker, campaign.record): one for one in confirmed.values()}
        seconds = sum(
            (one.submitted_at - one.accepted_at).total_seconds()
            for one in confirmed.values()
            if one.arm == arm and one.submitted_at and pseudonym(one.worker, campaign.record) not in discarded
        )
        writers = {one.worker for one in confirmed.values() if one.arm == arm}
        cents = sum(one.with_fee_cents for one in owed if one.key.worker in writers)
        examples = sum(row["dropped"] is None for row in of_arm)
        made_of = [row["suggestion"] for row in mine if row["suggestion"] is not None]
        assert bool(made_of) == (arm == "paid")

        def assisted(tries: int, of: int = len(mine), *, suggests: bool = arm == "paid") -> str:
            return f"{ratio(tries, of):.1%}" if suggests else "–"

        assert {names[row["worker"]].arm for row in of_arm} == {arm}
        found |= {
            ("tries per win", arm): f"{ratio(len(mine), wins):.2f}",
            ("tries made of a suggestion", arm): assisted(len(made_of)),
            ("tries that are a suggestion, unchanged", arm): assisted(sum(not one["edited"] for one in made_of)),
            ("minutes per win", arm): f"{ratio(seconds / 60, wins):.2f}",
            ("model error rate, unverified", arm): f"{ratio(wins, len(mine)):.1%}",
            ("model error rate, verified", arm): "{:.1%}".format(
                ratio(
                    sum(row["validation"] == "valid" for hit in settled for row in hit),
                    sum(len(hit) for hit in settled),
                )
            ),
            ("answerable, of the decided", arm): f"{ratio(votes.count('valid'), len(votes)):.1%}",
            (
                "writers' pay for a question in the dataset that beat the model",
                arm,
            ): f"${ratio(cents, examples) / 100:.2f}",
        }
    return found


def test_the_figures_are_those_of_the_export_and_the_ledger(played: BoundCampaign, tmp_path: Path) -> None:
    subject = export_and_report(played, tmp_path)
    assert differences(tmp_path, report_figures(subject)) == []
    section = section_in(subject)
    rows = [json.loads(line) for line in (tmp_path / "attempts.jsonl").read_text("utf-8").splitlines()]
    assert {row["dropped"] for row in rows} >= {None, "discarded", "invalid", "model_right"}
    of_report = shown(section)
    for place, value in again(played, rows).items():
        assert of_report[place].partition(" ")[0] == value, place
    assert {arm: of_report["workers drawn", arm] for arm in ARMS} == dict.fromkeys(ARMS, "3")
    counted = [of_report["workers whose HITs count", arm] for arm in ARMS]
    assert sorted(counted) in (["1", "3", "3"], ["2", "2", "3"])
    assert section.table.header[-1] == "less that of model"
    assert [cells[3] for cells in section.table.rows if cells[1] == "model"] == ["–"] * 10


def test_a_difference_is_that_of_the_values_within_its_interval(played: BoundCampaign, tmp_path: Path) -> None:
    section = section_of(played, tmp_path)
    values = shown(section)
    checked = 0
    for figure, arm, value, less in section.table.rows:
        if less == "–":
            continue
        mine, other = (number(each) for each in (value, values[figure, "model"]))
        assert number(less) == pytest.approx(mine - other, abs=0.1001), (figure, arm)
        if " to " in less:
            low, high = (number(each) for each in re.findall(r"\((.*) to (.*)\)", less)[0])
            assert low <= number(less) <= high
            checked += 1
    assert checked >= 8


def number(cell: str) -> float:
    return float(re.sub(r"[^0-9.−-]", "", cell.partition(" ")[0]).replace("−", "-"))


def test_examples_name_their_arm_and_status_counts_it(played: BoundCampaign, tmp_path: Path) -> None:
    section_of(played, tmp_path)
    attempts = {
        row["attempt_id"]: row for row in map(json.loads, (tmp_path / "attempts.jsonl").read_text("utf-8").splitlines())
    }
    examples = [
        json.loads(line)
        for path in sorted((tmp_path / "jsonl").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    assert examples
    assert all(row["arm"] == attempts[row["id"]]["arm"] for row in examples)
    card = (tmp_path / "README.md").read_text("utf-8")
    for arm in ARMS:
        mine = [row for row in attempts.values() if row["arm"] == arm and row["part"] is not None]
        kept = sum(row["dropped"] is None for row in mine)
        assert re.search(
            rf"^\| {arm} \| .* \| {len({row['worker'] for row in mine})} \| {len(mine)} \| {kept} \|$", card, re.M
        )
        wins = sum(row["fooled"] for row in mine)
        hits = len({row["assignment"] for row in mine})
        by_writer = Clustered.of_values((row["fooled"] for row in mine), (row["worker"] for row in mine))
        assert progress_of(played).arms[arm] == Arm(3, hits, len(mine), wins, by_writer.bounded)
    assert list(progress_of(played).as_json()["arms"]) == list(ARMS)


def test_a_round_without_arms_has_no_such_section_column_or_row(store: Store, tmp_path: Path) -> None:
    campaign = store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()), config())
    store.campaigns.offer("pilot", passages(1), round_number=1, slots=4)
    write(store)
    bound = BoundCampaign.open(store, campaign.id)
    with CampaignOutcomes.at_one_moment(bound) as findings:
        export_campaign(findings.placement, tmp_path)
        assert not [each for each in subject_of(findings).sections if each.title.startswith(COMPARED)]
    assert progress_of(bound).arms == {}
    assert "Arms" not in (tmp_path / "README.md").read_text("utf-8")
    [row] = (tmp_path / "attempts.jsonl").read_text("utf-8").splitlines()
    assert json.loads(row)["arm"] is None
