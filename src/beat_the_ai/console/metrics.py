"""`GET /metrics`: the figures of campaigns and of their processes in Prometheus' text format.

The figures are those that the console keeps for its pages. Nothing here asks a process: operators only renew their
leases in the store, as they do anyway.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from beat_the_ai.console import views
from beat_the_ai.console.campaigns import Watched
from beat_the_ai.console.kept import Kept
from beat_the_ai.console.processes import Process, processes_of, this_process
from beat_the_ai.errors import InvalidInput, StoreAway
from beat_the_ai.store import HeldLease, now
from beat_the_ai.web.bearer import is_bearer

TOKEN_VARIABLE = "BEAT_THE_AI_CONSOLE_TOKEN"  # noqa: S105 - the variable's name
LEAST_TOKEN_CHARS = 20
PREFIX = "beat_the_ai"
RENEWED_AFTER_SECONDS = 60.0  # making them takes time of a machine that has other work
WITHOUT_TOKEN = f"Metrics are for scripts with a token. Set {TOKEN_VARIABLE} where the console is started."
WRONG_TOKEN = f"This needs the token of {TOKEN_VARIABLE}: Authorization: Bearer TOKEN."


def check_token(token: str) -> str:
    """Return a token for scripts that read. Raises `InvalidInput` for one that can be guessed."""
    if not (token.isascii() and token.isprintable() and len(token) >= LEAST_TOKEN_CHARS and " " not in token):
        raise InvalidInput(
            TOKEN_VARIABLE,
            f"{TOKEN_VARIABLE} needs at least {LEAST_TOKEN_CHARS} printable ASCII characters without spaces. "
            "Make one with: openssl rand -hex 24",
        )
    return token


def metrics_route(collector: Collector, token: str | None) -> Route:
    """Return the route. Without a token nobody is let in."""
    registry = CollectorRegistry()
    registry.register(collector)

    async def answer(request: Request) -> Response:
        if token is None:
            return JSONResponse({"error": {"code": "no_token", "field": None, "message": WITHOUT_TOKEN}}, 403)
        if not is_bearer(request.headers, token):
            refused = {"error": {"code": "unauthorized", "field": None, "message": WRONG_TOKEN}}
            return JSONResponse(refused, 401, headers={"WWW-Authenticate": "Bearer"})
        return Response(await run_in_threadpool(generate_latest, registry), media_type=CONTENT_TYPE_LATEST)

    return Route("/metrics", answer)


class CampaignMetrics(Collector):
    """The metrics of campaigns by their keys, from the figures that are kept of them."""

    def __init__(self, campaigns: Mapping[str, Watched], figures: Mapping[str, Kept[views.Figures]]) -> None:
        self._campaigns = campaigns
        self._figures = figures
        self._beats: dict[tuple[str, str], tuple[tuple[int, int], float]] = {}

    def describe(self) -> list[Metric]:
        """Return nothing: names are looked at when they are asked for."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics. Of a campaign whose store is away there is `up` alone, with 0."""
        up = _gauge("campaign_up", "Whether the store of the campaign answers.", "campaign")
        figures, leases, processes = _Figures(), _lease_ages(), [({"campaign": ""}, this_process())]
        for key, watched in self._campaigns.items():
            try:
                held = [one for one in watched.store.leases.held() if one.name.startswith(f"{watched.id} ")]
                shown = self._last(key)
            except StoreAway:
                up.add_metric([key], 0)
                continue
            up.add_metric([key], 1)
            if shown is not None:
                figures.add(key, shown)
            for lease in held:
                leases.add_metric([key, lease.name.removeprefix(f"{watched.id} ").strip()], self._age(key, lease))
            processes += [({"campaign": key}, one) for one in processes_of(watched, held)]
        yield from (up, leases, *figures.families(), *_of_processes(processes))

    def _last(self, key: str) -> views.Figures | None:
        """Return the last figures, and have old ones made anew. Nothing is waited for."""
        kept = self._figures[key]
        last = kept.last
        if last is None:
            kept.renew()
        elif (now() - last.at).total_seconds() > RENEWED_AFTER_SECONDS:
            kept.now()
        return last

    def _age(self, key: str, lease: HeldLease) -> float:
        """Return the seconds since a lease was first seen as it is: clocks of two machines are not compared."""
        at = time.monotonic()
        beat, since = self._beats.get((key, lease.name), (None, at))
        if beat != lease.beat:
            since = at
        self._beats[key, lease.name] = lease.beat, since
        return at - since


