"""A whole campaign: simulated writers, then (or meanwhile) simulated validators through an operator of their own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from beat_the_ai.rules.answerability import Answerability
from beat_the_ai.rules.reading_comprehension import ReadingComprehension
from beat_the_ai.simulation.validators import ValidatorCrowd, validate
from beat_the_ai.simulation.writers import Crowd, work
from beat_the_ai.store import Store
from beat_the_ai.validation import ValidationDesk, ValidationTerms, results, summary
from tests.mephisto.rig import Serving, contexts, serving
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until
from tests.validation.rig import validating

HITS = 6
TERMS = ValidationTerms(questions_per_hit=4, gold_per_hit=1)


def run(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, 3 * PATIENCE_SECONDS))


def new_desk(store: Store, terms: ValidationTerms = TERMS, **more: Any) -> ValidationDesk:
    return ValidationDesk(store, ReadingComprehension(), Answerability(), terms, store.campaigns.get("pilot"), **more)


def crowd(validators: int = 5, **more: Any) -> ValidatorCrowd:
    return ValidatorCrowd.of(contexts(HITS), validators=validators, seed=3, **more)


def writers() -> Crowd:
    return Crowd.of(contexts(HITS), writers=3, seed=1)


def written(campaign: Serving) -> bool:
    return len(campaign.submitted()) == HITS


async def write(campaign: Serving) -> None:
    await work(writers(), campaign.url, lambda _: None, lambda: None)


def votes(store: Store) -> dict[str, tuple[str, list[tuple[str, str | None]]]]:
    found = results(store, store.campaigns.get("pilot"))
    return {name: (each.status, [(vote.worker, vote.label) for vote in each.votes]) for name, each in found.items()}


def in_turn(folder: Path) -> dict[str, tuple[str, list[tuple[str, str | None]]]]:
    with serving(folder, hits=HITS) as campaign:
        run(write(campaign))
        wait_until(lambda: written(campaign), "everything is written")
        desk = new_desk(campaign.store)
        with validating(folder, desk) as stage:
            run(validate(crowd(), stage.url, desk.may_get_work, lambda _: None, lambda: None, in_turn=True))
        assert desk.complete()
        return votes(campaign.store)


def test_validators_one_after_the_other_give_the_same_votes_in_every_run(tmp_path: Path) -> None:
    assert in_turn(tmp_path / "a") == in_turn(tmp_path / "b")


def test_validation_while_writing_goes_on_gives_every_question_its_validators(tmp_path: Path) -> None:
    seen: list[Mapping[str, Any]] = []

    async def both(campaign: Serving, url: str, desk: ValidationDesk) -> None:
        checking = asyncio.create_task(validate(crowd(), url, desk.may_get_work, seen.append, lambda: None))
        await write(campaign)
        await checking

    with serving(tmp_path, hits=HITS) as campaign:
        desk = new_desk(campaign.store, final=lambda: written(campaign))
        with validating(tmp_path, desk) as stage:
            run(both(campaign, stage.url, desk))
        found = results(campaign.store, desk.campaign)
        assert len(found) > HITS
        for each in found.values():
            workers = [vote.worker for vote in each.votes]
            assert len(workers) == len(set(workers)) == 3
            assert each.writer not in workers
            assert each.status in ("answerable", "unanswerable")
        assert not any("error" in vote for vote in seen)
        figures = summary(campaign.store, desk.campaign)
    assert figures.statuses.get("answerable", 0) > len(found) / 2
    assert figures.human.questions == len(found)
    assert figures.human.exact_match is not None
    assert 0.3 < figures.human.exact_match < 1
    gold = {record.worker: (record.gold_right, record.gold) for record in figures.validators}
    assert sum(right for right, _ in gold.values()) > 0
    assert json.dumps(sorted(gold))  # plain data
