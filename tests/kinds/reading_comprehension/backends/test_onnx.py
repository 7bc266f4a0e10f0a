from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.errors import AdversaryError, InvalidInput, UnknownName
from beat_the_ai.kinds.reading_comprehension.backends.onnx import SHIPPED, OnnxReader, load
from beat_the_ai.kinds.reading_comprehension.writing import Query
from beat_the_ai.networks.onnx_folder import SHIPPED_VOCABULARY, hash_of, shipped
from tests.examples import examples
from tests.kinds.reading_comprehension.certainty import certainty

CONFIG = b'{"format": 1, "task": "reading_comprehension", "name": "a", "temperature": %b}'
BAKERY = (
    "Anna Berg opened a small bakery in Oslo in 1987. Ten years later her brother Lars bought the shop for 40,000 "
    "crowns and painted its door green. Today the bakery employs twelve people, and its rye bread is sold in "
    "Stockholm, too."
)
LIGHTHOUSE = (
    "The lighthouse on Skerry Point was built by the engineer Tomás Quill between 1851 and 1854. Its lamp burned whale "
    "oil until 1872, when it was replaced by a paraffin burner 🔥. The keeper, Agnes Moor, lived in a cottage below "
    "the tower with her three daughters. A storm destroyed the cottage in 1903."
)
EASY = [
    (BAKERY, "Who opened the bakery?", "Anna Berg"),
    (BAKERY, "When did Anna Berg open the bakery?", "1987"),
    (BAKERY, "In which city was the bakery opened?", "Oslo"),
    (BAKERY, "Who bought the shop?", "Lars"),
    (BAKERY, "How many people does the bakery employ?", "twelve"),
    (LIGHTHOUSE, "Who built the lighthouse?", "Tomás Quill"),
    (LIGHTHOUSE, "What did the lamp burn until 1872?", "whale oil"),
    (LIGHTHOUSE, "In what year did a storm destroy the cottage?", "1903"),
    (LIGHTHOUSE, "How many daughters did the keeper have?", "three"),
]


@pytest.fixture(scope="module")
def model() -> OnnxReader:
    return load("bidaf-small", LoadOptions())


@pytest.mark.parametrize(("context", "question", "answer"), EASY)
def test_the_shipped_model_answers_easy_questions(model: OnnxReader, context: str, question: str, answer: str) -> None:
    [prediction] = model.predict([Query(context=context, question=question)])
    assert answer in prediction.text
    assert len(prediction.text) < len(answer) + 20
    assert context[prediction.start : prediction.start + len(prediction.text)] == prediction.text


def test_a_query_is_answered_the_same_alone_and_among_others(model: OnnxReader) -> None:
    queries = [Query(context=context, question=question) for context, question, _ in EASY]
    together = model.predict(queries)
    assert together == [prediction for query in queries for prediction in model.predict([query])]
    assert model.predict([]) == []


def test_a_query_is_answered_the_same_with_the_help_of_other_streams(model: OnnxReader) -> None:
    queries = [Query(context=context, question=question) for context, question, _ in EASY]
    assert load("bidaf-small", LoadOptions(streams=4)).predict(queries) == model.predict(queries)


@settings(deadline=None, max_examples=examples(60))
@given(st.text(max_size=120), st.text(max_size=40))
def test_answers_stand_in_whatever_passage_is_given(model: OnnxReader, context: str, question: str) -> None:
    [prediction] = model.predict([Query(context=context, question=question)])
    assert context[prediction.start : prediction.start + len(prediction.text)] == prediction.text
    assert 0 <= certainty(prediction) <= 1


def test_an_answer_far_down_a_long_passage_is_found(model: OnnxReader) -> None:
    context = " ".join([BAKERY] * 12 + [LIGHTHOUSE] + [BAKERY] * 12)
    [prediction] = model.predict([Query(context=context, question="Who built the lighthouse?")])
    assert "Quill" in prediction.text
    assert context[prediction.start :].startswith(prediction.text)


def test_the_identity_names_the_files(model: OnnxReader, tmp_path: Path) -> None:
    assert model.identity.name == "bidaf-small"
    assert model.identity.task == "reading_comprehension"
    assert model.identity.precision == "fp32"
    copy = tmp_path / "copy"
    shutil.copytree(SHIPPED / "bidaf-small", copy)
    (copy / "MODEL_CARD.md").write_text("another card")
    assert hash_of(copy) == model.identity.hash == load(str(copy), LoadOptions()).identity.hash
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**config, "temperature": 3}))
    assert hash_of(copy) != model.identity.hash


