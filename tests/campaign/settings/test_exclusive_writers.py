"""Exclusive writers are a campaign's: nobody stops being one, and nobody becomes one whose work counts elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.campaign.service.checked_contexts import CheckedContexts
from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.service.payout_preview import outlook_of
from beat_the_ai.campaign.settings.configuration import amended, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume, check_resumption, settings_of
from beat_the_ai.cli import main
from beat_the_ai.dataset.placement import parts_of
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import TEST
from beat_the_ai.terms.locate import private_folder
from beat_the_ai.workforce import Standing
from tests.payments.builders import submitted

TASK = Path(__file__).parents[3] / "tasks" / "reading_comprehension"
SIZES = ("dataset.train=1", "dataset.dev=0", "dataset.test=1", "round.max_hits=4", "round.reoffers=0")
ELSEWHERE, IN_TEST, NOWHERE = "ELSEWHERE", "INTEST", "NOWHERE"


@dataclass
class Rig:
    """A campaign whose first round is over: one writer has written for train, and one for test."""

    store: Store
    out: Path
    campaign: BoundCampaign

    def open(self, *overrides: str) -> Result:
        return CliRunner().invoke(main, ["round", "open", "--out", str(self.out), "round.max_hits=4", *overrides])

    def parts(self) -> dict[str, str]:
        return parts_of(BoundCampaign.open(self.store, self.campaign.id))


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    out = tmp_path / "campaign"
    store = open_store(str(private_folder(out) / "campaign.db"))
    settings = read_settings(
        TASK, [*SIZES, "dataset.exclusive_writers=[FIRST]", "dataset.exclusive_share=0.0001"], out=out
    )
    campaign = begin_or_resume(PlannedRound(store, settings))
    made = Rig(store, out, campaign)
    hits = create_hits(PlannedRound(store, settings)).hits()
    part_of = made.parts()
    for number, (hit, context) in enumerate(sorted(hits.items(), key=lambda each: part_of[each[1]])):
        submitted(store, hit, "W", worker=IN_TEST if part_of[context] == TEST else ELSEWHERE, crowd_id=f"3X{number}")
    store.rounds.close(campaign.id, now())
    yield made
    store.close()


@pytest.mark.parametrize(
    ("override", "told"),
    [
        (f"dataset.exclusive_writers=[FIRST,{ELSEWHERE},{IN_TEST}]", f"Work of {ELSEWHERE} counts in train or dev"),
        ("dataset.exclusive_share=1", f"Work of {ELSEWHERE} counts in train or dev"),
        (f"dataset.exclusive_writers=[{NOWHERE}]", "FIRST was exclusive in an earlier round"),
        ("dataset.exclusive_share=0", "0.0 was given, and it was 0.0001 in an earlier round"),
    ],
)
def test_no_round_is_opened_that_makes_an_exclusive_writer_of_another_or_the_other_way_about(
    rig: Rig, override: str, told: str
) -> None:
    refused = rig.open(override)
    assert refused.exit_code == 2
    assert told in " ".join(refused.stderr.split())
    assert rig.store.rounds.current(rig.campaign.id).number == 1
    assert rig.open().exit_code == 0
    campaign = BoundCampaign.open(rig.store, rig.campaign.id)
    planned = PlannedRound(rig.store, amended(settings_of(campaign, rig.out), [override]))
    with pytest.raises(InvalidInput, match=told.partition(" ")[0]):
        check_resumption(campaign, planned, Stage.WRITING)


def test_a_writer_who_is_revoked_may_come_back_and_is_not_made_exclusive_either(rig: Rig) -> None:
    rig.store.standings.add(rig.campaign.id, ELSEWHERE, Standing.REVOKED, by="lead", reason="copied", at=now())
    assert rig.open(f"dataset.exclusive_writers=[FIRST,{ELSEWHERE}]").exit_code == 2


def test_a_context_stays_in_test_when_its_exclusive_writer_is_revoked(tmp_path: Path) -> None:
    """Whatever was frozen before; a reinstatement moves nothing either."""
    out = tmp_path / "campaign"
    with closing(open_store(str(private_folder(out) / "campaign.db"))) as store:
        settings = read_settings(TASK, [*SIZES, "dataset.exclusive_writers=[FIRST]"], out=out)
        rig = Rig(store, out, begin_or_resume(PlannedRound(store, settings)))
        hits = create_hits(PlannedRound(store, settings)).hits()
        hit, context = next(each for each in hits.items() if rig.parts()[each[1]] != TEST)
        submitted(store, hit, "W", worker="FIRST", crowd_id="3X")
        checked = CheckedContexts(rig.campaign, 1, [TEST])
        before = rig.parts()
        assert before[context] == TEST
        for standing in (Standing.REVOKED, Standing.QUALIFIED):
            store.standings.add(rig.campaign.id, "FIRST", standing, by="lead", reason="copied", at=now())
            assert rig.parts() == before
            assert context in checked()


def test_who_is_made_exclusive_in_one_round_is_in_all(rig: Rig) -> None:
    """Somebody who still had a HIT of the first round, too."""
    opened = rig.open(f"dataset.exclusive_writers=[FIRST,{IN_TEST},{NOWHERE}]")
    assert (opened.exit_code, opened.stderr) == (0, "")
    assert all(
        division.is_exclusive(worker)
        for division in BoundCampaign.open(rig.store, rig.campaign.id).divisions.values()
        for worker in ("FIRST", IN_TEST, NOWHERE)
    )
    first = settings_of(BoundCampaign.open(rig.store, rig.campaign.id), rig.out, number=1)
    [context, *_] = [name for name, part in rig.parts().items() if part != TEST]
    assert outlook_of(BoundCampaign.open(rig.store, rig.campaign.id), first).is_checked(context, NOWHERE)
    assert not outlook_of(BoundCampaign.open(rig.store, rig.campaign.id), first).is_checked(context, ELSEWHERE)
