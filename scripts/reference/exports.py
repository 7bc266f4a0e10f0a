"""The page of exports: from the row types, which are also the columns of the files and the card's table of fields."""

from __future__ import annotations

from beat_the_ai.dataset.card import DROPPED, EXCLUDED
from beat_the_ai.dataset.edits import EditRow
from beat_the_ai.dataset.format import COMMON
from beat_the_ai.dataset.records import AttemptRow, CheckedAttemptRow, attempt_type
from beat_the_ai.dataset.screenings import SAMPLE, ResponseRow
from beat_the_ai.dataset.votes import GradualVoteRow, VoteRow
from beat_the_ai.rules.checking import Gradual
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.registry import KINDS, bind
from beat_the_ai.writing.session import FLAG_REASONS
from scripts.reference.types import code, record_section, table

INTRODUCTION = """# Exports

What `beat-the-ai export CAMPAIGN --out DIR` writes, and the columns of its tables.
[How to export](../how-to/export.md) says how to read them. Every column may be empty in Parquet and Arrow.

| file | what is in it |
| --- | --- |
| `README.md` | the data card, filled in from the campaign |
| `SHA256SUMS` | checksums of all files that may be shared; `sha256sum --check SHA256SUMS` |
| `attempts.jsonl`, `attempts.parquet` | every attempt, in the dataset or not |
| `votes.jsonl`, `votes.parquet` | where works are checked: each person's last word on each work, gold included |
| `edits.jsonl`, `edits.parquet` | where writers see hints (Quizbowl): each draft, and what the model said |
| `jsonl/PART.jsonl`, `parquet/PART.parquet` | the examples of each part, with a card for `load_dataset("DIR/jsonl")` |
| `hf/` | the same, and the tables, for `load_dataset("DIR/hf")` and `load_from_disk`; dev is called validation |
| `squad.json`, `squad/PART.json` | SQuAD v1.1 JSON of reading comprehension: the whole dataset, and its parts |
| `anli/R1/PART.jsonl`, `anli/R1/hf/`, ... | ANLI's files and a `DatasetDict`, by round of `nli` |
| `qanta.json` | QANTA's columns, of Quizbowl |
| `private/screening_*.jsonl`, `.parquet` | what newcomers answered; it shows the quiz keys: do not share it |
"""


def page() -> str:
    reasons = table(
        ("`dropped`", "why an attempt is not in the dataset"),
        ((code(name), why) for name, why in {**EXCLUDED, **DROPPED}.items()),
    )
    formats = table(
        ("kind of task", "formats"),
        ((code(name), ", ".join(code(one) for one in [*COMMON, *bind(name).dataset.formats])) for name in KINDS),
    )
    sections = [
        INTRODUCTION,
        "## Formats\n\nWhat `--format` takes. Without it, all formats are written.\n\n" + formats,
        record_section(AttemptRow, "## Attempts: `AttemptRow`", deep=False),
        "`work`, `prediction` and `scores` are [the kind's](#reading_comprehension). "
        f"`flag` is one of {', '.join(map(code, FLAG_REASONS))}.\n\n{reasons}",
        "### Further columns\n\nWhere works are checked, explained or balanced, attempts also have:\n",
        _added_to_attempts(),
        record_section(VoteRow, "## Votes: `VoteRow`", deep=False),
        _added("Where works are shown step by step (Quizbowl), a vote also has:", VoteRow, GradualVoteRow),
        record_section(EditRow, "## Edits: `EditRow`", deep=False),
        record_section(ResponseRow, "## Screening responses: `ResponseRow`", deep=False)
        + "\nThe table of screening attempts has the columns of `AttemptRow`; in those that count `dropped` is "
        f"`{SAMPLE}`.\n",
        *(_of_kind(bind(name)) for name in KINDS),
    ]
    return "\n".join(sections)


def _added_to_attempts() -> str:
    with_all = attempt_type(bind("nli"))
    columns = [*CheckedAttemptRow.model_fields, "stratum", "explanation"]
    rows = [
        (code(name), with_all.model_fields[name].description or "")
        for name in columns
        if name not in AttemptRow.model_fields
    ]
    return table(("field", "meaning"), rows)


def _added(sentence: str, of: type[VoteRow], more: type[GradualVoteRow]) -> str:  # type: ignore[type-arg]
    rows = (
        (code(name), field.description or "")
        for name, field in more.model_fields.items()
        if name not in of.model_fields
    )
    return f"{sentence}\n\n" + table(("field", "meaning"), rows)


def _of_kind(kind: Kind) -> str:
    """Return the records that the kind of task declares: its example, and what is nested in the other tables."""
    checking, hints = kind.checking, kind.hints
    nested: dict[str, type[Value] | None] = {
        "An example, in `jsonl/`, `parquet/` and `hf/`": kind.dataset.example_type,
        "`work`": kind.writing.work_type,
        "`prediction`": kind.writing.prediction_type,
        "`scores`": kind.writing.scores_type,
        "`vote`": None if checking is None else checking.vote_type,
        "`explanation`": kind.writing.explanation_type,
        "`draft`": None if hints is None else hints.draft_type,
    }
    sections = [f"## {kind.name}\n"]
    for title, record in nested.items():
        if record is not None:
            sections.append(record_section(record, f"### {title} of {kind.name}"))
    whole = ["Votes on regular questions are exported whole.\n"] * isinstance(checking, Gradual)
    return "\n".join([*sections, *whole])
