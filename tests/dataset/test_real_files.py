"""Real files of SQuAD, SNLI, MultiNLI and QANTA through every command that reads a dataset, beside pandas' figures.

A few hundred rows of each, in the file's own shape. The model answers by a rule that the test applies again.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from math import ceil
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pytest

from beat_the_ai.kinds.reading_comprehension.squad import load
from beat_the_ai.rules.registry import bind
from beat_the_ai.terms.division import PARTS
from tests.dataset.test_every_format import HEADLINE, read_by_training_and_matrix, run
from tests.kinds.reading_comprehension.test_squad import official_f1, official_scores

LABELS, THIRD = ("entailment", "neutral", "contradiction"), "part"
MODEL = '''
from math import ceil

from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.adversary.registry import Backend
from beat_the_ai.kinds.nli import labels
from beat_the_ai.kinds.quizbowl import guesses
from beat_the_ai.kinds.reading_comprehension import writing

LABELS = ("entailment", "neutral", "contradiction")

def first_word(query):
    word = query.context.split()[0]
    return writing.Prediction(text=word, start=query.context.index(word), score=1)

def by_length(pair):
    label = LABELS[len(pair.hypothesis) % 3]
    return labels.Prediction(label=label, probabilities={name: float(name == label) for name in LABELS})

def from_the_middle(query):
    turns = [{"word": 1, "page": "Kiln", "confidence": 1.0}]
    if len(query.text) % 2:
        turns.append({"word": ceil(len(query.text.split()) / 2), "page": query.answer, "confidence": 1.0})
    rank = 1 if len(query.text) % 2 else None
    return guesses.Prediction(guesses=[], rank=rank, turns=turns, confidences=[], evidence=[], saliency=[])

class Model:
    """It answers by the length of what it is asked, or says the passage's first word."""

    def __init__(self, task, options):
        self.query_type, self.answer = {
            "reading_comprehension": (writing.Query, first_word),
            "nli": (labels.Pair, by_length),
            "quizbowl": (guesses.Query, from_the_middle),
        }[task]
        self.identity = ModelIdentity("ruled", task, "c" * 64, "fp32")

    def predict(self, queries):
        return [self.answer(query) for query in queries]

