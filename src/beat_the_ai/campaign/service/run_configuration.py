"""The configuration of a run, as Mephisto asks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from beat_the_ai.campaign.money.payables import run_name
from beat_the_ai.campaign.service.stages.preparation import Offer
from beat_the_ai.campaign.settings.addresses import frame_ancestors, hosts
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.mephisto.architect import ARCHITECT_TYPE
from beat_the_ai.rules.deadlines import HAND_IN_GRACE
from beat_the_ai.rules.stage import Stage


def mephisto_config(
    settings: Settings, made: Offer, provider: dict[str, Any], stage: Stage, page_dir: Path | None
) -> Any:
    """Return the configuration of the run of a stage that offers `made`; `provider` is its crowd's part."""
    return OmegaConf.create(
        {
            "blueprint": {"_blueprint_type": made.blueprint_type},
            "provider": provider,
            "architect": {
                "_architect_type": ARCHITECT_TYPE,
                "host": settings.profile.host,
                "port": settings.profile.port,
                "page_dir": str(page_dir or ""),
                "absence_seconds": absence_seconds(settings, made.time_limit_seconds),
                "frame_ancestors": " ".join(frame_ancestors(settings)),
                "hosts": " ".join(hosts(settings)),
                "proxies": " ".join(settings.profile.proxies),
                "connections_per_address": settings.profile.connections_per_address,
                "registrations_per_minute": settings.profile.registrations_per_minute,
            },
            "task": {
                "task_name": f"{settings.name}-{run_name(stage, settings.round.number)}",
                "task_title": made.title,
                "task_description": made.description,
                "task_tags": made.keywords,
                "task_reward": made.reward_cents / 100,
                "assignment_duration_in_seconds": made.time_limit_seconds,
                "submission_timeout": made.time_limit_seconds,
                "allowed_concurrent": 0,
                "maximum_units_per_worker": 0,
                "max_num_concurrent_units": 0,
                "no_submission_patience": 10**9,
            },
        }
    )


def absence_seconds(settings: Settings, time_limit_seconds: int) -> float:
    """Return how long a page may be away: the time limit of its HIT, after which the crowd takes the HIT back.

    Without a crowd nobody takes a HIT back, and the requester may choose a shorter time.
    """
    chosen = None if settings.crowd.is_marketplace else settings.profile.absence_seconds
    return chosen or time_limit_seconds + HAND_IN_GRACE.total_seconds()
