"""Matches of tests: their tossups are about things that nobody knows, in words that stand in one tossup alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from beat_the_ai.kinds.quizbowl.answers import Answer
from beat_the_ai.kinds.quizbowl.tournament.buzzing import BuzzRule, Plan
from beat_the_ai.kinds.quizbowl.tournament.folder import EventFolder
from beat_the_ai.kinds.quizbowl.tournament.log import Match, ModelTeam, Tossup

WORDS = 8
TEAMS = ("Owls", "Jays")


def model(name: str, **plans: tuple[int, str]) -> ModelTeam:
    """By tossup's id the word after which it buzzes, and the page that it says."""
    buzzes = {tossup: Plan(*plan) for tossup, plan in plans.items()}
    rule = BuzzRule(threshold=0.5, earliest=10)
    return ModelTeam(name=name, model="fake:model", hash="a" * 64, rule=rule, buzzes=buzzes)


def tossup(number: int) -> Tossup:
    """Its words are `word1x1` to `word1x8`; it asks for Thing 1, which is also called Gadget 1."""
    return Tossup(
        id=f"t{number}",
        text=" ".join(f"word{number}x{word}" for word in range(1, WORDS + 1)),
        answer=Answer(page=f"Thing_{number}", name=f"Thing {number}", aliases=[f"Gadget {number}"]),
        answer_line=f"Thing {number} [accept Gadget {number}]",
        category="Crafts",
        adversarial=number % 2 == 0,
    )


def match(room: str, tossups: int = 3, teams: Sequence[str] = TEAMS) -> Match:
    """Against an early model, which is right in every third tossup, and a late one, which always is."""
    numbers = range(1, tossups + 1)
    models = [
        model("Early Bot", **{f"t{n}": (4, f"Thing_{n}" if n % 3 == 0 else f"Wrong_{n}") for n in numbers}),
        model("Late Bot", **{f"t{n}": (7, f"Thing_{n}") for n in numbers}),
    ]
    return Match(room=room, teams=list(teams), models=models, tossups=[tossup(n) for n in numbers])


def event(path: Path, *matches: Match) -> EventFolder:
    return EventFolder.create(path, matches)
