"""Writing Quizbowl questions that a model answers late or not at all ("Trick Me If You Can", Wallace et al. 2019).

A context is a closed list of answers of a category (§3.4: answers are the training set's). The author chooses one, and
writes a question of several sentences. The model is beaten when its best guess is never the answer, or first after a
share of the question's words.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from math import floor
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.quizbowl.answers import MAX_NAME_CHARS, Answer, name_within, search
from beat_the_ai.kinds.quizbowl.categories import load_categories
from beat_the_ai.kinds.quizbowl.collection import Question, questions_of
from beat_the_ai.kinds.quizbowl.guesses import Prediction, Query
from beat_the_ai.kinds.quizbowl.saying import said
from beat_the_ai.kinds.quizbowl.wording import sentences, words
from beat_the_ai.rules.protocol import Context, Json, TaskItem, Value, Verdict
from beat_the_ai.rules.text import clean_line, folded

NAME = "quizbowl"
ANSWERS_SHOWN = 20


class Work(Value):
    """A question and its answer."""

    text: str
    answer: str = Field(description="the page of the answer")


class Scores(Value):
    """The figures on which the verdict depended."""

    words: int = Field(description="the number of words of the question")
    first_right: int | None = Field(
        default=None,
        description="the word at which the best guess is first right; empty if it never is, or was not kept",
    )
    right_from: int | None = Field(
        description="the word from which on the best guess stays right; empty if it is wrong at the end"
    )
    rank: int | None = Field(description="the rank of the answer at the end; empty if the model does not know it")


@dataclass(frozen=True)
class QuestionWriting:
    """The rules of writing questions. The paper's questions have 107 words on average (§6.1), standard ones 133.

    `known_questions` are collections that models are trained or measured on. Those of `regular_questions` are played
    among the written ones (`playing`). A question that repeats one of either is doubtful (§4.1).

    A model is beaten if it is right only after `late_share` of the words, or never; with 1, only if it never is. It is
    right at `late_position`: where its best guess is first right (§3.4), or from which on it stays right.
    """

    work_type: ClassVar[type[Work]] = Work
    query_type: ClassVar[type[Query]] = Query
    prediction_type: ClassVar[type[Prediction]] = Prediction
    scores_type: ClassVar[type[Scores]] = Scores
    explanation_type: ClassVar[None] = None

    min_words: int = 60
    max_words: int = 200
    min_sentences: int = 3
    late_share: float = 0.75
    late_position: Literal["first_right", "right_from"] = "first_right"
    known_questions: tuple[str, ...] = ()
    regular_questions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not (1 <= self.min_words <= self.max_words and self.min_sentences >= 1):
            raise InvalidInput(
                "task.options",
                f"min_words={self.min_words}, max_words={self.max_words} and min_sentences={self.min_sentences}: none "
                "may be below 1, nor the first above the second.",
            )
        if not 0 < self.late_share <= 1:
            raise InvalidInput(
                "task.options.late_share", f"late_share={self.late_share} was given; a share above 0, at most 1."
            )

    @property
    def max_chars(self) -> int:
        return 12 * self.max_words

    def known(self) -> list[Question]:
        """Read all collections that no question may repeat. Raises `InvalidInput` for one that cannot be read."""
        return [
            *questions_of(self.known_questions, "known_questions"),
            *questions_of(self.regular_questions, "regular_questions"),
        ]

    def load_contexts(self, path: Path) -> list[Context]:
        """Categories and their answers from JSON Lines (`categories.load_categories`)."""
        return load_categories(path, questions_of(self.regular_questions, "regular_questions"))

    def brief(self, context: Context, slot: int, seed: int) -> Json:
        """Return the number of the category's question; the author chooses its answer."""
        return {"number": slot + 1}

    def shown(self, task_item: TaskItem) -> Json:
        """Return the page's limits of a question, and the number of answers to choose from."""
        return {
            **task_item.brief,
            "category": task_item.context.private["category"],
            "answers": len(answers_of(task_item.context)),
            "min_words": self.min_words,
            "max_words": self.max_words,
            "max_chars": self.max_chars,
            "min_sentences": self.min_sentences,
            "late_share": self.late_share,
            "late_position": self.late_position,
        }

    def check(self, work: Work, task_item: TaskItem) -> Work:
        answer = self.answer(work.answer, task_item)
        text = clean_line("text", work.text, max_chars=self.max_chars, called="question")
        count = len(words(text))
        if not self.min_words <= count <= self.max_words:
            key = "few_words" if count < self.min_words else "many_words"
            told = said(f"quizbowl_refusals.{key}", count=count, least=self.min_words, most=self.max_words)
            raise InvalidInput("text", told)
        if (count := len(sentences(text))) < self.min_sentences:
            told = said("quizbowl_refusals.sentences", count=count, least=self.min_sentences)
            raise InvalidInput("text", told)
        if (name := name_within(answer, text)) is not None:
            raise InvalidInput("text", said("quizbowl_refusals.names_answer", name=name))
        return Work(text=text, answer=answer.page)

    def answer(self, page: str, task_item: TaskItem) -> Answer:
        """Raises `InvalidInput` for what is not on the list."""
        answer = answer_with(page, task_item.context)
        if answer is None:
            raise InvalidInput("answer", said("quizbowl_refusals.not_listed"))
        return answer

    def fingerprint(self, work: Work) -> str:
        """Return the fingerprint of the text, whatever its answer."""
        return blake2b(folded(work.text).encode(), digest_size=16).hexdigest()

    def gold(self, context: Context) -> list[Work]:
        return regular_questions(context)

    @property
    def repeated(self) -> tuple[str, str]:
        return "text", said("quizbowl_refusals.repeated")

    def typed(self, work: Json) -> str:
        return str(work["text"])

    def chosen(self, work: Json) -> str:
        return str(work["answer"])

    def query(self, work: Work, task_item: TaskItem) -> Query:
        answer = answer_with(work.answer, task_item.context)
        names = [answer.name, *answer.aliases] if answer else []
        return Query(text=work.text, answer=work.answer, names=names, stops=self._stops(len(words(work.text))))

    def _stops(self, count: int) -> list[int]:
        """The last of so many words after which a right guess is soon enough."""
        soon = floor(self.late_share * count)
        return [soon] if 0 < soon < count else []

    def judge(self, work: Work, prediction: Prediction, _piece: TaskItem) -> Verdict:
        scores = Scores(
            words=len(words(work.text)),
            first_right=prediction.first_right(work.answer),
            right_from=prediction.right_from(work.answer),
            rank=prediction.rank,
        )
        return Verdict(self.is_beaten(scores.model_dump()), scores)

    def is_beaten(self, read: Json) -> bool:
        """Judge by the number of words and both positions, as scores and hints have them."""
        position, count = read[self.late_position], read["words"]
        return position is None or (self.late_share < 1 and bool(position > self.late_share * count))


def regular_questions(context: Context) -> list[Work]:
    """Return the regular questions on answers of the closed list."""
    return [Work.model_validate(each) for each in context.private.get("regular", ())]


def look_up(text: str, task_item: TaskItem) -> Json:
    """The answers that an author may mean by a text, the closest first; the first of all where it is empty."""
    found = search(answers_of(task_item.context), text[:MAX_NAME_CHARS], ANSWERS_SHOWN)
    return {"answers": [{"page": answer.page, "name": answer.name, "aliases": answer.aliases} for answer in found]}


def answer_with(page: str, context: Context) -> Answer | None:
    """Return the answer with this page on the closed list; None for a page that is not on it."""
    found = next((answer for answer in context.private.get("answers", ()) if answer["page"] == page), None)
    return None if found is None else Answer.model_construct(**found)  # checked when the list was read


def answers_of(context: Context) -> list[Answer]:
    """The closed list of a context."""
    return [Answer.model_validate(answer) for answer in context.private["answers"]]
