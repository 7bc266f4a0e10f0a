"""The screening: newcomers learn the task in a few steps, and write one sample HIT against the model."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from beat_the_ai.campaign.service.current_round import CurrentRound
from beat_the_ai.campaign.service.stages.preparation import Offer, Preparation, hand_in_desk, serve_hits
from beat_the_ai.campaign.settings.qualification import judged_by_people, quiz_file
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.campaign import BoundCampaign, sample_campaign_id
from beat_the_ai.workforce.screening import ScreeningDesk, open_screening_desk, sample_terms


def offer_screening(of: Preparation) -> Offer:
    """Return the offer of the screening. Raises `InvalidInput` where there is none."""
    settings, section, model = of.settings, of.settings.qualification, of.asked_model
    if section.places < 1:
        raise InvalidInput("qualification", "There is no screening to serve. Choose one: qualification=paper or open.")
    kind = settings.kind
    if kind.screening is None:
        raise InvalidInput("qualification", f"There are no quizzes for {settings.task.kind}. Set qualification=none.")
    quiz = kind.screening.load_quiz(quiz_file(settings))
    terms = sample_terms(quiz, reward_cents=section.reward_cents, time_limit_seconds=section.time_limit_seconds)
    desk = open_screening_desk(
        of.campaign,
        quiz,
        kind.writing,
        model,
        reward_cents=section.reward_cents,
        time_limit_seconds=section.time_limit_seconds,
        terms=section.sample_terms(settings.terms, terms).model_dump(mode="json"),
        workforce=of.workforce,
        awaits_crowd=of.confirms,
        judged_by_people=judged_by_people(settings, of.campaign),
    )
    current = CurrentRound(of.planned)

    def places() -> int:
        return current().settings.qualification.places

    title = f"{settings.task.title} (training)"
    description = "Learn how it works in a few short steps, then try it. If you do well, you may work on all our tasks."
    samples = sample_campaign_id(of.campaign.id)
    shown = {"task_title": title, "task_description": description}
    state = serve_hits(
        of.task.qualification_state(desk, places, shown),
        of,
        hand_in_desk(BoundCampaign.open(of.store, samples), Stage.SCREENING, 1, desk),
        is_closed=partial(of.store.rounds.is_closed, samples, 1),
    )
    return Offer(
        blueprint_type=of.task.QUALIFICATION_BLUEPRINT_TYPE,
        state=state,
        title=title,
        description=description,
        keywords=settings.task.keywords,
        reward_cents=section.reward_cents,
        time_limit_seconds=section.time_limit_seconds,
        hit_kind="screening",
        pays=samples,
        round_number=1,
        done=partial(_is_screened, desk, samples, places),
    )


def _is_screened(desk: ScreeningDesk, samples: str, places: Callable[[], int]) -> bool:
    """Nothing waits for the crowd, before and after: what is set aside meanwhile has taken no place."""

    def waits() -> bool:
        return bool(desk.store.assignments.waiting(samples, Stage.SCREENING))

    return not waits() and desk.taken() >= places() and not waits()
