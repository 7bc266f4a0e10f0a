"""The inference that a pair takes (Nie et al. 2020, "Analysis ::: Reasoning types"), annotated by people on a sample.

A pair has at least one of the six types. Apart from them, pairs that are ambiguous or seem wrongly labelled are marked.
Each may say more by finer tags, which are those of the annotation that ANLI's authors have published (Williams, Thrush
and Kiela 2022, ANLIzing the Adversarial Natural Language Inference Dataset).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from beat_the_ai.analysis.cells import clustered_bar, clustered_cell, clustered_words
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.records import Record
from beat_the_ai.files.values import id_of
from beat_the_ai.kinds.nli.report.groups import ALL_ROUNDS, Group, Marks, grouped
from beat_the_ai.rules.corpora import Item, Scheme
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.section import Section, Table

NUMERICAL, REFERENCE, BASIC, LEXICAL, TRICKY, REASONING, QUALITY = (
    *("Numerical & Quantitative", "Reference & Names", "Basic", "Lexical", "Tricky", "Reasoning & Facts"),
    "Quality",
)
TYPES = {
    NUMERICAL: "About cardinal and ordinal numbers; dates and ages that follow from numbers.",
    REFERENCE: "Pronouns and names that stand for the same thing; what names tell, as about gender.",
    BASIC: "Conjunction, negation, cause and effect, comparison and the like.",
    LEXICAL: "What words mean: synonyms, antonyms and the like.",
    TRICKY: "Wordplay, sentences turned around, what the writer is likely to have meant.",
    REASONING: "Outside knowledge, or additional facts, are needed.",
}
LABELS = {**TYPES, QUALITY: "The pair is ambiguous, or its label seems to be wrong."}
WITHIN = {
    NUMERICAL: {
        "Cardinal": "how many, how old, in which year",
        "Ordinal": "first, second, last",
        "Nominal": "a number that is a name, as of a road",
    },
    REFERENCE: {
        "Coreference": "two expressions stand for the same thing",
        "Names": "what a name tells, or another form of it",
        "Family": "who is related to whom",
        "EventCoref": "two expressions stand for the same event",
    },
    BASIC: {
        "Negation": "not, no, never",
        "Coordination": "and, or, but; a part of a list",
        "CauseEffect": "one thing follows from another",
        "ComparativeSuperlative": "more, most, less",
        "Idiom": "a fixed expression",
    },
    LEXICAL: {"Similar": "words that mean the same or nearly", "Dissimilar": "words that exclude each other"},
    TRICKY: {
        "Syntactic": "sentences turned around, roles exchanged",
        "Pragmatic": "what is presupposed or meant, and not said",
        "Exhaustification": "only what is named is so",
        "Wordplay": "letters, sounds, puns",
        "Translation": "another language, or another script",
    },
    REASONING: {
        "Facts": "what one has to know",
        "Plausibility": "what is likely or unlikely",
        "Containment": "a place in a place, a time in a time",
        "Debatable": "people may differ",
    },
    QUALITY: {
        "Ambiguity": "it can be read in two ways",
        "Error": "its label seems to be wrong",
        "Spelling": "misspelt so that it matters",
        "NonNative": "no native speaker would say so",
    },
}
OTHER = "Other"
OTHER_MEANS = "Codes of a published annotation that are none of these."
PUBLISHED_TYPES = {
    **{"numerical": NUMERICAL, "reference": REFERENCE, "basic": BASIC, "tricky": TRICKY, "reasoning": REASONING},
    **{"imperfection": QUALITY, "quality": QUALITY, "lexical": LEXICAL},
}
PUBLISHED_CODES = ("A1Code", "A2Code")  # the first and the second annotator's
EVENTS = "EventCoref"  # stands alone there
MOST_EXAMPLES = 3


def read_published(records: Sequence[Record]) -> dict[str, list[str]]:
    """Return `{uid: labels}` from the records of a table of ANLI's published annotation.

    Its codes, such as "Basic-Lexical-Similar, Numerical-Cardinal-Age", become types and finer tags; a third part is
    left out. Pairs without a code are left out. Raises `InvalidInput` for a record without the columns.
    """
    column = next((name for name in PUBLISHED_CODES if any(name in record.fields for record in records)), None)
    if column is None:
        names = records[0].field_names if records else "no record"
        raise InvalidInput(
            "ANNOTATIONS", f"A table of annotations has uid, and {' or '.join(PUBLISHED_CODES)}; this has {names}."
        )
    found = {}
    for record in records:
        name = id_of(record.fields, record.place, "ANNOTATIONS", ("uid",))
        if not name:
            raise InvalidInput("ANNOTATIONS", f"{record.place}: the uid of the pair is missing.")
        codes = [code.strip() for code in str(record.fields.get(column, "")).split(",")]
        if any(codes):
            found[name] = list(dict.fromkeys(label for code in codes if code for label in labels_of(code)))
    return found


def labels_of(code: str) -> list[str]:
    """Return the type of a published code, and the finer tag where it has one of ours.

    What words mean is a part of Basic there, and a type of its own in Nie et al. 2020.
    """
    if code == EVENTS:
        return [REFERENCE, SCHEME.finer(REFERENCE, EVENTS)]
    first, *finer = code.split("-")
    name = PUBLISHED_TYPES.get(first.strip().casefold())
    if name is None:
        return [OTHER]
    if name == BASIC and finer and finer[0].casefold() == "lexical":
        name, finer = LEXICAL, finer[1:]
    tag = next((tag for tag in WITHIN[name] if finer and tag.casefold() == finer[0].strip().casefold()), None)
    return [name] if tag is None else [name, SCHEME.finer(name, tag)]


SCHEME = Scheme(
    subject="inference types",
    task="Read each text, the statement about it and its label, and mark what inference the label takes. The types are "
    "those of Nie et al. 2020, the finer tags those of Williams et al. 2022.",
    prompt="What inference does it take?",
    labels=LABELS,
    most=len(LABELS),
    within=WITHIN,
    published=read_published,
)


class _Annotated(NamedTuple):
    """An annotated pair: its premise and its labels."""

    premise: str
    labels: Sequence[str]


def inference_sections(annotations: Mapping[str, Sequence[str]], items: Sequence[Item]) -> list[Section]:
    """Return the shares of the annotated pairs that have each type, by round, and each finer tag; and examples."""
    rounds = _by_round(annotations, items)
    return [_types(rounds), _tags(rounds[ALL_ROUNDS]), _examples(annotations, items)]


def _by_round(annotations: Mapping[str, Sequence[str]], items: Sequence[Item]) -> dict[str, list[_Annotated]]:
    """Return the annotated pairs of each round, and all of them at the end."""
    premises = {item.id: item.text for item in items}
    pairs = {name: _Annotated(premises[name], labels) for name, labels in annotations.items()}
    marked = ((Marks(item.round, "", False), pairs[item.id]) for item in items if item.id in pairs)
    rounds = {group.round: of_round for group, of_round in grouped(marked).items() if group.round != ALL_ROUNDS}
    return {**(rounds if len(rounds) > 1 else {}), ALL_ROUNDS: list(pairs.values())}


def _share(name: str, pairs: Sequence[_Annotated]) -> Clustered:
    """Return the share of pairs with a label, by premise."""
    return Clustered.of_values((name in pair.labels for pair in pairs), (pair.premise for pair in pairs))


def _types(rounds: Mapping[str, Sequence[_Annotated]]) -> Section:
    total = len(rounds[ALL_ROUNDS])
    names = {**LABELS, **({OTHER: OTHER_MEANS} if _share(OTHER, rounds[ALL_ROUNDS]).found else {})}
    shares = {name: {number: _share(name, of_round) for number, of_round in rounds.items()} for name in names}
    rows = [(name, *map(clustered_cell, shares[name].values()), meaning) for name, meaning in names.items()]
    header = ("type", *(_heading(number, len(of_round)) for number, of_round in rounds.items()), "meaning")
    text = (
        f"Of {total:,} annotated pairs, with one or more types each, so that the shares may add up to more than 100%. "
        "The paper finds numerical inference in 38%, 32% and 17% of the development sets of its rounds 1 to 3, and "
        f"marks the quality of 3% to 4% of each. {_intervals(rounds[ALL_ROUNDS])}"
    )
    plot = bars(
        [
            clustered_bar(name if len(rounds) == 1 else f"{name}, {_heading(number)}", share)
            for name in names
            for number, share in shares[name].items()
        ],
        "Inference types",
    )
    return Section("Inference types", text, Table(header, rows), plot, "Analysis, by inference type")


def _heading(number: str, pairs: int | None = None) -> str:
    name = "pairs" if number == ALL_ROUNDS else f"round {Group(number, '').cells[0]}"
    return name if pairs is None else f"{name} ({pairs:,})"


def _intervals(pairs: Sequence[_Annotated]) -> str:
    """Say where the intervals of shares of pairs come from."""
    return clustered_words((Clustered.of_values((0 for _ in pairs), (pair.premise for pair in pairs)), "premises"))


def _tags(pairs: Sequence[_Annotated]) -> Section:
    rows = [
        (name, tag, clustered_cell(_share(SCHEME.finer(name, tag), pairs)), meaning)
        for name, tags in WITHIN.items()
        for tag, meaning in tags.items()
    ]
    text = (
        "The finer tags of a type, of all annotated pairs. A pair may have a type and none of its tags. In the "
        f"published annotation the lexical tags are a part of Basic. {_intervals(pairs)}"
    )
    header = ("type", "tag", "pairs", "meaning")
    return Section("Inference types, finer tags", text, Table(header, rows), source="Analysis, by inference type")


def _examples(annotations: Mapping[str, Sequence[str]], items: Sequence[Item]) -> Section:
    """Return the first few of each round, in the order of the dataset."""
    shown: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        if item.id in annotations and len(shown[item.round]) < MOST_EXAMPLES:
            shown[item.round].append(item)
    rows = [
        (item.round or "–", item.text, item.heading, item.value, "; ".join(annotations[item.id]))
        for some in shown.values()
        for item in some
    ]
    text = f"The first annotated pairs of each round, {MOST_EXAMPLES} at most."
    header = ("round", "premise", "hypothesis", "label", "annotations")
    return Section("Annotated examples", text, Table(header, rows), source="Comparing with other datasets")
