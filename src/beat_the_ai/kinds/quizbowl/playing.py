"""Playing: people read a question word by word, and answer as soon as they know ("Trick Me If You Can", §4.1 and 5.3).

A word is sent when the page asks for it, and what was sent stands in the store before: where a player buzzed is not the
page's word. Regular questions on answers of the same categories are played among those that were written; they are the
comparison.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.quizbowl.answers import MAX_NAME_CHARS, called
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.kinds.quizbowl.writing import answers_of, regular_questions
from beat_the_ai.rules.adjudication import OPEN, Adjudication, Label, Outcome
from beat_the_ai.rules.checking import CheckingText
from beat_the_ai.rules.protocol import Context, Json, Value, read_value
from beat_the_ai.rules.text import clean_line, folded
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.figure import Figure

ANSWERED = "answered"
UNANSWERED = "unanswered"


class Play(Value):
    """A player's answer, and its moment."""

    said: str | None = Field(description="the player's answer; empty if they gave up")
    page: str | None = Field(default=None, description="the page of the answer of that name in the category's list")
    words: int = Field(default=0, description="the number of words shown before the answer")


@dataclass(frozen=True)
class Playing:
    """Each question is played by as many `players`, and goes into the dataset if at least `min_right` are right.

    The paper keeps every question that was played; so does 0.
    """

    vote_type: ClassVar[type[Play]] = Play
    min_gold_accuracy: ClassVar[float] = 0.0  # whoever knows little plays, too
    text: ClassVar[CheckingText] = CheckingText(
        title="Played questions",
        kept="kept",
        meaning="Questions that beat the model and were played by as many people as asked, of which enough were right.",
        performance=(
            "Of the questions in the dataset that people have played: the mean share of right answers a question, with "
            "95% intervals by a jackknife of the players."
        ),
    )

    players: int = 3
    min_right: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.min_right <= self.players or self.players < 1:
            raise InvalidInput(
                "validation.rules",
                f"players={self.players} and min_right={self.min_right}: at least one player is needed, and no more "
                "can be right than play.",
            )

    @property
    def most_votes(self) -> int:
        return self.players

    def shown(self, _work: Json) -> Json:
        """Nothing before the first word; a context's title is the category."""
        return {}

    def steps(self, work: Json) -> int:
        return len(words(work["text"]))

    def revealed(self, work: Json, steps: int) -> Json:
        places = words(work["text"])
        return {"text": work["text"][: places[steps - 1].end], "words": steps, "ended": steps == len(places)}

    def read_vote(self, payload: object, context: Context) -> Play:
        """Read an answer by the names of all answers on the list; a slip of the keyboard in a long word is forgiven."""
        said = read_value(Play, payload).said
        if said is None:
            return Play(said=None)
        said = clean_line("said", said, max_chars=MAX_NAME_CHARS, called="answer")
        answer = called(answers_of(context), said)
        return Play(said=said, page=answer.page if answer is not None else None)

    def voted_after(self, vote: Play, steps: int) -> Play:
        return vote.model_copy(update={"words": steps})

    def author_label(self, work: Json) -> str:
        return str(work["answer"])

    def model_label(self, prediction: Json) -> Label:
        """Its best guess at the end."""
        return str(prediction["guesses"][0]["page"]) if prediction["guesses"] else None

    def vote_label(self, vote: Json) -> Label:
        """None for what is no answer on the list."""
        return None if vote["page"] is None else str(vote["page"])

    def read_labels(self, author: Label, model: Label, votes: Sequence[Label]) -> tuple[Label, Label, Sequence[Label]]:
        """Labels are pages."""
        return author, model, votes

    def references(self, context: Context) -> list[Json]:
        return [work.model_dump() for work in regular_questions(context)]

    def identity(self, work: Mapping[str, Any]) -> str:
        return folded(str(work["text"]))

    def agree(self, vote: Label, author: Label) -> bool:
        return vote is not None and vote == author

    def adjudicate(self, author: Label, _model: Label, votes: Sequence[Label]) -> Adjudication:
        """The author's answer stands, whoever knows it."""
        right = sum(self.agree(vote, author) for vote in votes)
        missing = max(0, self.players - len(votes))
        if missing:
            return Adjudication(OPEN, None, missing, settled=False)
        status = ANSWERED if right else UNANSWERED
        kept = right >= self.min_right
        return Adjudication(status, author, 0, settled=True, kept=kept, confirmed=kept)

    def performance(self, outcomes: Sequence[Outcome], _seed: int, *, adaptive: bool) -> list[Figure]:
        del adaptive  # nobody is spared: every question is played to the full number
        right, played = Clustered(), 0
        for each in outcomes:
            author = self.author_label(each.work)
            for vote in each.votes:
                weight = 1 / len(each.votes)
                right.add(vote.worker, weight * self.agree(vote.label, author), weight)
            played += bool(each.votes)
        return [Figure.percent("accuracy", right.share, played)]

    def agreement(self, _outcomes: Sequence[Outcome]) -> list[Figure]:
        """Players do not judge: how far they agree says nothing of the question."""
        return []

    def discards(self, _kept: Sequence[bool]) -> bool:
        return False
