"""The sections of a report on artefacts."""

from __future__ import annotations

from beat_the_ai.analysis.artefacts.baselines import MOST_ANSWERS
from beat_the_ai.analysis.artefacts.divisions import FEWEST
from beat_the_ai.analysis.artefacts.findings import MARGIN, Dataset, Findings, LabelWord, Measured, Shares
from beat_the_ai.analysis.artefacts.label_words import FEWEST_EXAMPLES, MOST_WORDS
from beat_the_ai.analysis.cells import share_bar, share_cell
from beat_the_ai.analysis.drawings import Bar, bars
from beat_the_ai.rules.artefacts import Artefacts
from beat_the_ai.rules.kind import Words
from beat_the_ai.rules.text import printable
from beat_the_ai.statistics.association import SMOOTHING
from beat_the_ai.statistics.figure import Estimate, decimals, percent
from beat_the_ai.statistics.section import Section, Table

MOST_NAME = 40
INTERVALS = "95% intervals are by a jackknife of contexts."


def artefact_sections(findings: Findings, words: Words, artefacts: Artefacts) -> list[Section]:
    """Return the sections on what was found; `words` and `artefacts` are of the kind of task."""
    return [
        *baseline_sections(findings, artefacts),
        _words(findings, words, artefacts),
        *([_carriers(findings, words)] if findings.words else []),
        *([_shared(findings, words)] if findings.dataset.shared else []),
        *([_places(findings, words)] if findings.dataset.places.total else []),
        _first_words(findings, words),
        _repeats(findings, words),
        *([_pairs(findings)] if findings.repeats.pairs else []),
    ]


def baseline_sections(findings: Findings, artefacts: Artefacts) -> list[Section]:
    """Return the sections on what is right without the whole input, and on what the baselines are."""
    text = (
        f"{_warned(findings)} Logistic regressions on a part of the input{_sizes(findings)}. They know the "
        f"{MOST_ANSWERS} most frequent answers. A lead is above the most frequent answer or chance, whichever is "
        f"better; it is a warning where its whole interval is above {100 * MARGIN:.0f} points. "
        f"{INTERVALS}{_beside(findings)}{' Their figures are means over several cuts.' if findings.beside else ''}"
    )
    rows, drawn = [], []
    for baseline in artefacts.baselines:
        for dataset in (findings.dataset, *findings.beside):
            for each in dataset.baselines:
                if each.baseline == baseline.name:
                    is_own = dataset is findings.dataset
                    rows.append((baseline.name, _name(dataset), *_cells(each)))
                    drawn.append(_bar(baseline.name if is_own else f"… {_name(dataset)}", each.accuracy))
    header = ("baseline", "dataset", "right", "most frequent answer", "chance", "lead")
    plot = bars(drawn, "Right without the whole input", largest=1.0) if drawn else None
    meant = [(each.name, each.about, each.source, each.expected or "–") for each in artefacts.baselines]
    return [
        Section(
            "What a part of the input gives away",
            text,
            Table(header, rows),
            plot,
            headline=f"{len(findings.warnings):,} warnings"
            if findings.dataset.baselines
            else "too little to learn from",
        ),
        Section(
            "The baselines",
            "The guess of each baseline, and the reason why it may be right on any such dataset, which is no warning.",
            Table(("baseline", "guesses", "after", "no warning, because"), meant),
        ),
    ]


def _warned(findings: Findings) -> str:
    if not findings.dataset.baselines:
        return f"There is too little to learn from: at least {FEWEST} examples are needed."
    return (
        " ".join(f"Warning: {each}" for each in findings.warnings)
        or f"No baseline without another reason leads by more than {100 * MARGIN:.0f} points for sure."
    )


def _sizes(findings: Findings) -> str:
    """Say how large the parts are; those of all baselines are the same but for examples that lack what one sees."""
    if not findings.dataset.baselines:
        return ""
    largest = max(findings.dataset.baselines, key=lambda each: each.tested)
    folds = f", {largest.draws} times in turn" if largest.draws > 1 else ""
    return f", trained on {largest.trained:,} examples and measured on {largest.tested:,} others{folds}"


def _cells(each: Measured) -> tuple[str, ...]:
    lead = each.lead.text(lambda share: decimals(1)(100 * share))
    return (
        each.accuracy.text(percent),
        each.majority.text(percent),
        percent(each.chance.value),
        f"{lead}, a warning" if each.gives_away else lead,
    )


def _words(findings: Findings, words: Words, artefacts: Artefacts) -> Section:
    rows = [_word_row(word) for word in findings.words]
    natural = f" {artefacts.natural}" if artefacts.natural else ""
    text = (
        f"Words of {words.works} by their pointwise mutual information with each {findings.label}, in natural "
        f"logarithms, with {SMOOTHING:.0f} added to each count. Of the {findings.words_tested:,} words in "
        f"{FEWEST_EXAMPLES} or more {words.works}, {len({word.word for word in findings.words}):,} are listed, at most "
        f"{MOST_WORDS} of each {findings.label}. Their share of it is above its share of all by a z-test, which takes "
        f"{words.works} for independent: p is below 0.05 after Holm's correction for all words, each with every "
        f"{findings.label}.{natural} "
        f"{_alone(words)}"
    )
    header = (findings.label, "word", "PMI", words.works, f"of the {findings.label}", "p (Holm)")
    return Section("Words that tell", text, Table(header, rows), source="Gururangan et al. 2018, Table 4")


