from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.corpora import hold_out
from beat_the_ai.kinds.nli.corpora import premise_identity, refuse_overlap
from beat_the_ai.kinds.nli.cross_encoder.corpora import Example, epoch, words_dropped
from beat_the_ai.kinds.nli.cross_encoder.features import EncodedText
from beat_the_ai.kinds.nli.labels import Pair
from beat_the_ai.kinds.nli.pairs import LabelledPair
from beat_the_ai.networks.sampling import Weighted
from beat_the_ai.networks.text import Vocabulary


def pair(premise: str, hypothesis: str) -> LabelledPair:
    return LabelledPair(f"{premise}/{hypothesis}", Pair(premise=premise, hypothesis=hypothesis), "neutral", "")


def examples(lengths: range) -> list[Example]:
    def text(length: int) -> EncodedText:
        return EncodedText(np.zeros(length, dtype=np.int64), np.zeros((3, length), dtype=np.int64))

    return [Example(text(length), text(0), 0) for length in lengths]


def test_pairs_of_a_part_that_is_kept_apart_are_refused_with_their_number(tmp_path: Path) -> None:
    part = tmp_path / "dev.jsonl"
    part.write_text(json.dumps({"premise": "the  SKY is blue.", "hypothesis": "It is.", "label": "e"}) + "\n")
    training = [pair("The sky is blue.", "It is green."), pair("The sky is blue.", "It is.")]
    refuse_overlap(Path("train.jsonl"), training[:1], part)
    with pytest.raises(InvalidInput, match=r"1 pairs of train\.jsonl are also in .*dev\.jsonl.*: The sky is blue"):
        refuse_overlap(Path("train.jsonl"), training, part)


def test_a_premise_is_held_out_with_all_its_pairs_in_every_corpus() -> None:
    corpora = [[pair(f"p{n}", f"h{m}") for n in range(50) for m in range(2)], [pair(f"P{n}", "h") for n in range(50)]]
    rest, held = hold_out(corpora, 0.1, 3, premise_identity)
    out = {labelled.pair.premise.lower() for labelled in held}
    assert len(out) == 5
    assert len(held) == 15
    assert [len(pairs) for pairs in rest] == [90, 45]
    assert not out & {labelled.pair.premise.lower() for pairs in rest for labelled in pairs}
    assert hold_out(corpora, 0.1, 3, premise_identity) == (rest, held)
    assert hold_out(corpora, 0.1, 4, premise_identity)[1] != held


def test_an_epoch_has_each_pair_as_often_as_its_corpus_weighs() -> None:
    often, half = examples(range(10)), examples(range(10))
    batches = list(epoch([Weighted(often, 2), Weighted(half, 0.5)], 4, random.Random(1)))
    assert [len(batch) for batch in batches].count(4) == 6
    drawn = Counter(id(example) for batch in batches for example in batch)
    assert {drawn[id(example)] for example in often} == {2}
    assert sorted(drawn[id(example)] for example in half) == [0] * 5 + [1] * 5
    another = [id(example) for batch in epoch([Weighted(half, 0.5)], 4, random.Random(2)) for example in batch]
    assert set(another) != {id(example) for example in half if drawn[id(example)]}


def test_a_batch_has_pairs_of_similar_length() -> None:
    batches = list(epoch([Weighted(examples(range(10, 1010)), 1)], 50, random.Random(1)))
    widest = [max(example.length for example in batch) / min(example.length for example in batch) for batch in batches]
    assert sorted(widest)[len(widest) // 2] < 2
    assert [batch[0].length for batch in batches] != sorted(batch[0].length for batch in batches)


def test_words_are_dropped_and_what_stands_around_them_is_not() -> None:
    vocabulary = Vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a"])
    row = [2, *[4] * 400, 3, *[4] * 400, 3, 0, 0]
    pieces = np.array([row, row])
    dropped = words_dropped(pieces, vocabulary, 0.25, random.Random(1))
    assert set(dropped[pieces == 4].tolist()) == {1, 4}
    assert (dropped[pieces != 4] == pieces[pieces != 4]).all()
    assert (dropped == 1).mean() == pytest.approx(0.25, abs=0.03)
    assert (words_dropped(pieces, vocabulary, 0.25, random.Random(1)) == dropped).all()
    assert (words_dropped(pieces, vocabulary, 0.25, random.Random(2)) != dropped).any()
