"""Rounds that are over, and whose data change no more: `OUT/rounds/N/` holds the examples of each part.

Models are trained and measured on these files, so that what a model has seen can be told (Nie et al. 2020, "HAMLET").
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.campaign.settings.exclusive_writers import check_no_exclusive_work
from beat_the_ai.dataset.export import collect
from beat_the_ai.dataset.files import sha256, write_text
from beat_the_ai.dataset.jsonl_files import write_parts
from beat_the_ai.dataset.placement import parts_of
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import DEV, EXCLUSIVE, TEST, TRAIN
from beat_the_ai.terms.locate import ROUNDS

DATA, MODELS = "data", "models"
MANIFEST = "frozen.json"  # written last: without it nothing is frozen


@dataclass(frozen=True)
class PartFile:
    examples: int
    sha256: str


@dataclass(frozen=True)
class FrozenRound:
    """`parts` are train, dev, test, and the exclusive writers' share of test; `frozen_at` is ISO 8601."""

    out: Path
    number: int
    frozen_at: str
    parts: Mapping[str, PartFile]

    def path(self, part: str) -> Path:
        """JSON Lines in the columns of the kind of task."""
        return _folder(self.out, self.number) / DATA / f"{part}.jsonl"

    @property
    def models(self) -> Path:
        """Return the folder of the models that were trained when this round was the last one."""
        return _folder(self.out, self.number) / MODELS


def freeze(campaign: BoundCampaign, out: Path, number: int) -> FrozenRound:
    """Write a closed round's examples. What was frozen before stays as it is.

    Raises `Refused` while people may still write in it, votes or decisions on doubts are missing, or an exclusive
    writer's work is outside of the test part of any frozen round.
    """
    found = frozen_round(out, number)
    if found is not None:
        return found
    check_nobody_writes(campaign, number)
    with CampaignOutcomes.at_one_moment(campaign, every_work=True) as outcomes:
        _check_votes(outcomes, number)
        _check_doubts(outcomes.campaign, number)
        collected = collect(outcomes.placement)
    parts = {name: [each for each in examples if each.round == number] for name, examples in collected.items()}
    parts[EXCLUSIVE] = [each for each in parts[TEST] if each.exclusive]
    paths = write_parts(_folder(out, number) / DATA, parts, campaign.kind.dataset)
    _check_exclusive_writers(campaign, out, number)
    files = {path.stem: PartFile(len(parts[path.stem]), sha256(path)) for path in paths}
    frozen = FrozenRound(out, number, now().isoformat(), files)
    manifest = {
        "campaign": campaign.id,
        "round": number,
        "frozen_at": frozen.frozen_at,
        "models": list(campaign.rounds[number].record.models),
        "parts": {name: asdict(file) for name, file in files.items()},
    }
    write_text(_folder(out, number) / MANIFEST, json.dumps(manifest, indent=2) + "\n")
    return frozen


def _check_exclusive_writers(campaign: BoundCampaign, out: Path, number: int) -> None:
    """Raise `Refused` where work of exclusive writers is in train or dev of this round, or of one that is frozen."""
    rounds = [each for each in campaign.rounds if each == number or frozen_round(out, each) is not None]
    files = [_folder(out, each) / DATA / f"{part}.jsonl" for each in rounds for part in (TRAIN, DEV)]
    check_no_exclusive_work(campaign, number, files)


def check_nobody_writes(campaign: BoundCampaign, number: int) -> None:
    """Raise `Refused` while somebody may finish a HIT of the round, or a submission of it waits for the crowd."""
    round_ = campaign.rounds[number]
    if not round_.record.is_closed:
        raise Refused(f"Round {number} is open: people may write in it. End it with `launch --stop`, or open the next.")
    seconds = round_.tariff.terms.time_limit_seconds
    begun = [each for each in campaign.store.assignments.uncounted(campaign.id, Stage.WRITING) if each.round == number]
    waiting = sum(each.may_come_to_count(seconds, now()) for each in begun)
    if waiting:
        raise Refused(f"{waiting} HITs of round {number} are with their writers, or wait for the crowd. Try it later.")


def _check_votes(outcomes: CampaignOutcomes, number: int) -> None:
    campaign = outcomes.campaign
    part_of, checked = parts_of(campaign), campaign.rounds[number].terms.validation.parts
    undecided = sum(
        each.round == number and not each.adjudication.settled and part_of[each.context_id] in checked
        for each in outcomes.outcomes.values()
    )
    if undecided:
        raise Refused(
            f"Votes are missing for {undecided} works of round {number}, which could be in no part: validate them "
            "first (--stage validation)."
        )


def _check_doubts(campaign: BoundCampaign, number: int) -> None:
    """Raise `Refused` while a reviewer has to decide whether works of the round count."""
    store = campaign.store
    discarded = store.standings.discarded(campaign.id)
    rows = (row for row in store.attempts.doubtful(campaign.id) if row.hit.round == number and row.assignment.counts)
    kept = (row.attempt for row in rows if row.assignment.worker not in discarded)
    doubted = sum(attempt.on_hold for attempt in kept)
    if doubted:
        raise Refused(
            f"A reviewer has to look at {doubted} works of round {number}, which could be in no part: decide on them "
            "first (`review doubtful`, `review admit`)."
        )


def frozen_round(out: Path, number: int) -> FrozenRound | None:
    """Raises `InvalidInput` when its files are not as they were."""
    manifest = _folder(out, number) / MANIFEST
    if not manifest.is_file():
        return None
    kept = json.loads(manifest.read_text(encoding="utf-8"))
    parts = {name: PartFile(**file) for name, file in kept["parts"].items()}
    frozen = FrozenRound(out, number, kept["frozen_at"], parts)
    for part, file in parts.items():
        if not frozen.path(part).is_file() or sha256(frozen.path(part)) != file.sha256:
            raise InvalidInput("--out", f"{frozen.path(part)} is not as it was when round {number} was frozen.")
    return frozen


def frozen_rounds(out: Path) -> list[FrozenRound]:
    """In the order of their numbers. Raises `InvalidInput` when there is none, or files have changed."""
    numbers = sorted(int(path.parent.name) for path in (out / ROUNDS).glob(f"*/{MANIFEST}"))
    found = [frozen for number in numbers if (frozen := frozen_round(out, number)) is not None]
    if not found:
        raise InvalidInput("--out", f"No round of {out} is frozen yet: beat-the-ai round freeze --out {out}")
    return found


def gold_files(rounds: Sequence[FrozenRound], others: Sequence[Path] = ()) -> dict[str, Path]:
    """Return the files that models are measured on, by name: dev and test of each round where they hold anything, and
    others. Files in the campaign's folder are named from there.
    """
    parts = {
        f"{each.number}/{part}": each.path(part)
        for each in rounds
        for part, file in each.parts.items()
        if part != TRAIN and file.examples
    }
    out = rounds[0].out
    return parts | {str(path.relative_to(out) if path.is_relative_to(out) else path): path for path in others}


def _folder(out: Path, number: int) -> Path:
    return out / ROUNDS / str(number)
