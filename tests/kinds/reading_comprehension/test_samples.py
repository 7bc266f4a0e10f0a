"""Questions of SQuAD files as samples for experiments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.samples import QuestionSamples

TEXT = "In 1848 Ada met the old king."


def answers(*texts: str) -> list[dict[str, Any]]:
    return [{"text": text, "answer_start": TEXT.index(text)} for text in texts]


def write(path: Path, titles: tuple[str, ...]) -> Path:
    articles = [
        {
            "title": title,
            "paragraphs": [
                {
                    "context": f"{TEXT} {title}",
                    "qas": [
                        {"id": f"{title}-who", "question": "Who?", "answers": answers("Ada", "king", "the old king")},
                        {"id": f"{title}-when", "question": "When?", "answers": answers("1848")},
                        {
                            "id": f"{title}-whom",
                            "question": "Whom?",
                            "answers": answers("Ada", "the old king", "old king"),
                        },
                    ],
                }
            ],
        }
        for title in titles
    ]
    path.write_text(json.dumps({"data": articles}))
    return path


def test_a_question_keeps_the_answer_that_most_people_gave(tmp_path: Path) -> None:
    path = write(tmp_path / "squad.json", ("A", "B"))
    samples = QuestionSamples().read(path)
    assert [(sample.id, sample.document) for sample in samples[:3]] == [
        ("A-who", "A"),
        ("A-when", "A"),
        ("A-whom", "A"),
    ]
    copy = tmp_path / "copy.json"
    copy.write_text(QuestionSamples().text(samples))
    questions = [question for passage in squad.load(copy) for question in passage.questions]
    assert [[answer.text for answer in question.answers] for question in questions[:3]] == [
        ["Ada"],  # all once: the first
        ["1848"],
        ["the old king"],  # the same as "old king" after normalisation
    ]
    assert all(TEXT[a.start : a.start + len(a.text)] == a.text for q in questions for a in q.answers)
    assert [passage.title for passage in squad.load(copy)] == ["A", "B"]
    assert QuestionSamples().text(QuestionSamples().read(copy)) == copy.read_text()


def test_passages_of_a_single_article_are_documents_of_their_own(tmp_path: Path) -> None:
    [first, *_] = QuestionSamples().read(write(tmp_path / "squad.json", ("A",)))
    assert first.document == first.context
