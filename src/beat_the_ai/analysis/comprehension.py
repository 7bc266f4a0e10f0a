"""Which kinds of comprehension questions need (Bartolo et al. 2020, §5.1, Table 9), annotated by people on a sample.

`annotation_page` makes a page that opens offline; what it saves, `read_annotations` reads back. A question has one to
three labels, as in the paper. Of a question that was annotated more than once, in one file or several, the last counts.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from beat_the_ai.analysis.drawings import bars
from beat_the_ai.analysis.examples import Example
from beat_the_ai.analysis.sections import share_bar, share_cell
from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.statistics.section import Section, Table

MOST_LABELS = 3

# Name: what it says of the question, after the definitions of Table 9.
REQUIREMENTS = {
    "Explicit": "The passage states the answer in nearly the words of the question.",
    "Paraphrasing": "The question says in other words what the passage says.",
    "External Knowledge": "Something must be known that the passage does not tell.",
    "Coreference": "Two expressions must be understood to mean the same thing or person.",
    "Multi-Hop": "More than one step of inference is needed, often across sentences.",
    "Comparative": "Two or more things must be compared (smaller, last …).",
    "Numeric": "Something must be counted, calculated or otherwise reasoned about in numbers.",
    "Negation": "A negation, or several, must be interpreted.",
    "Filtering": "One of several possible answers must be selected by what sets it apart.",
    "Temporal": "Time and change must be understood, beyond a date that is stated.",
    "Spatial": "Space, place or nearness must be understood, beyond a place that is stated.",
    "Inductive": "The passage has a particular case, and the question asks about the general one.",
    "Implicit": "The answer follows from what the passage implies, and needs none of the other kinds.",
}


class _Annotation(BaseModel):
    model_config = ConfigDict(strict=True)

    id: str
    labels: list[str]


class _Annotations(BaseModel):
    model_config = ConfigDict(strict=True)

    annotations: list[_Annotation]


def sample(examples: Sequence[Example], size: int, seed: int) -> list[Example]:
    """`size` questions (all, if there are fewer) drawn by the seed, in the order in which they are annotated."""
    return random.Random(seed).sample(examples, min(size, len(examples)))  # noqa: S311  # no secret hangs on it


def sample_key(examples: Sequence[Example]) -> str:
    """Tells samples apart, so that a page does not take up the labels of another one."""
    return hashlib.sha256("\0".join(example.id for example in examples).encode()).hexdigest()[:16]


def read_annotations(paths: Sequence[Path]) -> dict[str, list[str]]:
    """`{question id: labels}`. Raises `InvalidInput` that names the file, and what is wrong in it."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for one in _read(path).annotations:
            unknown = [label for label in one.labels if label not in REQUIREMENTS]
            if unknown or not 1 <= len(set(one.labels)) <= MOST_LABELS:
                raise InvalidInput(
                    "ANNOTATIONS",
                    f"{path}, question {one.id[:40]!r}: {', '.join(one.labels)[:80] or 'no label'} was given; one to "
                    f"{MOST_LABELS} of {', '.join(REQUIREMENTS)} are wanted.",
                )
            found[one.id] = one.labels
    return found


def _read(path: Path) -> _Annotations:
    try:
        return _Annotations.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InvalidInput("ANNOTATIONS", f"{path} cannot be read: {error}") from error
    except ValidationError as error:
        fault = first_fault(error, "file")
        raise InvalidInput(
            "ANNOTATIONS", f"{path} is not what the annotation page saves ({fault.place}: {fault.reason})."
        ) from None


def requirements_section(annotations: Mapping[str, Sequence[str]]) -> Section:
    """Figure 5: the share of the annotated questions that have each label."""
    total = len(annotations)
    counts = Counter(label for labels in annotations.values() for label in set(labels))
    rows = [(name, share_cell(counts[name], total), meaning) for name, meaning in REQUIREMENTS.items()]
    text = (
        f"Of {total:,} annotated questions, with up to {MOST_LABELS} labels each, so that the shares add up to more "
        "than 100%. The lines are 95% Wilson intervals."
    )
    plot = bars([share_bar(name, counts[name], total) for name in REQUIREMENTS], "Comprehension requirements")
    table = Table(("requirement", "questions", "meaning (Table 9)"), rows)
    return Section("Comprehension requirements", "Figure 5", text, table, plot)