def test_a_folder_with_a_vocabulary_of_its_own_is_the_same_model_as_one_that_names_the_shipped(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(SHIPPED / "bidaf-small", copy)
    assert not (copy / "vocabulary.txt").exists()
    named = load(str(copy), LoadOptions())
    (copy / "vocabulary.sha256").rename(tmp_path / "aside")
    shutil.copy(SHIPPED_VOCABULARY, copy / "vocabulary.txt")
    own = load(str(copy), LoadOptions())
    query = Query(context=LIGHTHOUSE, question="Who built the lighthouse?")
    assert named.identity == own.identity
    assert named.predict([query]) == own.predict([query])


@pytest.mark.parametrize("content", [b"", b"\xff", b"0" * 64])
def test_a_folder_that_names_another_vocabulary_is_refused(content: bytes, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(SHIPPED / "bidaf-small", copy)
    (copy / "vocabulary.sha256").write_bytes(content)
    with pytest.raises(AdversaryError, match=r"The vocabulary\.sha256 of 'copy' names another vocabulary"):
        load(str(copy), LoadOptions())


def test_the_model_folder_stays_small() -> None:
    files = [*(SHIPPED / "bidaf-small").iterdir(), SHIPPED_VOCABULARY]
    assert sum(path.stat().st_size for path in files) < 6_300_000


def test_no_trace_of_the_machine_that_exported_it_is_left() -> None:
    content = (SHIPPED / "bidaf-small" / "model.onnx").read_bytes()
    assert b"site-packages" not in content
    assert b".py" not in content


def test_an_unknown_model_lists_those_that_exist() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'bidaf-small'"):
        load("bidaf-smal", LoadOptions())
    assert "bidaf-small" in shipped(SHIPPED)


def test_a_folder_that_is_no_model_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(AdversaryError, match=r"lacks config\.json, model\.onnx, vocabulary\.txt"):
        load(str(tmp_path), LoadOptions())


@pytest.mark.parametrize(
    "options", [LoadOptions(device="cuda"), LoadOptions(precision="int8")], ids=["device", "precision"]
)
def test_what_the_backend_cannot_do_is_refused(options: LoadOptions) -> None:
    with pytest.raises(InvalidInput, match="only"):
        load("bidaf-small", options)


def test_a_model_of_another_format_is_refused(tmp_path: Path) -> None:
    for name in ("model.onnx", "vocabulary.txt"):
        (tmp_path / name).touch()
    (tmp_path / "config.json").write_text('{"format": 2}')
    with pytest.raises(AdversaryError, match="Export the model again"):
        load(str(tmp_path), LoadOptions())


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("model.onnx", b"", "is no network"),
        ("model.onnx", b"garbage", "is no network"),
        ("vocabulary.txt", b"\xff\xfe", "holds no word pieces"),
        ("vocabulary.txt", b"of\nthe\n", "holds no word pieces"),
        ("config.json", b"\xff", "is no JSON"),
        ("config.json", b"[" * 100_000, "is no JSON"),
        ("config.json", b"[]", "tells no name and temperature"),
        ("config.json", b'{"format": 1, "task": "reading_comprehension"}', "tells no name and temperature"),
        *(
            ("config.json", CONFIG % temperature, r"has temperature .*, which is no number above 0")
            for temperature in (b"NaN", b"0", b"Infinity", b'"1"', b"null")
        ),
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_named(name: str, content: bytes, told: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(SHIPPED / "bidaf-small", copy)
    (copy / name).write_bytes(content)
    with pytest.raises(AdversaryError, match=rf"{name} of 'copy' {told}"):
        load(str(copy), LoadOptions())


@pytest.mark.parametrize(("pieces", "told"), [(28_000, "knows more pieces than"), (28_100, "knows fewer pieces than")])
def test_a_vocabulary_that_is_not_the_networks_is_refused(pieces: int, told: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(SHIPPED / "bidaf-small", copy)
    lines = SHIPPED_VOCABULARY.read_text().splitlines()[:pieces]
    lines += [f"##more{number}" for number in range(pieces - len(lines))]
    (copy / "vocabulary.txt").write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(AdversaryError, match=rf"{told} the {pieces:,} of its vocabulary\.txt"):
        load(str(copy), LoadOptions())


def weight_no_number(onnx: Any, network: Any) -> None:
    [bias] = [each for each in network.graph.initializer if each.name == "reduce.bias"]
    values = onnx.numpy_helper.to_array(bias).copy()
    values[0] = float("nan")
    bias.CopyFrom(onnx.numpy_helper.from_array(values, bias.name))


def weight_beside(onnx: Any, network: Any, folder: Path) -> None:
    onnx.external_data_helper.convert_model_to_external_data(network, location="weights.bin", size_threshold=0)
    onnx.save(network, folder / "model.onnx")
    assert (folder / "weights.bin").is_file()


def test_a_network_that_is_not_all_in_its_file_or_no_network_of_ours_is_refused(tmp_path: Path) -> None:
    """NaN, weights in a file beside it (which its hash is not of), and an operator of somebody's own."""
    onnx = pytest.importorskip("onnx", reason="the extra 'train' is not installed")
    copy = tmp_path / "copy"
    shutil.copytree(SHIPPED / "bidaf-small", copy)
    network = onnx.load(copy / "model.onnx")
    weight_beside(onnx, network, copy)
    with pytest.raises(AdversaryError, match=r"model\.onnx of 'copy' is no network: .*External data"):
        load(str(copy), LoadOptions())
    network = onnx.load(SHIPPED / "bidaf-small" / "model.onnx")
    weight_no_number(onnx, network)
    onnx.save(network, copy / "model.onnx")
    with pytest.raises(AdversaryError, match="computes no numbers"):
        load(str(copy), LoadOptions())
    network.graph.node[0].domain = "somebody"
    network.opset_import.append(onnx.helper.make_opsetid("somebody", 1))
    onnx.save(network, copy / "model.onnx")
    with pytest.raises(AdversaryError, match=r"model\.onnx of 'copy' is no network"):
        load(str(copy), LoadOptions())


def test_a_network_of_another_kind_of_task_is_named(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(SHIPPED / "bidaf-small", copy)
    shutil.copy(SHIPPED.parents[1] / "nli" / "weights" / "cross-encoder-small" / "model.onnx", copy)
    with pytest.raises(AdversaryError, match=r"model\.onnx of 'copy' gives logits; start, end are needed"):
        load(str(copy), LoadOptions())


def test_torch_is_not_loaded() -> None:
    code = (
        "import sys; from beat_the_ai.kinds.reading_comprehension.backends.onnx import load; "
        "from beat_the_ai.adversary.protocol import LoadOptions; load('bidaf-small', LoadOptions()); "
        "print([name for name in ('torch', 'onnx', 'transformers') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr
