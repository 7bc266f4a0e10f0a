from __future__ import annotations

import io
import json
import math
import shutil
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'gpu' is not installed")

import huggingface_hub  # noqa: E402
from safetensors.torch import load_file, save_file  # noqa: E402

from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity  # noqa: E402
from beat_the_ai.cli import main  # noqa: E402
from beat_the_ai.errors import AdversaryError, InvalidInput  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.backends.huggingface import HuggingFaceReader, load  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.borders import cuts_words  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.windows import WindowEncoder  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.writing import Query  # noqa: E402
from beat_the_ai.networks.huggingface import Pretrained, hash_of  # noqa: E402
from beat_the_ai.networks.loading import PICKLED, located  # noqa: E402
from tests.examples import examples  # noqa: E402
from tests.kinds.reading_comprehension.certainty import certainty  # noqa: E402
from tests.networks.tiny_bert import byte_tokenizer, word_piece_tokenizer, write_tiny_bert  # noqa: E402

ROMAN = "Rome was, so they say, founded in 753 BC — by Romulus 🐺 and Rémus. e\u0301tat 日本語 \u202eabc\u202c"


@pytest.fixture(scope="module", params=[word_piece_tokenizer, byte_tokenizer], ids=["word pieces", "bytes"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of 16 units with random weights, and a window of 64 tokens."""
    path = tmp_path_factory.mktemp("models") / "tiny-bert"
    return write_tiny_bert(path, transformers.BertForQuestionAnswering, request.param())


@pytest.fixture(scope="module")
def reader(folder: Path) -> HuggingFaceReader:
    return load(str(folder), LoadOptions())


@pytest.mark.parametrize("question", ["Who?", "Who founded Rome? 🐺", "Wér founded 日本語"])
def test_the_answer_stands_in_the_passage_where_it_says(reader: HuggingFaceReader, question: str) -> None:
    [answer] = reader.predict([Query(context=ROMAN, question=question)])
    assert answer.text
    assert ROMAN[answer.start : answer.start + len(answer.text)] == answer.text
    assert 0 < certainty(answer) <= 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=examples(40))
@given(context=st.text(max_size=200), question=st.text(max_size=80))
def test_any_text_is_answered_with_a_stretch_of_itself(reader: HuggingFaceReader, context: str, question: str) -> None:
    [answer] = reader.predict([Query(context=context, question=question)])
    assert context[answer.start : answer.start + len(answer.text)] == answer.text
    assert answer.text == answer.text.strip()
    assert 0 <= certainty(answer) <= 1 + 1e-9


@pytest.mark.parametrize("context", ["", "  \n\t", "\u200b\x00"])
def test_a_passage_without_words_has_no_answer_or_an_honest_one(reader: HuggingFaceReader, context: str) -> None:
    [answer] = reader.predict([Query(context=context, question="Who?")])
    assert context[answer.start : answer.start + len(answer.text)] == answer.text


def test_a_batch_gives_what_each_query_gets_alone(reader: HuggingFaceReader) -> None:
    contexts = [ROMAN, "Rome.", ROMAN * 10, "By Romulus, who founded it."]
    queries = [
        Query(context=context, question=question) for context in contexts for question in ("Who?", "When, pray?")
    ]
    together = reader.predict(queries)
    for query, answer in zip(queries, together, strict=True):
        [alone] = reader.predict([query])
        assert (answer.text, answer.start) == (alone.text, alone.start)
        assert answer.score == pytest.approx(alone.score, rel=1e-3)


def test_no_queries_give_no_answers(reader: HuggingFaceReader) -> None:
    assert reader.predict([]) == []


class LikesOneToken:
    """Stands in for the network: start and end logits are 5 at every occurrence of one token and 0 elsewhere."""

    config = types.SimpleNamespace(max_position_embeddings=64)
    device = "cpu"

    def __init__(self, token: int) -> None:
        self._token = token

    def __call__(self, input_ids: Any, **_: Any) -> types.SimpleNamespace:
        logits = 5.0 * (input_ids == self._token)
        return types.SimpleNamespace(start_logits=logits, end_logits=logits)


@pytest.fixture
def likes_rome() -> HuggingFaceReader:
    tokenizer = word_piece_tokenizer()
    identity = ModelIdentity("likes-rome", "reading_comprehension", "0" * 64, "fp32")
    return HuggingFaceReader(Pretrained(identity, LikesOneToken(tokenizer.convert_tokens_to_ids("rome")), tokenizer))


@pytest.mark.parametrize("before", [0, 1, 17, 150, 300])
def test_the_best_span_of_a_long_passage_is_found_wherever_it_stands(
    likes_rome: HuggingFaceReader, before: int
) -> None:
    context = "xx " * before + "Rome" + " xx" * (300 - before)
    [answer] = likes_rome.predict([Query(context=context, question="Who, in Rome?")])
    assert (answer.text, answer.start) == ("Rome", 3 * before)


def test_of_equal_spans_the_first_is_the_answer(likes_rome: HuggingFaceReader) -> None:
    [answer] = likes_rome.predict([Query(context="xx Rome " * 200, question="Who?")])
    assert answer.start == 3


def test_the_score_is_the_softmax_over_all_spans_of_the_passage(likes_rome: HuggingFaceReader) -> None:
    padded_beside_it = Query(context="xx " * 50, question="Who?")
    answer, _ = likes_rome.predict([Query(context="Rome xx", question="Rome?"), padded_beside_it])
    # Two words (rome, xx), three spans of whole words: one of 10, one that starts with it, one without it.
    assert answer.score == pytest.approx(math.exp(10) / (math.exp(10) + math.exp(5) + 1))


def test_windows_overlap_by_128_tokens_of_384_and_by_a_third_of_a_smaller_one() -> None:
    context = "x " * 1000
    for tokens, overlap in ((384, 128), (64, 21)):
        tokenizer = word_piece_tokenizer()
        tokenizer.model_max_length = tokens
        encode = WindowEncoder(tokenizer, types.SimpleNamespace(max_position_embeddings=512))
        first, second, *_ = encode(Query(context=context, question="Who?"))
        shared = set(first.starts[first.inside]) & set(second.starts[second.inside])
        assert (len(first.starts), len(shared)) == (tokens, overlap)


@pytest.mark.parametrize("question", ["Who?", "Where, then?", "What of it?", "x", "##b"])
@pytest.mark.parametrize("context", [ROMAN, "It cost $2.00, or 40% of U.S. (re)builders' state-of-the-art offers."])
def test_answers_are_whole_words(reader: HuggingFaceReader, context: str, question: str) -> None:
    [answer] = reader.predict([Query(context=context, question=question)])
    assert answer.text
    assert not cuts_words(context, answer.start, answer.start + len(answer.text))


def test_a_passage_that_is_one_word_too_long_for_an_answer_has_none(likes_rome: HuggingFaceReader) -> None:
    [answer] = likes_rome.predict([Query(context="rome" * 20, question="Who?")])
    assert (answer.text, answer.score) == ("", 0.0)


def test_a_question_longer_than_the_window_still_leaves_room_for_the_passage(reader: HuggingFaceReader) -> None:
    [answer] = reader.predict([Query(context=ROMAN, question="Who founded it? " * 600)])
    assert answer.text
    assert ROMAN[answer.start :].startswith(answer.text)


def test_answers_have_at_most_thirty_tokens(reader: HuggingFaceReader) -> None:
    context = "a b c d e f g h i j " * 30
    for question in ("Who?", "What?", "a", "b c"):
        [answer] = reader.predict([Query(context=context, question=question)])
        assert len(answer.text) <= 60


def test_the_same_model_gives_the_same_answers_and_the_same_hash(folder: Path, reader: HuggingFaceReader) -> None:
    again = load(str(folder), LoadOptions())
    queries = [Query(context=ROMAN * 3, question="Who?")]
    assert again.identity == reader.identity
    assert again.predict(queries) == reader.predict(queries)


def test_the_hash_changes_with_the_weights_and_not_with_the_readme(folder: Path, tmp_path: Path) -> None:
    identity = load(str(folder), LoadOptions()).identity
    assert (identity.name, identity.precision) == ("tiny-bert", "fp32")
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    (copy / "README.md").write_text("A model.")
    assert load(str(copy), LoadOptions()).identity.hash == identity.hash
    model = transformers.BertForQuestionAnswering.from_pretrained(copy)
    torch.nn.init.ones_(model.qa_outputs.bias)
    model.save_pretrained(copy)
    assert load(str(copy), LoadOptions()).identity.hash != identity.hash


def test_a_model_without_a_trained_head_is_refused(folder: Path, tmp_path: Path) -> None:
    headless = Path(shutil.copytree(folder, tmp_path / "headless"))
    transformers.BertModel.from_pretrained(folder).save_pretrained(headless)
    with pytest.raises(AdversaryError, match=r"no trained question-answering head: qa_outputs\.bias is missing"):
        load(str(headless), LoadOptions())


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AdversaryError, match="no model that transformers can load"):
        load(str(tmp_path), LoadOptions())


def test_a_precision_or_device_that_there_is_not_is_refused(folder: Path) -> None:
    with pytest.raises(InvalidInput, match=r"'fp16' is not available on cpu\. Allowed: fp32"):
        load(str(folder), LoadOptions(precision="fp16"))
    with pytest.raises(InvalidInput, match="Allowed: cpu, cuda"):
        load(str(folder), LoadOptions(device="tpu"))


@pytest.mark.parametrize("source", ["any/model", "any/model@main", "any/model@97f419f"])
def test_a_model_of_the_hub_needs_its_commit(source: str) -> None:
    with pytest.raises(InvalidInput, match=rf"write huggingface:{source}@COMMIT, of 40 hexadecimal digits"):
        load(source, LoadOptions())


def test_a_commit_is_told_from_an_id_and_from_a_folder(tmp_path: Path) -> None:
    commit = "97f419f4aff79fa10f7e229fdc859736ccd93b5c"
    assert located(f"any/model@{commit}") == ("any/model", commit)
    assert located("any/model") == ("any/model", None)
    folder = tmp_path / f"model@{commit}"
    folder.mkdir()
    assert located(str(folder)) == (str(folder), None)


def test_the_commit_is_what_is_loaded_from_the_hubs_cache(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two commits of one model lie there; the hub itself cannot be reached."""
    cache, commits = tmp_path / "hub", ["a" * 40, "b" * 40]
    for commit in commits:
        snapshot = cache / "models--any--model" / "snapshots" / commit
        shutil.copytree(folder, snapshot)
        (snapshot / "special_tokens_map.json").write_text(json.dumps({"cls_token": "[CLS]", "made_by": commit}))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(cache))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    loaded = [load(f"any/model@{commit}", LoadOptions()).identity for commit in commits]
    assert [identity.name for identity in loaded] == ["any/model"] * 2
    for identity, commit in zip(loaded, commits, strict=True):
        assert identity.hash == hash_of(cache / "models--any--model" / "snapshots" / commit)
    assert loaded[0].hash != loaded[1].hash
    with pytest.raises(AdversaryError, match="no model that transformers can load"):
        load(f"any/model@{'c' * 40}", LoadOptions())


def test_weights_of_the_hub_may_be_a_pickle_at_a_commit_that_the_suite_pins_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, commit = "csarron/roberta-large-squad-v1", "97f419f4aff79fa10f7e229fdc859736ccd93b5c"
    for owner in (name, "any/model"):
        snapshot = tmp_path / "hub" / f"models--{owner.replace('/', '--')}" / "snapshots" / commit
        shutil.copytree(folder, snapshot)
        torch.save(load_file(snapshot / "model.safetensors"), snapshot / "pytorch_model.bin")
        (snapshot / "model.safetensors").unlink()
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    assert load(f"{name}@{commit}", LoadOptions()).identity.name == name
    with pytest.raises(AdversaryError, match=r"pytorch_model\.bin, a pickle, which may hold code and is not read"):
        load(f"any/model@{commit}", LoadOptions())


def test_each_commit_whose_pickle_is_read_is_that_of_a_model_by_name() -> None:
    root = Path(__file__).parents[4]
    configurations = [*(root / "hydra_configs" / "adversary").glob("*.yaml"), *root.glob("tasks/*/matrices/paper.yaml")]
    pinned = "\n".join(path.read_text() for path in configurations)
    assert all(f"huggingface:{source}" in pinned for source in PICKLED)


def _cut(path: Path) -> int:
    return path.write_bytes(path.read_bytes()[:1000])


def _remove(model: Path, pattern: str) -> list[Path]:
    removed = list(model.glob(pattern))
    for path in removed:
        path.unlink()
    return removed


def _change_weights(model: Path, name: str, value: float | None) -> Path:
    """Set one of the weights; None cuts off all rows but the first."""
    weights = load_file(model / "model.safetensors")
    if value is None:
        weights[name] = weights[name][:1].clone()
    else:
        weights[name][0, 0] = value
    save_file(weights, model / "model.safetensors", metadata={"format": "pt"})
    return model


def _change(path: Path, **changes: Any) -> int:
    return path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def _change_tokenizer(model: Path, change: Callable[[Any], object]) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    change(tokenizer)
    tokenizer.save_pretrained(model)


CODE = {"AutoConfig": "code.C", "AutoModelForQuestionAnswering": "code.M"}
BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "weights are missing": (lambda model: _remove(model, "*.safetensors"), "no file named model.safetensors"),
    "weights are cut off": (lambda model: _cut(model / "model.safetensors"), "no model that transformers can load"),
    "weights are a pickle": (
        lambda model: (
            torch.save(load_file(model / "model.safetensors"), model / "pytorch_model.bin"),
            _remove(model, "*.safetensors"),
        ),
        r"has its weights in pytorch_model\.bin, a pickle, which may hold code and is not read",
    ),
    "the index names a pickle": (
        lambda model: (
            (model / "model.safetensors").rename(model / "model-1.safetensors"),
            torch.save(load_file(model / "model-1.safetensors"), model / "a.bin"),
            (model / "model.safetensors.index.json").write_text('{"metadata": {}, "weight_map": {"a": "a.bin"}}'),
        ),
        r"names 'a\.bin'\. Only safetensors in the folder itself are read",
    ),
    "the index names a file elsewhere": (
        lambda model: (model / "model.safetensors.index.json").write_text('{"weight_map": {"a": "../a.safetensors"}}'),
        r"Only safetensors in the folder itself are read",
    ),
    "a weight is no number": (
        lambda model: _change_weights(model, "qa_outputs.weight", float("nan")),
        r"qa_outputs\.weight holds values that are no numbers",
    ),
    "a weight is infinite": (
        lambda model: _change_weights(model, "bert.embeddings.word_embeddings.weight", float("inf")),
        "holds values that are no numbers",
    ),
    "the network needs code of its own": (
        lambda model: _change(model / "config.json", model_type="xyz", auto_map=CODE),
        "brings code of its own, which is not run",
    ),
    "the network needs a package": (
        lambda model: _change(model / "config.json", quantization_config={"quant_method": "gptq", "bits": 4}),
        "no model that transformers can load",
    ),
    "the tokenizer has more pieces": (
        lambda model: _change_tokenizer(model, lambda tokenizer: tokenizer.add_tokens(["more", "yet more"])),
        r"numbers its pieces up to [\d,]+, and its network has",
    ),
    "the tokenizer has no padding": (
        lambda model: _change_tokenizer(model, lambda tokenizer: setattr(tokenizer, "pad_token", None)),
        "has no padding",
    ),
    "the network has no second part": (
        lambda model: (
            _change(model / "config.json", type_vocab_size=1),
            _change_weights(model, "bert.embeddings.token_type_embeddings.weight", None),
            _change(model / "tokenizer_config.json", model_input_names=["input_ids", "token_type_ids"]),
        ),
        "cannot read what its tokenizer makes of a text",
    ),
    "the config is no object": (lambda model: (model / "config.json").write_text("[]"), "no model that transformers"),
    "the config is of another size": (
        lambda model: (model / "config.json").write_text(
            (model / "config.json").read_text().replace('"hidden_size": 16', '"hidden_size": 32')
        ),
        "no model that transformers can load",
    ),
    "the tokenizer is missing": (
        lambda model: _remove(model, "tokenizer*"),
        "files of it are missing",
    ),
    "the tokenizer is another file": (
        lambda model: (model / "tokenizer.json").write_text('{"a": 1}'),
        "no model that transformers can load",
    ),
}


