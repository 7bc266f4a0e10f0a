"""Models as players: what each would say to every tossup, and after which word, is settled before the match."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.adversary.answers import STDERR, predictions_of
from beat_the_ai.adversary.budget import check_budget, within_budget
from beat_the_ai.adversary.kept import keeping
from beat_the_ai.adversary.protocol import Adversary, LoadOptions
from beat_the_ai.adversary.registry import open_adversary
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.kinds.quizbowl.evaluation import query_of
from beat_the_ai.kinds.quizbowl.guesses import Prediction, Query
from beat_the_ai.kinds.quizbowl.tournament.buzzing import Calibration, calibrate
from beat_the_ai.kinds.quizbowl.tournament.draw import Candidate
from beat_the_ai.kinds.quizbowl.tournament.log import ModelTeam, Tossup
from beat_the_ai.kinds.quizbowl.tournament.match import Scoring
from beat_the_ai.kinds.quizbowl.writing import NAME

FEWEST_QUESTIONS, MOST_QUESTIONS = 10, 200  # by which it is measured how sure a model must be


@dataclass(frozen=True)
class ModelPlayer:
    """A loaded model, and when it buzzes."""

    name: str
    spec: str
    model: Adversary[Query, Prediction]
    calibration: Calibration

    @classmethod
    @contextmanager
    def load(
        cls,
        name: str,
        spec: str,
        unplayed: Sequence[Candidate],
        scoring: Scoring,
        seed: int,
        max_cents: int | None,
        answers: Path,
    ) -> Iterator[ModelPlayer]:
        """Calibrated on regular questions that are not played. What a language model says is kept in `answers`.

        Raises `InvalidInput` where there are too few, or the model charges and nothing may be spent, and `Refused`
        before anything is asked that may cost more than `max_cents`; `AdversaryError` for one that answers nothing.
        """
        regular = [candidate for candidate in unplayed if not candidate.adversarial]
        if len(regular) < FEWEST_QUESTIONS:
            raise InvalidInput(
                "--regular",
                f"{len(regular)} regular questions are left that are not played, and at least {FEWEST_QUESTIONS} are "
                "needed to find out how sure a model must be before it buzzes. Give more of them.",
            )
        sample = random.Random(seed).sample(regular, min(MOST_QUESTIONS, len(regular)))  # noqa: S311
        check_budget(spec, max_cents)
        loaded = within_budget(open_adversary(spec, NAME, LoadOptions()), max_cents)
        with keeping(loaded, Prediction, answers / name) as model:
            predictions = _predictions_of(name, model, [query_of(each.question) for each in sample])
            known = [(said, each.page) for said, each in zip(predictions, sample, strict=True) if said is not None]
            if not known:
                raise AdversaryError(f"{name} has answered none of {len(sample)} questions in a way that can be read.")
            yield cls(name, spec, model, calibrate(known, scoring))

    def team(self, tossups: Sequence[Tossup]) -> ModelTeam:
        rule = self.calibration.rule
        predictions = _predictions_of(self.name, self.model, [_query(tossup) for tossup in tossups])
        buzzes = {
            tossup.id: plan
            for tossup, said in zip(tossups, predictions, strict=True)
            if said is not None and (plan := rule.plan(said)) is not None
        }
        return ModelTeam(name=self.name, model=self.spec, hash=self.model.identity.hash, rule=rule, buzzes=buzzes)


def _predictions_of(name: str, model: Adversary[Query, Prediction], queries: Sequence[Query]) -> list[Any]:
    """As `predictions_of`. How many questions a player has no answer to is told on standard error."""
    predictions = predictions_of(model, queries)
    if unanswered := predictions.count(None):
        STDERR.print(
            f"{name} gave no answer that can be read, or none in time, to {unanswered:,} of {len(queries):,} "
            "questions, and does not buzz on them",
            soft_wrap=True,
            highlight=False,
        )
    return predictions


def _query(tossup: Tossup) -> Query:
    answer = tossup.answer
    return Query(text=tossup.text, answer=answer.page, names=[answer.name, *answer.aliases])
