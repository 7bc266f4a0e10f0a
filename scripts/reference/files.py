"""The page of file formats: from the records that read them."""

from __future__ import annotations

from beat_the_ai.campaign.backup.archive import Manifest
from beat_the_ai.cli.validation import _Example as Votes
from beat_the_ai.contexts.documents import _Line as Document
from beat_the_ai.experiments.matrix import Matrix
from beat_the_ai.kinds.nli.premises import _Premise as Premise
from beat_the_ai.kinds.nli.screening.content import QuizContent as PairQuiz
from beat_the_ai.kinds.quizbowl.categories import _Category as Category
from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.kinds.quizbowl.tournament.log import Entry, Match
from beat_the_ai.kinds.reading_comprehension.screening.content import QuizContent as QuestionQuiz
from beat_the_ai.kinds.reading_comprehension.writing import _Record as Passage
from beat_the_ai.workforce.requirements import RequirementSet
from scripts.reference.types import record_section

INTRODUCTION = """# File formats

The files that the suite reads and writes beside its [exports](exports.md).

## Records of any shape

Every command reads records in the same shapes, known by their content: JSON Lines, a JSON list, rows under `data`,
`questions` or `rows`, pandas' JSON, CSV and tab-separated tables with a header, Parquet and Arrow. They may be gzipped
or have a byte order mark. A number is read as an id. A record without an id is named by its line. A null is a field
that is not there. Ambiguous input is refused with file and line: a key twice in an object, an id twice, a damaged file.

A dataset's folder has `train`, `dev` (or `validation`) and `test` in such files, in shards, as `save_to_disk` leaves
them, or in `jsonl/`, `parquet/`, `hf/` or `data/` within it. Data files that are no part are named on stderr and left
out.
"""
FORMATS = (
    (
        "Contexts of reading_comprehension",
        "`contexts=FILE`, where it is not SQuAD v1.1 JSON. A question is gold unless it has `gold: false`: it measures "
        "validators, and no writer may ask it. Simulated writers ask the others. `start` counts Unicode code points.",
        Passage,
    ),
    ("Contexts of nli", "`contexts=FILE`.", Premise),
    ("Contexts of quizbowl", "`contexts=FILE`.", Category),
    (
        "Collections of Quizbowl questions",
        "`task.options.known_questions` and `regular_questions`, and `train --task quizbowl`.",
        Question,
    ),
    ("Documents", "`beat-the-ai contexts DOCUMENTS`, where they are no folder of `.txt` files.", Document),
    ("Votes", "`beat-the-ai adjudicate VOTES.jsonl`.", Votes),
    ("Requirement sets", "`qualification.requirements`, YAML.", RequirementSet),
    ("Quizzes of reading_comprehension", "`qualification.quiz`, YAML.", QuestionQuiz),
    ("Quizzes of nli", "`qualification.quiz`, YAML.", PairQuiz),
    ("Matrices of experiments", "`beat-the-ai matrix CONFIG`, YAML.", Matrix),
    ("Matches of an event", "`EVENT/matches/ROOM.jsonl`: a `Match`, then an `Entry` a line.", Match),
    ("Entries of a match", "", Entry),
    ("Backups", "`manifest.json` in the ZIP file that `beat-the-ai backup` makes.", Manifest),
)


def page() -> str:
    sections = [INTRODUCTION]
    for title, about, record in FORMATS:
        sections.append(record_section(record, f"## {title}" + (f"\n\n{about}" if about else "")))
    return "\n".join(sections)
