"""The states of the pages of a campaign: what a page is sent, and what a worker does until it shows the state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from typing import Any, cast

from beat_the_ai.campaign.service.stages.preparation import page_options
from beat_the_ai.campaign.service.stages.writing import page_shown
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.forms import campaign_forms
from beat_the_ai.forms import Form
from beat_the_ai.forms.page import page_forms
from beat_the_ai.messages import said, sent, told
from beat_the_ai.process.importing import object_at
from beat_the_ai.rules.languages import direction
from beat_the_ai.rules.page_samples import (
    SEND,
    Act,
    CheckingSample,
    PageSamples,
    SampleVerdict,
    ScreeningSample,
    WritingSample,
)
from beat_the_ai.rules.protocol import Json
from beat_the_ai.validation import page as checking_page
from beat_the_ai.workforce.screening import page as screening_page
from beat_the_ai.writing import page as writing_page

SECONDS_LEFT = 2_820
VERDICT = "[data-testid=verdict]"
ENDINGS = {"expired": "the time is over", "returned": "the task was returned", "completed": "the task is submitted"}
EARNINGS = {
    "earned_cents": 450,
    "paid_cents": 200,
    "pending_cents": 250,
    "hits_waiting": 1,
    "hourly": {"median_cents": 1250, "assignments": 2},
}
Answers = Mapping[str, Sequence[Json]]


@dataclass(frozen=True)
class PageState:
    """A state of a page. `answers` are what the server says to each call, in order; the last one again and again.

    `refusal` is the reason why there is no work. A `visitor` comes without a crowd, and `is_offered` work was not
    accepted yet. Only with `takes_tour` the page gives its tour.
    """

    group: str
    title: str
    config: Json
    task: Json = field(default_factory=dict)
    answers: Answers = field(default_factory=dict)
    acts: tuple[Act, ...] = ()
    status: str = "in task"
    refusal: Json | None = None
    visitor: bool = False
    is_offered: bool = False
    takes_tour: bool = False

    @property
    def id(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", f"{self.group} {self.title}".lower())

    @property
    def page(self) -> str:
        """Return the name of the page among the built ones."""
        return str(self.config["page"])


def page_states(settings: Settings) -> list[PageState]:
    """Return the states of all pages of a campaign. A kind of task without samples has those that all kinds share."""
    shared = _shared_config(settings)
    tariff = settings.terms.tariff(settings.kind)
    writing = {**page_shown(settings, tariff.terms, tariff.rules), **shared}
    states = [*_visits(writing)]
    samples = samples_of(settings)
    if samples is not None:
        states += _writing(samples.writing, writing)
        if samples.checking is not None:
            states += _checking(samples.checking, {**_checking_config(settings), **shared})
        if samples.screening is not None:
            states += _screening(samples.screening, {**_screening_config(settings, samples.screening), **shared})
    return [*states, *_forms(settings, writing)]


def samples_of(settings: Settings) -> PageSamples | None:
    """Return the samples of the campaign's kind of task, if it has any."""
    place = settings.kind.previews
    return None if place is None else cast(PageSamples, object_at(place, "task.kind"))


def _shared_config(settings: Settings) -> dict[str, Any]:
    """Return what every page is told; the texts of samples are in English."""
    data = {"language": "en", "direction": direction("en")}
    return {"unit": settings.crowd.unit, "data": data, "letters": False}


def _visits(config: Json) -> Iterator[PageState]:
    def state(title: str, **more: Any) -> PageState:
        return PageState("Visit", title, config, **more)

    yield state("a visitor's name", visitor=True)
    for key in ("refusals.not_admitted", "refusals.no_unit", "refusals.went_wrong"):
        message = said(key)
        yield state(
            f"no work: {key.partition('.')[2]}", refusal={"failure_reason": message, "failure_said": sent(message)}
        )


