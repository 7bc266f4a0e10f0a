"""Repeats in a dataset: examples and texts that are the same or alike, within parts and across them."""

from __future__ import annotations

from collections.abc import Sequence

from beat_the_ai.analysis.artefacts.divisions import TRAIN
from beat_the_ai.analysis.artefacts.findings import Pair, Repeats
from beat_the_ai.rules.artefacts import Trace
from beat_the_ai.rules.likeness import AlikeTexts
from beat_the_ai.rules.text import folded, printable

MOST_PAIRS, MOST_CHARS = 50, 300


def repeats(traces: Sequence[Trace]) -> Repeats:
    """Find them in the order of parts: each example is compared with those before it, train first."""
    in_order = sorted(traces, key=lambda trace: trace.part != TRAIN)
    contexts = {context: folded(context) for context in {trace.context for trace in traces}}
    examples, texts = _Seen(), _Seen()
    alike, distinct = AlikeTexts(), list[Trace]()
    near = near_across = 0
    pairs: list[tuple[Trace, Trace]] = []
    for trace in in_order:
        text = folded(trace.text)
        examples.see((contexts[trace.context], text), trace)
        earlier = texts.see(text, trace)
        if earlier is not None:
            pairs.append((earlier, trace))
            continue
        others = [distinct[number] for number in alike.alike(trace.text)]
        if others:
            train = [other for other in others if other.part == TRAIN]
            near += 1
            near_across += bool(train) and trace.part not in ("", TRAIN)
            pairs.append(((train or others)[0], trace))
        alike.add(trace.text)
        distinct.append(trace)
    parts_of: dict[str, set[str]] = {}
    for trace in traces:
        if trace.context:
            parts_of.setdefault(contexts[trace.context], set()).add(trace.part)
    crossing = {context for context, parts in parts_of.items() if len(parts) > 1}
    trained = {context for context in crossing if TRAIN in parts_of[context]}
    return Repeats(
        examples=len(traces),
        same=examples.repeated,
        same_across=examples.across,
        same_text=texts.repeated,
        same_text_across=texts.across,
        near=near,
        near_across=near_across,
        contexts=len(crossing),
        in_them=sum(trace.part != TRAIN and contexts[trace.context] in trained for trace in traces if trace.context),
        pairs=[_pair(*pair) for pair in sorted(pairs, key=lambda pair: pair[0].part == pair[1].part)[:MOST_PAIRS]],
    )


class _Seen:
    """Things with the first example of each; counts those that come again, and in dev or test after train."""

    def __init__(self) -> None:
        self._first: dict[object, Trace] = {}
        self.repeated = self.across = 0

    def see(self, key: object, trace: Trace) -> Trace | None:
        """Return the example that had it before, if any."""
        earlier = self._first.setdefault(key, trace)
        if earlier is trace:
            return None
        self.repeated += 1
        self.across += earlier.part == TRAIN and trace.part not in ("", TRAIN)
        return earlier


def _pair(one: Trace, other: Trace) -> Pair:
    texts = [printable(trace.text, max_chars=MOST_CHARS) or "" for trace in (one, other)]
    return Pair(ids=(one.id, other.id), parts=(one.part, other.part), texts=(texts[0], texts[1]))
