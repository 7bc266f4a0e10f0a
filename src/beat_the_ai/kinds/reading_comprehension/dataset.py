"""Questions as a dataset: the columns of AdversarialQA, SQuAD's format, and what the data card says of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from beat_the_ai.dataset.splits import SPLITS
from beat_the_ai.kinds.reading_comprehension.squad_files import squad_files
from beat_the_ai.rules.dataset import CardText, Example, OwnFormat
from beat_the_ai.rules.protocol import Context, Json, TaskItem, Value


class Answers(Value):
    text: list[str]
    answer_start: list[int]


class Metadata(Value):
    split: str = Field(description='the part, with dev called "validation"')
    model_in_the_loop: str


class Row(Value):
    """As in AdversarialQA."""

    id: str
    title: str
    context: str = Field(description="the passage")
    question: str
    answers: Answers = Field(description="the writer's answer, as in SQuAD, with offsets in code points")
    metadata: Metadata = Field(description="metadata as in AdversarialQA")


class QuestionDataset:
    example_type: ClassVar[type[Row]] = Row
    parts_with_model_right: ClassVar[Collection[str]] = ()
    balanced_by: ClassVar[Sequence[str]] = ()
    formats: ClassVar[Mapping[str, OwnFormat]] = {"squad": squad_files}
    card: ClassVar[CardText] = CardText(
        task_categories=("question-answering",),
        task_ids=("extractive-qa",),
        introduction=(
            "Questions about passages, written by people while a model tried to answer them, and kept where it failed "
            "(Bartolo et al. 2020, *Beat the AI*). Each has the one answer that its writer marked in the passage."
        ),
        separation=" (§3.2)",
        unchecked="Of the paper's questions 82.6% to 88.0% turned out answerable (§3.3).",
        limits=(
            "The questions are those that one model failed on: they are no sample of what people ask, and a model that "
            "resembles it\nis at a disadvantage. Answers are single spans by one person each. The passages are the "
            "requester's choice, under the\nlicence that they have."
        ),
    )

    def aims(self, _item: TaskItem) -> Sequence[str]:
        return ()

    def row(self, example: Example) -> Row:
        answer = example.work["answer"]
        return Row(
            id=example.id,
            title=example.context.title,
            context=example.context.text,
            question=example.work["question"],
            answers=Answers(text=[answer["text"]], answer_start=[answer["start"]]),
            metadata=Metadata(split=SPLITS[example.part], model_in_the_loop=example.model),
        )

    def told(self, row: Json) -> tuple[str, Context]:
        return row["id"], Context("", row["context"], row["title"])

    def beaten_means(self, options: Json) -> str:
        threshold = options.get("f1_threshold")
        return "" if threshold is None else f"word-overlap F1 at most {threshold}"
