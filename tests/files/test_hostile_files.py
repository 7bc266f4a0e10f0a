"""One set of files as other tools write them, through every command that joins gold and predictions, for every kind."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.writing import HypothesisWriting
from beat_the_ai.kinds.quizbowl.answer_lines import names_of
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension

PASSAGE = "The mill at Tarn was built in 1871 by Ada Quill. A fire closed it in 1902."
LABELS = ("entailment", "neutral", "contradiction")


def question(name: object, answer: str, **more: Any) -> dict[str, Any]:
    answers = {"text": [answer], "answer_start": [PASSAGE.index(answer)]}
    row = {"id": name, "title": "Tarn", "context": PASSAGE, "question": f"What is {answer}?", "answers": answers}
    return {**row, **more}


def pair(name: object, label: object, **more: Any) -> dict[str, Any]:
    return {"id": name, "premise": PASSAGE, "hypothesis": f"Claim {name}.", "label": label, **more}


def tossup(name: object, page: str, **more: Any) -> dict[str, Any]:
    return {"qanta_id": name, "text": f"Name this thing, {page}.", "page": page, "category": "Science", **more}


# Of each kind: a row by its id and answer, two answers, the name of the id, and a prediction for an answer.
KINDS: dict[str, tuple[Callable[..., dict[str, Any]], tuple[str, str], str, Callable[[str], Any]]] = {
    "reading_comprehension": (question, ("Ada Quill", "1902"), "id", str),
    "nli": (pair, ("entailment", "contradiction"), "id", str),
    "quizbowl": (tossup, ("Heart", "Saturn"), "qanta_id", lambda page: [[1, page]]),
}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def score(task: str, gold: Path, predictions: Path) -> Result:
    return run("score", "--task", task, gold, predictions, "--json")


def is_perfect(result: Result) -> None:
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    right = [figures[name] for name in ("exact_match", "accuracy", "accuracy.25", "accuracy.100") if name in figures]
    assert set(right) == {100}, figures
    assert (figures["missing"], figures["foreign"]) == (0, 0)


def refuses(result: Result, *words: str) -> None:
    assert isinstance(result.exception, SystemExit), result.exception
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    message = result.stderr.rstrip("\n").rpartition("\n")[2]
    for word in words:
        assert word in message, message
    for python in ("Error(", "NoneType", "TypeError", "KeyError", "codec", "Traceback"):
        assert python not in message, message


def write(path: Path, content: object) -> Path:
    """Bytes, text, or else JSON."""
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def lines(rows: list[Any]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def parquet(rows: list[Any]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


def stream(rows: list[Any]) -> bytes:
    table, sink = pa.Table.from_pylist(rows), io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def by_column(rows: list[Any]) -> dict[str, Any]:
    return {name: {str(number): row[name] for number, row in enumerate(rows)} for name in rows[0]}


GOLD_SHAPES: dict[str, tuple[str, Callable[[list[Any]], object]]] = {
    "JSON Lines": ("gold.jsonl", lines),
    "with a byte order mark": ("gold.jsonl", lambda rows: codecs.BOM_UTF8 + lines(rows).encode()),
    "as PowerShell writes": ("gold.jsonl", lambda rows: lines(rows).replace("\n", "\r\n").encode("utf-16")),
    "under data": ("gold.json", lambda rows: {"version": "0.1", "data": rows}),
    "a list": ("gold.json", lambda rows: rows),
    "as jq prints": ("gold.json", lambda rows: "\n".join(json.dumps(row, indent=2) for row in rows)),
    "as the dataset viewer": (
        "gold.json",
        lambda rows: {"features": [], "rows": [{"row_idx": n, "row": row} for n, row in enumerate(rows)]},
    ),
    "pandas by columns": ("gold.json", by_column),
    "pandas split": (
        "gold.json",
        lambda rows: {"columns": list(rows[0]), "index": [0, 1], "data": [list(row.values()) for row in rows]},
    ),
    "Dataset.to_dict": ("gold.json", lambda rows: {name: [row[name] for row in rows] for name in rows[0]}),
    "gzip": ("gold.json.gz", lambda rows: gzip.compress(json.dumps(rows).encode())),
    "Parquet": ("gold.parquet", parquet),
    "Arrow": ("gold.arrow", stream),
    "under another name": ("gold", lines),
}


@pytest.mark.parametrize("shape", GOLD_SHAPES)
@pytest.mark.parametrize("task", KINDS)
def test_every_shape_of_gold_gives_the_same_figures(tmp_path: Path, task: str, shape: str) -> None:
    row, answers, _, said = KINDS[task]
    name, written = GOLD_SHAPES[shape]
    gold = write(tmp_path / name, written([row(f"q{number}", answer) for number, answer in enumerate(answers)]))
    predictions = write(tmp_path / "p.json", {f"q{n}": said(answer) for n, answer in enumerate(answers)})
    is_perfect(score(task, gold, predictions))


PREDICTION_SHAPES: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "by id": ("p.json", lambda said: said),
    "with a byte order mark": ("p.json", lambda said: codecs.BOM_UTF8 + json.dumps(said).encode()),
    "rows": ("p.json", lambda said: [{"id": name, "prediction": each} for name, each in said.items()]),
    "JSON Lines": ("p.jsonl", lambda said: lines([{"id": name, "prediction": one} for name, one in said.items()])),
    "beside the gold": (
        "p.jsonl",
        lambda said: lines(
            [{"id": name, "label": "n", "answer": "?", "prediction": one} for name, one in said.items()]
        ),
    ),
    "pandas by columns": (
        "p.json",
        lambda said: by_column([{"id": name, "prediction": one} for name, one in said.items()]),
    ),
    "objects": ("p.json", lambda said: {name: {"prediction": one, "score": 0.5} for name, one in said.items()}),
}


@pytest.mark.parametrize("shape", PREDICTION_SHAPES)
@pytest.mark.parametrize("task", KINDS)
def test_every_shape_of_predictions_gives_the_same_figures(tmp_path: Path, task: str, shape: str) -> None:
    row, answers, _, said = KINDS[task]
    name, written = PREDICTION_SHAPES[shape]
    gold = write(tmp_path / "gold.jsonl", lines([row(number, answer) for number, answer in enumerate(answers)]))
    predictions = {str(number): said(answer) for number, answer in enumerate(answers)}
    is_perfect(score(task, gold, write(tmp_path / name, written(predictions))))


@pytest.mark.parametrize("ids", [(0, 1), ("0", 1), (7.0, 8.0), (None, 3), ("", "b"), ("Zoë", "b c")])
@pytest.mark.parametrize("task", KINDS)
def test_an_id_may_be_zero_a_number_with_a_point_or_none(tmp_path: Path, task: str, ids: tuple[Any, Any]) -> None:
    """What has no id is named by its line, as `adversary predict` names it."""
    row, answers, _, said = KINDS[task]
    gold = write(tmp_path / "gold.jsonl", lines([row(*each) for each in zip(ids, answers, strict=True)]))
    names = ["1" if name in (None, "") else str(int(name) if isinstance(name, float) else name) for name in ids]
    predictions = {name: said(answer) for name, answer in zip(names, answers, strict=True)}
    is_perfect(score(task, gold, write(tmp_path / "p.json", predictions)))


@pytest.mark.parametrize(
    "name", ["qid", "_id", "uid", "question_id", "example_id", "guid", "idx", "index", "ID", "pair_Id"]
)
@pytest.mark.parametrize("task", KINDS)
def test_an_id_is_known_by_its_usual_names(tmp_path: Path, task: str, name: str) -> None:
    """Ids from 0 on, which nothing takes for lines."""
    row, answers, own, said = KINDS[task]
    rows = [{name: number, **row(number, answer)} for number, answer in enumerate(answers)]
    for each in rows:
        del each[own]
    predictions = write(tmp_path / "p.json", {str(number): said(answer) for number, answer in enumerate(answers)})
    is_perfect(score(task, write(tmp_path / "gold.jsonl", lines(rows)), predictions))
    beside = [{**each, "prediction": said(answer)} for each, answer in zip(rows, answers, strict=True)]
    is_perfect(score(task, tmp_path / "gold.jsonl", write(tmp_path / "p.jsonl", lines(beside))))
    if task == "reading_comprehension":
        paragraphs = [{"context": each.pop("context"), "qas": [each]} for each in rows]
        squad = write(tmp_path / "gold.json", {"data": [{"title": "Tarn", "paragraphs": paragraphs}]})
        is_perfect(score(task, squad, predictions))


@pytest.mark.parametrize("task", KINDS)
def test_predictions_from_0_are_not_joined_with_lines_from_1(tmp_path: Path, task: str) -> None:
    row, answers, _, said = KINDS[task]
    gold = write(tmp_path / "gold.jsonl", lines([row(None, answer) for answer in answers]))
    predictions = write(tmp_path / "p.json", {str(number): said(answer) for number, answer in enumerate(answers)})
    refuses(score(task, gold, predictions), "p.json", "numbered from 0", "gold.jsonl from 1", "the same ids")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("p.json", '{"q0": null, "q0": null}', ("p.json", "'q0' stands 2 times in one object")),
        ("p.json", {"x": "e", "y": "e"}, ("None of the 2 predictions has an id of", "'q0', 'q1'", "'x', 'y'")),
        ("p.json", {}, ("p.json holds no predictions",)),
        ("p.json", {"q0": None}, ("p.json holds no predictions",)),
        ("p.json", [["q0", "e"]], ("p.json, row 1", "a list of 2")),
        ("p.json", [{"prediction": "e"}], ("row 1", "there is no id; it has prediction")),
        ("p.json", [{"id": "q0", "prediction": "e"}] * 2, ("2 answers with the id 'q0'",)),
        ("p.json", [{"id": True, "prediction": "e"}], ("an id is a text or a whole number, and true was given",)),
        ("p.json", {"q0": {"score": 0.5}}, ("'q0'", "an object with score")),
        ("p.json", {"q0": 0.97}, ("'q0'", "0.97")),
        ("p.json", {"q0": ["a", "b"]}, ("'q0'", "list")),
        ("p.json", "", ("p.json", "it is empty")),
        ("p.json", "e\n", ("p.json", "cannot be read as JSON")),
        ("p.json", b'{"q0": "caf\xe9"}', ("p.json", "line 1 is no UTF-8 text")),
        ("p.json", b"PK\x03\x04....", ("p.json", "a ZIP archive")),
        ("p.jsonl", '{"id": "q0", "prediction": "e"}\n{"id": "q1"', ("p.jsonl, line 2",)),
    ],
)
@pytest.mark.parametrize("task", KINDS)
def test_predictions_that_mean_nothing_are_refused(
    tmp_path: Path, task: str, name: str, content: object, words: tuple[str, ...]
) -> None:
    row, answers, _, said = KINDS[task]
    if isinstance(content, dict) and set(content) == {"x", "y"}:
        content = {each: said(answers[0]) for each in content}
    gold = write(tmp_path / "gold.jsonl", lines([row(f"q{n}", answer) for n, answer in enumerate(answers)]))
    refuses(score(task, gold, write(tmp_path / name, content)), *words)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"a": 1, "a": 2}', ("gold.jsonl, line 1", "'a' stands 2 times")),
        ('{"text": "x", "title": "t"}', ("gold.jsonl",)),
        ("[1]", ("gold.jsonl, row 1", "1 was given")),
        ("null", ("gold.jsonl, line 1", "nothing was given")),
        ("", ("gold.jsonl holds no",)),
        (b"\xff\xff", ("gold.jsonl", "line 1 is no UTF-8 text")),
        (b"version https://git-lfs.github.com/spec/v1\n", ("Git LFS",)),
        (b"<!DOCTYPE html><html>", ("a web page",)),
        (bz2.compress(b"{}"), ("bzip2", "bunzip2")),
        (gzip.compress(gzip.compress(b"{}", mtime=0), mtime=0), ("more than once",)),
        ('{"id": 1}'.encode("utf-16-le"), ("line 1 is no UTF-8 text",)),
        ('{"id": 1}\n{"text": ["W\\ud83d?"]}', ("gold.jsonl, line 2", "'W\\ud83d?' has half of a UTF-16 pair")),
        (b"PAR1....", ("damaged Parquet",)),
    ],
)
@pytest.mark.parametrize("command", ["score", "evaluate", "predict"])
@pytest.mark.parametrize("task", KINDS)
def test_gold_that_means_nothing_is_refused(
    tmp_path: Path, task: str, command: str, content: object, words: tuple[str, ...]
) -> None:
    gold = write(tmp_path / "gold.jsonl", content)
    model = {
        "reading_comprehension": "onnx:bidaf-small",
        "nli": "onnx:cross-encoder-small",
        "quizbowl": "onnx:dan-small",
    }
    if command == "score":
        refuses(score(task, gold, write(tmp_path / "p.json", {"a": "e"})), *words)
    elif command == "evaluate":
        refuses(run("evaluate", model[task], gold, "--task", task), *words)
    else:
        asked = ["adversary", "predict", "--task", task, "--model", model[task], "--input", gold]
        refuses(run(*asked, "--output", tmp_path / "out.json"), *words)


@pytest.mark.parametrize("task", ["reading_comprehension", "quizbowl"])
def test_ids_that_are_not_unique_are_refused_wherever_answers_come_by_id(tmp_path: Path, task: str) -> None:
    row, answers, _, said = KINDS[task]
    gold = write(tmp_path / "gold.jsonl", lines([row("twice", answer) for answer in answers]))
    repeated = "2 questions with the id 'twice'"
    refuses(score(task, gold, write(tmp_path / "p.json", {"twice": said(answers[0])})), repeated)
    model = {"reading_comprehension": "onnx:bidaf-small", "quizbowl": "onnx:dan-small"}[task]
    refuses(run("evaluate", model, gold, "--task", task), "2 examples with the id 'twice'")


def test_a_table_of_text_is_read(tmp_path: Path) -> None:
    """XNLI's tabs with quotation marks as text, Excel's semicolons, pandas' unnamed index, empty cells."""
    predictions = write(tmp_path / "p.csv", "\ufeffid,prediction\r\n1,entailment\r\n2,contradiction\r\n")
    xnli = 'language\tgold_label\tsentence1\tsentence2\tpairID\nen\tentailment\t"Go," he said\tHe "spoke"\t1\n'
    gold = write(tmp_path / "xnli.tsv", xnli + "en\tcontradiction\tIt is dry.\tIt rains.\t2\n")
    is_perfect(score("nli", gold, predictions))
    excel = "sep=;\r\nid;premise;hypothesis;label\r\n1;It is; dry.;It rains.;2\r\n"
    refuses(score("nli", write(tmp_path / "excel.csv", excel), predictions), "excel.csv, line 3", "5 fields")
    excel = 'sep=;\r\nid;premise;hypothesis;label\r\n1;"It; is\r\ndry.";It is dry.;0.0\r\n2;It is dry.;It rains.;2\r\n'
    is_perfect(score("nli", write(tmp_path / "excel.csv", excel), predictions))
    pandas = ",id,premise,hypothesis,label\n0,1,It is dry.,It is dry.,e\n1,2,It is dry.,It rains.,contradictory\n"
    is_perfect(score("nli", write(tmp_path / "pandas.csv", pandas), predictions))


