"""What may differ when a campaign is taken up, and what a round that goes on is about."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.campaign.money.cost import cost_of, worst_case
from beat_the_ai.campaign.money.payables import payables_of
from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.service.stages.validation import validation_desk
from beat_the_ai.campaign.settings.changes import changes, check_changes
from beat_the_ai.campaign.settings.configuration import Settings, amended, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound, load_contexts
from beat_the_ai.campaign.settings.resume import begin_or_resume, check_models, check_resumption, settings_of
from beat_the_ai.dataset.placement import parts_of
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.payments import Cap, Ledger, Owed, PaymentKey
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Round, Store, now
from beat_the_ai.terms.campaign import SCREENING_OF, BoundCampaign, sample_campaign_id
from beat_the_ai.workforce import Workforce
from tests.cli.launching import TASK
from tests.payments.builders import submitted

ALL = set(Stage)


NOWHERE = "/nowhere"


def settings(folder: Path, *overrides: str) -> Settings:
    return Settings.model_validate_json(_settings_text(overrides).replace(NOWHERE, str(folder)))


@cache
def _settings_text(overrides: tuple[str, ...]) -> str:
    return read_settings(TASK, ["round.max_hits=4", *overrides], out=Path(NOWHERE)).model_dump_json()


@pytest.mark.parametrize(
    ("override", "stage"),
    [
        ("pay.reward_cents=300", Stage.WRITING),
        ("pay.bonus_cents_per_win=5", Stage.WRITING),
        ("round.max_tries=7", Stage.WRITING),
        ("dataset.dev=3", Stage.WRITING),
        ("validation.parts=[test]", Stage.WRITING),
        ("task.options.f1_threshold=0.9", Stage.SCREENING),
        ("task.title=Another", Stage.VALIDATION),
        ("language.data=ar", Stage.SCREENING),
        ("adversary.members=['onnx:other']", Stage.SCREENING),
        ("+crowd.auto_approval_seconds=60", Stage.WRITING),
        ("qualification.judged_by=people", Stage.WRITING),
        ("qualification.reward_cents=1", Stage.SCREENING),
        ("validation.terms.reward_cents=300", Stage.VALIDATION),
        ("validation.rules.votes_wanted=5", Stage.WRITING),
    ],
)
def test_what_people_were_told_is_frozen_from_then_on(tmp_path: Path, override: str, stage: Stage) -> None:
    before, given = settings(tmp_path), settings(tmp_path, override)
    check_changes(before, given, [])
    check_changes(before, before, ALL)
    with pytest.raises(InvalidInput, match=override.partition("=")[0].lstrip("+")):
        check_changes(before, given, [stage])


def test_every_difference_is_named_with_both_values(tmp_path: Path) -> None:
    given = settings(tmp_path, "pay.reward_cents=300", "round.max_tries=7", "profile.port=3000")
    with pytest.raises(InvalidInput) as caught:
        check_changes(settings(tmp_path), given, ALL)
    assert "  round.max_tries: 25 in the campaign, 7 was given\n" in str(caught.value)
    assert "  pay.reward_cents: 200 in the campaign, 300 was given\n" in str(caught.value)
    assert "profile" not in str(caught.value)


@pytest.mark.parametrize(
    "override",
    [
        "profile.port=3000",
        "adversary.streams=2",
        "adversary.timeout_seconds=5",
        "+crowd.page_url=https://a.example",
        "qualification.min_reviews=3",
    ],
)
def test_addresses_ports_and_time_outs_may_change_at_any_time(tmp_path: Path, override: str) -> None:
    given = settings(tmp_path, override)
    assert changes(settings(tmp_path), given)
    check_changes(settings(tmp_path), given, ALL)


def test_there_may_be_more_and_never_less(tmp_path: Path) -> None:
    less, more = settings(tmp_path), settings(tmp_path, "round.max_hits=null", "round.reoffers=2", "pay.cap_cents=1")
    check_changes(less, more, ALL)
    with pytest.raises(InvalidInput) as caught:
        check_changes(more, less, ALL)
    assert "round.max_hits: null in the campaign, 4 was given" in str(caught.value)
    assert "round.reoffers" in str(caught.value)
    assert "cap_cents" not in str(caught.value)


@pytest.mark.parametrize(
    ("override", "stage", "way_out"),
    [
        ("contexts=README.md", Stage.WRITING, "beat-the-ai round open --out "),
        ("round.max_hits=6", Stage.WRITING, "beat-the-ai round open --out "),
        ("round.hits_per_context=2", Stage.WRITING, "beat-the-ai round open --out "),
        ("round.reoffers=2", Stage.WRITING, "beat-the-ai round open --out "),
        ("qualification.places=3", Stage.SCREENING, "beat-the-ai review grant"),
    ],
)
def test_a_closed_stage_gets_no_more_hits(tmp_path: Path, override: str, stage: Stage, way_out: str) -> None:
    before, given = settings(tmp_path), settings(tmp_path, override)
    check_changes(before, given, ALL, ALL - {stage})
    with pytest.raises(Refused) as caught:
        check_changes(before, given, ALL, {stage})
    assert way_out in str(caught.value)
    assert f"  {override.partition('=')[0]}: " in str(caught.value)
    check_changes(before, settings(tmp_path, "pay.cap_cents=1"), ALL, ALL)


def test_a_closed_round_keeps_what_it_has(store: Store, tmp_path: Path) -> None:
    """Its passages would be lost: no later round may offer them."""
    given = settings(tmp_path, "qualification.places=2")
    campaign = begin_or_resume(PlannedRound(store, given))
    offered = create_hits(PlannedRound(store, given)).hits()
    records = [
        store.campaigns.get(campaign.id),
        store.rounds.current(campaign.id),
        store.campaigns.contexts(given.name),
    ]
    validation_desk(settings(tmp_path, "round.max_hits=6"), campaign)
    assert store.campaigns.contexts(given.name) == records[2], "validation offers nothing to writers"
    records[1] = closed = store.rounds.close(campaign.id, now())
    for override in ("round.max_hits=6", "round.hits_per_context=2", "round.reoffers=2"):
        more = settings(tmp_path, "qualification.places=2", override)
        planned = PlannedRound(store, more)
        with pytest.raises(Refused, match="Round 1 is closed and offers no more HITs"):
            check_resumption(campaign, planned, stage=Stage.WRITING)
        with pytest.raises(Refused, match="Round 1 is closed and offers no more HITs"):
            begin_or_resume(planned, stage=Stage.WRITING)
        assert create_hits(PlannedRound(store, more)).hits() == offered, "a file may grow unseen"
    assert [
        store.campaigns.get(campaign.id),
        store.rounds.current(campaign.id),
        store.campaigns.contexts(given.name),
    ] == records
    with pytest.raises(Refused, match="Round 1 of 'reading-comprehension' is closed"):
        store.campaigns.offer(campaign.id, [Context("new", "A text.")], round_number=1, slots=1)
    for hit in offered:
        submitted(store, hit, "L", worker=f"A{hit}", crowd_id=f"3{hit}")
    store.campaigns.offer_again(campaign.id, list(offered.values()))
    assert create_hits(PlannedRound(store, given)).hits() == offered
    assert PlannedRound(store, given.model_copy(update={"contexts": tmp_path / "gone"})).contexts()
    assert store.campaigns.contexts(given.name) == records[2]
    later = settings(tmp_path, "round.number=2", "round.max_hits=null")
    PlannedRound(store, later).check_contexts()
    assert len(PlannedRound(store, later).contexts()) + len(offered) == len(load_contexts(given))
    assert closed.is_closed


def test_a_round_that_is_closed_before_it_offers_anything_is_refused(store: Store, tmp_path: Path) -> None:
    given = settings(tmp_path)
    campaign = begin_or_resume(PlannedRound(store, given))
    store.rounds.close(campaign.id, now())
    planned = PlannedRound(store, given)
    with pytest.raises(Refused, match="beat-the-ai round open"):
        planned.contexts()
    with pytest.raises(Refused, match="beat-the-ai round open"):
        worst_case(planned)
    assert store.campaigns.contexts(campaign.id) == {}


def test_a_campaign_knows_its_settings(store: Store, tmp_path: Path) -> None:
    given = settings(tmp_path, "pay.streak_bonus_cents={3: 25}", "task.options.f1_threshold=0.5")
    begin_or_resume(PlannedRound(store, given))
    known = settings_of(BoundCampaign.open(store, given.name), tmp_path)
    assert known.model_copy(update={"store": given.store}) == given
    assert amended(known, ["round.max_hits=6"]).round.max_hits == 6
    for override in ("round.max_hit=6", "round.max_hits=many", "pay=paper"):
        with pytest.raises(InvalidInput):
            amended(known, [override])


def test_task_and_seed_are_the_campaigns_for_ever(store: Store, tmp_path: Path) -> None:
    begin_or_resume(PlannedRound(store, settings(tmp_path)))
    with pytest.raises(Refused, match="seed"):
        begin_or_resume(PlannedRound(store, settings(tmp_path, "seed=8")))


def test_what_may_change_is_in_the_record_from_then_on(store: Store, tmp_path: Path) -> None:
    begin_or_resume(PlannedRound(store, settings(tmp_path)))
    begin_or_resume(PlannedRound(store, settings(tmp_path, "pay.cap_cents=5", "profile.port=3000")))
    known = settings_of(BoundCampaign.open(store, "reading-comprehension"), tmp_path)
    assert (known.pay.cap_cents, known.profile.port) == (5, 3000)


def test_what_screenings_cost_is_under_the_same_cap(store: Store, tmp_path: Path) -> None:
    given = settings(tmp_path, "qualification.places=3", "qualification.reward_cents=50")
    campaign = begin_or_resume(PlannedRound(store, given))
    without = worst_case(PlannedRound(store, given)).worst_cents
    samples = sample_campaign_id(campaign.id)
    sample = replace(campaign.record, id=samples, config={**campaign.record.config, SCREENING_OF: campaign.id})
    store.campaigns.create(sample, store.rounds.current(campaign.id).config)
    assert worst_case(PlannedRound(store, given)).worst_cents == without + 3 * 60, "as long as newcomers may come"
    assert cost_of(Stage.SCREENING, PlannedRound(store, given)).worst.worst_cents == without + 3 * 60, "and once"
    more = settings(tmp_path, "qualification.places=5", "qualification.reward_cents=50")
    assert worst_case(PlannedRound(store, more)).worst_cents == without + 5 * 60, "two more places cost as much as two"

    paid = Owed(PaymentKey(samples, "reward", "A1", "3X"), 50, 10, "Reward. Thank you!")
    Ledger(store.database, samples).intend([paid], Cap(10**6).choose)
    store.rounds.close(samples, now())
    assert worst_case(PlannedRound(store, given)).worst_cents == without + 60
    cap_cents = given.pay.cap_cents
    assert payables_of(BoundCampaign.open(store, campaign.id)).cap.people_cents == cap_cents - 60
    assert payables_of(BoundCampaign.open(store, samples)).cap.people_cents == cap_cents
    other = replace(paid, key=replace(paid.key, campaign=campaign.id))
    Ledger(store.database, campaign.id).intend([other], Cap(10**6).choose)
    assert payables_of(BoundCampaign.open(store, samples)).cap.people_cents == cap_cents - 60


def test_a_round_goes_on_with_more_contexts_and_keeps_those_it_has(store: Store, tmp_path: Path) -> None:
    given = settings(tmp_path)
    campaign = begin_or_resume(PlannedRound(store, given))
    first = set(create_hits(PlannedRound(store, given)).hits())
    assert len(first) == 4
    divided = parts_of(BoundCampaign.open(store, campaign.id))
    cheap, dear = (
        worst_case(PlannedRound(store, given)),
        worst_case(PlannedRound(store, settings(tmp_path, "round.max_hits=6"))),
    )
    assert dear.worst_cents > cheap.worst_cents
    more = create_hits(PlannedRound(store, settings(tmp_path, "round.max_hits=6"))).hits()
    assert len(more) == 6
    assert first < set(more)
    file = tmp_path / "more.jsonl"  # the passages on offer are not in it
    offered = {context.id for context in store.campaigns.contexts(campaign.id)[1]}
    lines = [line for line in given.contexts.read_text().splitlines() if json.loads(line)["id"] not in offered]
    file.write_text("\n".join(lines))
    others = create_hits(PlannedRound(store, settings(tmp_path, "round.max_hits=8", f"contexts={file}"))).hits()
    assert len(others) == 8
    assert set(more) < set(others)
    assert divided.items() < parts_of(BoundCampaign.open(store, campaign.id)).items()


@pytest.mark.parametrize("seed", range(10))
def test_a_round_that_goes_on_in_balance_by_genre_moves_no_context(store: Store, tmp_path: Path, seed: int) -> None:
    given_first = read_settings(TASK.parent / "nli", [f"seed={seed}"], out=tmp_path)

    def offered(most: int) -> dict[str, str]:
        given = amended(given_first, [f"round.max_hits={most}"])
        forecast = PlannedRound(store, given).part_sizes()
        campaign = begin_or_resume(PlannedRound(store, given))
        create_hits(PlannedRound(store, given))
        part_of = parts_of(BoundCampaign.open(store, campaign.id))
        assert Counter(part_of.values()) == forecast
        return part_of

    first = offered(40)
    assert first.items() < offered(90).items()


def test_another_round_has_other_contexts(store: Store, tmp_path: Path) -> None:
    given = settings(tmp_path)
    campaign = begin_or_resume(PlannedRound(store, given))
    create_hits(PlannedRound(store, given))
    later = settings(tmp_path, "round.number=2")
    with pytest.raises(InvalidInput, match="in round 1"):
        begin_or_resume(PlannedRound(store, later))
    store.rounds.open(Round(campaign.id, 2, later.of_round(), now()))
    with pytest.raises(InvalidInput, match="in round 2"):
        begin_or_resume(PlannedRound(store, given))
    check_resumption(BoundCampaign.open(store, given.name), PlannedRound(store, given), Stage.VALIDATION)
    begin_or_resume(PlannedRound(store, later))
    create_hits(PlannedRound(store, later))
    by_round = store.campaigns.contexts(campaign.id)
    assert {number: len(contexts) for number, contexts in by_round.items()} == {1: 4, 2: 4}
    everything = settings(tmp_path, "round.number=3", "round.max_hits=null")
    store.rounds.open(Round(campaign.id, 3, everything.of_round(), now()))
    create_hits(PlannedRound(store, everything))
    store.rounds.open(Round(campaign.id, 4, everything.of_round(), now()))
    with pytest.raises(Refused, match="never crosses rounds"):
        PlannedRound(store, settings(tmp_path, "round.number=4")).contexts()


def test_a_file_that_names_an_earlier_rounds_context_anew_opens_no_round(store: Store, tmp_path: Path) -> None:
    first = settings(tmp_path, "round.max_hits=null")
    begin_or_resume(PlannedRound(store, first))
    create_hits(PlannedRound(store, first))
    PlannedRound(store, first).check_contexts()  # the same file may go on
    known, *_ = (json.loads(line) for line in first.contexts.read_text("utf-8").splitlines())
    text = known["context"]
    for given, told in (
        ({"id": "twin", "context": text.upper().replace(" ", "  "), "questions": []}, "the text of 'twin'"),
        ({"context": f"{text} And so on.", "questions": []}, f"the id '{known['id']}', with another text"),
    ):
        path = tmp_path / "more.jsonl"
        path.write_text(json.dumps({**known, **given}) + "\n", encoding="utf-8")
        later = settings(tmp_path, "round.number=2", f"contexts={path}")
        with pytest.raises(InvalidInput, match="never crosses rounds") as caught:
            PlannedRound(store, later).check_contexts()
        assert told in str(caught.value)
        with pytest.raises(Refused, match="never crosses rounds"):  # nor is it offered without having been opened
            PlannedRound(store, later).contexts()


def test_passages_whose_work_was_all_discarded_are_known(store: Store, tmp_path: Path) -> None:
    given = settings(tmp_path, "round.max_hits=3")
    campaign = begin_or_resume(PlannedRound(store, given))
    (bad, first), (good, _), (unfinished, _) = create_hits(PlannedRound(store, given)).hits().items()
    submitted(store, bad, "W", worker="ABAD", crowd_id="3A")
    submitted(store, good, "W", worker="AGOOD", crowd_id="3B")
    store.attempts.accept(unfinished, "ABAD", "3C-ABAD", now())
    assert PlannedRound(store, given).discarded_contexts() == []
    Workforce(BoundCampaign.open(store, campaign.id)).revoke("ABAD", "nora", "nonsense")
    assert PlannedRound(store, given).discarded_contexts() == [first]
    before = worst_case(PlannedRound(store, given)).worst_cents
    assert worst_case(PlannedRound(store, given), [first]).worst_cents == before + 240
    store.campaigns.offer_again(campaign.id, [first])
    assert len(create_hits(PlannedRound(store, given)).hits()) == 4
    assert worst_case(PlannedRound(store, given)).worst_cents == before + 240
    assert PlannedRound(store, given).discarded_contexts() == []


def test_a_round_keeps_its_models(store: Store, tmp_path: Path) -> None:
    given = settings(tmp_path)
    begin_or_resume(PlannedRound(store, given))
    model = ModelIdentity("bidaf", "reading_comprehension", "a" * 64, "fp32")
    check_models(PlannedRound(store, given), {"bidaf-small": model})
    check_models(PlannedRound(store, given), {"bidaf-small": model})
    assert [dict(one) for one in store.rounds.current(given.name).models] == [
        {"member": "bidaf-small", "name": "bidaf", "task": model.task, "hash": "a" * 64, "precision": "fp32"}
    ]
    other = ModelIdentity("bidaf", "reading_comprehension", "b" * 64, "fp32")
    with pytest.raises(InvalidInput, match=r"bidaf-small \(aaaaaaaa, fp32\); loaded were bidaf-small \(bbbbbbbb"):
        check_models(PlannedRound(store, given), {"bidaf-small": other})
