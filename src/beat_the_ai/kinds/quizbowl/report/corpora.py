"""Datasets of questions: a campaign's, and files in QANTA's columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from beat_the_ai.analysis.breakdown import Breakdown, figures_of
from beat_the_ai.analysis.cells import mean_cell, share_bar, share_cell
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.dataset.exported_tables import groups_beside
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.folders import parts_of
from beat_the_ai.kinds.quizbowl.answer_lines import names_of
from beat_the_ai.kinds.quizbowl.answers import page_title
from beat_the_ai.kinds.quizbowl.collection import Question, questions_of, read_collection, read_questions, read_usable
from beat_the_ai.kinds.quizbowl.dataset import QuestionDataset
from beat_the_ai.kinds.quizbowl.guesses import Prediction
from beat_the_ai.kinds.quizbowl.report.courses import courses_section
from beat_the_ai.kinds.quizbowl.report.edits import edit_sections
from beat_the_ai.kinds.quizbowl.report.evidence import Written, evidence_sections
from beat_the_ai.kinds.quizbowl.report.exported import ExportedAttempts
from beat_the_ai.kinds.quizbowl.report.measured import measured_questions
from beat_the_ai.kinds.quizbowl.report.overlap import NAME_RULE, KnownQuestions, names, overlap_section
from beat_the_ai.kinds.quizbowl.report.phenomena import SCHEME, phenomena_section
from beat_the_ai.kinds.quizbowl.report.plays import play_sections
from beat_the_ai.kinds.quizbowl.report.published import SIZES, TOPICS, published_datasets
from beat_the_ai.kinds.quizbowl.report.sets import QuestionSet, compared_sets, gold_id
from beat_the_ai.kinds.quizbowl.wording import sentences, words
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting, Work
from beat_the_ai.rules import dataset
from beat_the_ai.rules.answers import Beside, KeptAnswers
from beat_the_ai.rules.corpora import Item, LabelledWork, PublishedDataset, Scheme, Statistics
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.statistics.measures import Count, Mean, Rows, Share
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.terms.division import EXCLUSIVE, PARTS, TEST

Part = tuple[str, Sequence[Question]]
TOPICS_IN_THE_PAPER = (
    "In the paper, of 100 questions: history 22%, literature 18%, science 17%, fine arts 15%, current events, "
    "geography and general knowledge 15%, religion, mythology, philosophy and social science 13%."
)


class QuestionCorpora:
    """QANTA JSON, or JSON Lines in its columns; a folder has train, dev and test."""

    scheme: ClassVar[Scheme] = SCHEME

    @property
    def published(self) -> Sequence[PublishedDataset]:
        return published_datasets()

    def introduction(self, path: Path) -> str:
        read = read_usable(path, "DATASET")
        return " ".join((f"A dataset of {len(read.questions):,} Quizbowl questions.", *read.notes))

    def sections(self, path: Path) -> Sequence[Section]:
        return sections_beside(path, Beside())

    def statistics(self, path: Path) -> Statistics:
        read = read_usable(path, "DATASET")
        parts = _divided(path, read.questions)
        questions = [question for _, some in parts for question in some]
        lengths = Breakdown(measured_questions(parts).with_groups(groups_beside(path, "DATASET")))
        figures = {
            "questions": len(questions),
            "answers": len({question.page for question in questions}),
            "categories": dict(sorted(Counter(question.category or "" for question in questions).items())),
            **figures_of(lengths.total),
            "groups": lengths.group_rows,
        }
        return Statistics(figures, [*part_sections(parts), lengths.section], read.notes)

    def items(self, path: Path) -> Mapping[str, Sequence[Item]]:
        return {name: [_item(question) for question in questions] for name, questions in _parts(path)}

    def item(self, example: dataset.Example) -> Item:
        return _item(_question(example))

    def works(self, path: Path) -> Sequence[LabelledWork]:
        parts = _parts(path)
        named = [(name if len(parts) > 1 else "", questions) for name, questions in parts]
        return [_work(question, part) for part, questions in named for question in questions]

    def notes(self, path: Path) -> Sequence[str]:
        return read_collection(path, "DATASET").notes

    def groups(self, work: Json, task_item: TaskItem) -> Mapping[str, str]:
        return {"category": str(task_item.context.private["category"])}

    def annotated(self, annotations: Mapping[str, Sequence[str]], items: Sequence[Item]) -> Sequence[Section]:
        return [phenomena_section(annotations)]


def question_sections(
    writing: QuestionWriting, parts: dataset.Parts, _trials: Iterable[dataset.Trial]
) -> Sequence[Section]:
    """Return the sections on a campaign's dataset, beside the known and the regular questions of its options."""
    exclusive = [example for example in parts[TEST] if example.exclusive]
    named = {**parts, **({EXCLUSIVE: exclusive} if exclusive else {})}
    read = [(name, [_question(example) for example in examples]) for name, examples in named.items()]
    sections = part_sections(read)
    if writing.known_questions:
        known = KnownQuestions(questions_of(writing.known_questions, "known_questions"))
        sections.append(overlap_section(_sets(writing, parts), known))
    return sections


