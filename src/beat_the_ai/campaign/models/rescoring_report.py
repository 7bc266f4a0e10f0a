"""Figures by group of another model's answers to a campaign's attempts, or to a dataset's works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from beat_the_ai.analysis.rescoring import WRITER, RescoredWork, Share, rescoring_sections, shares
from beat_the_ai.campaign.models.rescoring import Past, Rescored
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.files.values import check_unique
from beat_the_ai.rules.adjudication import Validity
from beat_the_ai.rules.corpora import LabelledWork
from beat_the_ai.rules.kind import Kind, Words, strays_among
from beat_the_ai.statistics.section import Section
from beat_the_ai.store import AttemptInCampaign
from beat_the_ai.terms.campaign import BoundCampaign


@dataclass(frozen=True)
class RescoringReport:
    """`same`: how many of the works this very model had judged then, with the same verdict and in all.

    `strays` are what its strays are, and how many of its answers; None where there are none. `clusters` is what the
    clusters of intervals are called.
    """

    rescored: Rescored
    words: Words
    clusters: str
    shares: Sequence[Share]
    same: tuple[int, int]
    strays: tuple[str, int] | None

    @property
    def sections(self) -> list[Section]:
        return rescoring_sections(self.rescored.label, self.words, self.clusters, self.shares, self.same, self.strays)


def past_of_campaign(campaign: BoundCampaign) -> list[Past]:
    """Return the attempts that count and were not taken back, each to be judged by the terms of its own round.

    What the campaign's kind compares with them comes last.
    """
    writing = {number: each.kind.writing for number, each in campaign.rounds.items()}
    found = []
    for row in _rows(campaign):
        rules = writing[row.hit.round]
        work = rules.work_type.model_validate(row.attempt.work)
        found.append(Past(row.attempt.id, row.hit.task_item, work, rules))
    compared = campaign.kind.compared
    return [*found, *([] if compared is None else _past(campaign.kind, compared()))]


def past_of_dataset(kind: Kind, works: Sequence[LabelledWork]) -> list[Past]:
    """Raises `InvalidInput` where two have the same id, by which a model's answers are known again."""
    check_unique((each.id for each in works), "DATASET", "DATASET", "works")
    return _past(kind, works)


def _past(kind: Kind, works: Sequence[LabelledWork]) -> list[Past]:
    return [Past(each.id, each.task_item, each.work, kind.writing) for each in works]


def campaign_rescoring_report(placement: Placement, rescored: Rescored) -> RescoringReport:
    """Return the figures of the attempts that the model has answered, without those of discarded writers."""
    campaign, kind = placement.campaign, placement.campaign.kind
    works, alike = [], []
    for placed in placement.attempts():
        row = placed.row
        verdict = rescored.verdicts.get(row.attempt.id)
        if verdict is None or placed.example is None or row.attempt.retracted:
            continue
        attempt = row.attempt
        groups = {
            "round": f"{row.hit.round}",
            "model then": attempt.member,
            **({} if kind.corpora is None else kind.corpora.groups(attempt.work, row.hit.task_item)),
            WRITER: pseudonym(row.assignment.worker, campaign.record),
        }
        confirmed = placed.validity is Validity.VALID
        works.append(RescoredWork(attempt.fooled, verdict.fooled, confirmed, groups[WRITER], groups))
        if (attempt.model_hash, attempt.model_precision) == (rescored.model.hash, rescored.model.precision):
            alike.append(attempt.fooled == verdict.fooled)
    return _report(rescored, kind, works, "writers", (sum(alike), len(alike)))


def dataset_rescoring_report(kind: Kind, works: Sequence[LabelledWork], rescored: Rescored) -> RescoringReport:
    """Return the figures of a dataset's works, which nobody has confirmed. Intervals are over contexts, where known."""
    corpora = kind.corpora
    judged = [
        RescoredWork(
            each.fooled,
            rescored.verdicts[each.id].fooled,
            confirmed=False,
            cluster=each.cluster or each.id,
            groups={
                **each.groups,
                **({} if corpora is None else corpora.groups(each.work.model_dump(), each.task_item)),
            },
        )
        for each in works
        if each.id in rescored.verdicts
    ]
    clusters = kind.words.contexts if any(each.cluster for each in works) else kind.words.works
    return _report(rescored, kind, judged, clusters, (0, 0))


def _report(
    rescored: Rescored, kind: Kind, works: Sequence[RescoredWork], clusters: str, same: tuple[int, int]
) -> RescoringReport:
    strays = strays_among(kind.writing, (verdict.prediction for verdict in rescored.verdicts.values()))
    return RescoringReport(rescored, kind.words, clusters, shares(works), same, strays)


def _rows(campaign: BoundCampaign) -> Iterator[AttemptInCampaign]:
    return (row for row in campaign.store.attempts.kept(campaign.id) if not row.attempt.retracted)
