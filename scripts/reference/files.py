"""The page of file formats: from the records that read them."""

from __future__ import annotations

from beat_the_ai.campaign.backup.archive import Manifest
from beat_the_ai.cli.score_tables import ComparisonRow
from beat_the_ai.cli.validation import _Example as Votes
from beat_the_ai.contexts.documents import _Line as Document
from beat_the_ai.experiments.matrix import Matrix
from beat_the_ai.kinds.nli.evaluation import MEASURES as PAIRS
from beat_the_ai.kinds.nli.premises import _Premise as Premise
from beat_the_ai.kinds.nli.screening.content import QuizContent as PairQuiz
from beat_the_ai.kinds.quizbowl.categories import _Category as Category
from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.kinds.quizbowl.evaluation import MEASURES as TOSSUPS
from beat_the_ai.kinds.quizbowl.tournament.log import Entry, Match
from beat_the_ai.kinds.reading_comprehension.evaluation import MEASURES as QUESTIONS
from beat_the_ai.kinds.reading_comprehension.screening.content import QuizContent as QuestionQuiz
from beat_the_ai.kinds.reading_comprehension.writing import _Record as Passage
from beat_the_ai.simulation.crowd import SimulatedCrowd
from beat_the_ai.workforce.requirements import RequirementSet
from scripts.reference.types import code, record_section, table

INTRODUCTION = """# File formats

The files that the suite reads and writes beside its [exports](exports.md).

## Records of any shape

Every command reads records in the same shapes, known by their content: JSON Lines, a JSON list, rows under `data`,
`questions` or `rows`, pandas' JSON, CSV and tab-separated tables with a header, Parquet and Arrow. They may be gzipped
or have a byte order mark. A number is read as an id. A record without an id is named by its line. A null is a field
that is not there. Ambiguous input is refused with file and line: a key twice in an object, an id twice, a damaged file.

A dataset is a file, or a folder: one that `export` has written, or one with `train`, `dev` (or `validation`) and `test`
in such files, in shards, as `save_to_disk` leaves them, in `data/` as on the Hugging Face hub, or by rounds as ANLI's
`R1/train.jsonl`. Names as of SQuAD, SNLI and QANTA (`dev-v1.1.json`, `snli_1.0_dev.jsonl`, `qanta.dev.json`) are known.
The shapes of SQuAD, AdversarialQA, Dynabench, MRQA, SNLI, MultiNLI, SNLI-Hard, stress tests, ANLI and its annotation,
FEVER-NLI, WANLI, HANS, QANTA (its folds, the hub's copy, `[text, page]`) and Trick Me are read.
Numbers of labels follow the order that the dataset declares
(Parquet's schema, `README.md`, `dataset_info.json`), else SNLI's; 0 and 1 alone are refused. HANS has two labels:
neutral and contradiction count as non-entailment.

Commands read all parts; `train` and `matrix` take the part that they need. Data files that are no part are named on
stderr and left out.
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
    ("Simulated crowds", "`beat-the-ai rehearse TASK_DIR --people FILE`, YAML.", SimulatedCrowd),
    ("Matrices of experiments", "`beat-the-ai matrix CONFIG`, YAML.", Matrix),
    ("Matches of an event", "`EVENT/matches/ROOM.jsonl`: a `Match`, then an `Entry` a line.", Match),
    ("Entries of a match", "", Entry),
    ("Backups", "`manifest.json` in the ZIP file that `beat-the-ai backup` makes.", Manifest),
)


SCORES = """## Scores

`score --json` and `evaluate --json` print an object with the figures below, in percent, each with `NAME_low` and
`NAME_high`. Then come the counts of items and of contexts, under the names below, `missing`, `foreign`, and `groups`:
rows with `by`, `name`, both counts and the figures that are by group. Where there are fewer contexts than items,
intervals are of a jackknife of whole contexts, from two on; otherwise shares of right answers have Wilson's.
`evaluate` adds `model`. Of several files `score` prints `predictions`, such objects with their `file`, and
`comparisons`.

`--out` has a line of JSON for each item: `predictions` (of several files), `id`, `context`, a column for each group it
is in, `answer`, `gold`, and a mark from 0 to 1 under the name of each figure that is a mean of marks.
"""
MEASURED = (
    ("reading_comprehension", QUESTIONS, "questions", "passages"),
    ("nli", PAIRS, "pairs", "premises"),
    ("quizbowl", TOSSUPS, "questions", "pages"),
)


def page() -> str:
    sections = [INTRODUCTION]
    for title, about, record in FORMATS:
        sections.append(record_section(record, f"## {title}" + (f"\n\n{about}" if about else "")))
    return "\n".join([*sections, SCORES, _figures(), record_section(ComparisonRow, "### Comparisons")])


def _figures() -> str:
    header = ("kind of task", "figure", "meaning", "by group", "compared", "items", "contexts")
    rows = [
        (kind, code(each.name), each.label, _yes(each.by_group), _yes(each.compared), code(items), code(contexts))
        for kind, measures, items, contexts in MEASURED
        for each in measures
    ]
    return table(header, rows)


def _yes(value: bool) -> str:
    return "yes" if value else "no"
