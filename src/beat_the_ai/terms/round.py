"""The parts of the configuration that are read again later, from the records of rounds: what a HIT asks for and pays.

They stand apart from `configuration`, which loads Hydra and Mephisto.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.languages import ENGLISH, LANGUAGE_TAG
from beat_the_ai.rules.registry import bind
from beat_the_ai.store import Round
from beat_the_ai.terms.arms import FEWEST, ArmName, ArmSettings
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.config_group import ConfigGroup
from beat_the_ai.terms.division import DEV, TEST, Division
from beat_the_ai.terms.fees import Fees
from beat_the_ai.terms.model_prices import microcents_per_try
from beat_the_ai.terms.preset import PresetSettings
from beat_the_ai.terms.tariff import Tariff
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.terms.writing import Terms

MOST_PER_CONTEXT = 1000  # HITs, which are listed one by one before their cost is known


def _tag(value: str) -> str:
    if not LANGUAGE_TAG.fullmatch(value):
        raise ValueError("The tag of a language is needed (BCP 47), such as en, ar or pt-BR")
    return value


LanguageTag = Annotated[str, AfterValidator(_tag)]


class TaskSettings(ConfigGroup):
    kind: str
    page: str
    title: str
    description: str
    keywords: str
    options: dict[str, Any]


class ServerSettings(ConfigGroup):
    """A model server that runs elsewhere, under the name that the model has there.

    Its token is in the environment variable `token_variable`: configurations are kept and shown.
    """

    address: str = Field(pattern=r"^https?://\S+$")
    token_variable: str | None = None


class PublishedSettings(ConfigGroup):
    """The published scores of a model, in percent, on the file `gold`, by the names of the figures of `evaluate`.

    `gold_sha256` is that file's, where it is known; `source` tells where all of it stands.
    """

    licence: str
    scores: dict[str, float]
    gold: str
    gold_sha256: str | None = None
    source: str


class AdversarySettings(ConfigGroup):
    """A pool: `members` are loaded here, `servers` run elsewhere. None stands for the model server's own default.

    `published` is of a configuration with one model.
    """

    members: list[str]
    servers: dict[str, ServerSettings] = Field(default={})
    device: str
    streams: int | None = Field(ge=1)
    threads: int = Field(ge=1)
    precision: str | None
    batch_size: int | None = Field(default=None, ge=1)
    memory_gib: float | None = Field(default=None, gt=0)
    timeout_seconds: float = Field(gt=0)
    published: PublishedSettings | None = None

    @model_validator(mode="after")
    def _has_a_member(self) -> AdversarySettings:
        if not self.members and not self.servers:
            raise ValueError("the pool is empty; name a model in members, or a server in servers")
        return self


class RoundSettings(ConfigGroup):
    """`arms` are those into which writers are drawn, the one that others are compared with first."""

    number: int = Field(ge=1)
    hits_per_context: int = Field(ge=1, le=MOST_PER_CONTEXT)
    max_hits: int | None = Field(ge=1)
    wins_wanted: int
    max_wins: int
    max_tries: int
    min_tries: int = Field(default=1, ge=0)
    reoffers: int = Field(default=0, ge=0, le=MOST_PER_CONTEXT)
    new_writers: bool = False
    shares: int = Field(default=1, ge=1)
    time_limit_seconds: int = Field(ge=30)
    arms: dict[ArmName, ArmSettings] | None = None

    @field_validator("arms")
    @classmethod
    def _compares_some(cls, arms: dict[str, ArmSettings] | None) -> dict[str, ArmSettings] | None:
        if arms and len(arms) < FEWEST:
            raise ValueError("One arm has nothing to be compared with. Name another one, even without settings: {}")
        return arms


class PaySettings(ConfigGroup):
    """Amounts are US cents. What has a default came later: campaigns that began before it are read as well."""

    reward_cents: int = Field(ge=0)
    bonus_cents_per_win: int = Field(ge=0)
    bonus_cents_per_verified_win: int = Field(default=0, ge=0)
    streak_bonus_cents: dict[int, int] | None = None
    verified_streaks: bool = False
    assignments_per_hit: int = Field(default=1, ge=1)
    masters: bool = False
    fees: bool = True
    cap_cents: int = Field(default=0, ge=0)

    def rules(self) -> BonusRules:
        return BonusRules(
            cents_per_win=self.bonus_cents_per_win,
            cents_per_verified_win=self.bonus_cents_per_verified_win,
            streak_cents=self.streak_bonus_cents or {},
            verified_streaks=self.verified_streaks,
        )

    def tariff(self, terms: Terms, validation_reward_cents: int = 0, model_microcents_per_try: int = 0) -> Tariff:
        fees = Fees(self.assignments_per_hit, self.masters, self.fees)
        return Tariff(terms, self.rules(), fees, validation_reward_cents, model_microcents_per_try)


class ValidationSettings(ConfigGroup):
    """The terms under which others check the works: the parts of the dataset that need it, and a HIT's terms.

    `rules` for counting votes are those of the kind of task.
    """

    page: str = "validation"
    task_title: str = "Check what other people wrote"
    task_description: str = ""
    keywords: str = ""
    parts: tuple[Literal["train", "dev", "test"], ...] = ("dev", "test")
    rules: dict[str, Any] = Field(default={})
    terms: ValidationTerms = ValidationTerms()


class DatasetSettings(ConfigGroup):
    """The division of the dataset. Campaigns older than this section have the default one."""

    train: int = Field(default=10, ge=0)
    dev: int = Field(default=1, ge=0)
    test: int = Field(default=1, ge=0)
    exclusive_writers: list[str] = Field(default=[])
    exclusive_share: float = Field(default=0.0, ge=0, le=1)
    balanced: tuple[Literal["train", "dev", "test"], ...] = ()
    splits: Path | None = None
    dev_examples: int | None = Field(default=None, ge=1)
    test_examples: int | None = Field(default=None, ge=1)
    exclusive_test_share: float | None = Field(default=None, ge=0, le=1)

    @model_validator(mode="after")
    def _is_a_share_of_something(self) -> DatasetSettings:
        if self.exclusive_test_share is not None and self.test_examples is None:
            raise ValueError("exclusive_test_share is of test_examples; set that, too")
        return self

    @property
    def examples(self) -> dict[str, int]:
        """Return the examples that are wanted in a part, for parts whose size is one in examples."""
        return {part: size for part, size in ((DEV, self.dev_examples), (TEST, self.test_examples)) if size}

    @property
    def most_exclusive(self) -> int | None:
        """Return how many examples of test may be by exclusive writers; None where any number may."""
        if self.exclusive_test_share is None or self.test_examples is None:
            return None
        return round(self.exclusive_test_share * self.test_examples)

    def division(self, seed: int) -> Division:
        exclusive = frozenset(self.exclusive_writers)
        balanced = frozenset(self.balanced)
        return Division(seed, self.train, self.dev, self.test, exclusive, self.exclusive_share, balanced)


class LanguageSettings(ConfigGroup):
    """The languages of workers' pages, and that of the data: of contexts and of what is written about them."""

    pages: LanguageTag = ENGLISH
    choices: tuple[LanguageTag, ...] = ()
    data: LanguageTag = ENGLISH

    @property
    def offered(self) -> tuple[str, ...]:
        """Return all languages that workers may choose, that of the campaign first."""
        return tuple(dict.fromkeys((self.pages, *self.choices)))