class _Figures:
    """The families of metrics that follow from figures."""

    def __init__(self) -> None:
        self._age = _gauge("figures_age_seconds", "Age of the figures below.", "campaign")
        self._work = _gauge("work", "Attempts, wins, works and workers by state.", "campaign", "state")
        self._hits = _gauge("hits", "HITs by round, part and state.", "campaign", "round", "part", "state")
        self._money = _gauge("money_cents", "Money by state, in hundredths of its unit.", "campaign", "state", "unit")
        self._waiting = _gauge("waiting", "What waits for a person, or for votes.", "campaign", "what")
        self._served = _gauge("served", "Stages that a process of this machine serves.", "campaign", "stage")
        self._failures = _gauge("model_failures", "Questions without an answer.", "campaign", "model")
        self._away = _gauge("model_away", "Whether the server of a model is away.", "campaign", "model")
        self._seconds = HistogramMetricFamily(
            f"{PREFIX}_model_answer_seconds", "How long writers waited for an answer.", labels=["campaign", "model"]
        )

    def families(self) -> tuple[Metric, ...]:
        gauges = (self._work, self._hits, self._money, self._waiting, self._served, self._failures, self._away)
        return (self._age, *gauges, self._seconds)

    def add(self, key: str, of: views.Figures) -> None:
        """Add the figures of a campaign."""
        self._age.add_metric([key], (now() - of.at).total_seconds())
        for name, number in _work(of).items():
            self._work.add_metric([key, name], number)
        for one in of.rounds:
            for split in one.splits:
                for state in ("hits", "hits_at_work", "hits_submitted"):
                    name = state.removeprefix("hits_").replace("hits", "all")
                    self._hits.add_metric([key, str(one.number), split.part, name], getattr(split, state))
        for name, cents in of.money:
            self._money.add_metric([key, name.removesuffix("_cents"), of.unit], cents)
        for name, number in _waiting(of).items():
            self._waiting.add_metric([key, name], number)
        for stage in of.progress.served or ():
            self._served.add_metric([key, stage], 1)
        self._add_models(key, of.models)

    def _add_models(self, key: str, models: Iterable[views.Model]) -> None:
        by_member: dict[str, list[views.Model]] = {}
        for each in models:
            by_member.setdefault(each.member, []).append(each)
        for member, same in by_member.items():  # of several rounds: a member may have another model in each
            self._failures.add_metric([key, member], max(each.failures for each in same))
            self._away.add_metric([key, member], any(each.away_since is not None for each in same))
            times = [each.answer_ms for each in same if each.answer_ms is not None]
            within = [sum(counts) for counts in zip(*(each.within for each in times), strict=True)]
            answers = sum(each.answers for each in times)
            buckets = [(str(most / 1000), count) for most, count in zip(views.ANSWER_MS, within, strict=False)]
            if times:
                total = sum(each.sum for each in times) / 1000
                self._seconds.add_metric([key, member], [*buckets, ("+Inf", answers)], total)


def _work(of: views.Figures) -> dict[str, int]:
    progress, checked = of.progress, of.progress.checked
    return {
        "attempts": progress.attempts,
        "retracted": progress.retracted,
        "wins": progress.fooled,
        "wins_verified": of.course.verified.found,
        "workers": progress.workers,
        "workers_revoked": progress.workers_revoked,
        "works_kept": 0 if checked is None else checked.kept.found,
        "works_decided": 0 if checked is None else checked.kept.of,
        "votes": 0 if checked is None else checked.votes,
        "validation_at_work": sum(each.validation_at_work for each in of.rounds),
    }


def _waiting(of: views.Figures) -> dict[str, int]:
    needs, checked = of.needs, of.progress.checked
    people = {} if needs is None else {name: each for name, each in needs if isinstance(each, int)}
    gone = 0 if needs is None else len(needs.operators_gone)
    return {**people, "operators_gone": gone, "votes": 0 if checked is None else checked.waiting}


def _of_processes(processes: Iterable[tuple[Mapping[str, str], Process]]) -> Iterator[Metric]:
    """Yield what the machine knows of processes: CPU, memory, files, and when each began."""
    families: dict[str, Metric] = {}
    for labels, process in processes:
        every = {**labels, "process": process.role, "pid": str(process.pid)}
        for family in ProcessCollector(pid=partial(int, process.pid), registry=None).collect():
            known = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
            for sample in family.samples:
                known.add_sample(sample.name, every, sample.value)
    yield from families.values()


def _lease_ages() -> GaugeMetricFamily:
    return _gauge("lease_age_seconds", "Seconds in which nobody saw a lease renewed.", "campaign", "lease")


def _gauge(name: str, words: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"{PREFIX}_{name}", words, labels=labels)