def _writing(sample: WritingSample, config: Json) -> Iterator[PageState]:
    terms = _Standing(int(config["max_tries"]))
    task = writing_page.Task(
        hit="sample", context=writing_page.Context(**asdict(sample.text)), brief=sample.brief, arm=None
    ).sent()
    calls: dict[str, Sequence[Json]] = {name: [{"ok": True, **answer}] for name, answer in sample.calls.items()}
    calls |= {"state": [_ok(hit=terms.of([]))], "earnings": [_ok(earnings=EARNINGS)]}

    def state(title: str, *acts: Act, **more: Any) -> PageState:
        answers = {**calls, **more.pop("answers", {})}
        return PageState("Writing", title, config, task, answers, acts, **more)

    def judged(verdict: SampleVerdict, *, fooled: bool) -> Answers:
        attempt = _attempt(sample, verdict, fooled=fooled)
        hit = terms.of([attempt])
        standing = {name: value for name, value in hit.items() if name != "attempts"}
        explained = terms.of([{**attempt, "explanation": sample.explanation}])
        return {
            "submit_attempt": [_ok(attempt=attempt, hit=standing)],
            **{name: [_ok(hit=hit)] for name in ("retract", "flag")},
            "explain": [_ok(hit=explained)],
        }

    submit = (*sample.write, Act("click", SEND))
    won, lost = judged(sample.won, fooled=True), judged(sample.lost, fooled=False)
    yield state("before the task is accepted", is_offered=True)
    yield state("the tour", takes_tour=True)
    yield state("nothing is written")
    yield state("something is missing", Act("click", SEND))
    yield state("the server refuses it", *submit, answers={"submit_attempt": [{"ok": False, "error": sample.refusal}]})
    for title, acts in sample.more.items():
        yield state(title, *acts)
    yield state("the model was beaten", *submit, Act("wait", VERDICT), answers=won)
    yield state("the model was right", *submit, Act("wait", VERDICT), answers=lost)
    for place, title in enumerate(("the first act on a work", "the second act on a work")):
        yield state(title, *submit, Act("click", ".attempt-actions button", place=place), answers=lost)
    yield state("few works beat the model", *submit, Act("click", ".hand-in .actions button"), answers=lost)
    yield state("the shortcuts", Act("wait", SEND), Act("press", "body", "?"))
    for status, title in ENDINGS.items():
        yield state(title, status=status)


def _attempt(sample: WritingSample, verdict: SampleVerdict, *, fooled: bool) -> dict[str, Any]:
    return writing_page.Attempt(
        attempt_id="attempt",
        work=sample.work,
        prediction=verdict.prediction,
        scores=verdict.scores,
        fooled=fooled,
        retracted=False,
        flag=None,
        explanation=None,
        doubts=None,
        admitted=None,
        created_at=datetime(2026, 1, 1, tzinfo=timezone.utc),
    ).sent()


@dataclass(frozen=True)
class _Standing:
    """The state of a HIT of so many tries."""

    max_tries: int

    def of(self, attempts: Sequence[Json]) -> dict[str, Any]:
        wins = sum(attempt["fooled"] for attempt in attempts)
        standing = writing_page.Standing(
            wins=wins,
            tries_left=self.max_tries - len(attempts),
            complete=False,
            seconds_left=SECONDS_LEFT,
            bonus_cents=20 * wins,
            possible_bonus_cents=50 * wins,
            is_checked=True,
            tries_missing=0,
            explanations_missing=0,
        )
        return {"attempts": list(attempts), **standing.sent()}


def _checking_config(settings: Settings) -> dict[str, Any]:
    section = settings.validation
    named = {"page": section.page, "task_title": section.task_title, "task_description": section.task_description}
    terms = {"reward_cents": section.terms.reward_cents, "time_limit_seconds": section.terms.time_limit_seconds}
    return {**page_options(settings), **named, **terms, "works_per_hit": 2}


def _checking(sample: CheckingSample, config: Json) -> Iterator[PageState]:
    names = ("work-1", "work-2")
    task = checking_page.Task(
        hit="sample",
        contexts=(checking_page.Context(**asdict(sample.text)),),
        items=tuple(checking_page.Item(id=name, context_id=sample.text.id, work=sample.work) for name in names),
    ).sent()

    def hit(*voted: str) -> Json:
        votes = dict.fromkeys(voted, sample.vote)
        shown = checking_page.Hit(
            revealed=dict.fromkeys(voted, sample.revealed) if sample.revealed is not None else {},
            votes=votes,
            complete=len(voted) == len(names),
            seconds_left=SECONDS_LEFT,
        )
        return _ok(hit=shown.sent())

    calls: Answers = {
        "state": [hit()],
        "vote": [hit(names[0]), hit(*names)],
        "reveal": [_ok(revealed=sample.revealed)],
        "earnings": [_ok(earnings=EARNINGS)],
    }

    def state(title: str, *acts: Act, **more: Any) -> PageState:
        return PageState("Checking", title, config, task, {**calls, **more.pop("answers", {})}, acts, **more)

    yield state("before the task is accepted", is_offered=True)
    yield state("the tour", takes_tour=True)
    yield state("nothing is answered")
    for title, acts in {"something is missing": sample.incomplete, "an answer is chosen": sample.choose}.items():
        if acts:
            yield state(title, *acts)
    yield state("one is answered", answers={"state": [hit(names[0])]})
    if sample.revealed is None:  # a work that is played ends with its answer
        yield state("all are answered", answers={"state": [hit(*names)]})
    yield state("the shortcuts", Act("wait", SEND), Act("press", "body", "?"))
    yield state(ENDINGS["completed"], status="completed")