def _word_row(word: LabelWord) -> tuple[str, ...]:
    p = "< 0.0001" if word.p < 0.0001 else f"{word.p:.4f}"
    share = share_cell(word.with_label, word.examples)
    return word.label, _shown(word.word), f"{word.pmi:.2f}", f"{word.examples:,}", share, p


def _carriers(findings: Findings, words: Words) -> Section:
    rows = [
        (_shown(word.word), word.label, _shown(name), text)
        for word in findings.words
        for name, text in zip(word.ids, word.texts, strict=False)
    ]
    text = f"The first {words.works} with each word and its {findings.label}; --json has the ids of more."
    return Section(
        f"{words.works.capitalize()} with these words", text, Table(("word", findings.label, "example", "text"), rows)
    )


def _shared(findings: Findings, words: Words) -> Section:
    datasets = (findings.dataset, *findings.beside)
    labels = list(dict.fromkeys(label for dataset in datasets for label in dataset.shared))
    rows = [
        (label, *(dataset.shared[label].text(percent) if label in dataset.shared else "–" for dataset in datasets))
        for label in labels
    ]
    text = (
        f"The mean share of a {words.work}'s distinct words that its {words.context} has, too, by {findings.label}. "
        f"{INTERVALS}{_beside(findings)}"
    )
    drawn = [_bar(label, rate) for label, rate in findings.dataset.shared.items()]
    plot = bars(drawn, f"Words that the {words.context} has", largest=1.0)
    table = Table((findings.label, *map(_name, datasets)), rows)
    return Section(f"Words in common with the {words.context}", text, table, plot, source="Naik et al. 2018")


def _places(findings: Findings, words: Words) -> Section:
    datasets = (findings.dataset, *findings.beside)
    rows = [
        (name, *(share_cell(dataset.places.counts[name], dataset.places.total) for dataset in datasets))
        for name in findings.dataset.places.counts
    ]
    text = f"How far into the {words.context} the answer begins, in characters. {_alone(words)}{_beside(findings)}"
    if without := findings.dataset.examples - findings.dataset.places.total:
        text += f" {without:,} examples are left out: their answers do not stand where they are said to."
    drawn = [
        share_bar(name, count, findings.dataset.places.total) for name, count in findings.dataset.places.counts.items()
    ]
    table = Table(("place", *map(_name, datasets)), rows)
    return Section("Places of answers", text, table, bars(drawn, "Places of answers"), source="Ko et al. 2020")


def _first_words(findings: Findings, words: Words) -> Section:
    datasets = (findings.dataset, *findings.beside)
    rows = [
        (_shown(word), *(_first(dataset.first_words, word) for dataset in datasets))
        for word in findings.dataset.first_words.counts
    ]
    text = (
        f"The most frequent first words of {words.works}; of others where they are among the most frequent, too. "
        f"{_alone(words)}"
    )
    drawn = [
        share_bar(_shown(word), count, findings.dataset.first_words.total)
        for word, count in findings.dataset.first_words.counts.items()
    ]
    table = Table(("first word", *map(_name, datasets)), rows)
    return Section("First words", text, table, bars(drawn, "First words"), source="Sugawara et al. 2018")


def _first(shares: Shares, word: str) -> str:
    return share_cell(shares.counts[word], shares.total) if word in shares.counts else "–"


def _repeats(findings: Findings, words: Words) -> Section:
    found = findings.repeats
    rows = [
        (f"the same {words.work} on the same {words.context}", found.same, found.same_across),
        (f"the same {words.work} as another", found.same_text, found.same_text_across),
        (f"a {words.work} much like another", found.near, found.near_across),
        (f"on {words.contexts} of more than one part", None, found.in_them),
    ]
    table = Table(
        ("repeat", f"{words.works}, of {found.examples:,}", "in dev and test, repeated from train"),
        [(name, *("–" if count is None else f"{count:,}" for count in counts)) for name, *counts in rows],
    )
    text = (
        f"The same: without case, punctuation and spacing. Much like: most runs of three words are the same, as "
        f"MinHash estimates it. {found.contexts:,} {words.contexts} are in more than one part. A model may remember "
        f"{words.works} of dev and test that it has seen in train."
    )
    return Section("Repeats", text, table)


def _pairs(findings: Findings) -> Section:
    rows = [
        (
            _shown(pair.ids[0]),
            pair.parts[0] or "–",
            pair.texts[0],
            _shown(pair.ids[1]),
            pair.parts[1] or "–",
            pair.texts[1],
        )
        for pair in findings.repeats.pairs
    ]
    header = ("example", "part", "text", "repeated by", "part", "text")
    return Section("Pairs of repeats", f"The first {len(rows):,}, those across parts first.", Table(header, rows))


def _alone(words: Words) -> str:
    """Say where the intervals of plain counts come from."""
    return (
        f"Shares have 95% Wilson intervals, which take {words.works} for independent, also those that share a "
        f"{words.context}."
    )


def _beside(findings: Findings) -> str:
    if not findings.beside:
        return ""
    return " The datasets beside it are cut to its size at random."


def _name(dataset: Dataset) -> str:
    return printable(dataset.name, max_chars=MOST_NAME) or ""


def _shown(text: str) -> str:
    return printable(text, max_chars=MOST_NAME) or ""


def _bar(label: str, rate: Estimate) -> Bar:
    low, high = (rate.value, rate.value) if rate.interval is None else rate.interval
    return Bar(label, rate.value, max(low, 0.0), high, percent(rate.value))