@pytest.mark.parametrize("flaw", BROKEN)
def test_a_folder_with_a_flaw_says_so_before_anybody_is_asked(flaw: str, folder: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(folder, model)
    spoil, told = BROKEN[flaw]
    spoil(model)
    with pytest.raises(AdversaryError, match=told):
        load(str(model), LoadOptions())


def write_gold(path: Path, question: str) -> Path:
    answers = [{"text": "Romulus", "answer_start": ROMAN.index("Romulus")}]
    paragraph = {"context": ROMAN, "qas": [{"id": "1", "question": question, "answers": answers}]}
    path.write_text(json.dumps({"data": [{"title": "Rome", "paragraphs": [paragraph]}]}))
    return path


def test_no_code_of_a_folder_is_run_and_nothing_is_asked(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Path(shutil.copytree(folder, tmp_path / "model"))
    ran = tmp_path / "ran"
    (model / "code.py").write_text(f"open({str(ran)!r}, 'w')\nclass C: pass\nclass M: pass\n")
    _change(model / "config.json", model_type="xyz", auto_map=CODE)
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n" * 9))
    out = str(tmp_path / "out")
    gold, other = (write_gold(tmp_path / name, name) for name in ("gold.json", "other.json"))
    for command in (
        ["adversary", "predict", "--model", f"huggingface:{model}", "--input", str(gold), "--output", out],
        ["adversary", "check", f"huggingface:{model}", str(gold)],
        ["adversary", "quantise", str(model), out, "--calibrate", str(gold), "--check", str(other)],
        ["evaluate", f"huggingface:{model}", str(gold)],
        [
            *["train", "--task", "reading_comprehension", "--data"],
            str(gold),
            "--from",
            f"huggingface:{model}",
            "--out",
            out,
        ],
    ):
        refused = CliRunner().invoke(main, command, input="y\n" * 9)
        assert refused.exit_code == 1, refused.output
        assert "brings code of its own, which is not run" in " ".join(refused.output.split())
    assert not ran.exists()


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here")
@pytest.mark.parametrize("precision", ["fp32", "fp16", "bf16"])
def test_a_gpu_gives_answers_of_the_same_kind(folder: Path, reader: HuggingFaceReader, precision: str) -> None:
    on_gpu = load(str(folder), LoadOptions(device="cuda", precision=precision))
    queries = [Query(context=ROMAN * repeats, question="Who?") for repeats in (1, 5, 20)]
    answers = on_gpu.predict(queries)
    for query, answer in zip(queries, answers, strict=True):
        assert query.context[answer.start : answer.start + len(answer.text)] == answer.text
    if precision == "fp32":
        assert [answer.start for answer in answers] == [answer.start for answer in reader.predict(queries)]