def _screening_config(settings: Settings, sample: ScreeningSample) -> dict[str, Any]:
    section = settings.qualification
    terms = settings.terms.writing(settings.kind)
    asked = {name: getattr(terms, name) for name in ("wins_wanted", "max_wins", "max_tries")}
    kinds = [step["kind"] for step in sample.steps]
    named = {"page": sample.page, "task_title": f"{settings.task.title} (training)", "steps": kinds}
    pay = {"reward_cents": section.reward_cents, "time_limit_seconds": section.time_limit_seconds}
    return {**page_options(settings), **sample.config, **named, **asked, **pay, "tries_per_step": 2, "min_attempts": 2}


def _screening(sample: ScreeningSample, config: Json) -> Iterator[PageState]:
    progress = _Progress(sample, _Standing(int(config["max_tries"])))

    def respond(step: int, told_of_it: Json, *, right: bool, failed: bool = False) -> Answers:
        response = {"step": sample.steps[step]["id"], "right": right, **(told_of_it if right else {})}
        mistakes = () if right else (sample.mistake,)
        after = progress.at(step + right, mistakes, failed=failed)
        return {"state": [progress.at(step)], "respond": [{**after, "response": response}]}

    def state(title: str, *acts: Act, answers: Answers, **more: Any) -> PageState:
        return PageState("Training", title, config, {"hit": "sample"}, answers, acts, **more)

    start: Answers = {"state": [progress.at(0)]}
    yield state("before the task is accepted", answers=start, is_offered=True)
    yield state("the tour", answers=start, takes_tour=True)
    last = len(sample.steps) - 1
    for number, (step, acts, right) in enumerate(zip(sample.steps, sample.answers, sample.right, strict=True)):
        name = f"step {number + 1} ({step['kind']})"
        yield state(name, answers={"state": [progress.at(number)]})
        submit = (*acts, Act("click", SEND))
        yield state(f"{name}: a mistake", *submit, answers=respond(number, right, right=False))
        if number < last:
            yield state(f"{name}: right", *submit, answers=respond(number, right, right=True))
    yield state("the sample", answers={"state": [progress.at(len(sample.steps))]})
    submit = (*sample.answers[0], Act("click", SEND))
    yield state("no try is left", *submit, answers=respond(0, sample.right[0], right=False, failed=True))
    yield state(ENDINGS["completed"], answers=start, status="completed")


@dataclass(frozen=True)
class _Progress:
    """A newcomer's progress through a screening."""

    sample: ScreeningSample
    standing: _Standing

    def at(self, done: int, mistakes: Sequence[Json] = (), *, failed: bool = False) -> Json:
        steps = self.sample.steps
        is_sample = done == len(steps)
        step = None
        if not is_sample:
            step = {**steps[done], "mistakes": list(mistakes), "tries_left": 0 if failed else 2 - len(mistakes)}
        names = [screening_page.StepName(id=each["id"], kind=each["kind"]) for each in steps]
        ends = screening_page.StepName(id=screening_page.SAMPLE_ID, kind=screening_page.SAMPLE_ID)
        return _ok(
            screening=screening_page.Screening(
                phase="failed" if failed else "sample" if is_sample else "steps",
                steps=(*names, ends),
                steps_done=done,
                step=step,
                sample=screening_page.Sample(**asdict(self.sample.text), brief=self.sample.brief)
                if is_sample
                else None,
                hit=self.standing.of([]) if is_sample else None,
                seconds_left=SECONDS_LEFT,
            ).sent()
        )


def _forms(settings: Settings, config: Json) -> Iterator[PageState]:
    """Yield the campaign's own forms, each as a page, and what becomes of a consent that is declined."""
    before, after = campaign_forms(settings)
    for form in before:
        answers = {"forms": [_ok(**page_forms([form]))]}
        yield PageState("Forms", form.title, {**config, "asks_forms": True}, answers=answers)
        if form.kind == "consent":
            acts = (Act("click", ".form-page button", place=1),)
            declined = {**answers, "answer_form": [_ok(**page_forms([form]))]}
            title = f"{form.title}: declined"
            yield PageState("Forms", title, {**config, "asks_forms": True}, answers=declined, acts=acts)
    for form in after:
        yield _form_after(form, config)


def _form_after(form: Form, config: Json) -> PageState:
    answers = {"forms_after": [_ok(**page_forms([form]))]}
    return PageState("Forms", form.title, {**config, "asks_afterwards": True}, answers=answers, status="completed")


def _ok(**answer: Any) -> dict[str, Any]:
    return {"ok": True, **answer}


def unknown_call() -> Json:
    """Return the answer to a call that a state has none for."""
    return {"ok": False, "error": {"code": "invalid", "field": "target", **told(said("refusals.went_wrong"))}}
