"""Differences between the figures of a report and its data card, and those computed again from the files."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.recompute import (
    adversarialness,
    arms,
    artefacts,
    forecast,
    looking_back,
    model_scores,
    nli,
    quizbowl,
    reading_comprehension,
)
from tests.recompute import status as of_status
from tests.recompute.campaign import Kind, Section, campaign_sections
from tests.recompute.card import card_sentences, card_tables, parts_of_contexts, read_card, rows_of_parts
from tests.recompute.files import Export
from tests.recompute.left_out import FACTS, SECTIONS, TABLES, Reasons, reason, unexplained_numbers

IDS = ("id", "uid", "qanta_id")


def kind_of(export: Export, compared: quizbowl.Compared | None) -> Kind:
    kinds = {"nli": nli.KIND, "reading_comprehension": reading_comprehension.KIND, "quizbowl": quizbowl.kind(compared)}
    return kinds[export.fact("task")]


def differences(folder: Path, report: Mapping[str, Any], compared: quizbowl.Compared | None = None) -> list[str]:
    """Return each difference in a line. `report` is what `report --json` prints, `compared` are Quizbowl's."""
    export = Export.read(folder)
    kind = kind_of(export, compared)
    said = {
        section["title"]: Section(section["header"], section["rows"], [section["text"]])
        for section in report["sections"]
    }
    card = {title: Section(rows[0], rows[1:]) for title, rows in read_card(export.card).items()}
    made = {
        **campaign_sections(export, kind, said),
        **arms.report_sections(export, kind),
        **looking_back.sections(export, kind),
        **artefacts.sections(export),
        **forecast.sections(export, kind),
    }
    near = {*adversarialness.TITLES, model_scores.TITLE}  # held to their figures one by one
    sentences = {title: section.sentences for title, section in made.items()}
    sentences[adversarialness.OVERALL] = adversarialness.sentences(export, kind)
    total = int(export.attempts["in_part"].sum())
    introduction = Section([], [], [report["introduction"]])
    return [
        *_compared("report", _to_compare(said, SECTIONS, near), made),
        *_compared("card", _to_compare(card, TABLES), {**card_tables(export, kind), **arms.card_tables(export, kind)}),
        *(f"report, {one}" for one in _numbers(said, sentences)),
        *_in_text("report", introduction, [f"A campaign of {total:,} attempts"]),
        *adversarialness.differences(export, kind, said),
        *model_scores.differences(export, said),
        *artefacts.differences(export, kind, artefacts.kept(export)),
        *_of_presets(said, card),
        *_in_card(export, [*card_sentences(export, kind), *artefacts.card_warnings(export)]),
        *rows_of_parts(export, IDS),
        *parts_of_contexts(export.attempts),
    ]


def status_differences(
    folder: Path, status: Sequence[Mapping[str, Any]], compared: quizbowl.Compared | None = None
) -> list[str]:
    """Return each difference in a line. `status` is what `status --json` prints."""
    export = Export.read(folder)
    return list(of_status.differences(export, kind_of(export, compared), status))


def _to_compare(said: Mapping[str, Section], left_out: Reasons, near: Collection[str] = ()) -> dict[str, Section]:
    return {title: section for title, section in said.items() if title not in near and reason(title, left_out) is None}


def _numbers(said: Mapping[str, Section], sentences: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the numbers in texts that nobody has computed again."""
    for title, section in said.items():
        if reason(title, SECTIONS) is None:
            numbers = list(unexplained_numbers(title, section.sentences[0], sentences.get(title, ())))
            if numbers:
                yield f"{title}: nobody has recomputed {', '.join(numbers)} in {section.sentences[0]!r}"


def _of_presets(said: Mapping[str, Section], card: Mapping[str, Section]) -> Iterator[str]:
    """Yield where report and card do not say the same of what is not as in a paper."""
    for title, section in said.items():
        if title.startswith("Not as in the paper: "):
            of_card = card.get(f"{title}: what", Section([], []))
            rows = [[html.unescape(re.sub(r"\\(.)", r"\1", cell)) for cell in row] for row in of_card.rows]
            yield from (f"report, {title}: {one}" for one in _in_table(section, Section(of_card.header, rows)))


def _in_card(export: Export, sentences: Sequence[str]) -> Iterator[str]:
    """Yield the sentences that a card lacks, and the facts and warnings in it that nobody has computed again."""
    yield from (f"card: {sentence!r} is not in it" for sentence in sentences if sentence not in export.card)
    collected = export.card.partition("## How it was collected")[2].partition("\n## ")[0]
    for name in re.findall(r"^- ([^:]+): ", collected, re.MULTILINE):
        if name not in FACTS and not any(sentence.startswith(f"- {name}: ") for sentence in sentences):
            yield f"card: nobody has recomputed {name!r}"
    for warning in re.findall(r"^\*\*Warning: (.*)\*\*$", export.card, re.MULTILINE):
        if html.unescape(re.sub(r"\\(.)", r"\1", warning)) not in sentences:
            yield f"card: nobody has recomputed the warning {warning!r}"


def _compared(place: str, said: Mapping[str, Section], made: Mapping[str, Section]) -> Iterator[str]:
    for title in [*said, *(title for title in made if title not in said)]:
        if title not in said or title not in made:
            yield f"{place}, {title}: {'nobody has recomputed it' if title in said else 'it is missing'}"
            continue
        yield from (f"{place}, {title}: {one}" for one in _in_table(said[title], made[title]))
        yield from _in_text(f"{place}, {title}", said[title], made[title].sentences)


def _in_text(place: str, said: Section, sentences: Sequence[str]) -> Iterator[str]:
    text = said.sentences[0] if said.sentences else ""
    yield from (f"{place}: {sentence!r} is not in {text!r}" for sentence in sentences if sentence not in text)


def _in_table(said: Section, made: Section) -> Iterator[str]:
    pairs = [(list(said.header), list(made.header)), *zip(map(list, said.rows), map(list, made.rows), strict=False)]
    yield from (f"{one} is said, {other} is in the files" for one, other in pairs if one != other)
    if len(said.rows) != len(made.rows):
        first = max(said.rows, made.rows, key=len)[min(len(said.rows), len(made.rows))]
        yield f"{len(said.rows)} rows are said, {len(made.rows)} are in the files; in one alone: {first}"
