"""`launch --stage` and `serve --stage`: screening, validation, and the dataset that is left of a validated campaign."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.campaign.backup.archive import STORE, opened
from beat_the_ai.campaign.service.stages.validation import validation_desk
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.requester import Requester
from beat_the_ai.rules.protocol import Context
from beat_the_ai.simulation.marketplace import Account, enrol, portal_workplaces
from beat_the_ai.simulation.screening import Persona, Taken, take_screenings
from beat_the_ai.simulation.validators import ValidatorCrowd, validate
from beat_the_ai.simulation.workplaces import Workplaces, mock_workplaces
from beat_the_ai.terms.campaign import BoundCampaign, sample_campaign_id
from tests.cli.launching import (
    NAME,
    OPTIONS,
    PATIENCE_SECONDS,
    TASK,
    Outcome,
    campaign_store,
    check_marketplace,
    command,
    launch_arguments,
    launching,
    make_workers_impatient,
    needs_pages,
    people,
    run,
    submitted,
    write,
)
from tests.kinds.reading_comprehension.screening.quizzes import shipped_newcomers
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.mephisto.mturk_rig import use
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import wait_until

pytestmark = needs_pages
SCREENING = ["qualification=open", "qualification.places=2"]
HITS, VALIDATORS = 2, 3
CHECKED = [f"round.max_hits={HITS}", "dataset.train=0"]  # all that is written is validated
DEARER = ["validation.terms.reward_cents=300"]  # than it was when the writing began
VALIDATION_CENTS = 360  # with the fee


@pytest.fixture(scope="module", autouse=True)
def impatient_workers() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        make_workers_impatient(patch)
        yield


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


def take(personas: list[Persona], workplaces: Workplaces) -> list[Taken]:
    taking = take_screenings(personas, shipped_newcomers(), workplaces, seed=7, on_taken=lambda _: None)
    return asyncio.run(asyncio.wait_for(taking, PATIENCE_SECONDS))


def test_a_screening_is_launched_taken_in_the_portal_and_paid(
    market: Rehearsal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whoever takes it is paid, who fails as well; it is no part of the campaign's own work, money or dataset."""
    out, stage = tmp_path / "campaign", ["--stage", "screening", *SCREENING]
    requester = use(monkeypatch, market)
    try:
        asked = run("launch", *launch_arguments(out, *stage), answer="n\n")
        shown = " ".join(asked.stdout.replace("│", " ").split())
        assert "HITs 2 rewards $4.00 ($2.00 a HIT) fees on rewards $0.80" in shown
        newcomers = enrol(market.address, market.token, ["AGOOD", "AMALLORY"])
        with launching(out, *stage, "--yes") as launch:
            workplaces = portal_workplaces(market.address, newcomers)
            good, mallory = take([Persona.GOOD, Persona.MALICIOUS], workplaces)
            assert (good.phase, mallory.phase) == ("sample", "failed")
            assert launch.end() == 0
        outcome = Outcome.of(out, sample_campaign_id(NAME))
        assert outcome.payments == [("reward", 200, 40)] * 2
        check_marketplace(outcome, hits=2)
        told = {one["campaign"]: one for one in json.loads(run("status", str(out), "--json").stdout)}
        assert told[NAME]["crowd"].keys() == {"screening"}
        assert told[NAME]["crowd"]["screening"]["decided"] == 2
        assert (told[NAME]["attempts"], told[NAME]["money"]["confirmed_cents"]) == (0, 0)
        again = run("launch", *launch_arguments(out, *stage, "--yes"))
        assert again.exit_code == 1
        assert "The screening of campaign" in again.stderr
        assert run("report", str(out), "--out", str(tmp_path / "report.html")).exit_code == 0
    finally:
        requester.close()
        kill_router(out)


@dataclass(frozen=True)
class Validated:
    out: Path
    wins: set[str]
    unanswerable: str
    requester: Requester


@pytest.fixture(scope="module")
def validated(market: Rehearsal, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Validated]:
    """Launched and written by one writer; launched again for validators, who can answer all questions but one."""
    out = tmp_path_factory.mktemp("validated") / "campaign"
    accounts = people(market, 1 + VALIDATORS)
    with pytest.MonkeyPatch.context() as patch:
        requester = use(patch, market)
        try:
            with launching(out, *CHECKED, "--yes") as launch:
                writer = portal_workplaces(market.address, accounts[:1])
                assert asyncio.run(write(writer, 1, lambda: submitted(out) >= HITS)) == HITS
                assert launch.end() == 0
            with campaign_store(out) as store:
                rows = list(store.attempts.of_campaign(NAME))
            wins = [row for row in rows if row.attempt.fooled and not row.attempt.retracted]
            with launching(out, *CHECKED, *DEARER, "--stage", "validation", "--yes") as launch:
                unanswerable = (wins[0].hit.context.id, wins[0].attempt.work["question"])
                asyncio.run(answer_all(market, out, accounts[1:], unanswerable))
                assert launch.end() == 0
            yield Validated(out, {row.attempt.id for row in wins}, wins[0].attempt.id, requester)
        finally:
            requester.close()
            kill_router(out)


