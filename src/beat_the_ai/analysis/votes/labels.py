"""Would other annotators have agreed? Labels by models of the votes beside those of the papers' rule.

The rule stays the label of the dataset. The models (`votes.models`) weigh each vote by how far its voter is
to be trusted, which they learn from all votes. They know neither the writer's label nor gold.

Votes of a kind with labels (NLI) are taken as they are; a vote for no label is a label, too. Elsewhere votes are
answers, of which hardly two are the same, so they are reduced to whether they are the writer's by the rule of the
example's round. One vote of three may be enough for the rule. A model asks what most voters whom it trusts say, so it
is stricter there: where they differ is what a reader is to look at, and no mistake of either by itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from pydantic import BaseModel

from beat_the_ai.analysis.cells import share_cell
from beat_the_ai.analysis.responses import TABLE, ExportedAttempt, VotedExample, exported_rows
from beat_the_ai.analysis.votes.findings import RULE, PartLabels, Spread, VoteFindings, few_words, labels_section
from beat_the_ai.analysis.votes.models import MODELS, LabelModel, label_models
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.adjudication import Label, Validity
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.text import printable
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.section import Section, Table

ARGUMENT, ALLOWED = "CAMPAIGN|EXPORT", "a campaign or an export"
VALID, NOT_VALID, NO_LABEL = "the writer's", "another", "no label"
MOST_LISTED, MOST_TEXT = 50, 300
MISSING = "–"


@dataclass(frozen=True)
class VotedWork:
    """A work that people voted on: the part of its context, and its result by the rule."""

    example: VotedExample
    part: str
    validity: Validity
    final: Label


Gold = Mapping[str, tuple[int, int]]
"""By voter the right votes on works with known labels, of so many."""


@dataclass(frozen=True)
class VoteLabels:
    """The labels of works by the rule and by each model. A rule that has not decided yet has none."""

    works: Sequence[VotedWork]
    has_labels: bool
    models: Mapping[str, LabelModel]
    gold: Gold

    @property
    def sections(self) -> list[Section]:
        return [labels_section(self.findings), self._different(), self._trusted()]

    @property
    def figures(self) -> dict[str, Any]:
        """Return the same for programs, with every work."""
        return {
            "works": [
                {
                    "id": work.example.id,
                    "part": work.part,
                    "writer": work.example.writer,
                    "writers_label": self._writers(work),
                    "rule": self._rule(work),
                    "votes": [[vote.voter, self._said(work, place)] for place, vote in enumerate(work.example.votes)],
                    **{name: {"label": of.label, "probability": of.probability} for name, of in self._found(work)},
                }
                for work in self.works
            ],
            "validators": [
                {
                    "validator": voter,
                    "votes": votes,
                    "with_the_rule": agreed,
                    "decided": decided,
                    "gold": list(self.gold.get(voter, (0, 0))),
                    **{name: model.trust[voter] for name, model in self.models.items()},
                }
                for voter, (votes, agreed, decided) in self._voters().items()
            ],
        }

    def _found(self, work: VotedWork) -> Iterator[tuple[str, Any]]:
        for name, model in self.models.items():
            yield name, model.labels[work.example.id]

    def _said(self, work: VotedWork, place: int) -> str:
        vote = work.example.votes[place]
        if self.has_labels:
            return NO_LABEL if vote.label is None else vote.label
        return VALID if vote.agrees else NOT_VALID

    def _writers(self, work: VotedWork) -> str:
        return work.example.author if self.has_labels else VALID

    def _rule(self, work: VotedWork) -> str | None:
        if work.validity is Validity.UNDECIDED:
            return None
        if self.has_labels:
            return NO_LABEL if work.final is None else work.final
        return VALID if work.validity is Validity.VALID else NOT_VALID

    @property
    def findings(self) -> VoteFindings:
        """Return the figures of all works and validators, without any of them."""
        by_part: dict[str, list[VotedWork]] = defaultdict(list)
        for work in self.works:
            if self._rule(work) is not None:
                by_part[work.part].append(work)
        if len(by_part) > 1:
            by_part["all"] = [work for works in list(by_part.values()) for work in works]
        voters = self._voters()
        return VoteFindings(
            works=len(self.works),
            has_labels=self.has_labels,
            writers=len({work.example.writer for works in by_part.values() for work in works}),
            parts=[self._part(part, works) for part, works in by_part.items()],
            validators=len(voters),
            votes_of_work=median(len(work.example.votes) for work in self.works),
            votes_of_validator=median(votes for votes, _, _ in voters.values()),
            trust={name: _spread(list(model.trust.values())) for name, model in self.models.items()},
        )

    def _part(self, part: str, works: Sequence[VotedWork]) -> PartLabels:
        """Return the share of works that have their writer's label, by the rule and by each model."""
        shares = {name: Clustered() for name in (RULE, *self.models)}
        differ = Counter[str]()
        for work in works:
            labels = {RULE: self._rule(work), **{name: of.label for name, of in self._found(work)}}
            for name, label in labels.items():
                shares[name].add(work.example.writer, label == self._writers(work))
                differ[name] += label != labels[RULE]
        return PartLabels(
            part=part,
            decided=len(works),
            kept={name: round(share.found) for name, share in shares.items()},
            shares={name: known for name, share in shares.items() if (known := share.share) is not None},
            differ={name: differ[name] for name in self.models},
        )

    def _different(self) -> Section:
        found = []
        for work in self.works:
            rule = self._rule(work)
            others = dict(self._found(work))
            sure = max((of.probability for of in others.values() if of.label != rule), default=0.0)
            if rule is not None and sure:
                found.append((sure, work, rule, others))
        found.sort(key=lambda each: (-each[0], each[1].example.id))
        rows = [
            (
                work.example.id,
                printable(work.example.text, max_chars=MOST_TEXT) or "",
                ", ".join(self._said(work, place) for place in range(len(work.example.votes))),
                self._writers(work),
                rule,
                *(f"{of.label} ({of.probability:.0%})" for of in others.values()),
            )
            for _, work, rule, others in found[:MOST_LISTED]
        ]
        text = (
            f"{len(found):,} works to which a model gives another label than the rule, with its probability; the "
            f"surest come first, and at most {MOST_LISTED} are listed."
        )
        header = ("work", "text", "votes", "writer", RULE, *self.models)
        return Section("Where the models differ from the rule", text, Table(header, rows))

    def _voters(self) -> dict[str, tuple[int, int, int]]:
        """Return by voter the votes, and how many are the rule's label, of those on works that are decided."""
        found: dict[str, tuple[int, int, int]] = {}
        for work in self.works:
            rule = self._rule(work)
            for place, vote in enumerate(work.example.votes):
                votes, agreed, decided = found.get(vote.voter, (0, 0, 0))
                is_same = rule is not None and self._said(work, place) == rule
                found[vote.voter] = votes + 1, agreed + is_same, decided + (rule is not None)
        return found

    def _trusted(self) -> Section:
        first = next(iter(self.models.values()))
        voters = sorted(self._voters().items(), key=lambda each: (first.trust[each[0]], each[0]))
        rows = []
        for voter, (votes, agreed, decided) in voters:
            gold = self.gold.get(voter, (0, 0))
            shares = (share_cell(agreed, decided), f"{share_cell(*gold)} of {gold[1]:,}" if gold[1] else MISSING)
            rows.append(
                (voter, f"{votes:,}", *(f"{model.trust[voter]:.0%}" for model in self.models.values()), *shares)
            )
        text = (
            "Trust is the probability of a right label (Dawid and Skene), or to know it rather than to guess (MACE). "
            f"It says little of a validator with few votes. {few_words(self.findings)}Beside it is what the votes "
            "themselves say: the share with the rule's label, and of right ones where the label is known; 95% Wilson "
            "intervals, which take votes of one validator for independent. The least trusted come first."
        )
        header = ("validator", "votes", *self.models, "with the rule's label", "right where the label is known")
        return Section("Whom the models trust", text, Table(header, rows))


