"""Datasets of questions: a campaign's, and files in QANTA's columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import ClassVar

from beat_the_ai.analysis.cells import mean, mean_cell, share_bar, share_cell
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.folders import parts_of
from beat_the_ai.kinds.quizbowl.answer_lines import names_of
from beat_the_ai.kinds.quizbowl.answers import page_title
from beat_the_ai.kinds.quizbowl.collection import Question, questions_of, read_collection, read_questions
from beat_the_ai.kinds.quizbowl.dataset import QuestionDataset
from beat_the_ai.kinds.quizbowl.evaluation import SHARES, best_guess
from beat_the_ai.kinds.quizbowl.report.overlap import KnownQuestions, names
from beat_the_ai.kinds.quizbowl.report.phenomena import SCHEME, phenomena_section
from beat_the_ai.kinds.quizbowl.wording import sentences, words
from beat_the_ai.kinds.quizbowl.writing import Work
from beat_the_ai.rules import dataset
from beat_the_ai.rules.corpora import Item, LabelledWork, Scheme, Statistics
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.terms.division import EXCLUSIVE, TEST

Part = tuple[str, Sequence[Question]]


class QuestionCorpora:
    """QANTA JSON, or JSON Lines in its columns; a folder has train, dev and test."""

    scheme: ClassVar[Scheme] = SCHEME

    def introduction(self, path: Path) -> str:
        return f"A dataset of {sum(len(questions) for _, questions in _parts(path)):,} Quizbowl questions."

    def sections(self, path: Path) -> Sequence[Section]:
        return part_sections(_parts(path))

    def statistics(self, path: Path) -> Statistics:
        part = (path.stem, read_questions(path, "DATASET"))
        _, questions = part
        figures = {
            "questions": len(questions),
            "answers": len({question.page for question in questions}),
            "categories": dict(sorted(Counter(question.category or "" for question in questions).items())),
            "words_mean": mean([len(words(question.text)) for question in questions]),
            "sentences_mean": mean([len(sentences(question.text)) for question in questions]),
            "names_mean": mean([len(names(question.text)) for question in questions]),
        }
        return Statistics(figures, part_sections([part]))

    def items(self, path: Path) -> Sequence[Item]:
        return [_item(question) for _, questions in _parts(path) for question in questions]

    def item(self, example: dataset.Example) -> Item:
        return _item(_question(example))

    def works(self, path: Path) -> Sequence[LabelledWork]:
        return [_work(question) for _, questions in _parts(path) for question in questions]

    def groups(self, work: Json, task_item: TaskItem) -> Mapping[str, str]:
        return {"category": str(task_item.context.private["category"])}

    def annotated(self, annotations: Mapping[str, Sequence[str]]) -> Section:
        return phenomena_section(annotations)


def question_sections(
    known: Sequence[str], parts: dataset.Parts, _trials: Iterable[dataset.Trial]
) -> Sequence[Section]:
    """Return the sections on a campaign's dataset; `known` are the collections of `task.options.known_questions`."""
    exclusive = [example for example in parts[TEST] if example.exclusive]
    named = {**parts, **({EXCLUSIVE: exclusive} if exclusive else {})}
    read = [(name, [_question(example) for example in examples]) for name, examples in named.items()]
    sections = [*part_sections(read), _course_section(parts)]
    if known:
        sections.append(_overlap_section(read, KnownQuestions(questions_of(known, "known_questions"))))
    return sections


def part_sections(parts: Sequence[Part]) -> list[Section]:
    """Sizes and lengths, and categories."""
    header = ("part", "questions", "answers", "words", "sentences", "names")
    rows = [
        (
            name,
            f"{len(questions):,}",
            f"{len({question.page for question in questions}):,}",
            mean_cell([len(words(question.text)) for question in questions], 1),
            mean_cell([len(sentences(question.text)) for question in questions], 1),
            mean_cell([len(names(question.text)) for question in questions], 1),
        )
        for name, questions in parts
    ]
    text = (
        "Distinct answers; means for a question with 95% bootstrap intervals. Names are runs of words with a capital, "
        "where a sentence begins of two or more: a rule, not a model. The paper's adversarial questions have 107.1 "
        "words and 9.1 named entities, regular ones 133.5 and 12.5."
    )
    every = [question for _, questions in parts for question in questions]
    counts = Counter(question.category or "none" for question in every)
    topics = [(name, share_cell(count, len(every))) for name, count in counts.most_common()]
    plot = bars([share_bar(name, count, len(every)) for name, count in counts.most_common()], "Categories")
    return [
        Section("Questions", text, Table(header, rows), source="Table 2"),
        Section(
            "Topics",
            "The category of each question. The lines are 95% Wilson intervals.",
            Table(("category", "questions"), topics),
            plot if every else None,
            source="Table 1",
        ),
    ]


