"""The score of a match once more, from its log alone and by another way than `match`: whoever doubts one has the other.

For each tossup: the answers in order, the last word on each, and what they are worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beat_the_ai.kinds.quizbowl.tournament.events import Buzzed, Ended, Event, Read, Ruled, Settled
from beat_the_ai.kinds.quizbowl.tournament.match import Scoring


def recount(teams: Iterable[str], lengths: Sequence[int], log: Sequence[Event], scoring: Scoring) -> dict[str, int]:
    """Points of all teams, from the events that were not refused; `lengths` are the tossups' in words."""
    points = dict.fromkeys(teams, 0)
    for number, length in enumerate(lengths, start=1):
        word, answers, rulings, settlements = 0, list[tuple[str, int]](), dict[str, bool](), dict[str, bool]()
        for event in log:
            if isinstance(event, Ended) or event.tossup != number:
                continue
            if isinstance(event, Read):
                word = event.words
            elif isinstance(event, Buzzed):
                answers.append((event.team, word))
            elif isinstance(event, Ruled):
                rulings[event.team] = event.correct
            elif isinstance(event, Settled):
                settlements[event.against] = event.correct
        final = {**rulings, **settlements}
        nobody_paid = True
        for team, at in answers:
            if final.get(team) is True:
                points[team] += scoring.power if at <= scoring.power_share * length else scoring.correct
                break
            if final.get(team) is False and at < length and nobody_paid:
                points[team] += scoring.interrupt
                nobody_paid = False
    return points
