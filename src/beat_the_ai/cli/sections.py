"""The parts of the configuration that are read again later, from the campaign's store: what a HIT asks for and pays.

They stand apart from `cli.configuration`, which loads Hydra and Mephisto.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from beat_the_ai.dataset.parts import Division
from beat_the_ai.payments import BonusRules, Fees, Tariff
from beat_the_ai.rules import adjudicator
from beat_the_ai.rules.adjudication import Adjudicator
from beat_the_ai.store import Campaign
from beat_the_ai.validation import ValidationTerms
from beat_the_ai.writing import Terms


class Section(BaseModel):
    """A part of the configuration; a key that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RoundSection(Section):
    number: int = Field(ge=1)
    hits_per_context: int = Field(ge=1)
    max_hits: int | None = Field(ge=1)
    wins_wanted: int
    max_wins: int
    max_tries: int
    min_tries: int = Field(default=1, ge=0)
    reoffers: int = Field(default=0, ge=0)
    time_limit_seconds: int = Field(ge=30)


class PaySection(Section):
    """Amounts are US cents. What has a default came later: campaigns that began before it are read as well."""

    reward_cents: int = Field(ge=0)
    bonus_cents_per_win: int = Field(ge=0)
    bonus_cents_per_verified_win: int = Field(default=0, ge=0)
    streak_bonus_cents: dict[int, int] | None = None
    verified_streaks: bool = False
    assignments_per_hit: int = Field(default=1, ge=1)
    masters: bool = False
    cap_cents: int = Field(default=0, ge=0)

    def rules(self) -> BonusRules:
        return BonusRules(
            cents_per_win=self.bonus_cents_per_win,
            cents_per_verified_win=self.bonus_cents_per_verified_win,
            streak_cents=self.streak_bonus_cents or {},
            verified_streaks=self.verified_streaks,
        )

    def tariff(self, terms: Terms, validation_reward_cents: int = 0) -> Tariff:
        fees = Fees(self.assignments_per_hit, self.masters)
        return Tariff(terms, self.rules(), fees, validation_reward_cents)


class ValidationRules(Section):
    votes_wanted: int = Field(default=3, ge=1)
    overlap: float | None = Field(default=None, ge=0, le=1)
    min_gold_accuracy: float = Field(default=0.0, ge=0, le=1)  # of campaigns that began before there was one: none


class ValidationSection(Section):
    """Answer validation: how votes are counted, what a HIT asks for, which parts of the dataset need it."""

    task_title: str = "Find the answer in a passage"
    task_description: str = ""
    keywords: str = ""
    parts: tuple[Literal["train", "dev", "test"], ...] = ("dev", "test")
    rules: ValidationRules = ValidationRules()
    terms: ValidationTerms = ValidationTerms()

    def adjudicator(self, task: str) -> Adjudicator:
        return adjudicator(task, **self.rules.model_dump())


def validation_of(campaign: Campaign) -> ValidationSection:
    """By the campaign's own configuration; campaigns that began before there was a section have the default one."""
    return ValidationSection.model_validate(campaign.config.get("validation", {}))


class DatasetSection(Section):
    """How the dataset is divided. Campaigns that began before there was a section have the default one."""

    train: int = Field(default=10, ge=0)
    dev: int = Field(default=1, ge=0)
    test: int = Field(default=1, ge=0)
    exclusive_writers: list[str] = []
    exclusive_share: float = Field(default=0.0, ge=0, le=1)

    def division(self, seed: int) -> Division:
        return Division(seed, self.train, self.dev, self.test, frozenset(self.exclusive_writers), self.exclusive_share)


def division_of(campaign: Campaign) -> Division:
    """By the campaign's own configuration."""
    return DatasetSection.model_validate(campaign.config.get("dataset", {})).division(campaign.seed)


class DecisionRules(Section):
    """Who decides about workers. What has a default came later: campaigns that began before it have that."""

    judged_by: Literal["grader", "people"] = "grader"
    second_person: bool = True


def decision_rules_of(campaign: Campaign) -> DecisionRules:
    """By the campaign's own configuration."""
    section = campaign.config.get("qualification", {})
    return DecisionRules.model_validate({key: section[key] for key in DecisionRules.model_fields if key in section})


class QualificationSection(DecisionRules):
    """The screening of newcomers. `requirements` and `quiz` are names of files in `qualification/`, or paths."""

    requirements: str
    quiz: str
    places: int = Field(ge=0)
    reward_cents: int = Field(ge=0)
    time_limit_seconds: int = Field(ge=30)
    first_hits: int | None = Field(default=5, ge=1)

    def campaign_config(self, config: Mapping[str, Any], terms: Terms) -> dict[str, Any]:
        """For the campaign of the sample HITs: the configuration of its campaign, with the screening's terms and pay.

        A screening pays its reward and no bonus.
        """
        changed_round = {name: getattr(terms, name) for name in ("wins_wanted", "max_wins", "max_tries", "min_tries")}
        time_limit = {"time_limit_seconds": terms.time_limit_seconds}
        pay = PaySection(
            reward_cents=terms.reward_cents,
            bonus_cents_per_win=0,
            assignments_per_hit=config["pay"].get("assignments_per_hit", 1),
            masters=config["pay"].get("masters", False),
            cap_cents=config["pay"].get("cap_cents", 0),
        )
        return {**config, "round": {**config["round"], **changed_round, **time_limit}, "pay": pay.model_dump()}


def terms_of(round_section: RoundSection, pay: PaySection) -> Terms:
    """What a HIT asks for and pays."""
    return Terms(
        wins_wanted=round_section.wins_wanted,
        max_wins=round_section.max_wins,
        max_tries=round_section.max_tries,
        min_tries=round_section.min_tries,
        reward_cents=pay.reward_cents,
        time_limit_seconds=round_section.time_limit_seconds,
    )
