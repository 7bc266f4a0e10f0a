"""Questions of SQuAD v1.1 files, each with one answer: the one that most people gave (Bartolo et al. 2020, §3.2)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.rules.samples import Sample


class QuestionSamples:
    """A document is an article; where a file has no more than one, each passage is a document of its own.

    Questions without an answer are left out.
    """

    suffix = ".json"

    def read(self, path: Path) -> list[Sample]:
        passages = squad.load(path)
        one_article = len({passage.title for passage in passages}) == 1
        return [
            Sample(question.id, passage.text if one_article else passage.title, passage.text, (passage, question))
            for passage in passages
            for question in passage.questions
            if question.answers
        ]

    def text(self, samples: Sequence[Sample]) -> str:
        articles: dict[str, dict[str, dict[str, Any]]] = {}
        for sample in samples:
            passage, question = sample.content
            paragraphs = articles.setdefault(passage.title, {})
            paragraph = paragraphs.setdefault(passage.text, {"context": passage.text, "qas": []})
            answer = squad.majority(question.answers)
            answers = [{"text": answer.text, "answer_start": answer.start}]
            paragraph["qas"].append({"id": question.id, "question": question.text, "answers": answers})
        data = [{"title": title, "paragraphs": list(paragraphs.values())} for title, paragraphs in articles.items()]
        return json.dumps({"version": "1.1", "data": data}, ensure_ascii=False) + "\n"
