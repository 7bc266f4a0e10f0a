"""The alerts of a campaign: those of its figures now, kept in its store until they are over, and sent once each.

The console sends them, so that they go out when the operator is dead. A restart sends nothing again: the store knows
what was told. A message whose receiver could not be reached is tried again, later each time.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta

from beat_the_ai.console import views
from beat_the_ai.console.campaigns import Watched
from beat_the_ai.console.channels import Message, Undelivered, check, send
from beat_the_ai.console.kept import Kept
from beat_the_ai.errors import BeatTheAIError, InvalidInput, StoreError
from beat_the_ai.rules.amounts import show
from beat_the_ai.store import Alert, Occurrence, now
from beat_the_ai.terms.alerts import AlertTerms
from beat_the_ai.workforce import Standing

LOOK_SECONDS = 30.0
OVER_AFTER = timedelta(minutes=10)  # without it: what comes and goes is one occurrence
CLOSING_SECONDS = 15.0

log = logging.getLogger(__name__)


def alerts_of(figures: views.Figures, terms: AlertTerms, qualified: int) -> list[Alert]:
    """Return the alerts of figures. So many workers are `qualified`."""
    found = [
        *_cap(figures, terms),
        *_models(figures),
        *_operators(figures),
        *_qualified(figures, terms, qualified),
        *_error_rate(figures, terms),
        *_stages(figures),
    ]
    return [Alert(name, subject[:120], text) for name, subject, text in found]


Found = Iterator[tuple[str, str, str]]


def _cap(figures: views.Figures, terms: AlertTerms) -> Found:
    money, unit = figures.money, figures.unit
    if money.cap_cents and money.used_cents >= terms.used_share * money.cap_cents:
        used, cap = show(money.used_cents, unit), show(money.cap_cents, unit)
        yield "cap", "", f"{used} of the cap of {cap} is spent, owed or set aside."


def _models(figures: views.Figures) -> Found:
    for model in figures.models:
        if model.away_since is not None:
            yield "model_away", model.member, f"The server of the model {model.member} does not answer."


def _operators(figures: views.Figures) -> Found:
    for gone in () if figures.needs is None else figures.needs.operators_gone:
        text = f"The operator of {gone.stage} ({gone.operator}) has died, and HITs are open. Open the stage again."
        yield "operator_gone", gone.stage, text


def _qualified(figures: views.Figures, terms: AlertTerms, qualified: int) -> Found:
    submitted = figures.progress.screened.submitted
    if submitted >= terms.least_screenings and qualified == 0 and figures.progress.closed_at is None:
        yield "nobody_qualified", "", f"{submitted} newcomers have submitted their screening, and nobody is qualified."


def _error_rate(figures: views.Figures, terms: AlertTerms) -> Found:
    rate = figures.course.unverified
    if rate.share is None or rate.of < terms.least_attempts:
        return
    if not terms.least_error_rate <= rate.share <= terms.most_error_rate:
        bounds = f"{terms.least_error_rate:.1%} to {terms.most_error_rate:.1%}"
        yield "error_rate", "", f"The model's unverified error rate is {rate.share:.1%} of {rate.of}, not {bounds}."


def _stages(figures: views.Figures) -> Found:
    for each in figures.rounds:
        stages, splits = {stage.name for stage in each.stages}, each.splits
        hits = sum(split.hits for split in splits)
        is_written = 0 < hits == sum(split.hits_submitted for split in splits)
        if each.closed_at is not None:
            yield "stage_done", f"round {each.number}", f"Round {each.number} is closed."
        if "writing" in stages and is_written:
            yield "stage_done", f"writing {each.number}", f"All HITs of writing in round {each.number} are submitted."
        is_checked = any(split.decided for split in splits) and not any(split.waiting for split in splits)
        if "validation" in stages and is_written and is_checked:
            yield "stage_done", f"validation {each.number}", f"All works of round {each.number} are validated."


class AlertWatch:
    """The watch over the campaigns of a console. Where a campaign has no receiver, nothing is done for it."""

    def __init__(
        self,
        campaigns: Mapping[str, Watched],
        figures: Mapping[str, Kept[views.Figures]],
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._campaigns = campaigns
        self._figures = figures
        self._clock = clock
        self._missing: dict[tuple[str, int], datetime] = {}  # since when an open occurrence is none of the figures
        self._ending = threading.Event()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Watch in a thread of its own until the block ends."""
        thread = threading.Thread(target=self._run, name="alerts", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ending.set()
            thread.join(CLOSING_SECONDS)

    def _warn(self) -> None:
        for watched in self._campaigns.values():
            try:
                check(watched.bound().alert_terms)
            except InvalidInput as error:
                log.warning("No alert of %s can be sent. %s", watched.id, error)
            except StoreError as error:  # which may answer again by the next look
                log.warning("The alerts of %s cannot be checked: %s", watched.id, error)

    def _run(self) -> None:
        self._warn()
        while not self._ending.wait(LOOK_SECONDS):
            for key in self._campaigns:
                try:
                    self.look(key)
                except Exception:  # one campaign's trouble is not the others'
                    log.exception("The alerts of %s could not be looked after.", key)

    def look(self, key: str) -> None:
        """Keep what begins and ends in a campaign, and send what is news."""
        watched = self._campaigns[key]
        campaign = watched.bound()
        terms = campaign.alert_terms
        if not terms.is_on:
            return
        figures, _ = self._figures[key].now()
        standings = watched.store.standings.current(campaign.id).values()
        qualified = sum(each.standing == Standing.QUALIFIED for each in standings)
        found = alerts_of(figures, terms, qualified)
        watched.store.alerts.begin(campaign.id, found, self._clock())
        kept = watched.store.alerts.of_campaign(campaign.id)
        watched.store.alerts.end(self._over(key, kept, found), self._clock())
        for occurrence in watched.store.alerts.of_campaign(campaign.id):
            if occurrence.news is not None:
                self._tell(watched, occurrence, terms)

    def _over(self, key: str, kept: list[Occurrence], found: list[Alert]) -> list[Occurrence]:
        """Return the occurrences that have been none of the figures for some time."""
        at, going_on = self._clock(), {(alert.name, alert.subject) for alert in found}
        missing = [one for one in kept if one.ended_at is None and (one.name, one.subject) not in going_on]
        here = {(key, one.id): self._missing.get((key, one.id), at) for one in missing}
        self._missing = {place: since for place, since in self._missing.items() if place[0] != key} | here
        return [one for one in missing if at - here[key, one.id] >= OVER_AFTER]

    def _tell(self, watched: Watched, occurrence: Occurrence, terms: AlertTerms) -> None:
        alerts = watched.store.alerts
        if not alerts.claim(occurrence, self._clock()):
            return
        try:
            send(Message.of(occurrence), terms)
        except (Undelivered, BeatTheAIError) as error:
            log.warning("An alert of %s did not arrive: %s", watched.id, error)
            alerts.put_off(occurrence, self._clock())
        else:
            alerts.keep_told(occurrence, self._clock())