def _course_section(parts: dataset.Parts) -> Section:
    """The model in the loop on the questions that beat it."""
    examples = [example for part in parts.values() for example in part]
    rows, drawn = [], []
    for share in SHARES:
        right = sum(_is_right(example, share) for example in examples)
        rows.append((f"{share}%", share_cell(right, len(examples))))
        drawn.append(share_bar(f"{share}%", right, len(examples)))
    text = (
        "How often the best guess of the model in the loop is right when so much of a question is read. It is low by "
        "choice: only what beat the model is in the dataset. beat-the-ai evaluate measures other models, and regular "
        "questions. The lines are 95% Wilson intervals."
    )
    table = Table(("of the words", "the best guess is right"), rows)
    return Section("The model in the course of the questions", text, table, bars(drawn, "Accuracy"), "Figures 4 and 5")


def _is_right(example: dataset.Example, share: int) -> bool:
    turns = [(turn["word"], turn["page"]) for turn in example.prediction["turns"]]
    word = ceil(len(words(example.work["text"])) * share / 100)
    return bool(best_guess(turns, word) == example.work["answer"])


def _overlap_section(parts: Sequence[Part], known: KnownQuestions) -> Section:
    header = ("part", "words known", "pairs known", "longest run", "names known", "known questions per answer")
    rows = []
    for name, questions in parts:
        found = [overlap for question in questions if (overlap := known.overlap(question)) is not None]
        rows.append(
            (
                name,
                mean_cell([one.unigrams for one in found]),
                mean_cell([one.bigrams for one in found]),
                mean_cell([one.longest for one in found]),
                mean_cell([one.names for one in found if one.names is not None]),
                mean_cell([known.count(str(question.page)) for question in questions], 1),
            )
        )
    text = (
        "The share of a question's words, pairs of neighbouring words and names that stand in a known question with "
        "the same answer, and the longest run of words in common; questions whose answer no known one has are left "
        "out. Means with 95% bootstrap intervals. The paper has 0.40, 0.08, 6.73 and 0.38 for adversarial questions; "
        "0.37, 0.05, 6.87 and 0.46 for regular ones; and 14.9 and 16.9 training questions per answer."
    )
    return Section("Overlap with known questions", text, Table(header, rows), source="Table 2, §6.1")


def _parts(path: Path) -> list[Part]:
    parts = {
        name: [one for file in files for one in read_collection(file, "DATASET").questions]
        for name, files in parts_of(path).parts.items()
    }
    if not any(parts.values()):
        raise InvalidInput("DATASET", f"{path} holds no question with a page.")
    return list(parts.items())


def _question(example: dataset.Example) -> Question:
    return Question.model_validate(QuestionDataset().row(example).model_dump())


def _item(question: Question) -> Item:
    name = question.answer or page_title(str(question.page))
    return Item(_id(question), name, question.text, "Category", question.category or "none")


def _work(question: Question) -> LabelledWork:
    category = question.category or "none"
    name, *aliases = names_of(str(question.page), question.answer, question.answer_prompt or "")
    answer = {"page": str(question.page), "name": name, "aliases": aliases, "questions": []}
    private = {"category": category, "answers": [answer]}
    task_item = TaskItem(Context(_id(question), category, category, private))
    marks = {"tournament": question.tournament, "difficulty": question.difficulty}
    return LabelledWork(
        _id(question),
        task_item,
        Work(text=question.text, answer=str(question.page)),
        {name: mark for name, mark in marks.items() if mark},
    )


def _id(question: Question) -> str:
    """Files need not number their questions."""
    return question.id or question.text
