"""DROP and NaturalQuestions in SQuAD's shape: the questions that Bartolo et al. 2020 keep of them (§4.4).

    python -m beat_the_ai.kinds.reading_comprehension.filtering drop drop_dataset_dev.json --out drop.json
    python -m beat_the_ai.kinds.reading_comprehension.filtering nq v1.0-dev-*.jsonl.gz --out nq.json

**DROP**: "questions where the answer is a span in the passage and where there is only one candidate answer". Kept are
answers with one span and neither number nor date; the span's first place in the passage is the answer's. The paper
keeps 2,827 of the dev set.

**NaturalQuestions**: "all nontabular long answers as passages, remove HTML tags and use the short answer as the
extracted span". A page has annotations of several people, and the paper does not say whose count. Here one is kept that
has a long answer outside of tables and one short answer; if people differ, the one that most gave, or else the first.
The paper keeps 1,946 of the dev set.

Documents (sections of DROP, pages of NaturalQuestions) are the articles, so that a split is by documents, as there.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from beat_the_ai.dataset.files import write_text
from beat_the_ai.errors import BeatTheAIError, InvalidInput, first_fault
from beat_the_ai.files.content import read_text

TABULAR = frozenset({"<table>", "<tr>"})
NOBODY = -1  # of a long answer that was not marked
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


class Kept(NamedTuple):
    """A question that fits SQuAD's shape; `start` counts code points of the passage."""

    document: str
    id: str
    passage: str
    question: str
    answer: str
    start: int


class _Record(BaseModel):
    """A record of a public file, of which other fields are ignored."""

    model_config = ConfigDict(extra="ignore")


class _Date(_Record):
    day: str = ""
    month: str = ""
    year: str = ""


class _DropAnswer(_Record):
    number: str = ""
    date: _Date = _Date()
    spans: list[str] = Field(default_factory=list)


class _Pair(_Record):
    query_id: str
    question: str
    answer: _DropAnswer


class _Section(_Record):
    passage: str
    qa_pairs: list[_Pair]


class _Token(_Record):
    token: str
    html_token: bool


class _Tokens(_Record):
    start_token: int
    end_token: int


class _Annotation(_Record):
    long_answer: _Tokens
    short_answers: list[_Tokens] = Field(default_factory=list)


class _Page(_Record):
    example_id: int | str
    document_title: str = ""
    question_text: str
    document_tokens: list[_Token]
    annotations: list[_Annotation]


def of_drop(path: Path) -> Iterator[Kept]:
    """Yield the questions of DROP that are kept. Raises `InvalidInput` for a file in another shape."""
    for name, section in _json(path).items():
        read = _read(_Section, section, path, f"section {name}")
        for pair in read.qa_pairs:
            answer = pair.answer
            if len(answer.spans) != 1 or answer.number or any(answer.date.model_dump().values()):
                continue
            [span] = answer.spans
            start = read.passage.find(span)
            if span.strip() and start >= 0:
                yield Kept(name, pair.query_id, read.passage, pair.question, span, start)


def of_natural_questions(path: Path) -> Iterator[Kept]:
    """Yield the questions of NaturalQuestions that are kept. Raises `InvalidInput` for a file in another shape."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):  # a file has gigabytes
            place = f"line {number}"
            page = _read(_Page, _parsed(line, path, place), path, place)
            given = [found for one in page.annotations if (found := _spans(page, one)) is not None]
            if given:
                [((long, short), _)] = Counter(given).most_common(1)  # of equals the first
                if not 0 <= long[0] <= short[0] < short[1] <= long[1] <= len(page.document_tokens):
                    raise InvalidInput("FILES", f"{path}, {place}: a short answer is not within its long answer.")
                yield _question(page, long, short)


def _spans(page: _Page, annotation: _Annotation) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the tokens of long and short answer, each from and to; None for an annotation that does not fit."""
    long = annotation.long_answer
    if long.start_token == NOBODY or len(annotation.short_answers) != 1:
        return None
    if {token.token.casefold() for token in page.document_tokens[long.start_token :][:1]} & TABULAR:
        return None
    [short] = annotation.short_answers
    return (long.start_token, long.end_token), (short.start_token, short.end_token)


def _question(page: _Page, long: tuple[int, int], short: tuple[int, int]) -> Kept:
    """Return the question with its passage: the long answer's words with single spaces, without HTML."""
    before = _words(page.document_tokens[long[0] : short[0]])
    answer = _words(page.document_tokens[short[0] : short[1]])
    passage = _words(page.document_tokens[long[0] : long[1]])
    start = len(before) + 1 if before else 0
    title = page.document_title or str(page.example_id)
    return Kept(title, str(page.example_id), passage, page.question_text, answer, start)


def _words(tokens: Iterable[_Token]) -> str:
    return " ".join(token.token for token in tokens if not token.html_token)


def squad_of(kept: Iterable[Kept]) -> dict[str, Any]:
    """Return SQuAD v1.1's JSON, an article for each document."""
    articles: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for one in kept:
        answers = [{"text": one.answer, "answer_start": one.start}]
        questions = articles.setdefault(one.document, {}).setdefault(one.passage, [])
        questions.append({"id": one.id, "question": one.question, "answers": answers})
    data = [
        {"title": title, "paragraphs": [{"context": text, "qas": asked} for text, asked in passages.items()]}
        for title, passages in articles.items()
    ]
    return {"version": "1.1", "data": data}


def _read(of: type[Any], content: object, path: Path, place: str) -> Any:
    try:
        return of.model_validate(content)
    except ValidationError as error:
        fault = first_fault(error, "the whole of it")
        raise InvalidInput("FILES", f"{path}, {place}: {fault.place}: {fault.reason}.") from None


def _json(path: Path) -> Mapping[str, Any]:
    content = _parsed(read_text(path, "FILES"), path, "the whole file")
    if not isinstance(content, dict):
        raise InvalidInput("FILES", f"{path} is no DROP file: sections by their names are needed.")
    return content


def _parsed(text: str, path: Path, place: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise InvalidInput("FILES", f"{path}, {place}: this is no JSON: {error}.") from error


FILTERS: Mapping[str, Callable[[Path], Iterator[Kept]]] = {"drop": of_drop, "nq": of_natural_questions}


@click.command()
@click.argument("dataset", type=click.Choice(list(FILTERS)))
@click.argument("files", type=FILE, nargs=-1, required=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
def main(dataset: str, files: Sequence[Path], out: Path) -> None:
    """Write the questions of DROP or NaturalQuestions that fit SQuAD's shape (Bartolo et al. 2020, §4.4) to --out."""
    try:
        kept = [one for path in files for one in FILTERS[dataset](path)]
    except (BeatTheAIError, OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise click.ClickException(f"{error}") from error
    write_text(out, json.dumps(squad_of(kept), ensure_ascii=False) + "\n")
    click.echo(f"{out}: {len(kept):,} questions")


if __name__ == "__main__":
    main()