def sections_beside(path: Path, beside: Beside) -> list[Section]:
    """Return the report of a file or folder; of an export, what its tables tell, too."""
    parts, exported = _parts(path), ExportedAttempts.read(path)
    regular = [question for file in beside.regular for question in read_questions(file, "--regular")]
    written = [question for _, questions in parts for question in questions]
    _check_apart(written, regular, {name for each in beside.answers for name in each.answers})
    sets = compared_sets(written, regular)
    loop = [] if exported is None else exported.in_the_loop
    sections = part_sections(parts)
    if loop or beside.answers:
        sections.append(courses_section(sets, loop, beside.answers))
    if beside.known:
        known = KnownQuestions(question for file in beside.known for question in read_questions(file, "--known"))
        sections.append(overlap_section(sets, known))
    if exported is not None:
        sections += evidence_sections(exported.written)
        sections += edit_sections(exported.drafts())
        sections += play_sections(exported.plays())
    return sections


def _check_apart(written: Sequence[Question], regular: Sequence[Question], answered: Collection[str]) -> None:
    """Raise `InvalidInput` where an answer is known by the id of a question in each set."""
    texts = {question.name: question.text for question in written if question.name in answered}
    shared = [each.name for each in regular if texts.get(each.name, each.text) != each.text]
    if shared:
        raise InvalidInput(
            "--regular",
            f"{len(shared):,} of its questions have the id of another one in DATASET, such as {shared[0][:80]!r}: an "
            "answer may be to either. Give the questions ids of their own.",
        )


def part_sections(parts: Sequence[Part]) -> list[Section]:
    """Return sizes and lengths, and categories."""
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
        "Distinct answers; means for a question with 95% bootstrap intervals; questions are taken for independent. "
        f"{NAME_RULE} The paper has 1,213 adversarial questions with 6,541 sentences by 115 authors (§4), of 107.1 "
        "words and 9.1 named entities; its regular ones have 133.5 and 12.5."
    )
    every = _distinct(parts)
    counts = Counter(question.category or "none" for question in every)
    topics = [(name, share_cell(count, len(every))) for name, count in counts.most_common()]
    plot = bars([share_bar(name, count, len(every)) for name, count in counts.most_common()], "Categories")
    return [
        Section(
            SIZES,
            text,
            Table(header, rows),
            source="Table 2",
            measures=lambda: _measures(parts),
            headline=f"{len(every):,} questions",
        ),
        Section(
            TOPICS,
            "The category of each question. The lines are 95% Wilson intervals; questions are taken for independent. "
            f"{TOPICS_IN_THE_PAPER}",
            Table(("category", "questions"), topics),
            plot if every else None,
            source="Table 1",
            measures=lambda: Rows([Share(name, count, len(every)) for name, count in counts.most_common()]),
        ),
    ]