def _spread(trust: Sequence[float]) -> Spread:
    return Spread(least=min(trust), median=median(trust), most=max(trust))


def vote_labels(works: Sequence[VotedWork], gold: Gold, kind: Kind) -> VoteLabels:
    """Fit the models. Raises `InvalidInput` where nobody has voted, and without the extra."""
    found = VoteLabels([work for work in works if work.example.votes], bool(kind.labels), {}, gold)
    votes = [
        (work.example.id, vote.voter, found._said(work, place))
        for work in found.works
        for place, vote in enumerate(work.example.votes)
    ]
    if not votes:
        raise InvalidInput(ARGUMENT, "There are no votes that count. Validate the works first.")
    models = label_models(votes)
    return VoteLabels(found.works, found.has_labels, {name: models[name] for name in MODELS}, gold)


class _GoldVote(BaseModel):
    worker: str
    assignment: str
    attempt_id: str | None = None
    agrees: bool
    dropped: str | None = None


class _Assignment(BaseModel):
    assignment: str
    worker: str
    gold_unanswered: int | None = None


def read_voted(folder: Path, kind: Kind) -> list[VotedWork]:
    """Return the works of an export that people voted on. Raises `InvalidInput` for a folder that is none."""
    found = []
    for place, row in exported_rows(folder, TABLE, ExportedAttempt, ARGUMENT, ALLOWED, "attempt_id"):
        if row.validation is not None and row.context_part is not None:
            found.append(VotedWork(row.voted(place, kind), row.context_part, row.validation, row.label))
    return found


def read_gold(folder: Path) -> Gold:
    """Return the votes on gold of an export; gold that was left out is wrong."""
    counted, assignments = Counter[str](), set()
    right = Counter[str]()
    for _, row in exported_rows(folder, "votes", _GoldVote, ARGUMENT, ALLOWED):
        if row.dropped in (None, "unsound"):
            assignments.add(row.assignment)
            if row.attempt_id is None:
                counted[row.worker] += 1
                right[row.worker] += row.agrees
    for _, one in exported_rows(folder, "assignments", _Assignment, ARGUMENT, ALLOWED, "assignment"):
        if one.assignment in assignments:
            counted[one.worker] += one.gold_unanswered or 0
    return {voter: (right[voter], asked) for voter, asked in counted.items() if asked}
