"""`train` for any kind of task: which options there are, and what becomes of each run.

A kind of task says how its files are read and how its models are trained, by backend: our own networks (`onnx`), and
those of transformers (`huggingface`).
"""

from __future__ import annotations

import json
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import open_adversary
from beat_the_ai.dataset.files import write_text
from beat_the_ai.errors import AdversaryError, InvalidInput
from beat_the_ai.files.folders import files_of
from beat_the_ai.kinds.corpora import Corpus
from beat_the_ai.networks import pretrained_package
from beat_the_ai.networks.divergence import Diverged, check_look
from beat_the_ai.networks.onnx_folder import find, hash_of
from beat_the_ai.networks.progress import Deciding, Look, Observer, Step, Trained
from beat_the_ai.process.gc_control import importing

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
DATASET = click.Path(exists=True, path_type=Path)
MOST_TIMES = 1000
PRETRAINED = "pretrained"
OWN, TRANSFORMERS = "onnx", "huggingface"
TRAINING_FILE = "training.json"
PACKAGES = {OWN: ("torch", "onnx", "onnxscript"), TRANSFORMERS: ("torch", "transformers", "accelerate")}
INTERRUPTED = 130  # the exit status of a command that Ctrl-C ended
POSITIVE = click.FloatRange(min=0, min_open=True)

Defaults = Mapping[str, Any]


@dataclass(frozen=True)
class Method:
    """The training of a backend's models. `config` makes what `train` takes; `rates` are its learning rates at one.

    `origin` names the model from which training continues; `knows_task` tells that it was trained for this kind of
    task.
    """

    start: Any
    origin: Mapping[str, str] | None
    knows_task: bool
    config: Callable[..., Any]
    rates: Callable[[float], Mapping[str, float]]
    train: Callable[[Any, Observer], Trained | None]
    export: Callable[[Path, Path], object]  # from weights to the folder of an adversary


@dataclass(frozen=True)
class Trainable:
    """A kind of task whose models can be trained.

    `contents` says what a file holds, `figures` how a model does, both in words. `methods` take the source to go on
    from, which is empty for our pretrained encoder; `defaults` are for a first training, and for one that goes on from
    a model for this task. Weights of models that ship are in the folder `shipped`.
    """

    name: str
    model: str
    shipped: Path
    data: str
    contents: Callable[[Path], str]
    figures: Callable[[Mapping[str, float]], str]
    methods: Mapping[str, Callable[[str], Method]]
    defaults: Mapping[str, tuple[Defaults, Defaults]]
    options: Sequence[click.Option]


def training_command(kind: Trainable) -> click.Command:
    """Gives the trained models, as campaigns name them."""

    def train(**choices: Any) -> list[str]:
        return _train(kind, **choices)

    help_text = "Train a model and write it to OUT/NAME, or go on from the checkpoint in OUT."
    return click.Command("train", params=[*_options(kind), *kind.options], callback=train, help=help_text)


def _options(kind: Trainable) -> list[click.Option]:
    datasets: dict[str, Any] = {"type": DATASET, "multiple": True, "metavar": "DATASET"}
    transformers = ", or fine-tune one of transformers (huggingface:FOLDER, huggingface:HUB_ID)"
    start = (
        "Go on from an exported model of this project (onnx:NAME, onnx:FOLDER)"
        f"{transformers if TRANSFORMERS in kind.methods else ''}. Else from the pretrained encoder, of a package of "
        "its own."
    )
    return [
        click.Option(
            ["--data"],
            callback=_weighted_files,
            metavar="DATASET[=WEIGHT]",
            multiple=True,
            required=True,
            help=f"{kind.data} Of a folder with parts, train. WEIGHT: how often an epoch has each; 1 if none.",
        ),
        click.Option(
            ["--dev"],
            **datasets,
            callback=_files_of("dev"),
            help="Decides when to stop; of a folder, its dev part. Without: a share of the contexts of --data.",
        ),
        click.Option(
            ["--apart"],
            **datasets,
            callback=_files_of("dev", "test"),
            help="A part that must not be in --data, such as a test set; of a folder, its dev and test parts.",
        ),
        click.Option(["--out"], type=click.Path(file_okay=False, path_type=Path), required=True),
        click.Option(
            ["--from", "start"],
            callback=_start_for(kind),
            metavar="BACKEND:SOURCE",
            default=PRETRAINED,
            show_default=True,
            help=start,
        ),
        click.Option(["--epochs"], type=POSITIVE, help=f"At most. {_defaults(kind, 'epochs')}"),
        click.Option(["--max-steps"], type=click.IntRange(1), help="At most so many steps of the optimiser."),
        click.Option(["--minutes"], type=POSITIVE, help="At most so long, for each run, on this machine's clock."),
        click.Option(
            ["--learning-rate", "learning_rates"],
            type=POSITIVE,
            multiple=True,
            help=f"Of several the one that does best on the dev part is kept. {_defaults(kind, 'learning_rate')}",
        ),
        click.Option(["--batch-size"], type=click.IntRange(1), help=f"Of a step. {_defaults(kind, 'batch_size')}"),
        click.Option(
            ["--patience"], type=click.IntRange(1), help="Looks at the dev part without a better one that end a run."
        ),
        click.Option(
            ["--seed", "seeds"], type=int, multiple=True, default=(0,), show_default=True, help="Several: an ensemble."
        ),
        click.Option(
            ["--name"], default=kind.model, show_default=True, help="The trained model's; of several NAME-SEED."
        ),
        click.Option(["--bfloat16"], is_flag=True, help="Pays where the processor multiplies in bfloat16 (AMX)."),
        click.Option(
            ["--device"], callback=_device, type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True
        ),
        click.Option(["--threads"], type=click.IntRange(1), default=1, show_default=True),
    ]


