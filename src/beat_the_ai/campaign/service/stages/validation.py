"""The validation: other people check what was written, and their votes decide what goes into the dataset."""

from __future__ import annotations

from beat_the_ai.campaign.service.checked_contexts import CheckedContexts
from beat_the_ai.campaign.service.earnings import earnings_procedure
from beat_the_ai.campaign.service.hits import open_hits
from beat_the_ai.campaign.service.stages.preparation import (
    Offer,
    Preparation,
    admission,
    ask_afterwards,
    hand_in_desk,
    page_options,
    serve_hits,
)
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import ValidationDesk


def validation_desk(settings: Settings, campaign: BoundCampaign) -> ValidationDesk:
    """Return the desk for the works of the parts that are validated. Raises `InvalidInput` where nobody checks any."""
    store, section, number = campaign.store, settings.validation, settings.round.number
    written = open_hits(PlannedRound(store, settings))
    checking = settings.kind.checking
    if checking is None:
        raise InvalidInput("--stage", f"Nobody checks what is written in {settings.task.kind}: it has no validation.")
    return ValidationDesk(
        campaign,
        checking,
        section.terms,
        round_number=number,
        contexts=CheckedContexts(campaign, number, section.parts),
        final=lambda: store.rounds.is_closed(campaign.id, number) or written.done(),
        without=lambda: store.standings.discarded(campaign.id),
        awaits_crowd=settings.crowd.is_marketplace,
    )


def offer_validation(of: Preparation) -> Offer:
    """Return the offer of the validation, which goes on when the writing is closed and ends by itself."""
    settings, section, campaign = of.settings, of.settings.validation, of.campaign
    desk = validation_desk(settings, campaign)
    named = {"page": section.page, "task_title": section.task_title, "task_description": section.task_description}
    state = serve_hits(
        of.task.validation_state(desk, {**page_options(settings), **named}),
        of,
        hand_in_desk(campaign, Stage.VALIDATION, settings.round.number, desk),
        gates=[admission(of.workforce, Stage.VALIDATION)],
        procedures={"earnings": earnings_procedure(campaign)},
    )
    return Offer(
        blueprint_type=of.task.VALIDATION_BLUEPRINT_TYPE,
        state=ask_afterwards(state, of.forms),
        title=section.task_title,
        description=section.task_description,
        keywords=section.keywords,
        reward_cents=section.terms.reward_cents,
        time_limit_seconds=section.terms.time_limit_seconds,
        hit_kind="main",
        pays=campaign.id,
        round_number=settings.round.number,
        done=desk.complete,
    )