@pytest.mark.parametrize(
    "content",
    [
        "id|premise|hypothesis|label\n1|It is, and dry.|It is dry.|e\n2|It is dry.|It rains.|c\n",
        "id,premise,hypothesis,label\r1,It is dry.,It is dry.,e\r2,It is dry.,It rains.,c\r",
        "\n\nid,premise,hypothesis,label\n1,It is dry.,It is dry.,e\n2,It is dry.,It rains.,c\n",
        "sep=\t\nid\tpremise\thypothesis\tlabel\n1\tIt is dry.\tIt is dry.\te\n2\tIt is dry.\tIt rains.\tc\n",
        'id,premise,hypothesis,label\n1,It is dry.,[4],e\n2,"{""a"": 1}",It rains.,c\n3,It is dry.,It rains.,-\n',
    ],
    ids=["bars", "carriage returns", "empty lines first", "Excel's word on tabs", "text in brackets"],
)
def test_a_table_of_another_hand_is_read(tmp_path: Path, content: str) -> None:
    gold = write(tmp_path / "gold.csv", content.encode())
    is_perfect(score("nli", gold, write(tmp_path / "p.json", {"1": "e", "2": "c"})))


def test_a_prediction_in_brackets_is_text_in_every_format(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", lines([question("a", "1902"), question("b", "Ada Quill")]))
    table = write(tmp_path / "p.csv", "id,prediction\na,[1902]\nb,Ada Quill\n")
    is_perfect(score("reading_comprehension", gold, table))
    is_perfect(score("reading_comprehension", gold, write(tmp_path / "p.json", {"a": "[1902]", "b": "Ada Quill"})))


def test_files_put_one_after_another_may_each_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    parts = [codecs.BOM_UTF8 + lines([pair(name, label)]).encode() for name, label in (("a", "e"), ("b", "c"))]
    gold = write(tmp_path / "gold.jsonl", b"".join(parts))
    is_perfect(score("nli", gold, write(tmp_path / "p.json", {"a": "e", "b": "c"})))


def test_a_table_of_questions_is_read_as_datasets_writes_it(tmp_path: Path) -> None:
    predictions = write(tmp_path / "p.json", {"a": "1871"})
    printed = "\"{'text': array(['1871'], dtype=object), 'answer_start': array([30])}\""
    table = f'id,title,context,question,answers\na,Tarn,"{PASSAGE}",When?,{printed}\n'
    is_perfect(score("reading_comprehension", write(tmp_path / "gold.csv", table), predictions))
    table = f'id,context,question,answers.text,answers.answer_start\na,"{PASSAGE}",When?,"[""1871""]",[30]\n'
    is_perfect(score("reading_comprehension", write(tmp_path / "flat.csv", table), predictions))


def test_numbers_of_classes_are_the_names_that_a_hub_file_has_for_them(tmp_path: Path) -> None:
    """A model's own order of labels: 0 is contradiction here."""
    names = ["contradiction", "entailment", "neutral"]
    info = {"info": {"features": {"label": {"names": names, "_type": "ClassLabel"}}}}
    table = pa.Table.from_pylist([pair("a", 1), pair("b", 0)])
    path = tmp_path / "gold.parquet"
    pq.write_table(table.replace_schema_metadata({"huggingface": json.dumps(info)}), path)
    is_perfect(score("nli", path, write(tmp_path / "p.json", {"a": "e", "b": "c"})))


def test_squad_shapes_of_predictions(tmp_path: Path) -> None:
    """n-best lists, no-answer probabilities, and gold given as predictions."""
    gold = write(tmp_path / "gold.jsonl", lines([question("a", "Ada Quill")]))
    best = [{"text": "1902", "probability": 0.2}, {"text": "Ada Quill", "probability": 0.7}]
    metric = [{"id": "a", "prediction_text": "Ada Quill", "no_answer_probability": 0.0}]
    for content in (
        {"a": best},
        metric,
        {"a": ["Ada Quill"]},
        {"a": {"text": "Ada Quill"}},
        [question("a", "Ada Quill")],
    ):
        is_perfect(score("reading_comprehension", gold, write(tmp_path / "p.json", content)))
    refuses(score("reading_comprehension", gold, write(tmp_path / "p.json", {"a": 0.1})), "no text but 0.1")
    gold = write(tmp_path / "gold.jsonl", lines([question("a", "1902")]))
    is_perfect(score("reading_comprehension", gold, write(tmp_path / "p.json", {"a": 1902})))


def test_what_is_left_out_is_counted_in_json_too(tmp_path: Path) -> None:
    left_out = {
        "reading_comprehension": ("without_answer", question("b", "1902", answers={"text": [], "answer_start": []})),
        "nli": ("without_label", pair("b", "-")),
        "quizbowl": ("without_page", tossup("b", "")),
    }
    for task, (count, row) in left_out.items():
        made, answers, _, said = KINDS[task]
        gold = write(tmp_path / "gold.jsonl", lines([made("a", answers[0]), row]))
        result = score(task, gold, write(tmp_path / "p.json", {"a": said(answers[0])}))
        is_perfect(result)
        assert json.loads(result.stdout)[count] == 1
        assert f"{gold}: 1 " in run("artefacts", "--task", task, gold).stderr
        if task != "reading_comprehension":  # which counts the questions without an answer as questions
            told = [run("stats", "--task", task, gold).stderr, run("report", "--task", task, gold, "--json").stdout]
            assert all(f"1 {'pairs' if task == 'nli' else 'questions'} without a" in text for text in told)


def test_rows_with_nulls_and_places_with_a_point(tmp_path: Path) -> None:
    row = question("a", "Ada Quill", title=None, metadata=None)
    row["answers"]["answer_start"] = [float(PASSAGE.index("Ada Quill"))]
    predictions = write(tmp_path / "p.json", {"a": "Ada Quill"})
    is_perfect(score("reading_comprehension", write(tmp_path / "gold.jsonl", lines([row])), predictions))


def test_the_hubs_anli_is_known_by_its_uid(tmp_path: Path) -> None:
    row = pair("x", 0, uid="u-1", reason=None)
    del row["id"]
    gold = write(tmp_path / "gold.jsonl", lines([row]))
    is_perfect(score("nli", gold, write(tmp_path / "p.json", {"u-1": "e"})))


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        ("Heart", ("'Heart'", "[[word, page], …]")),
        ([["one", "Heart"]], ("from word 'one' on",)),
        ([[0, "Heart"]], ("from word 0 on",)),
        ([[2, "Heart"], [1, "Lung"]], ("word 1 comes after word 2",)),
        ([[1, None]], ("a guess that is nothing",)),
        ([[99, "Heart"]], ("from word 99 on, and the question has 4",)),
        ([["Heart", 1, 2]], ("a list of 3",)),
    ],
)
def test_guesses_that_are_no_course_of_a_question_are_refused(
    tmp_path: Path, turns: object, words: tuple[str, ...]
) -> None:
    gold = write(tmp_path / "gold.jsonl", lines([tossup(0, "Heart")]))
    refuses(score("quizbowl", gold, write(tmp_path / "p.json", {"0": turns})), "'0'", *words)