def _distinct(parts: Sequence[Part]) -> list[Question]:
    """Return every question once: those of exclusive writers are in the test part, too."""
    return [question for name, questions in parts for question in questions if name != EXCLUSIVE]


def _measures(parts: Sequence[Part]) -> Rows:
    """Return the sizes of each part, and the lengths of all questions."""
    every = _distinct(parts)
    named = {**{f", {name}": questions for name, questions in parts if name in PARTS}, "": every}
    texts = [question.text for question in every]
    return Rows(
        [
            *(Count(f"questions{part}", len(of)) for part, of in named.items()),
            *(Count(f"answers{part}", len({question.page for question in of})) for part, of in named.items()),
            Mean("words", [len(words(text)) for text in texts], digits=1),
            Mean("sentences", [len(sentences(text)) for text in texts], digits=1),
            Mean("names", [len(names(text)) for text in texts], digits=1),
        ]
    )


def _sets(writing: QuestionWriting, parts: dataset.Parts) -> list[QuestionSet]:
    return compared_sets((_question(each) for part in PARTS for each in parts[part]), _regular(writing))


def _regular(writing: QuestionWriting) -> list[Question]:
    return questions_of(writing.regular_questions, "regular_questions")


def model_sections(writing: QuestionWriting, parts: dataset.Parts, others: Sequence[KeptAnswers]) -> Sequence[Section]:
    """Return how models in the loop and others do on a campaign's dataset, and on its regular questions."""
    by_model: dict[str, dict[str, Any]] = defaultdict(dict)
    for part in PARTS:
        for example in parts[part]:
            by_model[example.model][example.id] = example.prediction
    in_the_loop = [KeptAnswers(model, f"{model}, in the loop", by_model[model]) for model in sorted(by_model)]
    written = [_written(example) for part in PARTS for example in parts[part]]
    return [courses_section(_sets(writing, parts), in_the_loop, others), *evidence_sections(written)]


def compared_works(writing: QuestionWriting) -> list[LabelledWork]:
    """Return the regular questions of a campaign, each once, under the ids that the table of votes has for them."""
    regular = {gold_id(each): each for each in _regular(writing)}
    return [replace(_work(question), id=name) for name, question in regular.items()]


def _parts(path: Path) -> list[Part]:
    return _divided(path, read_questions(path, "DATASET"))


def _divided(path: Path, questions: Iterable[Question]) -> list[Part]:
    parts: dict[str, list[Question]] = {name: [] for name in parts_of(path).parts}
    for question in questions:
        parts[question.part].append(question)
    return list(parts.items())


def _question(example: dataset.Example) -> Question:
    return Question.model_validate(QuestionDataset().row(example).model_dump())


def _written(example: dataset.Example) -> Written:
    prediction = Prediction.model_validate(example.prediction)
    return Written(example.id, example.work["text"], example.work["answer"], prediction)


def _item(question: Question) -> Item:
    name = question.answer or page_title(str(question.page))
    return Item(question.name, name, question.text, "Category", question.category or "none")


def _work(question: Question, part: str = "") -> LabelledWork:
    category = question.category or "none"
    name, *aliases = names_of(str(question.page), question.answer, question.answer_prompt or "")
    answer = {"page": str(question.page), "name": name, "aliases": aliases, "questions": []}
    private = {"category": category, "answers": [answer]}
    task_item = TaskItem(Context(question.name, category, category, private))
    marks = {"tournament": question.tournament, "difficulty": question.difficulty, "part": part}
    return LabelledWork(
        f"{part}/{question.name}" if part else question.name,
        task_item,
        Work(text=question.text, answer=str(question.page)),
        {name: mark for name, mark in marks.items() if mark},
    )
