"""Every command reads every dataset: each kind of task, in each format of `export`, as a file and as a folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import click
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from beat_the_ai.analysis.responses import read_export
from beat_the_ai.cli import main
from beat_the_ai.experiments.datasets import prepare
from beat_the_ai.experiments.matrix import DatasetFiles, Matrix
from beat_the_ai.kinds.corpora import Sources
from beat_the_ai.kinds.nli import corpora as pair_sources
from beat_the_ai.kinds.quizbowl.neural import corpora as tossup_sources
from beat_the_ai.kinds.reading_comprehension import corpora as question_sources
from beat_the_ai.process.importing import object_at
from beat_the_ai.rules.registry import bind
from beat_the_ai.terms.division import PARTS
from tests.dataset.exported_kinds import ANSWERS, EXAMPLES, LABELS, PAGES, PER_PART, PLAYED, export

MODEL = '''
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.adversary.registry import Backend
from beat_the_ai.kinds.nli import labels
from beat_the_ai.kinds.quizbowl import guesses
from beat_the_ai.kinds.reading_comprehension import writing

class Model:
    """It always says the same."""

    def __init__(self, task, options):
        self.query_type, self.answer = {
            "reading_comprehension": (writing.Query, writing.Prediction(text="1871", start=27, score=1.0)),
            "nli": (labels.Pair, labels.Prediction(
                label="entailment", probabilities={"entailment": 1.0, "neutral": 0.0, "contradiction": 0.0}
            )),
            "quizbowl": (guesses.Query, guesses.Prediction(
                guesses=[], rank=None, turns=[{"word": 1, "page": "Kiln", "confidence": 1.0}],
                confidences=[], evidence=[], saliency=[],
            )),
        }[task]
        self.identity = ModelIdentity("same", task, "a" * 64, "fp32")

    def predict(self, queries):
        return [self.answer for _ in queries]

BACKEND = Backend(Model, frozenset({"reading_comprehension", "nli", "quizbowl"}))
'''
HEADLINE = {"reading_comprehension": "exact_match", "nli": "accuracy", "quizbowl": "accuracy.100"}
COUNTED = {"reading_comprehension": "questions", "nli": "pairs", "quizbowl": "questions"}
OWN = {"reading_comprehension": "squad", "nli": "anli", "quizbowl": "qanta"}
READ_PARTS: dict[str, Callable[..., Any]] = {
    "reading_comprehension": question_sources.read_parts,
    "nli": pair_sources.read_parts,
    "quizbowl": tossup_sources.read_parts,
}
SAID: dict[str, tuple[Any, ...]] = {"reading_comprehension": ANSWERS, "nli": LABELS, "quizbowl": PAGES}
FORMATS = ("own", "jsonl", "parquet", "hf")


@dataclass(frozen=True)
class Written:
    """A dataset as a command is given it. `parts` are what training is given: files, or thrice the folder."""

    kind: str
    gold: Path
    parts: Mapping[str, Path]
    examples: int


def in_files(kind: str, out: Path, form: str, _folder: Path) -> Written:
    """The files of the parts."""
    of_form = {
        "squad": "squad/{part}.json",
        "anli": "anli/R1/{part}.jsonl",
        "qanta": "qanta/{part}.json",
        "jsonl": "jsonl/{part}.jsonl",
        "parquet": "parquet/{part}.parquet",
        "hf": "hf/{split}/data-*.arrow",
    }
    names = {part: of_form[form].format(part=part, split="validation" if part == "dev" else part) for part in PARTS}
    parts = {part: next(out.glob(name)) for part, name in names.items()}
    return Written(kind, parts["test"], parts, PER_PART)


def in_one_file(kind: str, out: Path, form: str, folder: Path) -> Written:
    """All parts in one file."""
    return replace(in_files(kind, out, form, folder), gold=out / f"{form}.json", examples=EXAMPLES)


def in_a_folder(kind: str, out: Path, form: str, _folder: Path) -> Written:
    """The format's folder of an export."""
    return Written(kind, out / form, dict.fromkeys(PARTS, out / form), EXAMPLES)


def in_an_export(kind: str, out: Path, form: str, folder: Path) -> Written:
    """A whole export that has this format alone."""
    others = {*FORMATS, OWN[kind]} - {form}
    shutil.copytree(out, folder / "export", ignore=shutil.ignore_patterns(*others))
    return in_a_folder(kind, folder / "export", "", folder)


def on_the_hub(kind: str, out: Path, _form: str, folder: Path) -> Written:
    """Shards under `data/`, as the Hugging Face hub and `load_dataset` have them."""
    (folder / "hub" / "data").mkdir(parents=True)
    for part in PARTS:
        split = "validation" if part == "dev" else part
        rows = pq.read_table(out / "parquet" / f"{part}.parquet")
        for shard in range(PER_PART):
            name = f"{split}-{shard:05}-of-{PER_PART:05}.parquet"
            pq.write_table(rows.slice(shard, 1), folder / "hub" / "data" / name)
    return in_a_folder(kind, folder / "hub", "", folder)


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    folder = tmp_path_factory.mktemp("exports")
    (folder / "model.py").write_text(MODEL)
    return {kind: export(kind, folder) for kind in PLAYED}


