"""A campaign and its rounds, bound to their terms: the kind of task, the pay, the division of the dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from beat_the_ai.errors import UnknownName
from beat_the_ai.rules.checking import Checking
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.kind import Kind
from beat_the_ai.store import Campaign, Round, Store, now
from beat_the_ai.terms.alerts import AlertTerms
from beat_the_ai.terms.crowd import CrowdTerms
from beat_the_ai.terms.division import Division
from beat_the_ai.terms.keeping import KeepingTerms
from beat_the_ai.terms.preset import Departure, departures
from beat_the_ai.terms.release import ReleaseTerms
from beat_the_ai.terms.reviewing import ReviewTerms
from beat_the_ai.terms.round import DecisionRules, RoundTerms
from beat_the_ai.terms.tariff import Tariff, Tariffs
from beat_the_ai.terms.voice import told_in

SCREENING_OF = "screening_of"  # in the configuration of a campaign of sample HITs: the campaign it belongs to

WORDS = "words"  # the folder of words in a task folder


@dataclass(frozen=True)
class BoundRound:
    """A round of a campaign, bound to its terms."""

    record: Round
    terms: RoundTerms
    kind_place: str
    division: Division

    @cached_property
    def kind(self) -> Kind:
        """The kind of task with the round's options. Raises `UnknownName` and `InvalidInput`."""
        return self.terms.kind(self.kind_place)

    @cached_property
    def tariff(self) -> Tariff:
        """The pay of the round. Raises `InvalidInput` where its terms do not state any."""
        return self.terms.tariff(self.kind)