class DecisionRules(ConfigGroup):
    """The rules of decisions about workers. Campaigns older than a rule have its default."""

    judged_by: Literal["grader", "people"] = "grader"
    second_person: bool = True
    min_reviews: int = Field(default=1, ge=1)


class QualificationSettings(DecisionRules):
    """The screening of newcomers. `requirements` and `quiz` are names of files in `qualification/`, or paths."""

    requirements: str
    quiz: str
    places: int = Field(ge=0)
    reward_cents: int = Field(ge=0)
    time_limit_seconds: int = Field(ge=30)
    first_hits: int | None = Field(default=5, ge=1)

    def sample_terms(self, terms: RoundTerms, sample: Terms) -> RoundTerms:
        """For the sample HITs: the round's terms, with the screening's own for a HIT. It pays a reward and no bonus."""
        assert terms.round is not None, "settings have it"
        assert terms.pay is not None, "and this, too"
        asked = {name: getattr(sample, name) for name in ("wins_wanted", "max_wins", "max_tries", "min_tries")}
        own = {"time_limit_seconds": sample.time_limit_seconds, "arms": None}
        round_section = terms.round.model_copy(update={**asked, **own})
        pay = PaySettings(
            reward_cents=sample.reward_cents,
            bonus_cents_per_win=0,
            assignments_per_hit=terms.pay.assignments_per_hit,
            masters=terms.pay.masters,
            fees=terms.pay.fees,
            cap_cents=terms.pay.cap_cents,
        )
        return terms.model_copy(update={"round": round_section, "pay": pay})