def test_an_answer_without_a_word_that_counts_is_no_label_to_adjudicate(tmp_path: Path) -> None:
    votes = write(tmp_path / "votes.jsonl", lines([{"id": 0, "author": "The", "votes": ["a", "an", "."]}]))
    refuses(run("adjudicate", "--task", "reading_comprehension", votes), "line 1", "'The' has no word that counts")


@pytest.mark.parametrize("name", ["votes.jsonl", "votes.json"])
def test_votes_are_read_in_any_shape(tmp_path: Path, name: str) -> None:
    rows: list[dict[str, Any]] = [
        {"id": 0, "author": "e", "votes": ["e", "e"]},
        {"id": 1.0, "author": None, "votes": ["c", "c"]},
    ]
    content = lines(rows) if name.endswith("l") else json.dumps({"data": rows})
    path = write(tmp_path / name, codecs.BOM_UTF8 + content.encode())
    done = run("adjudicate", "--task", "nli", path, "--json")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [0, 1], done.output
    twice = write(tmp_path / name, lines([{**rows[0], "id": "0"}, rows[0]]))
    refuses(run("adjudicate", "--task", "nli", twice), "the id 0 is there a second time")


CONTEXTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "reading_comprehension": (ReadingComprehension(), {"context": PASSAGE, "title": 1902}),
    "nli": (HypothesisWriting(min_premise_chars=1), {"context": PASSAGE, "genre": "news"}),
    "quizbowl": (QuestionWriting(), {"category": "Science", "answers": [{"page": "Heart", "name": "heart"}]}),
}


