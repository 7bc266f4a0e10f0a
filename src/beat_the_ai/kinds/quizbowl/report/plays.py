"""The results of a campaign's players: on regular and adversarial questions (§4.1, §5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from beat_the_ai.kinds.quizbowl.report.buzzes import SETS, Buzz, Buzzes, answers_section, course_section
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.rules.checking import Ballot
from beat_the_ai.statistics.section import Section


@dataclass(frozen=True)
class Play:
    """A player's turn at a question of so many `words`: the answer after `word` of them, unless they gave up."""

    is_regular: bool
    word: int
    words: int
    has_said: bool
    right: bool


def ballot_sections(ballots: Sequence[Ballot]) -> list[Section]:
    """Return the sections on a campaign's plays. Gold is what is regular."""
    return play_sections(
        [
            Play(
                each.is_gold,
                each.vote["words"],
                len(words(each.work["text"])),
                each.vote["said"] is not None,
                each.vote["page"] == each.work["answer"],
            )
            for each in ballots
        ]
    )


def play_sections(plays: Sequence[Play]) -> list[Section]:
    """Return nothing where nobody has played."""
    if not plays:
        return []
    regular, adversarial = (
        _group(name, [each for each in plays if each.is_regular is not written]) for written, name in SETS.items()
    )
    answered = (
        "What players have said, each on their own, to all questions that were played, whether the dataset keeps them "
        "or not; who gave up said nothing. Answers of one player, or to one "
        "question, are counted as if they were independent."
    )
    course = "The share of plays in which the player has answered right when so much of the question is read."
    return [
        answers_section([(regular, adversarial)], answered),
        course_section([(regular, adversarial)], course, source="Figure 6"),
    ]


def _group(name: str, plays: Sequence[Play]) -> Buzzes:
    answers = [Buzz(each.word, each.words, each.right) for each in plays if each.has_said]
    return Buzzes(f"people, {name}", answers, len(plays))
