"""Which examples an experiment takes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.experiments.draws import context_key, draw, on_contexts, split
from beat_the_ai.rules.samples import Sample


def samples(documents: list[list[int]]) -> list[Sample]:
    """Of each document its contexts, by how many examples each has."""
    return [
        Sample(f"{document}/{context}/{number}", f"d{document}", f"Context {document}/{context}.", None)
        for document, contexts in enumerate(documents)
        for context, size in enumerate(contexts)
        for number in range(size)
    ]


DOCUMENTS = st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=5), min_size=1, max_size=6).map(samples)


@given(DOCUMENTS, st.integers(0, 30), st.integers(0, 30), st.integers())
def test_parts_of_a_split_share_no_context_and_are_no_larger_than_they_may(
    whole: list[Sample], test: int, train: int, seed: int
) -> None:
    parts = split(whole, {"test": test, "train": train}, seed)
    assert len(parts["test"]) <= test
    assert len(parts["train"]) <= train
    contexts = [{sample.context for sample in part} for part in parts.values()]
    assert not contexts[0] & contexts[1]
    for part in parts.values():  # whole contexts
        kept = {sample.context for sample in part}
        assert sorted(part, key=whole.index) == [sample for sample in whole if sample.context in kept]
    assert parts == split(whole, {"test": test, "train": train}, seed)


def test_a_split_in_halves_takes_everything_and_cuts_one_document_at_most() -> None:
    whole = samples([[2, 2, 2], [2, 2], [2, 2, 2], [2]])
    parts = split(whole, {"test": 8, "dev": 10}, seed=1)
    assert [len(part) for part in parts.values()] == [8, 10]
    shared = {sample.document for sample in parts["test"]} & {sample.document for sample in parts["dev"]}
    assert len(shared) <= 1
    assert parts != split(whole, {"test": 8, "dev": 10}, seed=2)


def test_a_context_that_two_documents_have_is_in_one_part() -> None:
    whole = [
        Sample(str(number), f"d{number}", "The same  text." if number % 2 else "the same text.", None)
        for number in range(4)
    ]
    parts = split(whole, {"test": 4, "train": 4}, seed=0)
    assert [len(part) for part in parts.values()] == [4, 0]


@given(DOCUMENTS, st.integers(0, 40), st.integers())
def test_a_draw_keeps_the_order_and_takes_none_twice(whole: list[Sample], size: int, seed: int) -> None:
    drawn = draw(whole, size, seed)
    assert len(drawn) == min(size, len(whole))
    assert drawn == [sample for sample in whole if sample in drawn]


def test_contexts_are_the_same_with_other_spacing_and_case() -> None:
    [sample] = samples([[1]])
    assert on_contexts([sample], {context_key(Sample("", "", " CONTEXT  0/0.", None))}) == [sample]
    assert on_contexts([sample], {context_key(sample)}, inside=False) == []
