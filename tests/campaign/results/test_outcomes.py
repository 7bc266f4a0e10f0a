"""From stored votes to what exports and reports take."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import astuple
from pathlib import Path

import pytest
from click.testing import CliRunner

from beat_the_ai.analysis.rounds import BESIDE_EACH_OTHER
from beat_the_ai.campaign.money.payables import owed_to, payables_of
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes, Votes
from beat_the_ai.campaign.results.report import subject_of
from beat_the_ai.campaign.service.earnings import current_earnings
from beat_the_ai.cli import main
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.errors import StoreError
from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.rules.adjudication import Outcome, Validity
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Campaign, Round, Store, Totals, now, open_store
from beat_the_ai.terms.campaign import SCREENING_OF, BoundCampaign, sample_campaign_id
from beat_the_ai.terms.division import PARTS
from beat_the_ai.validation import AdjudicatedWorks, results, validators, vote_figures
from beat_the_ai.workforce import Reviewing, Workforce
from tests.campaign.configured import config
from tests.dataset.outcomes import validation_of
from tests.reading_comprehension import RULINGS
from tests.validation.recount import adjudicated, discarded_writers
from tests.validation.written import TEXT, answer_all, new_campaign, new_desk, passages, span, write


def found(store: Store, campaign: Campaign, without: AbstractSet[str] = frozenset()) -> dict[str, Outcome]:
    return results(adjudicated(store, campaign.id, RULINGS), RULINGS, without)


def test_an_export_holds_what_people_could_answer_of_writers_who_are_kept(store: Store, tmp_path: Path) -> None:
    campaign = new_campaign(store)
    good, bad = write(store, writer="half", answers=("1807", "Oxbow"))
    poor = write(store, "mill/1", writer="poor", answers=("Dray", "her son", "1807"))
    desk = new_desk(store, campaign, works_per_hit=5)
    for worker in ("v1", "v2", "v3"):
        answer_all(desk, worker, {good: "1807", bad: "Dray", poor[0]: "Dray"})
    [late] = write(store, "mill/2", writer="new")
    outcomes = found(store, campaign)
    validation = validation_of(outcomes, RULINGS, parts={1: PARTS})
    answered = outcomes[good]
    assert (answered.validity, answered.adjudication.label) == (Validity.VALID, "1807")
    assert [(vote.worker, vote.vote, vote.agrees, vote.counts) for vote in answered.cast] == [
        (f"v{number}", {"answer": span("1807")}, True, True) for number in (1, 2, 3)
    ]
    assert outcomes[bad].validity is Validity.INVALID
    unanswered = outcomes[poor[1]].cast[0]
    assert (unanswered.worker, unanswered.vote, unanswered.agrees) == ("v1", {"answer": None}, False)
    assert outcomes[late].cast == ()
    assert validation.discarded_workers == {"poor"}
    written = export_campaign(
        Placement(BoundCampaign.open(store, campaign.id), validation), tmp_path / "out", ["jsonl"]
    )
    lines = [json.loads(line) for path in written if path.parent.name != "attempts" for line in _jsonl(path)]
    assert {line["id"] for line in lines if line.get("answers")} == {good}


def _jsonl(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.suffix == ".jsonl" else []


def test_a_report_gets_answerability_and_human_performance_by_part(store: Store) -> None:
    campaign = new_campaign(store)
    good, _bad = write(store, answers=("1807", "Oxbow"))
    desk = new_desk(store, campaign)
    for worker in ("v1", "v2", "v3"):
        answer_all(desk, worker, {good: "1807"})
    outcomes = found(store, campaign)
    figures = vote_figures(
        outcomes.values(), validators(store.validations.snapshot(campaign.id).placed, RULINGS), RULINGS
    )
    votes = Votes(outcomes, figures, RULINGS, seed=1)
    [exact, _] = votes.performance({"dev": [good, _bad], "test": [_bad]})["dev"]
    assert (exact.observations, exact.value) == (1, 100)
    assert votes.performance({"train": [], "test": [_bad]}) == {}


def test_export_report_and_status_tell_what_the_store_holds(tmp_path: Path) -> None:
    """An adaptive campaign with its screening beside it: what validators and reviewers said is in all three."""
    settings = config(
        pay={"bonus_cents_per_verified_win": 30},
        terms={"adaptive": True},
        dataset={"train": 0, "dev": 1, "test": 0},
    )
    with closing(open_store(str(tmp_path / "campaign.db"))) as store:
        campaign = store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()), settings)
        of_pilot = {SCREENING_OF: "pilot"}
        samples = Campaign(sample_campaign_id("pilot"), "reading_comprehension", 7, "k" * 64, of_pilot, now())
        store.campaigns.create(samples, settings)
        store.campaigns.offer("pilot", passages(3), round_number=1, slots=4)
        good, bad = write(store, writer="half", answers=("1807", "Oxbow"))
        desk = new_desk(store, campaign, adaptive=True)
        for worker in ("v1", "v2", "v3"):
            answer_all(desk, worker, {good: "1807"})
        assert sum(one.with_fee_cents for one in payables_of(BoundCampaign.open(store, "pilot")).owed) == 456
        reviewing = Reviewing(BoundCampaign.open(store, "pilot"))
        [drawn] = reviewing.draw()
        reviewing.accept(drawn.assignment_id, "nora")
    run("export", tmp_path, "--format", "jsonl", "--out", tmp_path / "out")
    assert [json.loads(line)["id"] for line in _jsonl(tmp_path / "out" / "jsonl" / "dev.jsonl")] == [good]
    attempts = {row["attempt_id"]: row for row in map(json.loads, _jsonl(tmp_path / "out" / "attempts.jsonl"))}
    assert (attempts[good]["validation"], attempts[bad]["dropped"]) == ("valid", "invalid")
    run("report", tmp_path, "--out", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<td>50.0%, 1</td>" in page  # without an interval: of one writer
    assert "1 (100%)" in page  # of the writer's HITs
    # by one valid question: 240 and a bonus of 36 for its writer, 180 for the validators
    assert "<td>$4.56</td>" in page
    told = json.loads(run("status", tmp_path, "--json"))[0]["checked"]
    assert (told["settled"], told["kept"], told["votes"], told["votes_saved"]) == (2, 1, 4, 2)
    assert told["kept_share"] == [0.5, None, None]
    shown = " ".join(run("status", tmp_path).replace("│", " ").split())
    assert "2 questions, 1 answerable: 50.0%" in shown
    assert "2 saved by stopping early" in shown


def test_status_report_card_and_files_say_the_same_of_what_was_checked(tmp_path: Path) -> None:
    """Shares are taken before a writer with less than half answerable is discarded; people are measured afterwards."""
    settings = config(dataset={"train": 0, "dev": 1, "test": 1})
    with closing(open_store(str(tmp_path / "campaign.db"))) as store:
        campaign = store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()), settings)
        other = Context("mill/1", f"{TEXT} That was long ago.", "The mill", {})
        store.campaigns.offer("pilot", [*passages(1), other], round_number=1, slots=4)
        good = write(store, writer="good", answers=("1807", "Oxbow"))
        poor = write(store, writer="poor", answers=("Dray", "her son", "the mill"), slot=1)
        more = write(store, "mill/1", writer="good", answers=("90 crowns",))
        [revoked] = write(store, "mill/1", writer="revoked", answers=("1807",), slot=1)
        said = {good[0]: "1807", good[1]: "Oxbow", poor[0]: "Dray", more[0]: "90 crowns", revoked: "1807"}
        desk = new_desk(store, campaign, works_per_hit=9)
        for worker in ("v1", "v2", "v3"):
            answer_all(desk, worker, said)
        Workforce(BoundCampaign.open(store, campaign.id)).revoke("revoked", "ann", "copied")
    run("export", tmp_path, "--format", "jsonl", "--out", tmp_path / "out")
    run("report", tmp_path, "--out", tmp_path / "report.html")
    status = json.loads(run("status", tmp_path, "--json"))[0]
    [of_round] = json.loads(run("round", "status", tmp_path, "--json"))
    assert (of_round["attempts"], of_round["fooled"]) == (3, 3)
    card = (tmp_path / "out" / "README.md").read_text("utf-8")
    rows = [json.loads(line) for line in _jsonl(tmp_path / "out" / "attempts.jsonl")]
    decided = [row for row in rows if row["validation"] in ("valid", "invalid")]
    shares = {
        part: (sum(row["validation"] == "valid" for row in of_part), len(of_part))
        for part in ("dev", "test")
        if (of_part := [row for row in decided if row["context_part"] == part])
    }
    assert sorted(shares.values()) == [(1, 1), (3, 5)]
    assert (status["checked"]["kept"], status["checked"]["settled"]) == (4, 6)
    assert (status["writers_discarded"], status["attempts"]) == (1, 3)
    for part, (valid, of) in shares.items():
        in_dataset = sum(row["part"] == part and row["dropped"] is None for row in rows)
        assert re.search(rf"^\| {part} \| {valid} \| {of - valid} \| 0 \| .* \| {in_dataset} \|$", card, re.MULTILINE)
    sections = _tables(tmp_path / "report.html")
    assert {row[0]: (row[1], row[2].split(", ")[1]) for row in sections["Answerability"]} == {
        part: (str(of), str(valid)) for part, (valid, of) in shares.items()
    }
    people = {row[0]: row[1] for row in sections["Human performance"]}
    assert sorted(people.values()) == ["1", "2"]
    assert "Over all 3 attempts" in card


def test_the_verified_error_rate_of_a_round_is_taken_before_writers_are_discarded_for_votes(store: Store) -> None:
    """It is the share that `status` says; the unverified rate is that of `round status`."""
    config = {
        "round": {
            "number": 1, "hits_per_context": 4, "max_hits": None, "wins_wanted": 1, "max_wins": 5, "max_tries": 9,
            "time_limit_seconds": 3600,
        },
        "validation": {"parts": PARTS, "terms": {"gold_per_hit": 0, "reward_cents": 50}},
    }  # fmt: skip
    campaign = store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()), config)
    store.campaigns.offer("pilot", passages(1), round_number=1, slots=4)
    store.rounds.open(Round("pilot", 2, config, now()))
    for number in (1, 2):
        store.rounds.keep_models("pilot", number, [{"member": f"m{number}", "name": "fake", "hash": "a" * 64}])
    good = write(store, writer="good", answers=("1807", "Oxbow"))
    poor = write(store, writer="poor", answers=("Dray", "her son", "the mill"), slot=1)
    [revoked] = write(store, writer="revoked", answers=("1807",), slot=2)
    desk = new_desk(store, campaign, works_per_hit=9)
    for worker in ("v1", "v2", "v3"):
        answer_all(desk, worker, {good[0]: "1807", good[1]: "Oxbow", poor[0]: "Dray", revoked: "1807"})
    Workforce(BoundCampaign.open(store, campaign.id)).revoke("revoked", "ann", "copied")
    with CampaignOutcomes.at_one_moment(BoundCampaign.open(store, campaign.id)) as findings:
        sections = subject_of(findings).sections
        assert findings.validation.discarded_workers == {"poor", "revoked"}
    works = AdjudicatedWorks(BoundCampaign.open(store, campaign.id))
    assert (works.discarded_writers, works.totals.kept, works.totals.settled) == ({"poor"}, 3, 5)
    [section] = [each for each in sections if each.title == BESIDE_EACH_OTHER]
    first, _ = section.table.rows
    assert [cell[:6] for cell in (first[2], first[4])] == ["100.0%", "60.0% "]
    assert [cell.rsplit(", ")[1] for cell in (first[2], first[4])] == ["2", "3"]


def _tables(page: Path) -> dict[str, list[list[str]]]:
    """Read the rows of each section's first table from a report."""
    text = page.read_text("utf-8")
    found = {}
    for title, body in re.findall(r"<h2[^>]*>(.*?)</h2>(.*?)(?=<h2|$)", text, re.DOTALL):
        table = re.search(r"<tbody>(.*?)</tbody>", body, re.DOTALL)
        cells = re.findall(r"<tr>(.*?)</tr>", table.group(1), re.DOTALL) if table else []
        found[title.strip()] = [
            [_plain(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in cells
        ]
    return found


def _plain(cell: str) -> str:
    return re.sub(r"<[^>]+>", "", cell).strip()


def test_what_a_worker_is_owed_has_one_answer(store: Store) -> None:
    """The reviewers' page and `revoke` say what `pay` and the worker's page say, whatever was confirmed and revoked."""
    settings = config(pay={"bonus_cents_per_verified_win": 30})
    campaign = store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()), settings)
    store.campaigns.offer("pilot", passages(3), round_number=1, slots=4)
    both = write(store, writer="good", answers=("1807", "Oxbow"))
    [half, _] = write(store, "mill/1", writer="half", answers=("1807", "Oxbow"))
    desk = new_desk(store, campaign)
    for worker in ("v1", "v2", "half"):
        answer_all(desk, worker, dict(zip(both, ("1807", "Oxbow"), strict=True)) | {half: "1807"})

    def answers() -> dict[str, tuple[int, int, int]]:
        by_pay = payables_of(BoundCampaign.open(store, "pilot")).owed
        return {
            worker: (
                sum(one.cents for one in by_pay if one.key.worker == worker),
                sum(one.cents for one in owed_to(BoundCampaign.open(store, "pilot"), worker)),
                current_earnings(BoundCampaign.open(store, campaign.id), worker).earned_cents,
            )
            for worker in ("good", "half", "v1")
        }

    assert answers() == {"good": (260,) * 3, "half": (280,) * 3, "v1": (50,) * 3}
    Workforce(BoundCampaign.open(store, campaign.id)).revoke("half", "ann", "copied")
    assert answers() == {worker: (amounts[0],) * 3 for worker, amounts in answers().items()}


