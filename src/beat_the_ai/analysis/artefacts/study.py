"""The study of a dataset's artefacts, beside other datasets cut to its size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from beat_the_ai.analysis.artefacts.baselines import measured
from beat_the_ai.analysis.artefacts.divisions import Division, divisions_of, like, sample_like
from beat_the_ai.analysis.artefacts.findings import Dataset, Findings, Shares
from beat_the_ai.analysis.artefacts.label_words import label_words
from beat_the_ai.analysis.artefacts.repeats import repeats
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.artefacts import Artefacts, Trace
from beat_the_ai.statistics.figure import Estimate
from beat_the_ai.statistics.jackknife import Scale
from beat_the_ai.statistics.ratios import Pair, ratio

PLACES, MOST_FIRST_WORDS = 10, 10
ARGUMENT = "CAMPAIGN|DATASET"


def study(name: str, traces: Sequence[Trace], beside: Mapping[str, Sequence[Trace]], artefacts: Artefacts) -> Findings:
    """Find what gives answers away. A dataset that is too small has no baselines.

    Raises `InvalidInput` for one without examples.
    """
    if not traces:
        raise InvalidInput(ARGUMENT, f"{name} has no examples yet.")
    divisions = divisions_of(traces)
    words, tested = label_words(traces)
    return Findings(
        label=artefacts.label,
        dataset=_dataset(name, traces, divisions, artefacts),
        beside=[
            _dataset(other, sample_like(of, len(traces)), _like(divisions, of), artefacts)
            for other, of in beside.items()
        ],
        words=words,
        words_tested=tested,
        repeats=repeats(traces),
    )


def _like(divisions: Sequence[Division], traces: Sequence[Trace]) -> list[Division]:
    return like(divisions[0], traces) if divisions else []


def _dataset(name: str, traces: Sequence[Trace], divisions: Sequence[Division], artefacts: Artefacts) -> Dataset:
    found = (measured(baseline, divisions) for baseline in artefacts.baselines)
    first = Counter(trace.words[0] for trace in traces if trace.words)
    places = Counter(min(int(trace.place * PLACES), PLACES - 1) for trace in traces if trace.place is not None)
    return Dataset(
        name=name,
        examples=len(traces),
        labels=_shares(dict(Counter(trace.label for trace in traces).most_common())),
        baselines=[each for each in found if each is not None],
        shared=_shared(traces),
        places=_shares({f"{number * 10} to {number * 10 + 10}%": places[number] for number in range(PLACES)}),
        first_words=Shares(total=len(traces), counts=dict(first.most_common(MOST_FIRST_WORDS))),
    )


def _shares(counts: Mapping[str, int]) -> Shares:
    return Shares(total=sum(counts.values()), counts=counts)


def _shared(traces: Sequence[Trace]) -> dict[str, Estimate]:
    """Return the mean share of words that the context has, for each label, the most frequent first."""
    sums: dict[str, dict[str, Pair]] = {}
    for trace in traces:
        if trace.shared is not None:
            of_label = sums.setdefault(trace.label, {})
            shared, count = of_label.get(trace.cluster, (0.0, 0.0))
            of_label[trace.cluster] = shared + trace.shared, count + 1
    shares = {
        label: ratio(list(sums[label].values()), Scale.SHARE)
        for label, _ in Counter(trace.label for trace in traces).most_common()
        if label in sums
    }
    return {label: share for label, share in shares.items() if share is not None}
