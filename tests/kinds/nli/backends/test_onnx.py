from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import check_serves, shipped_models
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName
from beat_the_ai.kinds.nli.backends.onnx import SHIPPED, OnnxClassifier, load
from beat_the_ai.kinds.nli.labels import Pair
from beat_the_ai.kinds.reading_comprehension.backends.onnx import SHIPPED as READERS
from tests.examples import examples

NAMES = ["cross-encoder-small", "cross-encoder-small-hypothesis-only"]
STREET = "A man in a red coat is playing the violin on a crowded street while two children listen."
KITCHEN = "The old cook is cutting onions in her kitchen."
EASY = [
    (STREET, "A man is making music outside.", "entailment"),
    (STREET, "Children are listening to a man.", "entailment"),
    (STREET, "A man is wearing a red coat.", "entailment"),
    (STREET, "Nobody is playing the violin.", "contradiction"),
    (STREET, "The man is asleep at home.", "contradiction"),
    (STREET, "The man is trying to earn money for his family.", "neutral"),
    (KITCHEN, "A cook is cutting vegetables.", "entailment"),
    (KITCHEN, "The cook is swimming in the sea.", "contradiction"),
    (KITCHEN, "The cook is preparing a soup for her guests.", "neutral"),
]
TEXTS = st.text(max_size=100)


@pytest.fixture(scope="module")
def model() -> OnnxClassifier:
    return load("cross-encoder-small", LoadOptions())


@pytest.fixture(scope="module")
def blind() -> OnnxClassifier:
    return load("cross-encoder-small-hypothesis-only", LoadOptions())


@pytest.mark.parametrize(("premise", "hypothesis", "label"), EASY)
def test_the_shipped_model_labels_easy_pairs(model: OnnxClassifier, premise: str, hypothesis: str, label: str) -> None:
    [said] = model.predict([Pair(premise=premise, hypothesis=hypothesis)])
    assert said.label == label


def test_what_is_said_of_a_hypothesis_depends_on_the_premise(model: OnnxClassifier, blind: OnnxClassifier) -> None:
    pairs = [Pair(premise=premise, hypothesis="A woman is cutting onions.") for premise in (STREET, KITCHEN, "")]
    assert [said.label for said in model.predict(pairs)][:2] == ["contradiction", "entailment"]
    assert len({str(said) for said in blind.predict(pairs)}) == 1


def test_a_pair_is_answered_the_same_alone_and_among_others(model: OnnxClassifier) -> None:
    pairs = [Pair(premise=premise * repeats, hypothesis=text) for premise, text, _ in EASY for repeats in (1, 3)]
    assert model.predict(pairs) == [said for pair in pairs for said in model.predict([pair])]
    assert model.predict([]) == []


@settings(deadline=None, max_examples=examples(60))
@given(TEXTS, TEXTS)
def test_any_text_is_answered(model: OnnxClassifier, premise: str, hypothesis: str) -> None:
    [said] = model.predict([Pair(premise=premise, hypothesis=hypothesis)])
    shares = said.probabilities.model_dump()
    assert sum(shares.values()) == pytest.approx(1)
    assert shares[said.label] == max(shares.values())


def test_very_long_texts_are_answered(model: OnnxClassifier) -> None:
    said = model.predict(
        [Pair(premise=STREET * 100, hypothesis=KITCHEN), Pair(premise=KITCHEN, hypothesis=STREET * 100)]
    )
    assert len(said) == 2


@pytest.mark.parametrize("name", NAMES)
def test_shipped_models_are_small_and_say_what_they_are(name: str) -> None:
    assert load(name, LoadOptions()).identity.task == "nli"
    assert load(name, LoadOptions()).identity.name == name
    folder = SHIPPED / name
    assert (folder / "model.onnx").stat().st_size < 4_000_000
    content = (folder / "model.onnx").read_bytes()
    assert b"site-packages" not in content
    assert b".py" not in content
    assert "95% interval" in (folder / "MODEL_CARD.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_shipped_models_are_listed_for_their_kind_of_task(name: str) -> None:
    assert shipped_models()[f"onnx:{name}"] == "nli"
    check_serves(f"onnx:{name}", "nli")
    with pytest.raises(InvalidInput, match="answers for nli, and the task is reading_comprehension"):
        check_serves(f"onnx:{name}", "reading_comprehension")


def test_models_that_are_not_there_or_of_another_kind_are_refused() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'cross-encoder-small'"):
        load("cross-encoder-smal", LoadOptions())
    with pytest.raises(AdversaryError, match=r"task 'reading_comprehension'; format 1 and task 'nli' can be read"):
        load(str(READERS / "bidaf-small"), LoadOptions())
    for options in (LoadOptions(device="cuda"), LoadOptions(precision="int8")):
        with pytest.raises(InvalidInput, match="only"):
            load("cross-encoder-small", options)


def test_torch_is_not_loaded() -> None:
    code = (
        "import sys; from beat_the_ai.kinds.nli.backends.onnx import load; "
        "from beat_the_ai.adversary.protocol import LoadOptions; load('cross-encoder-small', LoadOptions()); "
        "print([name for name in ('torch', 'onnx', 'transformers') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr
