"""The page of exports: from the row types, which are also the columns of the files and the card's table of fields."""

from __future__ import annotations

from beat_the_ai.campaign.results.assignments import AssignmentRow
from beat_the_ai.dataset.card import DROPPED, EXCLUDED
from beat_the_ai.dataset.contexts import ContextRow
from beat_the_ai.dataset.edits import EditRow
from beat_the_ai.dataset.format import COMMON
from beat_the_ai.dataset.records import AttemptRow, CheckedAttemptRow, attempt_type
from beat_the_ai.dataset.screenings import SAMPLE, ResponseRow
from beat_the_ai.dataset.votes import GoldVoteRow, GradualVoteRow, VoteRow
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
| `CITATION.cff` | where `release.authors` are named: how to cite it |
| `croissant.json` | every shared file with its checksum, and every column, as Croissant 1.0 |
| `SHA256SUMS` | checksums of all files that may be shared; `sha256sum --check SHA256SUMS` |
| `transcript.jsonl`, `transcript.json`, `ROWS` | what happened in the campaign, signed: see [Transcript](#transcript) |
| `attempts.jsonl`, `attempts.parquet` | every attempt, in the dataset or not |
| `votes.jsonl`, `votes.parquet` | where works are checked: each person's last word on each work, gold included |
| `assignments.jsonl`, `assignments.parquet` | every HIT that somebody took: time, review, what it earned |
| `contexts.jsonl`, `contexts.parquet` | the part of each context, for `dataset.splits` of another campaign |
| `edits.jsonl`, `edits.parquet` | where writers see hints (Quizbowl): each draft, and what the model said |
| `jsonl/PART.jsonl`, `parquet/PART.parquet` | the examples of each part, with a card for `load_dataset("DIR/jsonl")` |
| `hf/` | the same, and the tables, for `load_dataset("DIR/hf")` and `load_from_disk`; dev is called validation |
| `squad.json`, `squad/PART.json` | SQuAD v1.1 JSON of reading comprehension: the whole dataset, and its parts |
| `anli/R1/PART.jsonl`, `anli/R1/hf/`, ... | ANLI's files and a `DatasetDict`, by round of `nli` |
| `qanta.json`, `qanta/` | QANTA's columns, of Quizbowl: all parts, and each |
| `private/screening_*.jsonl`, `.parquet` | what newcomers answered; it shows the quiz keys: do not share it |
| `private/gold_votes.jsonl`, `.parquet` | votes on works with known labels, with these: do not share it |
"""

TRANSCRIPT = """## Transcript

`beat-the-ai verify DIR` checks an export with these files alone. Here is all that a verifier in any language needs:
SHA-256, Ed25519 (RFC 8032) and a reader of JSON. Hashes, salts, keys and signatures are lower-case hexadecimal text.

`transcript.json` is `{"statement": TEXT, "signature": HEX}`. The signature is on the UTF-8 bytes of TEXT, and TEXT is
JSON again: `format` (1), `campaign`, `task`, `entries` (how many), `head`, `sha256sums` (SHA-256 of the file
`SHA256SUMS`) and `public_key`. `SHA256SUMS` lists all other files that may be shared.

`transcript.jsonl` has one entry a line, in the order in which they were written down:

```
{"number": 7, "type": "attempt", "salt": "…", "content": "{\\"attempt_id\\":\\"…\\", …}", "head": "…"}
{"number": 8, "type": "attempt", "commitment": "…", "head": "…"}
```

1. `number` counts from 1.
2. The commitment of an entry is SHA-256 of the text `salt` followed by the text `content`. `content` is ASCII, and is
   hashed as it stands: nobody has to write JSON again in the same way, floats least of all. Entry 8 was erased with a
   person's data: it states its commitment, and has neither salt nor content.
3. `head` is SHA-256 of the text `PREVIOUS TYPE COMMITMENT`, with single spaces. PREVIOUS is the head of the line
   before; 64 zeros for the first. The last head is that of the statement.

`content` is an object of JSON. A later entry about the same thing replaces an earlier one.

- `campaign`, the first entry: `format`, `campaign`, `task`, `public_key`.
- `round`, the terms of a round, and once more when they change: `round`, `options`, `rules`, `language`, `models`.
  Options that name files are left out.
- `standing`, who may work: `worker`, `standing`, `at`. The work of those whose last one is `revoked` is in no dataset.
- `attempt`, an attempt whose HIT counts or is set aside: columns of `attempts`, and `context_sha256` (of the context's
  UTF-8 text), `prompt` (what the HIT asked for), `doubted`, `admitted` (a reviewer's word on doubts), `set_aside`.
- `vote`, likewise: columns of `votes`, and `set_aside`.
- `erasure`: `entries`, the numbers of entries that were erased until then.

A row of `attempts` has the values of the last entry with its `attempt_id`, in all columns that the entry has; a row of
`votes` those with its `assignment` and `position`. Null and a missing field are the same. A row has an entry unless
`dropped` is `not_handed_in` or `not_confirmed`, and every entry that says something has a row.

`verify` also judges each attempt again (`work` and `prediction`, by the round's `options`), and adjudicates the votes
that count (by its `rules`): `fooled`, `scores` and `validation` must follow. So must `dropped`, but for who is
discarded or unsound by other people's votes, what balances a part, and the draws of parts: these are signed with the
files, and not computed again. Each example in `jsonl/`, `parquet/` and `hf/` is made again, too; of its context it must
have the text. `edits` and the formats of kinds, such as SQuAD's, have checksums alone.

`ROWS` has a line for each other `.jsonl` file: its name, a space, and the CRC-32 of each of its lines with the line
break, as 8 digits each. It finds the row that differs; that some row does is known from `SHA256SUMS`.
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
        record_section(ContextRow, "## Contexts: `ContextRow`", deep=False),
        record_section(AssignmentRow, "## Assignments: `AssignmentRow`", deep=False),
        record_section(EditRow, "## Edits: `EditRow`", deep=False),
        record_section(ResponseRow, "## Screening responses: `ResponseRow`", deep=False)
        + "\nThe table of screening attempts has the columns of `AttemptRow`; in those that count `dropped` is "
        f"`{SAMPLE}`.\n",
        record_section(GoldVoteRow, "## Votes on gold: `GoldVoteRow`", deep=False),
        *(_of_kind(bind(name)) for name in KINDS),
        TRANSCRIPT,
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
