"""Pairs as a dataset: the columns of ANLI (Nie et al. 2020), its rounds, and what the data card says of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from beat_the_ai.rules.dataset import CardText, Example, ExampleFiles, OwnFormat
from beat_the_ai.rules.protocol import Context, Json, TaskItem, Value
from beat_the_ai.terms.division import TRAIN

Letter = Literal["e", "n", "c"]


class Row(Value):
    """As in ANLI."""

    uid: str
    context: str = Field(description="the premise")
    hypothesis: str
    label: Letter = Field(
        description="entailment, neutral or contradiction: the verifiers' majority label, else the target label"
    )
    model_label: Letter = Field(description="the label that the model in the loop found most probable")
    emturk: bool = Field(description="the writer is exclusive: they write for the test part only")
    genre: str = Field(description="the premise's genre")
    reason: str = Field(
        description="the writer's reasons why the label is right and why the model may have been fooled"
    )
    tag: str = Field(description="the round, such as R1")


class PairDataset:
    """Train also holds what the model got right, unverified; dev and test hold verified model errors ("HAMLET")."""

    example_type: ClassVar[type[Row]] = Row
    parts_with_model_right: ClassVar[Collection[str]] = (TRAIN,)
    balanced_by: ClassVar[Sequence[str]] = ("label", "genre")
    card: ClassVar[CardText] = CardText(
        task_categories=("text-classification",),
        task_ids=("natural-language-inference",),
        introduction=(
            "Hypotheses about premises, written by people who had a label to aim at while a model tried to tell it "
            "(Nie et al. 2020, *Adversarial NLI*). Every part holds those whose label the model got wrong; the "
            "training part also holds those that it got right."
        ),
        separation=" (a rule of this suite; the paper's rounds share no contexts)",
        unchecked="The paper's verified error rates are well below its unverified ones (Dataset statistics).",
        limits=(
            "The hypotheses of the development and test parts are those that one model failed on: they are no sample "
            "of what people say, and a model\nthat resembles it is at a disadvantage. Labels that nobody checked "
            "are the targets that writers aimed at, which not all\nof them reached. The premises are the requester's "
            "choice, under the licence that they have."
        ),
    )

    @property
    def formats(self) -> Mapping[str, OwnFormat]:
        return {"anli": self._anli_files}

    def aims(self, item: TaskItem) -> Sequence[str]:
        return _letter(item.brief["target"]), item.context.private["genre"]

    def row(self, example: Example) -> Row:
        return Row(
            uid=example.id,
            context=example.context.text,
            hypothesis=example.work["hypothesis"],
            label=_letter(example.label or example.work["target"]),
            model_label=_letter(example.prediction["label"]),
            emturk=example.exclusive,
            genre=example.context.private["genre"],
            reason="{label_reason} {model_reason}".format(**example.explanation) if example.explanation else "",
            tag=f"R{example.round}",
        )

    def told(self, row: Json) -> tuple[str, Context]:
        return row["uid"], Context("", row["context"], private={"genre": row["genre"]})

    def _anli_files(self, folder: Path) -> AbstractContextManager[ExampleFiles]:
        from beat_the_ai.kinds.nli.anli_files import anli_files  # with pyarrow, for which most processes never ask

        return anli_files(folder, self)

    def beaten_means(self, _options: Json) -> str:
        return "its most probable label is not the target"


def _letter(label: str) -> Letter:
    letters: dict[str, Letter] = {"entailment": "e", "neutral": "n", "contradiction": "c"}
    return letters[label]