BACKEND = Backend(Model, frozenset({"reading_comprehension", "nli", "quizbowl"}))
'''


@dataclass(frozen=True)
class Real:
    """A sample of a real file as a file of its kind, and a table of it by pandas; `parts` are thirds of it."""

    kind: str
    gold: Path
    table: pd.DataFrame
    parts: dict[str, Path]


def squad(whole: Path, out: Path) -> Real:
    document = json.loads(whole.read_text("utf-8"))
    articles = [{**article, "paragraphs": article["paragraphs"][:1]} for article in document["data"]]
    table = pd.DataFrame(
        {**asked, "passage": paragraph["context"], "answer": asked["answers"][0]["text"], THIRD: part}
        for article, part in zip(articles, cycle(PARTS), strict=False)
        for paragraph in article["paragraphs"]
        for asked in paragraph["qas"]
    )
    return _real("reading_comprehension", table, articles, out, ".json", lambda some: {**document, "data": some})


def pairs(whole: Path, out: Path) -> Real:
    lines = whole.read_text("utf-8").splitlines()[::33]
    table = _in_thirds(pd.DataFrame(map(json.loads, lines)))
    table["label"] = [label if isinstance(label, str) else LABELS[label] for label in table["label"]]
    return _real("nli", table, lines, out, ".jsonl", lambda some: some)


def qanta(whole: Path, out: Path) -> Real:
    rows = json.loads(gzip.decompress(whole.read_bytes()))[::8]
    table = _in_thirds(pd.DataFrame(rows))
    return _real("quizbowl", table[table["page"].notna()], rows, out, ".json", lambda some: some)


def listed_questions(whole: Path, out: Path) -> Real:
    rows = json.loads(whole.read_bytes())[::8]
    table = _in_thirds(pd.DataFrame(rows, columns=["text", "page"]))
    return _real("quizbowl", table, rows, out, ".json", lambda some: some)


def _in_thirds(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(**{THIRD: [PARTS[at % 3] for at in range(len(table))]})


def _real(
    kind: str, table: pd.DataFrame, rows: list[Any], out: Path, end: str, document: Callable[[list[Any]], Any]
) -> Real:
    (out / "parts").mkdir()
    names = {"gold": out / f"sample{end}", **{name: out / "parts" / f"{name}{end}" for name in PARTS}}
    for name, some in {"gold": rows, **{name: rows[at::3] for at, name in enumerate(PARTS)}}.items():
        names[name].write_text("\n".join(some) if end == ".jsonl" else json.dumps(document(some)))
    return Real(kind, names["gold"], table, {name: names[name] for name in PARTS})


FILES: dict[str, Callable[[Path, Path], Real]] = {
    "squad/dev-v1.1.json": squad,
    "nli/snli_dev.jsonl": pairs,
    "nli/mnli_dev_matched.jsonl": pairs,
    "quizbowl/qanta.guessdev.json.gz": qanta,
    "quizbowl/questions-with-pages.json": listed_questions,
}


@pytest.fixture(params=FILES)
def real(request: pytest.FixtureRequest, shared_data: Path, tmp_path: Path) -> Real:
    whole = shared_data / request.param
    if not whole.is_file():
        pytest.skip(f"{whole.name} is not there: put it into ../shared/data/{whole.parent.name}")
    return FILES[request.param](whole, tmp_path)


def words(texts: pd.Series[str]) -> pd.Series[int]:
    return texts.str.split().str.len()


def figures(real: Real) -> dict[str, Any]:
    """Return what `stats --json` says of the sample, as far as pandas can say it."""
    table = real.table
    if real.kind == "reading_comprehension":
        means = {f"{name}_words_mean": words(table[name]).mean() for name in ("question", "answer")}
        return {"questions": len(table), "passages": table["passage"].nunique(), **means}
    if real.kind == "nli":
        counts = table["label"].value_counts()
        means = {"hypothesis_words_mean": words(table["hypothesis"]).mean()}
        return {"pairs": len(table), "premises": table["premise"].nunique(), "labels": dict(counts), **means}
    known = table["category"] if "category" in table else pd.Series("", table.index)
    counts = {"answers": table["page"].nunique(), "categories": dict(known.value_counts())}
    return {"questions": len(table), **counts, "words_mean": words(table["text"]).mean()}


def scores(real: Real) -> tuple[dict[str, float], int]:
    """Return the scores of the model, and how many works beat it by the rule of the task."""
    table = real.table
    if real.kind == "reading_comprehension":
        questions = [question for passage in load(real.gold) for question in passage.questions]
        said = table["passage"].str.split().str[0]
        exact, overlap = official_scores(questions, dict(zip((each.id for each in questions), said, strict=True)))
        beaten = sum(official_f1(*each) <= 0.4 for each in zip(said, table["answer"], strict=True))
        return {"exact_match": exact, "f1": overlap}, beaten
    if real.kind == "nli":
        right = table["label"] == [LABELS[len(text) % 3] for text in table["hypothesis"]]
        return {"accuracy": 100 * right.mean()}, int((~right).sum())
    right = table["text"].str.len() % 2 == 1
    counts = words(table["text"])
    begins = (counts / 2).map(ceil)
    by_share = {share: right & (begins <= (counts * share / 100).map(ceil)) for share in (25, 50, 75, 100)}
    return {f"accuracy.{share}": 100 * each.mean() for share, each in by_share.items()}, int((~right).sum())


def test_every_command_reads_a_real_file_and_says_what_pandas_says(real: Real, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    gold, task, count = real.gold, ("--task", real.kind), len(real.table)
    model, predictions = f"{tmp_path / 'model.py'}:BACKEND:{real.kind}", tmp_path / "said.json"
    measured, beaten = scores(real)

    assert count > 100
    expected = figures(real)
    for source in (gold, tmp_path / "parts"):
        told = json.loads(run("stats", source, "--json", *task))
        for name, value in expected.items():
            assert told[name] == (value if isinstance(value, dict) else pytest.approx(value)), name
        assert f"A dataset of {count} " in json.loads(run("report", source, "--json", *task))["introduction"]
    run("annotate", gold, "--out", tmp_path / "page.html", "--sample", count, "--part", "all", *task)
    assert (tmp_path / "page.html").read_text().count('<h2 id="item-') == count
    clues = json.loads(run("artefacts", gold, "--beside", tmp_path / "parts", "--json", *task))
    assert [each["examples"] for each in (clues["dataset"], *clues["beside"])] == [count, count]
    if real.kind == "nli":
        assert clues["dataset"]["labels"]["counts"] == expected["labels"]

    run("adversary", "predict", "--input", gold, "--output", predictions, "--model", model, *task)
    scored = json.loads(run("score", gold, predictions, "--json", *task))
    evaluated = json.loads(run("evaluate", model, gold, "--json", *task))
    checked = json.loads(run("adversary", "check", model, gold, "--json", *task))
    for found in (scored, evaluated, checked["figures"]):
        assert {name: found[name] for name in measured} == pytest.approx(measured)
        assert (found["missing"], found["foreign"]) == (0, 0)
    assert 0 < measured[HEADLINE[real.kind]] < 100
    assert (checked["asked"], checked["beaten"]) == (count, beaten)
    rescored = json.loads(run("rescore", gold, "--model", model, *task, "--out", tmp_path / "rescored", "--json"))
    assert {(each["total"], each["beaten"]) for each in rescored["shares"] if each["group"] == ""} == {(count, beaten)}

    if bind(real.kind).beside is not None:
        parts = tmp_path / "parts"
        run("rescore", parts, "--model", model, *task, "--out", tmp_path / "by-part")
        for source, answers in ((gold, predictions), (gold, tmp_path / "rescored"), (parts, tmp_path / "by-part")):
            told = json.loads(run("report", source, "--answers", answers, "--json", *task))["sections"]
            [row] = next(each["rows"] for each in told if each["title"] == "Models in the course of the questions")
            assert (row[2], row[-2].partition(", ")[2]) == (str(count), str(count - beaten))


def squad_on_the_hub(table: pd.DataFrame) -> pd.DataFrame:
    golds = [{name: [gold[name] for gold in of] for name in ("text", "answer_start")} for of in table["answers"]]
    hub = table[["id", "question"]].assign(title="", context=table["passage"])
    return hub.assign(answers=golds)


def snli(table: pd.DataFrame) -> pd.DataFrame:
    named = {"premise": "sentence1", "hypothesis": "sentence2", "label": "gold_label"}
    return table.rename(columns=named).assign(pairID=[f"{at}.jpg#0r1" for at in range(len(table))])


def snli_on_the_hub(table: pd.DataFrame) -> pd.DataFrame:
    return table[["premise", "hypothesis"]].assign(label=[LABELS.index(label) for label in table["label"]])


def qanta_on_the_hub(table: pd.DataFrame) -> pd.DataFrame:
    raw = table["answer"] if "answer" in table else table["page"]
    rows = table.assign(qanta_id=range(len(table)), raw_answer=raw, answer=table["page"], char_idx=-1, sentence_idx=-1)
    return rows[rows.columns.intersection(["text", "page", "category", "qanta_id", "raw_answer", "answer", "char_idx"])]


def trick_me(table: pd.DataFrame) -> pd.DataFrame:
    asked = table[["text", "page"]].rename(columns={"text": "question", "page": "answer"})
    return asked.assign(category=table["category"]) if "category" in table else asked


FOREIGN: dict[str, list[Callable[[pd.DataFrame], pd.DataFrame]]] = {
    "reading_comprehension": [squad_on_the_hub],
    "nli": [snli, snli_on_the_hub],
    "quizbowl": [qanta_on_the_hub, trick_me],
}
WRITERS: dict[str, Callable[[pd.DataFrame, Path], object]] = {
    "parquet": lambda table, path: table.to_parquet(path),
    "jsonl": lambda table, path: table.to_json(path, orient="records", lines=True),
    "json": lambda table, path: table.to_json(path, orient="columns"),
    "csv": lambda table, path: table.to_csv(path, index=False),
    "tsv": lambda table, path: table.to_csv(path, index=False, sep="\t"),
}


def test_the_rows_have_the_same_figures_in_the_shapes_of_others(real: Real, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    model, task = f"{tmp_path / 'model.py'}:BACKEND:{real.kind}", ("--task", real.kind)
    (measured, _), expected = scores(real), figures(real)
    for shape in FOREIGN[real.kind]:
        table = shape(real.table)
        for end, write in WRITERS.items():
            path = tmp_path / f"{shape.__name__}.{end}"
            write(table, path)
            told = json.loads(run("stats", path, "--json", *task))
            assert {name: told[name] for name in expected} == {
                name: value if isinstance(value, dict) else pytest.approx(value) for name, value in expected.items()
            }
        found = json.loads(run("evaluate", model, path, "--json", *task))
        assert {name: found[name] for name in measured} == pytest.approx(measured)


def test_training_a_matrix_and_rounds_read_a_real_file(real: Real, tmp_path: Path) -> None:
    read = read_by_training_and_matrix(real.kind, real.parts, tmp_path)
    if bind(real.kind).samples is not None:
        [context] = {"passage", "premise"} & set(real.table)
        thirds = {name: real.table[real.table[THIRD] == name] for name in real.parts}
        apart = pd.concat([thirds["dev"], thirds["test"]])[context]
        kept = {"train": int((~thirds["train"][context].isin(apart)).sum()), "dev": len(thirds["dev"])}
        assert read == {**kept, "test": len(thirds["test"])}
    if real.kind == "reading_comprehension":
        for source in (real.gold, tmp_path / "parts"):
            contexts = bind(real.kind).writing.load_contexts(source)
            assert sorted(each.text for each in contexts) == sorted(real.table["passage"].unique())
            assert sum(len(cast(list[Any], each.private["questions"])) for each in contexts) == len(real.table)
