"""Examples of a dataset as a report shows them (Bartolo et al. 2020, Table 1): questions of dev, answers marked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from beat_the_ai.analysis.marked import Marked, marked
from beat_the_ai.kinds.reading_comprehension.passages import Answer
from beat_the_ai.kinds.reading_comprehension.report.examples import Example, Part
from beat_the_ai.statistics.measures import Listing
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.terms.division import DEV

SHOWN = 5
AROUND = 120  # characters of the passage on either side of the answer
CUT = "…"


def examples_section(parts: Sequence[Part]) -> Section:
    """Return Table 1: some examples of dev, or of all parts where there is no dev, drawn by hashes of their ids."""
    of_dev = [example for part in parts if part.name == DEV for example in part.examples]
    among = of_dev or [example for part in parts for example in part.examples]
    drawn = sorted(among, key=lambda example: hashlib.sha256(example.id.encode()).digest())[:SHOWN]
    text = (
        "Questions drawn at random from the dev part, as in the paper, or from all parts where there is no dev; with "
        "the passage around the answer."
    )
    rows = [(example.question, _passage(example)) for example in drawn]
    table = Table(("question", "passage, with the answer"), rows)
    return Section("Examples", text, table, source="Table 1, §3.2", measures=Listing)


def _passage(example: Example) -> Marked:
    """Return the passage around the answer, cut between words; its beginning where there is no answer."""
    text, start, end = example.context, example.start, example.start + len(example.answer or "")
    first, last = max(0, start - AROUND), min(len(text), end + AROUND)
    if first and (space := text.find(" ", first, start)) >= 0:
        first = space + 1
    if last < len(text) and (space := text.rfind(" ", end, last)) >= 0:
        last = space
    before, after = (CUT if first else ""), (CUT if last < len(text) else "")
    shift = len(before) - first
    stands = Answer(example.answer or "", start).stands_in(text)
    return marked(f"{before}{text[first:last]}{after}", [(start + shift, end + shift)] if stands else [])
