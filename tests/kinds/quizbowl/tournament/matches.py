"""Matches of tests."""

from __future__ import annotations

from beat_the_ai.kinds.quizbowl.tournament.buzzing import BuzzRule, Plan
from beat_the_ai.kinds.quizbowl.tournament.log import ModelTeam


def model(name: str, **plans: tuple[int, str]) -> ModelTeam:
    """By tossup's id the word after which it buzzes, and the page that it says."""
    buzzes = {tossup: Plan(*plan) for tossup, plan in plans.items()}
    return ModelTeam(
        name=name, model="fake:model", hash="a" * 64, rule=BuzzRule(threshold=0.5, earliest=10), buzzes=buzzes
    )
