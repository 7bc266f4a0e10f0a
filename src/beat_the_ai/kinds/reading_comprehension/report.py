"""What a report says of the questions of a dataset, as the paper's tables and figures do."""

from __future__ import annotations

from beat_the_ai.analysis.examples import Example, Part
from beat_the_ai.analysis.sections import dataset_sections
from beat_the_ai.rules.kind import Parts
from beat_the_ai.statistics.section import Section


def question_sections(parts: Parts) -> list[Section]:
    read = []
    for name, examples in parts.items():
        part = Part(name)
        for one in examples:
            part.add(Example(one.id, one.context.text, one.work["question"], one.work["answer"]["text"]))
        read.append(part)
    return dataset_sections(read)