@pytest.mark.parametrize("kind", CONTEXTS)
def test_contexts_are_read_in_any_shape_and_named_by_zero(tmp_path: Path, kind: str) -> None:
    writing, fields = CONTEXTS[kind]
    rows = [{"id": number, **fields} for number in (0, 1.0)]
    for name, content in (
        ("bom.jsonl", codecs.BOM_UTF8 + lines(rows).encode()),
        ("rows.json", rows),
        ("data.json", {"data": rows}),
        ("rows.parquet", parquet([{**row, "id": float(row["id"])} for row in rows])),
    ):
        assert [context.id for context in writing.load_contexts(write(tmp_path / name, content))] == ["0", "1"], name
    for wrong, words in (
        (lines([rows[0], {**rows[0], "id": "0"}]), "2 .* with the id '0'"),
        (lines([{**rows[0], "id": None}]), "line 1: .*id"),
        (lines([{**rows[0], "id": ""}]), "line 1: .*id"),
        ('{"id": "a", "id": "b"}', "'id' stands 2 times"),
        ("[]", "holds no"),
    ):
        with pytest.raises(InvalidInput, match=words):
            writing.load_contexts(write(tmp_path / "wrong.jsonl", wrong))


def test_documents_and_questions_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    text = "The mill at Tarn was built in 1871 by Ada Quill. " * 7
    documents = write(
        tmp_path / "d.jsonl", codecs.BOM_UTF8 + lines([{"id": 0, "text": text, "genre": "news"}]).encode()
    )
    questions = write(tmp_path / "q.txt", codecs.BOM_UTF8 + b"Mill?\r\n")
    done = run("contexts", documents, "--questions", questions, "--out", tmp_path / "out.jsonl")
    assert done.exit_code == 0, done.output
    [chosen] = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert (chosen["id"][0], chosen["question"]) == ("0", "Mill?")