async def answer_all(market: Rehearsal, out: Path, accounts: list[Account], unanswerable: tuple[str, str]) -> None:
    def known(context: Context) -> list[Any]:
        return [one for one in context.private["questions"] if (context.id, one["question"]) != unanswerable]

    every = ReadingComprehension().load_contexts(TASK / "contexts" / "sample.jsonl")
    contexts = [replace(context, private={"questions": known(context)}) for context in every]
    settings = read_settings(TASK, [*OPTIONS, *CHECKED], out=out)
    with campaign_store(out) as store:
        desk = validation_desk(settings, BoundCampaign.open(store, NAME))
        validating = validate(
            ValidatorCrowd.of(Readers(), contexts, validators=VALIDATORS, seed=7),
            portal_workplaces(market.address, accounts),
            lambda number: desk.may_get_work(accounts[number].worker_id),
            lambda _: None,
            lambda: None,
        )
        await asyncio.wait_for(validating, PATIENCE_SECONDS)
        await asyncio.to_thread(wait_until, desk.complete, "the crowd has confirmed all votes")


def test_a_validation_is_launched_answered_in_the_portal_and_paid(validated: Validated) -> None:
    told = json.loads(run("status", str(validated.out), "--json").stdout)[0]
    validations = told["crowd"]["validation"]["decided"]
    assert validations >= VALIDATORS
    assert told["money"]["confirmed_cents"] == HITS * 240 + validations * VALIDATION_CENTS
    assert told["money"]["owed_cents"] == len(validated.wins) * 12
    paid = run("pay", str(validated.out), "--confirm")
    assert (paid.exit_code, paid.stderr) == (0, "Everything is paid.\n")
    outcome = Outcome.of(validated.out)
    assert outcome.payments.count(("reward", 300, 60)) == validations
    check_marketplace(outcome, hits=HITS + validations)


def test_development_and_test_parts_keep_only_what_validators_could_answer(
    validated: Validated, tmp_path: Path
) -> None:
    assert run("export", str(validated.out), "--format", "squad", "--out", str(tmp_path)).exit_code == 0
    exported = {question.id for passage in squad.load(tmp_path / "squad.json") for question in passage.questions}
    assert len(validated.wins) > 1
    assert exported == validated.wins - {validated.unanswerable}


