from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'gpu' is not installed")

from beat_the_ai.adversary.protocol import LoadOptions  # noqa: E402
from beat_the_ai.errors import AdversaryError, InvalidInput  # noqa: E402
from beat_the_ai.kinds.nli.backends.huggingface import HuggingFaceClassifier, label_order, load  # noqa: E402
from beat_the_ai.kinds.nli.labels import LABELS, Pair  # noqa: E402
from tests.examples import examples  # noqa: E402
from tests.networks.tiny_bert import byte_tokenizer, write_tiny_bert  # noqa: E402

ORDER = ("contradiction", "entailment", "neutral")
TEXTS = st.text(max_size=120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of 16 units with random weights, a window of 64 tokens, and its labels in an order of its own."""
    return write_tiny_bert(
        tmp_path_factory.mktemp("models") / "tiny-bert",
        transformers.BertForSequenceClassification,
        id2label=dict(enumerate(ORDER)),
        label2id={label: number for number, label in enumerate(ORDER)},
    )


@pytest.fixture(scope="module")
def model(folder: Path) -> HuggingFaceClassifier:
    return load(str(folder), LoadOptions())


def named(folder: Path, copy: Path, names: list[str]) -> Path:
    """A copy whose outputs have other names."""
    shutil.copytree(folder, copy)
    config = json.loads((copy / "config.json").read_text())
    config["id2label"] = {str(number): name for number, name in enumerate(names)}
    config["label2id"] = {name: number for number, name in enumerate(names)}
    (copy / "config.json").write_text(json.dumps(config))
    return copy


def test_probabilities_are_those_of_the_model_by_its_own_order_of_labels(
    folder: Path, model: HuggingFaceClassifier
) -> None:
    pair = Pair(premise="A dog ran.", hypothesis="It sat.")
    [said] = model.predict([pair])
    network = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    encoded = transformers.AutoTokenizer.from_pretrained(folder)(pair.premise, pair.hypothesis, return_tensors="pt")
    with torch.inference_mode():
        shares = network(**encoded).logits[0].softmax(dim=-1).tolist()
    assert said.probabilities.model_dump() == pytest.approx(dict(zip(ORDER, shares, strict=True)), abs=1e-5)
    assert said.label == ORDER[shares.index(max(shares))]


def test_the_same_network_under_other_names_says_other_labels(
    folder: Path, model: HuggingFaceClassifier, tmp_path: Path
) -> None:
    other = load(str(named(folder, tmp_path / "other", ["ENTAILMENT", "Contradiction", "n"])), LoadOptions())
    pair = Pair(premise="A dog ran.", hypothesis="It sat.")
    left, right = model.predict([pair])[0].probabilities, other.predict([pair])[0].probabilities
    assert (left.contradiction, left.entailment) == (right.entailment, right.contradiction)
    assert left.neutral == right.neutral
    assert other.identity.hash != model.identity.hash


@pytest.mark.parametrize("order", list(itertools.permutations(LABELS)))
def test_every_order_is_read(order: tuple[str, ...]) -> None:
    assert label_order("m", dict(enumerate(order))) == order
    assert label_order("m", {number: label[0].upper() for number, label in enumerate(order)}) == order


@pytest.mark.parametrize(
    "names",
    [
        ["LABEL_0", "LABEL_1", "LABEL_2"],
        ["entailment", "not_entailment"],
        ["entailment", "neutral", "neutral"],
        ["entailment", "neutral", "contradiction", "other"],
    ],
)
def test_outputs_that_are_not_clearly_the_three_labels_are_refused(names: list[str]) -> None:
    with pytest.raises(AdversaryError, match=rf"0: '{names[0]}', 1: .*write the labels' names into id2label"):
        label_order("m", dict(enumerate(names)))


def test_a_model_without_names_for_its_outputs_is_refused_when_it_is_loaded(folder: Path, tmp_path: Path) -> None:
    unclear = named(folder, tmp_path / "unclear", ["LABEL_0", "LABEL_1", "LABEL_2"])
    with pytest.raises(AdversaryError, match="LABEL_0"):
        load(str(unclear), LoadOptions())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=examples(40))
@given(premise=TEXTS, hypothesis=TEXTS)
def test_any_text_is_answered(model: HuggingFaceClassifier, premise: str, hypothesis: str) -> None:
    [said] = model.predict([Pair(premise=premise, hypothesis=hypothesis)])
    shares = said.probabilities.model_dump()
    assert sum(shares.values()) == pytest.approx(1)
    assert shares[said.label] == max(shares.values())


def test_only_the_premise_is_cut_to_fit_the_window(model: HuggingFaceClassifier) -> None:
    def said(premise: str, hypothesis: str) -> dict[str, float]:
        return model.predict([Pair(premise=premise, hypothesis=hypothesis)])[0].probabilities.model_dump()

    long = "It rained all day, and nobody left the house at all before supper. " * 3
    assert said(long + "The end.", "Yes.") == said(long + "Another end.", "Yes.")
    assert said(long, "It was wet, I say.") != said(long, "It was wet, I saw.")
    assert said("The end.", long) != said("An end.", long)  # the longest hypothesis leaves it half of the window


@pytest.fixture(scope="module")
def xlnet(tmp_path_factory: pytest.TempPathFactory) -> HuggingFaceClassifier:
    """A network that has no limit of positions, and sums up by its last token, with random weights."""
    folder, tokenizer = tmp_path_factory.mktemp("models") / "tiny-xlnet", byte_tokenizer()
    torch.manual_seed(0)
    sizes = {"d_model": 16, "n_layer": 1, "n_head": 2, "d_inner": 32, "initializer_range": 1.0}
    names = {"id2label": dict(enumerate(ORDER)), "label2id": {label: number for number, label in enumerate(ORDER)}}
    config = transformers.XLNetConfig(vocab_size=len(tokenizer), pad_token_id=0, **sizes, **names)
    transformers.XLNetForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return load(str(folder), LoadOptions())


@pytest.mark.parametrize("name", ["model", "xlnet"])
def test_a_batch_gives_what_each_pair_gets_alone(name: str, request: pytest.FixtureRequest) -> None:
    model: HuggingFaceClassifier = request.getfixturevalue(name)
    pairs = [
        Pair(premise="Rome fell. " * repeats, hypothesis="It fell.") for repeats in (9, 1, 0, 3) for _ in range(10)
    ]
    for pair, said in zip(pairs, model.predict(pairs), strict=True):
        [alone] = model.predict([pair])
        assert said.label == alone.label
        assert said.probabilities.model_dump() == pytest.approx(alone.probabilities.model_dump(), abs=1e-4)
    assert model.predict([]) == []


def test_a_model_without_a_trained_head_is_refused(folder: Path, tmp_path: Path) -> None:
    headless = Path(shutil.copytree(folder, tmp_path / "headless"))
    transformers.BertModel.from_pretrained(folder).save_pretrained(headless)
    with pytest.raises(AdversaryError, match="no trained classification head: classifier"):
        load(str(headless), LoadOptions())


def test_what_there_is_not_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(AdversaryError, match="no model that transformers can load"):
        load(str(tmp_path), LoadOptions())
    with pytest.raises(InvalidInput, match=r"'fp16' is not available on cpu\. Allowed: fp32"):
        load(str(folder), LoadOptions(precision="fp16"))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here")
@pytest.mark.parametrize("precision", ["fp32", "fp16", "bf16"])
def test_a_gpu_gives_the_same_labels(folder: Path, model: HuggingFaceClassifier, precision: str) -> None:
    on_gpu = load(str(folder), LoadOptions(device="cuda", precision=precision))
    pairs = [Pair(premise="Rome fell. " * repeats, hypothesis="It fell.") for repeats in (9, 1, 0, 3)]
    said = on_gpu.predict(pairs)
    assert all(sum(one.probabilities.model_dump().values()) == pytest.approx(1) for one in said)
    if precision == "fp32":
        assert [one.label for one in said] == [one.label for one in model.predict(pairs)]