def test_annotations_of_others_are_counted_and_items_of_one_id_refused(tmp_path: Path) -> None:
    dataset = write(tmp_path / "set.jsonl", lines([pair("a", "e")]))
    rows = [{"id": name, "labels": ["Basic"]} for name in ("a", "b")]
    labels = write(tmp_path / "labels.json", codecs.BOM_UTF8 + json.dumps({"annotations": rows}).encode())
    asked = ["--task", "nli", "--annotations", labels, "--out", tmp_path / "report.html"]
    done = run("report", dataset, *asked)
    assert done.exit_code == 0, done.output
    assert "1 annotations have an id that is not in the dataset, and are left out." in done.stderr
    refuses(run("report", dataset, *asked[:3], write(tmp_path / "l.json", "[]"), *asked[4:]), "an object with fields")
    twice = write(tmp_path / "twice.jsonl", lines([question("a", "Ada Quill"), question("a", "1902")]))
    refuses(run("annotate", twice, "--out", tmp_path / "sheet.html"), "2 items with the id 'a'")


def test_an_event_takes_a_question_0_and_no_id_twice(tmp_path: Path) -> None:
    pages = ("Heart", "Saturn", "Lung", "Venus")
    files = {
        name: write(
            tmp_path / f"{name}.json", {"questions": [tossup(n, page, text=f"{name} {page}?") for n, page in part]}
        )
        for name, part in (
            ("regular", enumerate(pages[:2])),
            ("adversarial", enumerate(pages[2:])),
            ("twice", ((0, page) for page in pages[2:])),
        )
    }
    room = ("--room", "A=Owls,Foxes", "--tossups", 4)
    asked = ["event", "new", tmp_path / "event", "--regular", files["regular"]]
    refuses(run(*asked, "--adversarial", files["twice"], *room), "2 questions with the id '0'")
    done = run(*asked, "--adversarial", files["adversarial"], *room)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("<b><u>Loom</u></b> [or <i>power</i> loom]", ["Loom", "power loom"]),
        ("**Loom** &amp; **Kiln**", ["Loom & Kiln"]),
        ("<Jane Doe, Fine Arts> Loom", ["Loom"]),
        ("<b>...</b>", ["Weaving loom"]),
    ],
)
def test_markup_of_an_answer_line_is_no_part_of_a_name(line: str, names: list[str]) -> None:
    assert names_of("Weaving_loom", line) == names