def test_what_was_paid_stays_in_the_cost_whatever_is_confirmed_later(store: Store) -> None:
    settings = config(pay={"bonus_cents_per_verified_win": 30, "cap_cents": 99_999})
    campaign = store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()), settings)
    store.campaigns.offer("pilot", passages(1), round_number=1, slots=4)
    [good] = write(store, writer="good", answers=("1807",))
    answer_all(new_desk(store, campaign), "v1", {good: "1807"})

    def cost() -> str:
        with CampaignOutcomes.at_one_moment(BoundCampaign.open(store, campaign.id)) as findings:
            sections = subject_of(findings).sections
        [rows] = [section.table.rows for section in sections if section.title == "Cost"]
        return next(amount for what, amount in rows if what == "earned by writers, with fees")

    paid = payables_of(BoundCampaign.open(store, "pilot"))
    paid.ledger.intend(paid.owed, paid.cap.choose)
    before = cost()
    Workforce(BoundCampaign.open(store, campaign.id)).revoke("v1", "ann", "copied")
    assert (before, cost()) == ("$2.76", "$2.76")


def run(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_votes_are_counted_by_the_rules_of_the_round_that_they_are_about(store: Store) -> None:
    """Half of the words are enough in the second round alone."""
    campaign = new_campaign(store, passages(1))
    store.rounds.open(Round(campaign.id, 2, {}, now()))
    store.campaigns.offer(campaign.id, passages(2)[1:], round_number=2, slots=4)
    [strict], [lenient] = write(store, "mill/0", answers=("her son",)), write(store, "mill/1", answers=("her son",))
    for number in (1, 2):
        desk = new_desk(store, campaign, desk={"round_number": number})
        for worker in ("v1", "v2", "v3"):
            answer_all(desk, worker, {strict: "son", lenient: "son"}, f"{number} {worker}")
    rulings = {1: Answerability(), 2: Answerability(overlap=0.5)}
    outcomes = results(adjudicated(store, campaign.id, rulings), rulings)
    told = {name: (each.validity.value, {vote.agrees for vote in each.votes}) for name, each in outcomes.items()}
    assert told == {strict: ("invalid", {False}), lenient: ("valid", {True})}


def test_totals_are_what_all_votes_come_to_whoever_is_revoked(store: Store) -> None:
    campaign = new_campaign(store)
    first = write(store, "mill/0", "w1", answers=("1807", "Dray"))
    second = write(store, "mill/1", "w2", answers=("Oxbow", "her son"))
    desk = new_desk(store, campaign)
    for worker in ("v1", "v2", "v3"):
        answer_all(desk, worker, {first[0]: "1807", second[0]: "Oxbow" if worker == "v2" else None})

    def told() -> tuple[tuple[int, ...], tuple[int, ...]]:
        with CampaignOutcomes.at_one_moment(BoundCampaign.open(store, campaign.id), every_work=True) as findings:
            settled = [each for each in findings.outcomes.values() if each.adjudication.settled]
            votes = (findings.figures.votes, findings.figures.votes_saved)
        return astuple(AdjudicatedWorks(BoundCampaign.open(store, campaign.id)).totals)[:4], (
            len(settled),
            sum(each.adjudication.kept for each in settled),
            *votes,
        )

    assert told() == ((4, 2, 12, 0), (4, 2, 12, 0))
    seen = set()
    for worker, ballots in (("v2", 8), ("w1", 4), ("v3", 2)):
        Workforce(BoundCampaign.open(store, campaign.id)).revoke(worker, "ann", "copied")
        totals, figures = told()
        assert totals == figures
        revoked = store.standings.discarded("pilot")
        with CampaignOutcomes.at_one_moment(BoundCampaign.open(store, campaign.id), every_work=True) as findings:
            assert AdjudicatedWorks(BoundCampaign.open(store, campaign.id)).discarded_writers == discarded_writers(
                findings.outcomes.values(), RULINGS
            )
            assert findings.figures.validators == len({"v1", "v2", "v3"} - revoked)
            assert sum(not one.is_gold for one in findings.ballots) == ballots
        shown = store.validations.votes_on([*first, *second])
        assert not revoked & {vote["worker"] for votes in shown.values() for vote in votes}
        seen.add(totals)
    assert len(seen) == 3
    Workforce(BoundCampaign.open(store, campaign.id)).reinstate("v2", "ann", "did not")
    assert told()[0] == told()[1] != (0, 0, 0, 0)


def test_votes_that_begin_to_count_while_totals_are_read_are_counted_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = new_campaign(store)
    [good] = write(store, answers=("1807",))
    desk = new_desk(store, campaign, desk={"awaits_crowd": True})
    for worker in ("v1", "v2", "v3"):
        answer_all(desk, worker, {good: "1807"})
    for each in store.assignments.waiting(campaign.id, Stage.VALIDATION):
        if each.worker != "v1":
            desk.confirm(each.id)
    Workforce(BoundCampaign.open(store, campaign.id)).revoke("v1", "ann", "copied")
    totals = store.works.totals

    def confirmed_first(campaign_id: str, without: Collection[str]) -> dict[str, Totals]:
        for each in store.assignments.waiting(campaign.id, Stage.VALIDATION):
            desk.confirm(each.id)
        return totals(campaign_id, without)

    monkeypatch.setattr(store.works, "totals", confirmed_first)
    assert AdjudicatedWorks(BoundCampaign.open(store, campaign.id)).totals.votes == 2


def test_votes_that_come_while_a_dataset_is_made_are_in_the_next(store: Store) -> None:
    """Whatever is read later is as it was when the outcomes were opened: an export and its report say the same."""
    campaign = new_campaign(store)
    [good] = write(store, answers=("1807",))
    desk = new_desk(store, campaign)
    for worker in ("v1", "v2"):
        answer_all(desk, worker, {good: "1807"})

    def votes(findings: CampaignOutcomes) -> dict[str, list[str]]:
        placed = list(findings.placement.attempts())
        cast = {each.row.attempt.id: [vote.worker for vote in each.outcome.cast] for each in placed if each.outcome}
        assert findings.figures.votes == sum(map(len, cast.values()))
        return cast

    with CampaignOutcomes.at_one_moment(BoundCampaign.open(store, campaign.id)) as findings:
        answer_all(desk, "v3", {good: "1807"})
        write(store, "mill/1", writer="new")
        Workforce(BoundCampaign.open(store, campaign.id)).revoke("v1", "ann", "copied")
        assert votes(findings) == {good: ["v1", "v2"]}
        with pytest.raises(StoreError, match="as it was at one moment"):
            findings.campaign.store.rounds.close(campaign.id, now())
    with CampaignOutcomes.at_one_moment(BoundCampaign.open(store, campaign.id)) as findings:
        assert votes(findings) == {good: ["v2", "v3"]}
        assert len(list(findings.placement.attempts())) == 2


def test_a_round_that_was_opened_since_is_there_at_the_moment(store: Store) -> None:
    """The rounds and terms are those of the moment, however long ago the campaign was opened."""
    campaign = new_campaign(store)
    write(store, answers=("1807",))
    opened = BoundCampaign.open(store, campaign.id)
    store.rounds.open(Round(campaign.id, 2, {}, now()))
    store.rounds.amend(campaign.id, 1, {"dataset": {"train": 1, "dev": 0, "test": 0}})
    with CampaignOutcomes.at_one_moment(opened) as findings:
        assert list(findings.campaign.rounds) == [1, 2]
        assert [each.context_part for each in findings.placement.attempts()] == ["train"]


def test_rules_without_a_name_of_their_own_are_used_as_they_are(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class of somebody else's may show nothing of itself but its place in memory."""
    campaign = new_campaign(store)
    [good] = write(store, answers=("1807",))
    monkeypatch.setattr(Answerability, "__repr__", object.__repr__)
    with CampaignOutcomes.at_one_moment(BoundCampaign.open(store, campaign.id)) as findings:
        assert [each.row.attempt.id for each in findings.placement.attempts()] == [good]