@dataclass(frozen=True)
class BoundCampaign:
    """A campaign with all its rounds, as they are in the store when it is opened. Amended terms need a new one."""

    store: Store
    record: Campaign
    rounds: Mapping[int, BoundRound]

    @classmethod
    def open(cls, store: Store, campaign_id: str) -> BoundCampaign:
        """Return the campaign of that id. Raises `UnknownName`."""
        record = store.campaigns.get(campaign_id)
        rounds = store.rounds.of_campaign(campaign_id)
        terms = {each.number: RoundTerms.of(each) for each in rounds}
        divisions = _divisions(terms, record.seed)
        return cls(
            store,
            record,
            {
                each.number: BoundRound(each, terms[each.number], record.kind_place, divisions[each.number])
                for each in rounds
            },
        )

    @classmethod
    def find(cls, store: Store, campaign_id: str) -> BoundCampaign | None:
        """Return the campaign of that id, if there is one."""
        return cls.open(store, campaign_id) if campaign_id in store.campaigns.ids() else None

    @classmethod
    def all_in(cls, store: Store) -> list[BoundCampaign]:
        """Return all campaigns of a store, those of sample HITs too."""
        return [cls.open(store, campaign_id) for campaign_id in store.campaigns.ids()]

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def seed(self) -> int:
        return self.record.seed

    @property
    def current(self) -> BoundRound:
        """The last round."""
        return self.rounds[max(self.rounds)]

    def round(self, number: int) -> BoundRound:
        """Return a round by its number. Raises `UnknownName`."""
        if number not in self.rounds:
            raise UnknownName("round", str(number), map(str, self.rounds))
        return self.rounds[number]

    @property
    def kind(self) -> Kind:
        """The kind of task with the options of the current round. Raises `UnknownName` and `InvalidInput`."""
        return self.current.kind

    def told(self, text: str) -> str:
        """Return a text for workers as they get it through the crowd: in the language of the campaign's pages."""
        return told_in(self.current.terms.language.pages, text, self.own_words)

    @property
    def own_words(self) -> Path | None:
        """The folder in which the campaign overrides the product's words; None where older versions kept no place."""
        task_dir = self.record.config.get("task_dir")
        return None if task_dir is None else Path(task_dir) / WORDS

    @property
    def languages(self) -> list[str]:
        """The languages of its data, those of earlier rounds first."""
        return list(dict.fromkeys(each.terms.language.data for each in self.rounds.values()))

    @property
    def left_out(self) -> str:
        """Say which rules do not apply to the languages of its data; nothing for English."""
        return " ".join(filter(None, dict.fromkeys(each.kind.left_out for each in self.rounds.values())))

    @cached_property
    def tariffs(self) -> Tariffs:
        """The pay of each round. Raises `InvalidInput` where a round does not state any."""
        return {number: each.tariff for number, each in self.rounds.items()}

    @property
    def states_its_pay(self) -> bool:
        """Return whether the terms of all rounds state their pay; terms of older versions do not."""
        return all(each.terms.pays for each in self.rounds.values())

    @property
    def cap_cents(self) -> int:
        """The cap for all rounds together: that of the current round, and 0 where it states none."""
        pay = self.current.terms.pay
        return 0 if pay is None else pay.cap_cents

    @cached_property
    def checking(self) -> Mapping[int, Checking]:
        """The rules for votes, by round; empty where nobody checks the works."""
        kinds = {number: each.kind for number, each in self.rounds.items()}
        return {number: kind.checking for number, kind in kinds.items() if kind.checking is not None}

    @property
    def is_adaptive(self) -> bool:
        """Return whether a round asks for no votes on a work whose status is settled."""
        return any(each.terms.validation.terms.adaptive for each in self.rounds.values())

    @property
    def has_arms(self) -> bool:
        """Return whether the writers of a round were drawn into arms."""
        return any(each.terms.arms for each in self.rounds.values())

    @property
    def divisions(self) -> Mapping[int, Division]:
        return {number: each.division for number, each in self.rounds.items()}

    def departures(self, number: int) -> list[Departure]:
        """Return where the requester left the preset of a round; nothing without a preset."""
        preset = self.rounds[number].terms.preset
        return [] if preset is None else departures(preset, self.settings(number))

    def settings(self, number: int) -> dict[str, Any]:
        """Return all settings of a round, the campaign's own among them, as they were checked when they were read."""
        return {**self.record.config, **self.rounds[number].record.config}

    @property
    def crowd(self) -> CrowdTerms:
        """The crowd from which the workers come."""
        return CrowdTerms.model_validate(self.record.config.get("crowd", {}))

    @property
    def keeping(self) -> KeepingTerms:
        """The times for which personal data are kept after its end."""
        return KeepingTerms.model_validate(self.record.config.get("keeping", {}))

    @property
    def alert_terms(self) -> AlertTerms:
        """The alerts that the requester wants."""
        return AlertTerms.model_validate(self.record.config.get("alerts", {}))

    @property
    def release(self) -> ReleaseTerms:
        """The requester's words on the dataset."""
        return ReleaseTerms.model_validate(self.record.config.get("release", {}))

    @property
    def review_terms(self) -> ReviewTerms:
        """The deadlines of appeals and answers, and what workers see of reviews."""
        return ReviewTerms.model_validate(self.record.config.get("review", {}))

    @property
    def decision_rules(self) -> DecisionRules:
        """The rules for decisions about workers."""
        section = self.record.config.get("qualification", {})
        return DecisionRules.model_validate({key: section[key] for key in DecisionRules.model_fields if key in section})

    @property
    def samples(self) -> BoundCampaign | None:
        """The campaign of the newcomers' sample HITs, if there is one."""
        return BoundCampaign.find(self.store, sample_campaign_id(self.id))

    @property
    def screening_of(self) -> str | None:
        """The id of the campaign that its sample HITs belong to; None for a campaign of other HITs."""
        return self.record.config.get(SCREENING_OF)

    @property
    def is_of_samples(self) -> bool:
        """Return whether it is the campaign of another one's sample HITs."""
        return self.screening_of is not None

    @property
    def beside(self) -> str:
        """The id of its campaign of sample HITs, or of the campaign that its sample HITs belong to.

        Both share a cap.
        """
        return self.screening_of or sample_campaign_id(self.id)


def relocated(campaign: Campaign, task_dir: Path) -> Campaign:
    """Return the record of a campaign whose task folder lies elsewhere by now."""
    return replace(campaign, config={**campaign.config, "task_dir": str(task_dir)})


def sample_campaign(campaign: Campaign) -> Campaign:
    """Return the record of a new campaign of sample HITs, which belongs to this one."""
    config = {**campaign.config, SCREENING_OF: campaign.id}
    return replace(campaign, id=sample_campaign_id(campaign.id), config=config, created_at=now())


def sample_campaign_id(campaign_id: str) -> str:
    """Return the id of the campaign of sample HITs, which lie apart from the works for the dataset."""
    return f"screening-{short_hash(campaign_id)}"


def _divisions(terms: Mapping[int, RoundTerms], seed: int) -> dict[int, Division]:
    """Return the division of each round by its own terms, with the exclusive writers of all rounds."""
    sections = {number: each.dataset for number, each in terms.items()}
    writers = sorted({worker for each in sections.values() for worker in each.exclusive_writers})
    share = max((each.exclusive_share for each in sections.values()), default=0.0)
    everybody = {"exclusive_writers": writers, "exclusive_share": share}
    return {number: each.model_copy(update=everybody).division(seed) for number, each in sections.items()}
