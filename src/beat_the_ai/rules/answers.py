"""Models' answers to works, and other files that stand beside a dataset in a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class KeptAnswers:
    """The answers of the model that a campaign or a file calls `model`; `label` tells it from others of that name.

    An answer is a stored prediction, or what else the kind's files have (`Evaluation`).
    """

    model: str
    label: str
    answers: Mapping[str, Any]


@dataclass(frozen=True)
class Beside:
    """Files of `known` works, on which models were trained, and of `regular` ones, which are the comparison.

    The models' `answers` are to the dataset and to regular works.
    """

    known: Sequence[Path] = ()
    regular: Sequence[Path] = ()
    answers: Sequence[KeptAnswers] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.known or self.regular or self.answers)
