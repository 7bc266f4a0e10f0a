"""The results of a campaign's players: on regular and adversarial questions (§4.1, §5.3)."""

from __future__ import annotations

from collections.abc import Sequence

from beat_the_ai.kinds.quizbowl.report.buzzes import SETS, Buzz, Buzzes, answers_section, course_section
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.rules.checking import Ballot
from beat_the_ai.statistics.section import Section


def play_sections(ballots: Sequence[Ballot]) -> list[Section]:
    """Gold is what is regular. Nothing where nobody has played."""
    if not ballots:
        return []
    regular, adversarial = (
        _group(name, [each for each in ballots if each.is_gold is not written]) for written, name in SETS.items()
    )
    answered = (
        "What players have said, each on their own, to all questions that were played, whether the dataset keeps them "
        "or not; who gave up said nothing. Answers of one player, or to one "
        "question, are counted as if they were independent."
    )
    course = "The share of plays in which the player has answered right when so much of the question is read."
    return [
        answers_section([(regular, adversarial)], answered),
        course_section([regular, adversarial], course),
    ]


def _group(name: str, ballots: Sequence[Ballot]) -> Buzzes:
    answers = [
        Buzz(each.vote["words"], len(words(each.work["text"])), each.vote["page"] == each.work["answer"])
        for each in ballots
        if each.vote["said"] is not None
    ]
    return Buzzes(f"people, {name}", answers, len(ballots))
