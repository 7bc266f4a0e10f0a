"""The report on a campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from beat_the_ai.analysis.adversarialness import adversarialness
from beat_the_ai.analysis.campaign import (
    CampaignFigures,
    Checked,
    Cost,
    Discard,
    Observed,
    Uncounted,
    campaign_sections,
)
from beat_the_ai.analysis.rescoring import beside_section
from beat_the_ai.analysis.rounds import rounds_section
from beat_the_ai.campaign.models.rescoring import FOLDER, all_rescored, kept_answers
from beat_the_ai.campaign.models.rescoring_report import campaign_rescoring_report
from beat_the_ai.campaign.models.scores import ModelScores, scores_sections
from beat_the_ai.campaign.money.on_hold import WORDS, on_hold_in
from beat_the_ai.campaign.results.arms import ArmFigures
from beat_the_ai.campaign.results.earned import earned_cents
from beat_the_ai.campaign.results.kept_findings import kept_sections
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes, Votes
from beat_the_ai.campaign.results.reached import reached_by_report
from beat_the_ai.campaign.results.responses import responses_of_campaign
from beat_the_ai.dataset.card import simulated_warning
from beat_the_ai.dataset.placement import Placement, trial
from beat_the_ai.dataset.records import Placed, pseudonym
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.dataset.trials import is_trial
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.forecast.outcome import outcome_section
from beat_the_ai.forecast.records import Forecast
from beat_the_ai.payments import Cause, PaidWork, spent_on_models_cents
from beat_the_ai.rules.answers import KeptAnswers
from beat_the_ai.rules.dataset import Example, Parts, Trial
from beat_the_ai.rules.drafts import AnsweredDraft
from beat_the_ai.rules.kind import Kind, NamesStrays, Paper
from beat_the_ai.rules.stage import Stage
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import EXCLUSIVE, PARTS
from beat_the_ai.terms.preset import HEADER, NOT_AS_IN_THE_PAPER, differences
from beat_the_ai.validation import AdjudicatedWorks
from beat_the_ai.workforce import Assessment, assess, refused_newcomers
from beat_the_ai.workforce.verdicts import standing_reviews


@dataclass(frozen=True)
class Subject:
    """The subject of a page."""

    title: str
    introduction: str
    sections: list[Section]
    paper: Paper | None
    warning: str = ""
    kind: Kind | None = None


def subject_of(outcomes: CampaignOutcomes, out: Path | None = None) -> Subject:
    """Collect what the report on a campaign says.

    `out` is the campaign's folder: how models did on its frozen rounds is kept there, what others answered, and what
    gives answers away.
    """
    placement = outcomes.placement
    verified = AdjudicatedWorks(placement.campaign).verified_wins()
    forecast = None if out is None else KEPT_FORECAST.read(out)
    rescored = [] if out is None else all_rescored(out / FOLDER)
    subject = campaign_subject(placement, outcomes.votes, verified, forecast, kept_answers(rescored))
    if out is None:
        return subject
    reports = [campaign_rescoring_report(placement, each) for each in rescored]
    looked_back = [section for each in reports for section in each.sections]
    if len(reports) > 1:
        shares = {each.rescored.label: each.shares for each in reports}
        looked_back.insert(0, beside_section(shares, placement.campaign.kind.words, reports[0].clusters))
    if rescored and (responses := responses_of_campaign(placement, rescored)).is_complete:
        looked_back += adversarialness(responses).sections
    looked_back += kept_sections(out, placement.campaign)
    return replace(subject, sections=[*scores_sections(ModelScores(out)), *subject.sections, *looked_back])


def campaign_subject(
    placement: Placement,
    votes: Votes | None = None,
    verified: Collection[str] = (),
    forecast: Forecast | None = None,
    others: Sequence[KeptAnswers] = (),
) -> Subject:
    """Collect what the store says. The placement decides what is in the dataset; human performance needs the `votes`.

    `verified` are the attempts for which bonuses for confirmed wins are paid. A `forecast` is set beside its outcome.
    `others` are models that have answered again.
    """
    campaign, validation = placement.campaign, placement.validation
    kind = campaign.kind
    tally, trials = Tally(balances=placement.balances), []
    parts: dict[str, list[Example]] = {part: [] for part in PARTS}
    discarded = validation.discarded_workers
    seen, arms = _observed_hits(campaign, discarded), ArmFigures(campaign)
    arms.hits(discarded)
    strays = kind.writing if isinstance(kind.writing, NamesStrays) else None
    for placed in placement.attempts():
        row, example = placed.row, placed.example
        tally.count(placed)
        arms.attempt(placed)
        if example is not None and placed.dropped is None:
            parts[example.part].append(example)
        if example is not None and not row.attempt.retracted:
            seen.attempt(row, is_stray=strays is not None and strays.is_stray(row.attempt.prediction))
        if _is_tried(placed):
            trials.append(trial(placed))
    arms.trials(trials)
    checked = None if kind.checking is None else Checked(kind.checking.text, _kept(tally), tally.valid_examples)
    if checked is not None and votes is not None:
        performance = votes.performance(_in_dataset(parts))
        checked = replace(checked, human=performance, asked=votes.asked, of_kind=votes.of_kind)
    discards = _discards(campaign, discarded)
    figures = CampaignFigures(
        kind.words,
        kind.paper,
        dict(sorted(seen.models.items())),
        {pseudonym(worker, campaign.record): one for worker, one in seen.writers.items()},
        seen.hit_seconds,
        _cost(campaign, tally, verified, arms),
        checked,
        discards,
        len(refused_newcomers(campaign)),
        _uncounted(campaign),
        "" if strays is None else strays.stray,
    )
    state = "checked by other people too" if tally.votes else "not yet checked by other people"
    introduction = f"A campaign of {tally.all_attempts:,} attempts; its {kind.words.works} are {state}."
    introduction = " ".join(filter(None, (introduction, campaign.left_out)))
    warning = simulated_warning(campaign)
    of_kind = kind.report(parts, trials) if kind.report is not None else []
    of_models = kind.model_report(parts, others) if kind.model_report is not None else []
    of_edits = kind.edit_report(_drafts(campaign, trials)) if kind.edit_report is not None else []
    of_votes = checked.of_kind if checked is not None else []
    outcome = [] if forecast is None else [outcome_section(forecast, reached_by_report(campaign, tally, figures.cost))]
    sections = [
        *round_sections(campaign, trials),
        *arms.sections(),
        *preset_sections(campaign),
        *of_kind,
        *of_models,
        *of_edits,
        *of_votes,
        *campaign_sections(figures),
        *outcome,
    ]
    return Subject(campaign.id, introduction, sections, kind.paper, warning, kind)


def _drafts(campaign: BoundCampaign, trials: Sequence[Trial]) -> Iterator[AnsweredDraft]:
    """Yield the drafts of these attempts that the model has answered."""
    tried = {(one.assignment, one.ordinal) for one in trials}
    for edit in campaign.store.edits.of_campaign(campaign.id):
        if edit.prediction is not None and (edit.assignment_id, edit.attempt) in tried:
            yield AnsweredDraft(
                edit.assignment_id, edit.attempt, edit.ordinal, edit.draft, edit.prediction, edit.model_hash, edit.at
            )


def _is_tried(placed: Placed) -> bool:
    return is_trial(
        retracted=placed.row.attempt.retracted,
        in_part=placed.example is not None,
        dropped=placed.dropped,
        discarded_by=placed.discarded_by,
    )


def round_sections(campaign: BoundCampaign, trials: Sequence[Trial]) -> list[Section]:
    """Return the rounds beside each other; nothing for a campaign of one."""
    models = {
        number: ", ".join(sorted(model["member"] for model in each.record.models))
        for number, each in campaign.rounds.items()
        if each.record.models
    }
    return [rounds_section(trials, models)] if len(models) > 1 else []


def preset_sections(campaign: BoundCampaign) -> list[Section]:
    """Return what is not as in the papers, by round; nothing for rounds without a preset."""
    return [
        Section(
            f"{NOT_AS_IN_THE_PAPER}: round {number}",
            f"The preset {preset.name}, after {preset.paper}.",
            Table(HEADER, differences(preset, campaign.departures(number))),
        )
        for number, each in campaign.rounds.items()
        if (preset := each.terms.preset) is not None
    ]


def _kept(tally: Tally) -> dict[str, Clustered]:
    """Return the kept works of the parts in which anything is decided."""
    return {part: tally.kept[part] for part in (*PARTS, EXCLUSIVE) if tally.kept[part].of}


def _in_dataset(parts: Parts) -> dict[str, list[str]]:
    """Return `{part: attempts in the dataset}`, and those of test by exclusive writers."""
    found = {part: [each.id for each in parts[part]] for part in PARTS}
    return {**found, EXCLUSIVE: [each.id for examples in parts.values() for each in examples if each.exclusive]}


def _observed_hits(campaign: BoundCampaign, discarded: Collection[str]) -> Observed:
    """Return the HITs that count, without those of discarded writers."""
    seen, store = Observed(), campaign.store
    judged = standing_reviews(store.reviews.of_campaign(campaign.id))
    for submitted in store.assignments.confirmed(campaign.id, Stage.WRITING):
        if submitted.worker not in discarded:
            seen.hit(submitted, is_reviewed=submitted.id in judged)
    return seen


def _discards(campaign: BoundCampaign, discarded: Collection[str]) -> list[Discard]:
    """Return the discards of all whose work counted, in the order of their pseudonyms: that of ids is not exported."""
    store, kind = campaign.store, campaign.kind
    revoked = store.standings.discarded(campaign.id)
    checked = Counter(one.worker for one in store.assignments.confirmed(campaign.id, Stage.VALIDATION))
    tried = store.attempts.numbers_by_worker(campaign.id)
    why = kind.checking.text.discarded if kind.checking is not None else ""
    discards = [
        Discard(
            pseudonym(one.worker, campaign.record),
            one.completed,
            tried.get(one.worker, 0),
            checked[one.worker],
            _why_revoked(one) if one.worker in revoked else why,
        )
        for one in assess(campaign)
        if one.worker in discarded and (one.completed or checked[one.worker])
    ]
    return sorted(discards, key=lambda one: one.worker)


def _why_revoked(one: Assessment) -> str:
    if not one.reviewed:
        return "revoked by a reviewer"
    return f"revoked by a reviewer; {one.accepted:,} of {one.reviewed:,} reviewed HITs were accepted"


def _uncounted(campaign: BoundCampaign) -> list[Uncounted]:
    """Return the uncounted HITs by cause; none for a campaign whose terms do not state its pay."""
    if not campaign.states_its_pay:
        return []
    store, held = campaign.store, on_hold_in(campaign)
    by_cause = {cause: [one for one in held if one.cause is cause] for cause in Cause}
    attempts = store.attempts.of_assignments([one.assignment.id for one in held])
    return [
        Uncounted(
            WORDS[cause],
            len(of_cause),
            sum(len(attempts.get(one.assignment.id, ())) for one in of_cause),
            sum(one.decision is not None for one in of_cause),
        )
        for cause, of_cause in by_cause.items()
        if of_cause
    ]


def _cost(campaign: BoundCampaign, tally: Tally, verified: Collection[str], arms: ArmFigures) -> Cost | None:
    """Return the cost of the wins in the dataset; None for a campaign whose terms do not state its pay.

    Arms are told what their writers earned.
    """
    if not campaign.states_its_pay:
        return None
    samples = campaign.samples
    work = PaidWork.read(campaign)
    written = earned_cents(campaign, work.writing, verified)
    arms.earned(written, work.writing.assignments)
    return Cost(
        screening_cents=0 if samples is None else sum(earned_cents(samples, PaidWork.read(samples)).values()),
        writing_cents=sum(written.values()),
        validation_cents=sum(earned_cents(campaign, work.validation).values()),
        works=sum(map(tally.kept_wins, PARTS)),
        validated=sum(tally.valid_examples[part] for part in PARTS),
        models_cents=spent_on_models_cents(campaign),
        unit=campaign.crowd.unit,
    )