WAYS = [
    *((kind, form, way) for kind in PLAYED for form in FORMATS for way in (in_files, in_a_folder, in_an_export)),
    *((kind, "parquet", on_the_hub) for kind in PLAYED),
    *((kind, "own", in_one_file) for kind in ("reading_comprehension", "quizbowl")),
]


@pytest.fixture(params=WAYS, ids=lambda way: "-".join([*way[:2], way[2].__name__]))
def written(request: pytest.FixtureRequest, exports: Mapping[str, Path], tmp_path: Path) -> Written:
    kind, form, way = request.param
    return cast(Written, way(kind, exports[kind], OWN[kind] if form == "own" else form, tmp_path))


def run(*arguments: object) -> str:
    """Return what a command prints. No file is left out of what it is given."""
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert (done.exit_code, "and is left out" in done.stderr) == (0, False), (arguments, done.output, done.exception)
    return done.stdout


def test_every_command_reads_it(written: Written, exports: Mapping[str, Path], tmp_path: Path) -> None:
    gold, task, count = written.gold, ("--task", written.kind), written.examples
    model, predictions = f"{exports[written.kind].parent / 'model.py'}:BACKEND:{written.kind}", tmp_path / "said.json"
    asked = ("--model", model, *task)

    assert json.loads(run("stats", gold, "--json", *task))[COUNTED[written.kind]] == count
    assert f"A dataset of {count} " in json.loads(run("report", gold, "--json", *task))["introduction"]
    run("annotate", gold, "--out", tmp_path / "page.html", "--sample", count, "--part", "all", *task)
    assert (tmp_path / "page.html").read_text().count('<h2 id="item-') == count
    run("adversary", "predict", "--input", gold, "--output", predictions, *asked)
    assert len(json.loads(predictions.read_text())) == count
    scored = json.loads(run("score", gold, predictions, "--json", *task))
    evaluated = json.loads(run("evaluate", model, gold, "--json", *task))
    assert scored.items() <= evaluated.items()
    assert (scored[HEADLINE[written.kind]], scored["missing"], scored["foreign"]) == (50, 0, 0)
    assert json.loads(run("adversary", "check", model, gold, "--json", *task))["asked"] == count
    shares = json.loads(run("rescore", gold, *asked, "--out", tmp_path / "rescored", "--json"))["shares"]
    assert {each["total"] for each in shares if each["group"] == ""} == {count}


def test_training_and_a_matrix_read_its_parts(written: Written, tmp_path: Path) -> None:
    assert read_by_training_and_matrix(written.kind, written.parts, tmp_path) == dict.fromkeys(PARTS, PER_PART)


def read_by_training_and_matrix(kind: str, parts: Mapping[str, Path], out: Path) -> Mapping[str, int]:
    """Return the examples of each part as a matrix reads them, `PER_PART` where the kind has none; check training's."""
    command = cast(click.Command, object_at(cast(str, bind(kind).training), "task"))
    given = {"data": (f"{parts['train']}=2",), "dev": (parts["dev"],), "apart": (parts["test"],)}
    context = click.Context(command)
    read = {
        option.name: option.process_value(context, given[option.name])
        for option in command.params
        if option.name in given
    }
    sources = Sources(data=tuple(read["data"]), dev=read["dev"], apart=read["apart"], out=out)
    assert {corpus.weight for corpus in sources.data} == {2}
    READ_PARTS[kind](sources, 0)
    contents = [corpus.path for corpus in sources.data]
    assert not {*contents} & {*sources.dev, *sources.apart}

    if (samples := bind(kind).samples) is None:
        return dict.fromkeys(PARTS, PER_PART)
    files = DatasetFiles.model_validate({part: (str(path),) for part, path in parts.items()})
    matrix = Matrix(task=kind, datasets={"ours": files}, base="ours", models={}, seeds=(0,), tables=(5,))
    [of] = prepare(matrix, samples, out, out / "data").files.values()
    return {part: file.examples for part, file in of.items()}


@pytest.mark.parametrize("form", ["jsonl", "parquet", "hf"])
@pytest.mark.parametrize("kind", PLAYED)
def test_advscore_finds_the_attempts_of_an_export(
    exports: Mapping[str, Path], kind: str, form: str, tmp_path: Path
) -> None:
    only = in_an_export(kind, exports[kind], form, tmp_path).gold
    for end in {"jsonl", "parquet"} - {form}:
        (only / f"attempts.{end}").unlink()
    found = list(read_export(only, bind(kind)))
    assert len(found) == EXAMPLES


@pytest.mark.parametrize("form", ["squad", "jsonl", "parquet", "hf"])
def test_contexts_may_be_a_dataset_of_questions(exports: Mapping[str, Path], form: str, tmp_path: Path) -> None:
    kind = "reading_comprehension"
    for way, number in ((in_files, 1), (in_a_folder, len(PARTS))):
        contexts = bind(kind).writing.load_contexts(way(kind, exports[kind], form, tmp_path).gold)
        answers = [one["answer"]["text"] for context in contexts for one in context.private["questions"]]
        assert (len(contexts), answers) == (number, number * list(ANSWERS))
