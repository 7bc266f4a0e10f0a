"""Questions as a dataset: the columns of QANTA, and what the data card says of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from beat_the_ai.kinds.quizbowl.answers import page_title
from beat_the_ai.kinds.quizbowl.guesses import Prediction
from beat_the_ai.kinds.quizbowl.qanta_files import qanta_files
from beat_the_ai.kinds.quizbowl.wording import sentences
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting
from beat_the_ai.rules.dataset import CardText, Example, OwnFormat
from beat_the_ai.rules.protocol import Context, Json, TaskItem, Value


class Row(Value):
    """As in QANTA (Rodriguez et al. 2019)."""

    qanta_id: str
    text: str
    answer: str = Field(description="the answer's name")
    page: str = Field(description="the page of the answer, by which models know it")
    category: str
    tournament: str = Field(description="the round, such as Round 1")
    tokenizations: list[list[int]] = Field(description="the start and end of each sentence, in code points")
    first_sentence: str
    model: str = Field(description="the model in the loop")
    model_guess: str | None = Field(description="the model's best guess at the end; empty if it has none")
    model_first_right: int | None = Field(
        description="the word at which the best guess is first right; empty if it never is"
    )
    model_right_from: int | None = Field(
        description="the word from which on the best guess stays right; empty if it is wrong at the end"
    )


class QuestionDataset:
    """All questions that beat the model."""

    example_type: ClassVar[type[Row]] = Row
    parts_with_model_right: ClassVar[Collection[str]] = ()
    balanced_by: ClassVar[Sequence[str]] = ("category",)
    card: ClassVar[CardText] = CardText(
        task_categories=("question-answering",),
        task_ids=("open-domain-qa",),
        introduction=(
            "Quizbowl questions whose authors saw, while they wrote, what a model guesses and why (Wallace et al. "
            "2019, *Trick Me If You Can*). The model is right only late in each, or not at all."
        ),
        separation=" (a rule of this suite, not of the paper)",
        unchecked="The paper's questions were filtered, and played by people (§4.1, §5.3).",
        limits=(
            "The questions are those that one model failed on: they are no sample of what is asked at tournaments, and "
            "a model\nthat resembles it is at a disadvantage. Their answers are from a closed list."
        ),
    )

    @property
    def formats(self) -> Mapping[str, OwnFormat]:
        return {"qanta": lambda folder: qanta_files(folder, self)}

    def aims(self, item: TaskItem) -> Sequence[str]:
        return (item.context.private["category"],)

    def row(self, example: Example) -> Row:
        text, page = example.work["text"], example.work["answer"]
        places = sentences(text)
        answers = {answer["page"]: answer["name"] for answer in example.context.private["answers"]}
        prediction = Prediction.model_validate(example.prediction)
        return Row(
            qanta_id=example.id,
            text=text,
            answer=answers.get(page, page_title(page)),
            page=page,
            category=example.context.private["category"],
            tournament=f"Round {example.round}",
            tokenizations=[[place.start, place.end] for place in places],
            first_sentence=text[places[0].start : places[0].end],
            model=example.model,
            model_guess=prediction.guesses[0].page if prediction.guesses else None,
            model_first_right=prediction.first_right(page),
            model_right_from=prediction.right_from(page),
        )

    def told(self, row: Json) -> tuple[str, Context]:
        answer = {"page": row["page"], "name": row["answer"]}
        return row["qanta_id"], Context("", "", private={"category": row["category"], "answers": [answer]})

    def beaten_means(self, options: Json) -> str:
        share = options.get("late_share", QuestionWriting.late_share)
        if options.get("late_position", QuestionWriting.late_position) == "first_right":
            late = f", or is first only after {share:.0%} of the question's words" if share < 1 else ""
            return f"its best guess is never the answer{late}"
        late = f", or stays right only after {share:.0%} of the question's words" if share < 1 else ""
        return f"its best guess at the end of the question is not the answer{late}"