class RoundTerms(ConfigGroup):
    """The terms of a round, as its record has them: desk, ledger, cap, page, card and report read these and no others.

    Rounds that began before there was a section have the default one; where there is none, a round without it says
    nothing about that.
    """

    task: TaskSettings | None = None
    contexts: Path | None = None
    adversary: AdversarySettings | None = None
    round: RoundSettings | None = None
    pay: PaySettings | None = None
    dataset: DatasetSettings = DatasetSettings()
    language: LanguageSettings = LanguageSettings()
    validation: ValidationSettings = ValidationSettings()
    preset: PresetSettings | None = None

    @classmethod
    def of(cls, round_: Round) -> RoundTerms:
        return cls.model_validate(round_.config)

    @property
    def pays(self) -> bool:
        """Return whether the terms state what a HIT pays."""
        return self.round is not None and self.pay is not None

    def kind(self, name: str) -> Kind:
        """With the round's options and the language of its data. Raises `UnknownName` and `InvalidInput`."""
        options = {} if self.task is None else self.task.options
        return bind(name, options, self.validation.rules, self.language.data)

    @property
    def arms(self) -> Mapping[str, ArmSettings]:
        """Return the arms of the round by name; none where all writers have the same terms."""
        return {} if self.round is None else self.round.arms or {}

    def max_tries(self, arm: str | None) -> int | None:
        """Return the tries of a HIT, for the writers of an arm if there is one; None where the terms do not say."""
        if self.round is None:
            return None
        own = None if arm is None else self.arms[arm].round.max_tries
        return self.round.max_tries if own is None else own

    def shows_model(self, arm: str | None) -> bool:
        """Return whether the writers of an arm see the model's answers; None is for those without an arm."""
        return arm is None or self.arms[arm].shows_model

    def in_arm(self, arm: ArmSettings) -> RoundTerms:
        """Return the terms of an arm's writers. Raises `InvalidInput` as `writing`."""
        round_, pay = self._sections()
        update = {
            "round": round_.model_copy(update={**arm.round.model_dump(exclude_none=True), "arms": None}),
            "pay": pay.model_copy(update=arm.pay.model_dump(exclude_none=True)),
        }
        return self.model_copy(update=update)

    @property
    def pays_bonuses(self) -> bool:
        """Return whether a win may bring its writer anything."""
        if self.pay is None:
            return False
        rules = self.pay.rules()
        return any(
            cents > 0 for cents in (rules.cents_per_win, rules.cents_per_verified_win, *rules.streak_cents.values())
        )

    def _sections(self) -> tuple[RoundSettings, PaySettings]:
        if self.round is None or self.pay is None:
            raise InvalidInput("CAMPAIGN", "The campaign has no configuration of its pay.")
        return self.round, self.pay

    def writing(self, kind: Kind, *, shows_model: bool = True) -> Terms:
        """Return the terms of a writing HIT; `kind` has these terms' options. Arms have terms of their own (`tariff`).

        Raises `InvalidInput` where the round does not say what it pays.
        """
        round_, pay = self._sections()
        return Terms(
            wins_wanted=round_.wins_wanted,
            max_wins=round_.max_wins,
            max_tries=round_.max_tries,
            min_tries=round_.min_tries,
            explains_wins=shows_model and _explains_wins(round_, kind),
            reward_cents=pay.reward_cents,
            time_limit_seconds=round_.time_limit_seconds,
            shows_model=shows_model,
        )

    def tariff(self, kind: Kind) -> Tariff:
        """Return the pay of the round, with that of each arm. Raises `InvalidInput` as `writing`."""
        arms = {
            name: self.in_arm(arm)._tariff(kind, shows_model=arm.shows_model)  # its own kind
            for name, arm in self.arms.items()
        }
        return replace(self._tariff(kind), arms=arms)

    def _tariff(self, kind: Kind, *, shows_model: bool = True) -> Tariff:
        terms = self.writing(kind, shows_model=shows_model)
        _, pay = self._sections()
        query_type = kind.writing.query_type
        per_try = 0 if self.adversary is None else microcents_per_try(self.adversary.members, query_type)
        return pay.tariff(terms, self.validation.terms.reward_cents, per_try)


def _explains_wins(section: RoundSettings, kind: Kind) -> bool:
    """Return whether writers explain wins: the kind asks for it, and a HIT cannot be submitted at any time.

    A HIT of a screening can be submitted at any time.
    """
    return section.min_tries > 0 and kind.writing.explanation_type is not None