def _defaults(kind: Trainable, name: str) -> str:
    first, further = kind.defaults[OWN]
    theirs = ""
    if TRANSFORMERS in kind.defaults:
        first_of_theirs, further_of_theirs = kind.defaults[TRANSFORMERS]
        theirs = f"; of transformers {first_of_theirs[name]:g} and {further_of_theirs[name]:g}"
    return f"[default: {first[name]:g}; from a model for this task {further[name]:g}{theirs}]"


def _weighted_files(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> list[Corpus]:
    """Return the files of each DATASET or DATASET=WEIGHT; of a folder those of its train part."""
    corpora = []
    for value in values:
        path, equals, weight = value.rpartition("=")
        if not equals or Path(value).exists():
            path, weight = value, "1"
        dataset = Path(str(DATASET.convert(path, parameter, context)))
        share = _weight(weight, parameter, context)
        corpora += [Corpus(file, share) for file in files_of(dataset, ["train"], "data")]
    return corpora


def _files_of(*parts: str) -> Callable[[click.Context, click.Parameter, tuple[Path, ...]], tuple[Path, ...]]:
    """The files of each dataset; of a folder those of these parts."""

    def files(_context: click.Context, parameter: click.Parameter, paths: tuple[Path, ...]) -> tuple[Path, ...]:
        return tuple(file for path in paths for file in files_of(path, parts, str(parameter.name)))

    return files


def _weight(text: str, parameter: click.Parameter, context: click.Context) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = 0.0
    if not 0 < weight < MOST_TIMES:
        raise click.BadParameter(f"The weight {text!r} is no number between 0 and {MOST_TIMES}.", context, parameter)
    return weight


def _start_for(kind: Trainable) -> Callable[[click.Context, click.Parameter, str], tuple[str, str]]:
    """The backend of the model to go on from and its source, which is empty for our pretrained encoder."""

    def start(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, str]:
        if value == PRETRAINED:
            _check_installed(OWN)
            pretrained_package.find()
            return OWN, ""
        backend, _, source = value.partition(":")
        _check_installed(backend)
        if backend == OWN:
            folder = str(find(source, kind.shipped, kind.name)[0])
            open_adversary(value, kind.name, LoadOptions())  # which checks what it loads
            return OWN, folder
        if backend == TRANSFORMERS in kind.methods and source:
            return TRANSFORMERS, source
        theirs = ", huggingface:FOLDER, huggingface:HUB_ID" if TRANSFORMERS in kind.methods else ""
        raise click.BadParameter(
            f"{value!r} was given; allowed are onnx:NAME, onnx:FOLDER{theirs}, and {PRETRAINED}.", context, parameter
        )

    return start


def _device(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """Return the device. Raise `InvalidInput` before any model is fetched for a GPU that is not there."""
    if value != "cpu":
        _check_installed(OWN)
        from beat_the_ai.networks.device_memory import check_trains_on

        check_trains_on(value)
    return value


def _train(
    kind: Trainable,
    *,
    data: list[Corpus],
    out: Path,
    start: tuple[str, str],
    learning_rates: tuple[float, ...],
    seeds: tuple[int, ...],
    name: str,
    **choices: Any,
) -> list[str]:
    console, trained = Console(stderr=True), list[str]()
    backend, source = start
    with importing():
        method = kind.methods[backend](source)
    settings = {**kind.defaults[backend][method.knows_task], **{k: v for k, v in choices.items() if v is not None}}
    rates = learning_rates or (settings["learning_rate"],)
    config = method.config(data=tuple(data), out=out, start=method.start, **settings)
    with _observing(console, kind.figures) as observer:
        for corpus in data:
            contents = f"{kind.contents(corpus.path)}, {corpus.weight:g} times an epoch"
            console.print(f"{corpus.path}: {contents}", soft_wrap=True)
        models = {seed: name if len(seeds) == 1 else f"{name}-{seed}" for seed in seeds}
        for model in models.values():
            _check_place(out, model)
        for seed, model in models.items():
            if len(seeds) > 1:
                console.print(f"{model}:")
            runs = _runs(method, replace(config, out=out / f"{model}.run", seed=seed), rates, observer, console)
            best = _best(runs, config.deciding)
            check_look(runs[best].best)
            adversary = f"{backend}:{out / model}"
            with _replacing(out, model) as folder:
                method.export(runs[best].weights, folder)
                record = json.dumps(_record(method.origin, seed, runs, best), indent=2)
                write_text(folder / TRAINING_FILE, f"{record}\n")
            console.print(f"dev: {kind.figures(runs[best].best.figures)}; use it as {adversary}", soft_wrap=True)
            console.print(f"  beat-the-ai evaluate --task {kind.name} {adversary} GOLD", soft_wrap=True)
            console.print(
                f"  beat-the-ai adversary serve --task {kind.name} --member {model}={adversary}", soft_wrap=True
            )
            trained.append(adversary)
    return trained


def _runs(
    method: Method, config: Any, rates: Sequence[float], observer: Observer, console: Console
) -> dict[float, Trained]:
    """Train at each learning rate, in a folder of its own in `config.out`.

    A rate at which the training diverges is passed over. Raises `Diverged` where it does at all of them.
    """
    runs = dict[float, Trained]()
    for rate in rates:
        if len(rates) > 1:
            console.print(f"learning rate {rate:g}:")
        try:
            run = method.train(replace(config, out=config.out / f"{rate:g}", **method.rates(rate)), observer)
        except Diverged as error:
            if rate == rates[-1] and not runs:
                raise
            console.print(f"learning rate {rate:g} is passed over. {error}", soft_wrap=True)
            continue
        if run is None:
            console.print("Stopped; the same command goes on.")
            raise SystemExit(INTERRUPTED)
        runs[rate] = run
    return runs


def _check_place(out: Path, model: str) -> None:
    """Raises `InvalidInput` where the model's folder would be elsewhere, or is somebody's who did not train it."""
    if model in ("", ".", "..") or Path(model).name != model:
        raise InvalidInput("--name", f"--name {model!r} was given; it names one folder in {out}.")
    folder = out / model
    if folder.is_symlink() or (folder.exists() and not (folder / TRAINING_FILE).is_file()):
        raise InvalidInput(
            "--name", f"{folder} is there already, and is no model that was trained. Choose another --name or --out."
        )


@contextmanager
def _replacing(out: Path, model: str) -> Iterator[Path]:
    """A new folder of that name to write to; when the block ends it takes the place of the one in `out`."""
    fresh, folder = out / f"{model}.run" / "exported" / model, out / model
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.parent.mkdir(parents=True, exist_ok=True)
    yield fresh
    shutil.rmtree(folder, ignore_errors=True)
    fresh.replace(folder)


def _check_installed(backend: str) -> None:
    """Raise `AdversaryError` where packages are missing that training a model of that backend needs."""
    missing = [name for name in PACKAGES.get(backend, ()) if find_spec(name) is None]
    if missing:
        raise AdversaryError(
            f"Training needs {', '.join(missing)}, which is not installed. Run in the checkout: make train"
        )


def _best(runs: Mapping[float, Trained], deciding: Deciding) -> float:
    """The learning rate of the best run; of equals the first."""
    best, *others = runs
    for rate in others:
        if deciding.prefers(runs[rate].best, runs[best].best):
            best = rate
    return best


def _record(origin: Mapping[str, str] | None, seed: int, runs: Mapping[float, Trained], best: float) -> dict[str, Any]:
    """Return the record of a training: its origin, its settings, and each learning rate's result on the dev part."""
    figures = runs[best].best.figures
    return {
        "from": origin,
        "seed": seed,
        "learning_rate": best,
        "steps": runs[best].best.step,
        **{f"dev_{name}": {f"{rate:g}": run.best.figures[name] for rate, run in runs.items()} for name in figures},
    }


def origin_of(folder: Path | None) -> Mapping[str, str] | None:
    """Return the origin of an exported model, as the record names it."""
    return None if folder is None else {"model": folder.name, "hash": hash_of(folder)}


class _ConsoleObserver(Observer):
    """Says how it goes, and stops a run after Ctrl-C."""

    def __init__(self, console: Console, figures: Callable[[Mapping[str, float]], str], interrupted: threading.Event):
        self._console, self._figures, self._interrupted = console, figures, interrupted

    def prepared(self, done: int, total: int) -> None:
        self._console.print(f"{done:,} of {total:,} examples are prepared")

    def stepped(self, step: Step) -> None:
        self._console.print(f"{step.done:4.0%}  {step.step:>7,} steps  {step.seconds / 60:.1f} minutes")

    def looked(self, look: Look) -> None:
        figures = self._figures(look.figures)
        self._console.print(f"{look.done:4.0%}  {look.step:>7,} steps  loss {look.loss:.3f}  dev: {figures}")

    def stopped(self) -> bool:
        return self._interrupted.is_set()


@contextmanager
def _observing(console: Console, figures: Callable[[Mapping[str, float]], str]) -> Iterator[Observer]:
    """Ctrl-C stops the run instead of breaking off."""
    interrupted = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: interrupted.set())
    try:
        yield _ConsoleObserver(console, figures, interrupted)
    finally:
        signal.signal(signal.SIGINT, before)