def test_the_report_of_a_validated_campaign_counts_what_validators_could_answer(
    validated: Validated, tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    assert run("report", str(validated.out), "--out", str(page)).exit_code == 0
    text = page.read_text()
    assert "its questions are checked by other people too" in text
    assert ">Answerability</h2>" in text
    assert ">Human performance</h2>" in text


@dataclass(frozen=True)
class Lost:
    """A campaign whose folder is lost in the middle of a stage. `backup` is where its backups are."""

    out: Path
    backup: Path
    elsewhere: Path

    def back_up(self) -> None:
        done = run("backup", str(self.out), "--to", str(self.backup), "--no-check")
        assert done.exit_code == 0, done.stderr

    def restore(self) -> dict[str, int]:
        """Return the number of rows by table."""
        kill_router(self.out)
        self.out.rename(self.backup / "lost")
        [archive] = self.backup.glob("*.zip")
        done = run("restore", str(archive), "--to", str(self.elsewhere))
        assert done.exit_code == 0, done.stderr
        with opened(archive) as packed:
            [store] = [each for each in packed.manifest.databases if each.name == STORE]
        return store.rows


@pytest.fixture
def lost(market: Rehearsal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Lost]:
    side = use(monkeypatch, market)
    lost = Lost(tmp_path / "campaign", tmp_path / "backups", tmp_path / "elsewhere")
    yield lost
    side.close()
    for folder in (lost.out, lost.elsewhere):
        kill_router(folder)


def test_a_screening_goes_on_elsewhere_from_a_backup(market: Rehearsal, lost: Lost) -> None:
    newcomers = enrol(market.address, market.token, ["AEARLY", "ALATE"])
    with launching(lost.out, "--stage", "screening", *SCREENING, "--yes") as launch:
        [early] = take([Persona.GOOD], portal_workplaces(market.address, newcomers[:1]))
        lost.back_up()
        launch.kill()
    lost.restore()
    with launching(lost.elsewhere, "--stage", "screening", "--resume", known=True) as launch:
        [again] = take([Persona.GOOD], portal_workplaces(market.address, newcomers[:1]))
        [late] = take([Persona.MALICIOUS], portal_workplaces(market.address, newcomers[1:]))
        assert launch.end() == 0
    assert (early.phase, again.phase, late.phase) == ("sample", None, "failed")  # nobody takes it twice
    outcome = Outcome.of(lost.elsewhere, sample_campaign_id(NAME))
    assert outcome.payments == [("reward", 200, 40)] * 2
    check_marketplace(outcome, hits=2)


def test_a_validation_goes_on_elsewhere_from_a_backup_made_in_the_middle_of_a_hit(
    market: Rehearsal, lost: Lost
) -> None:
    accounts = people(market, 1 + VALIDATORS)
    with launching(lost.out, *CHECKED, "--yes") as launch:
        writer = portal_workplaces(market.address, accounts[:1])
        assert asyncio.run(write(writer, 1, lambda: submitted(lost.out) >= HITS)) == HITS
        assert launch.end() == 0
    with launching(lost.out, *CHECKED, "--stage", "validation", "--yes") as launch:
        asyncio.run(validate_by(market, accounts[1:], lambda: True, votes=4))
        lost.back_up()
        launch.kill()
    assert lost.restore()["validation_votes"] > 0
    with launching(lost.elsewhere, "--stage", "validation", "--resume", known=True) as launch:
        with campaign_store(lost.elsewhere) as store:
            settings = read_settings(TASK, [*OPTIONS, *CHECKED], out=lost.elsewhere)
            desk = validation_desk(settings, BoundCampaign.open(store, NAME))
            asyncio.run(validate_by(market, accounts[1:], lambda: not desk.complete()))
        assert launch.end() == 0
    for _ in range(2):
        paid = run("pay", str(lost.elsewhere), "--confirm")
        assert (paid.exit_code, paid.stderr) == (0, "Everything is paid.\n")
    told = json.loads(run("status", str(lost.elsewhere), "--json").stdout)[0]
    assert told["checked"]["settled"] == told["fooled"] > 0
    check_marketplace(Outcome.of(lost.elsewhere), hits=HITS + told["crowd"]["validation"]["decided"])


async def validate_by(
    market: Rehearsal, accounts: list[Account], may_work: Callable[[], bool], votes: int | None = None
) -> None:
    """Let validators work, who go on with the HITs that they have; at so many votes their browsers are closed."""
    cast, enough = itertools.count(1), asyncio.Event()
    contexts = ReadingComprehension().load_contexts(TASK / "contexts" / "sample.jsonl")
    crowd = ValidatorCrowd.of(Readers(), contexts, validators=VALIDATORS, seed=7)
    workplaces = portal_workplaces(market.address, accounts)

    def on_vote(_: object) -> None:
        if next(cast) == votes:
            enough.set()

    working = asyncio.create_task(validate(crowd, workplaces, lambda _: may_work(), on_vote, lambda: None))
    stopping = asyncio.create_task(enough.wait())
    done, left = await asyncio.wait({working, stopping}, timeout=PATIENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    assert done == {working if votes is None else stopping}


def test_a_screening_is_served_until_its_places_are_taken(tmp_path: Path) -> None:
    out = tmp_path / "play"
    given = command("serve", str(TASK), "qualification=open", "qualification.places=1", "--out", str(out))
    serving = subprocess.Popen([*given, "--stage", "screening"], stdout=subprocess.PIPE, text=True)
    try:
        assert serving.stdout is not None
        invitation = ""
        while "Work here" not in invitation or "chooses a name" not in invitation:
            invitation += serving.stdout.readline()
        assert "The screening is open." in invitation
        [address] = set(re.findall(r"http://127\.0\.0\.1:\d+", invitation))
        [taken] = take([Persona.GOOD], mock_workplaces(address, "newcomer"))
        assert taken.phase == "sample"
        serving.communicate(timeout=PATIENCE_SECONDS)
        assert serving.returncode == 0
    finally:
        serving.kill()
        kill_router(out)
    with campaign_store(out) as store:
        [screening] = store.screenings.of_campaign(NAME)
    assert (screening.worker, screening.outcome) == ("newcomer-000", "passed")
    assert (out / "report.html").is_file()


def test_there_is_no_screening_to_serve_where_nobody_is_screened(tmp_path: Path) -> None:
    result = run("serve", str(TASK), "--stage", "screening", "qualification=none", "--out", str(tmp_path / "play"))
    assert result.exit_code == 2
    assert "Choose one: qualification=paper or open." in result.stderr
