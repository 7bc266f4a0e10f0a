"""Which words models of transformers went by, by a way of finding out that shares nothing with it: differences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'gpu' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'gpu' is not installed")

from beat_the_ai.adversary.protocol import Explains, LoadOptions  # noqa: E402
from beat_the_ai.adversary.registry import NLI, READING, open_adversary  # noqa: E402
from beat_the_ai.kinds.nli.labels import LABELS, Pair  # noqa: E402
from beat_the_ai.kinds.reading_comprehension.writing import Query  # noqa: E402
from beat_the_ai.networks.saliency import explanation, trace  # noqa: E402
from tests.networks.tiny_bert import write_tiny_bert  # noqa: E402

ROMAN = "Rome was, so they say, founded by Romulus 🐺 and Rémus."


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = write_tiny_bert(tmp_path_factory.mktemp("models") / "reader", transformers.BertForQuestionAnswering)
    return open_adversary(f"huggingface:{folder}", READING, LoadOptions())


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Any:
    names: dict[str, Any] = {
        "id2label": dict(enumerate(LABELS)),
        "label2id": {label: number for number, label in enumerate(LABELS)},
    }
    folder: Path = tmp_path_factory.mktemp("models") / "classifier"
    write_tiny_bert(folder, transformers.BertForSequenceClassification, **names)
    return open_adversary(f"huggingface:{folder}", NLI, LoadOptions())


def words_of(text: str, weights: Any) -> list[str]:
    return [text[each.start : each.end] for each in weights]


def test_a_tokens_weight_is_what_the_logit_changes_by_when_its_vector_grows(classifier: Any) -> None:
    """The derivative by a scale of one embedding, from differences in double precision."""
    model = classifier.pretrained.model.double()
    [row] = classifier.rows([Pair(premise="Rome fell.", hypothesis="It fell.")])
    traced = trace(model, row)
    weights = traced.token_weights(traced.output.logits[0, 1])
    inputs = {name: torch.tensor([values]) for name, values in row.items() if name != "input_ids"}
    step = 1e-5
    for token in range(len(weights)):
        logits = []
        for sign in (1, -1):
            scale = torch.ones(len(weights), 1, dtype=torch.float64)
            scale[token] += sign * step
            embedded = traced.embedded.detach() * scale
            logits.append(model(inputs_embeds=embedded, **inputs).logits[0, 1].item())
        assert weights[token] == pytest.approx((logits[0] - logits[1]) / (2 * step), rel=1e-4, abs=1e-6)
    model.float()


def test_a_pair_is_explained_by_the_words_of_both_texts(classifier: Any) -> None:
    pairs = [
        Pair(premise=ROMAN, hypothesis="Rémus did."),
        Pair(premise="", hypothesis="Yes."),
        Pair(premise="a", hypothesis=""),
    ]
    explained = classifier.explain(pairs)
    for (said, why), plain in zip(explained, classifier.predict(pairs), strict=True):
        assert said.label == plain.label
        assert said.probabilities.model_dump() == pytest.approx(plain.probabilities.model_dump(), abs=1e-5)
        assert list(why.fields) == ["premise", "hypothesis"]
        assert sum(abs(each.weight) for weights in why.fields.values() for each in weights) == pytest.approx(1)
    first = explained[0][1].fields
    assert words_of(pairs[0].hypothesis, first["hypothesis"]) == ["Rémus", "did", "."]
    assert words_of(ROMAN, first["premise"])[-4:] == ["🐺", "and", "Rémus", "."]
    assert all(each.weight for each in first["hypothesis"])


@pytest.mark.parametrize("context", [ROMAN, "Rome. " + "It stood for long. " * 20, "🐺" * 90, "Rome"])
def test_an_answer_is_the_one_without_an_explanation_and_its_own_words_count(reader: Any, context: str) -> None:
    query = Query(context=context, question="Who founded it?")
    [(answer, why)], [plain] = reader.explain([query]), reader.predict([query])
    assert (answer.text, answer.start) == (plain.text, plain.start)
    assert list(why.fields) == ["question", "context"]
    assert words_of(query.question, why.fields["question"]) == ["Who", "founded", "it", "?"]
    assert sum(abs(each.weight) for weights in why.fields.values() for each in weights) == pytest.approx(1)
    end = answer.start + len(answer.text)
    within = [each.weight for each in why.fields["context"] if each.start < end and answer.start < each.end]
    assert any(within)


def test_without_an_answer_nothing_has_weight(reader: Any) -> None:
    [(answer, why)] = reader.explain([Query(context=" ", question="Who?")])
    assert answer.text == ""
    assert [each.weight for each in why.fields["question"]] == [0, 0]


def test_tokens_count_for_the_word_that_they_end_in() -> None:
    offsets = np.array([[0, 0], [0, 2], [2, 4], [4, 8], [0, 3], [0, 0]])
    weights = np.array([9.0, 1.0, 2.0, -3.0, 2.0, 9.0])
    why = explanation({"question": "Rome who", "context": "It."}, [None, 0, 0, 0, 1, None], offsets, weights)
    assert [(each.start, each.end, each.weight) for each in why.fields["question"]] == [(0, 4, 3 / 8), (5, 8, -3 / 8)]
    assert [each.weight for each in why.fields["context"]] == [0, 2 / 8]


def test_who_can_explain_says_so(reader: Any, classifier: Any) -> None:
    assert isinstance(reader, Explains)
    assert isinstance(classifier, Explains)
    assert not isinstance(open_adversary("onnx:bidaf-small", READING, LoadOptions()), Explains)


def test_models_that_cannot_be_gone_back_through_do_not_say_that_they_explain(reader: Any) -> None:
    pytest.importorskip("openvino", reason="the extra 'openvino' is not installed")
    folder = reader.pretrained.model.config._name_or_path
    assert not isinstance(open_adversary(f"openvino:{folder}", READING, LoadOptions()), Explains)
