"""This suite's model server against others on the same machine: requests a second at 1, 8 and 32 clients, by medians.

On a machine that has other things to do look at the CPU time of a request, which is that of all the server's processes.

    python -m benchmarks.serving [--sizes shipped minilm base] [--clients 1 8 32] [--rounds 3] [--seconds 5]
    python -m benchmarks.serving --device cuda --clients 1 8 32 128

With `--device cuda` this suite serves by torch on the GPU, in bf16 and in fp32, and so do the rivals, in torch's own
fp32; shares are those of the GPU's matrix products, at full batches.

The model that ships has FastAPI + lock as its rival. All other networks have random weights: only the time matters. All
servers get the same questions on passages of 150 words, each question but once. They take turns, and each is started
for its turn and stopped after it. The gate before int8 is left open here, for a random network has no accuracy to lose.
`benchmarks/rivals` says how the rivals are installed; one that is not there is named as left out. Beside the ratios:
each network's share of the machine's own speed of matrix products, on one thread, and what the server adds to a request
beyond the model (`front_end_cpu`).
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import torch
import transformers
from rich.console import Console
from rich.table import Table
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import READING, open_adversary
from beat_the_ai.cli.model_options import DEFAULT_MODEL
from beat_the_ai.kinds.reading_comprehension.writing import Query
from beat_the_ai.networks import int8_gate, quantisation
from benchmarks.adversary_cost import SAMPLE, queries
from benchmarks.front_end_cpu import front_end_seconds
from benchmarks.rivals import CORES, DEVICE, MODEL, PORT

ROOT = Path(__file__).parents[1]
RIVALS = ROOT / "out" / "benchmarks" / "rivals" / "bin" / "python"
START_SECONDS, STOP_SECONDS, ANSWER_SECONDS = 180, 20, 600
POLL_SECONDS = 0.01
FEWEST_ANSWERS = 2  # of a measurement
WARM_UP_SHARE = 0.3  # of a measurement's seconds, before them
BASELINE = "FastAPI + lock"
QUIET = {"BENTOML_DO_NOT_TRACK": "True", "RAY_USAGE_STATS_ENABLED": "0", "TOKENIZERS_PARALLELISM": "false"}
NUMBERS = count(1)
PRODUCT = 1024  # rows and columns of the matrices that are multiplied
SHIPPED, SHIPPED_MODEL = "shipped", DEFAULT_MODEL
CPU_PRECISIONS = ("int8", "fp32")
CUDA, CUDA_BATCH = "cuda", 32
CUDA_PRECISIONS = {"bf16": torch.bfloat16, "fp32": torch.float32}


class Size(NamedTuple):
    """A BERT-like encoder."""

    width: int
    hidden: int
    layers: int
    heads: int

    def operations(self, tokens: int) -> float:
        """Additions and multiplications of a forward pass."""
        projections = 4 * self.width**2 + 2 * self.width * self.hidden
        return float(2 * self.layers * tokens * (projections + 2 * tokens * self.width))


SIZES = {
    "tiny": Size(64, 128, 2, 2),
    "minilm": Size(384, 1536, 6, 12),
    "base": Size(768, 3072, 12, 12),
}


@dataclass(frozen=True)
class Contender:
    """A server: how it is started, at which path it is asked, and what is asked there. `model` is a rival's."""

    name: str
    command: Sequence[str]
    model: str = ""
    path: str = "/predict"

    def body(self, query: Query) -> bytes:
        asked = query.model_dump()
        return json.dumps({"queries": [asked]} if self.path == "/v1/predict" else asked).encode()


def suite(name: str, spec: str, *options: str) -> Contender:
    """`spec` is the model's, as a campaign names it."""
    command = [sys.executable, "-m", "beat_the_ai.cli", "adversary", "serve", "--member", f"model={spec}", *options]
    return Contender(name, [*command, "--port", "{port}"], path="/v1/predict")


def rivals(model: str, *, alone: bool) -> tuple[list[Contender], list[str]]:
    """Return the installed rivals, and the names of those that are not installed or not wanted."""
    python, module = str(RIVALS), "benchmarks.rivals"
    every = {
        "fastapi": Contender(BASELINE, [sys.executable, "-m", f"{module}.fastapi_lock"], model),
        "litserve": Contender("LitServe", [python, "-m", f"{module}.lit_serve"], model),
        "ray.serve": Contender("Ray Serve", [python, "-m", f"{module}.ray_serve"], model),
        "bentoml": Contender(
            "BentoML", [python, "-m", "bentoml", "serve", f"{module}.bento:Reader", "--port", "{port}"], model
        ),
    }
    there = {
        package: contender.name == BASELINE or (not alone and _has(contender.command[0], package))
        for package, contender in every.items()
    }
    return (
        [every[package] for package, found in there.items() if found],
        [every[package].name for package, found in there.items() if not found],
    )


def _has(python: str, package: str) -> bool:
    if not Path(python).is_file():
        return False
    return subprocess.run([python, "-c", f"import {package}"], capture_output=True).returncode == 0


class Running(NamedTuple):
    port: int
    process_id: int


@contextmanager
def running(contender: Contender) -> Iterator[Running]:
    """Once it answers."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [part.replace("{port}", str(port)) for part in contender.command]
    search = os.pathsep.join(map(str, (ROOT, ROOT / "src")))
    environment = {**os.environ, **QUIET, MODEL: contender.model, PORT: str(port), "PYTHONPATH": search}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, env=environment, cwd=ROOT, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
        )
        try:
            _wait_until_it_answers(contender, port, process)
            yield Running(port, process.pid)
        except (OSError, http.client.HTTPException, TimeoutError) as error:
            log.seek(0)
            printed = log.read().decode("utf-8", "replace")[-3000:]
            raise SystemExit(f"{contender.name} failed: {error!r}. It printed:\n{printed}") from error
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait_until_it_answers(contender: Contender, port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    query = Query(context="It is a passage.", question="What is it?")
    while True:
        try:
            ask(contender, http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS), query)
        except (OSError, http.client.HTTPException):
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            return


def ask(contender: Contender, connection: http.client.HTTPConnection, query: Query) -> None:
    """Raises `HTTPException` for anything but an answer."""
    connection.request("POST", contender.path, contender.body(query), {"Content-Type": "application/json"})
    response = connection.getresponse()
    body = response.read()
    if response.status != 200:
        raise http.client.HTTPException(f"{response.status} {body[:300]!r}")


class Measured(NamedTuple):
    """Requests a second, CPU of each in ms, and what a client waited for an answer: median and 95th percentile, ms."""

    per_second: float
    cpu_ms: float
    p50_ms: float
    p95_ms: float


def measured(contender: Contender, server: Running, clients: int, seconds: float, asked: Sequence[Query]) -> Measured:
    """Clients that ask again as soon as they have an answer; answers are counted once all are at it."""
    ended, failures, waits = threading.Event(), list[Exception](), list[float]()

    def client() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=ANSWER_SECONDS)
        try:
            while not ended.is_set():
                number = next(NUMBERS)
                query = asked[number % len(asked)]
                began = time.monotonic()
                ask(contender, connection, Query(context=query.context, question=f"{query.question} {number}"))
                waits.append(time.monotonic() - began)
        except (OSError, http.client.HTTPException) as error:
            failures.append(error)
        finally:
            connection.close()

    workers = [threading.Thread(target=client) for _ in range(clients)]
    for worker in workers:
        worker.start()
    time.sleep(WARM_UP_SHARE * seconds)
    started, before, cpu = time.monotonic(), len(waits), family_cpu_seconds(server.process_id)
    time.sleep(seconds)
    while len(waits) - before < FEWEST_ANSWERS and not failures:
        time.sleep(POLL_SECONDS)
    counted, spent = waits[before:], family_cpu_seconds(server.process_id) - cpu
    elapsed = time.monotonic() - started
    ended.set()
    for worker in workers:
        worker.join()
    if failures:
        raise failures[0]
    p50, p95 = (1000 * statistics.quantiles(counted, n=20)[place] for place in (9, 18))
    return Measured(len(counted) / elapsed, 1000 * spent / len(counted), p50, p95)


def family_cpu_seconds(ancestor: int) -> float:
    """User and system time so far of a process and all that descend from it (proc_pid_stat(5)). Linux only."""
    parents, ticks = dict[int, int](), dict[int, int]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(") ")[2].split()
            process = int(path.parent.name)
            parents[process], ticks[process] = int(fields[1]), int(fields[11]) + int(fields[12])
    family, grown = {ancestor}, True
    while grown:
        more = {process for process, parent in parents.items() if parent in family} - family
        family, grown = family | more, bool(more)
    return sum(ticks.get(process, 0) for process in family) / os.sysconf("SC_CLK_TCK")


def write_network(folder: Path, size: Size) -> None:
    """Extractive question answering with a tokenizer that knows the words of the sample passages."""
    text = SAMPLE.read_text(encoding="utf-8").lower()
    normaliser, cutter = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    words = sorted({word for word, _ in cutter.pre_tokenize_str(normaliser.normalize_str(text))} | set("0123456789"))
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    pieces = {piece: number for number, piece in enumerate([*special, *words, *(f"##{n}" for n in range(10))])}
    tokens = Tokenizer(models.WordPiece(pieces, unk_token="[UNK]"))
    tokens.normalizer, tokens.pre_tokenizer = normaliser, cutter
    tokens.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokens, pad_token="[PAD]", unk_token="[UNK]", model_max_length=512
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=size.width,
        intermediate_size=size.hidden,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
    )
    transformers.BertForQuestionAnswering(config).save_pretrained(folder)


def write_int8(source: Path, out: Path, asked: Sequence[Query]) -> None:
    fp32: Any = open_adversary(f"openvino:{source}", READING, LoadOptions())
    int8 = quantisation.quantised(fp32, asked)
    answers = [{str(n): one.text for n, one in enumerate(model.predict(asked))} for model in (fp32, int8)]
    marks = [{"agreement": {name: float(text == answers[0][name]) for name, text in each.items()}} for each in answers]
    comparison = int8_gate.compare((answers[0], marks[0]), (answers[1], marks[1]))
    identity = quantisation.write(int8, str(source), out, out.name)
    int8_gate.Passed(identity, fp32.identity, "0" * 64, 100.0, comparison).write(out)


def seconds_of(call: Any, repeats: int) -> float:
    """The median of a call's CPU time; what it does, it does on one thread."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        call()
        times.append(time.process_time() - started)
    return statistics.median(times[repeats // 4 :])


def product_speed(precision: str, repeats: int) -> float:
    """Operations a second of a square matrix product on one thread of the CPU."""
    torch.set_num_threads(1)
    if precision == "int8":
        left, right = (torch.randint(-100, 100, (PRODUCT, PRODUCT), dtype=torch.int8) for _ in range(2))
        return 2 * PRODUCT**3 / seconds_of(lambda: torch._int_mm(left, right), repeats)
    left, right = (torch.rand(PRODUCT, PRODUCT) for _ in range(2))
    return 2 * PRODUCT**3 / seconds_of(lambda: left @ right, repeats)


def network_speed(folder: Path, size: Size, asked: Sequence[Query], repeats: int) -> float:
    """Operations a second of the network on one thread of the CPU: the model alone, without words and spans."""
    model: Any = open_adversary(f"openvino:{folder}", READING, LoadOptions())
    [row] = model.rows(asked[:1])
    inputs = {name: torch.tensor([values]) for name, values in row.items()}
    return size.operations(len(row["input_ids"])) / seconds_of(lambda: model.pretrained.model(**inputs), repeats)


def cuda_seconds_of(call: Any, repeats: int) -> float:
    """The median of the time that a call keeps the GPU."""
    times = []
    for _ in range(repeats):
        torch.cuda.synchronize()
        started = time.perf_counter()
        call()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - started)
    return statistics.median(times[repeats // 4 :])


def cuda_product_speed(precision: str, repeats: int) -> float:
    """Operations a second of a matrix product that is large enough to keep the whole GPU busy."""
    rows = 8 * PRODUCT
    left, right = (torch.rand(rows, rows, device=CUDA, dtype=CUDA_PRECISIONS[precision]) for _ in range(2))
    return 2 * rows**3 / cuda_seconds_of(lambda: left @ right, repeats)


def cuda_network_speed(folder: Path, size: Size, precision: str, asked: Sequence[Query], repeats: int) -> float:
    """Operations a second of the network at full batches: the model alone, in the precision in which it serves."""
    model: Any = open_adversary(f"huggingface:{folder}", READING, LoadOptions(CUDA, precision=precision))
    [row] = model.rows(asked[:1])
    inputs = {name: torch.tensor([values] * CUDA_BATCH, device=CUDA) for name, values in row.items()}
    with torch.inference_mode():
        seconds = cuda_seconds_of(lambda: model.pretrained.model(**inputs), repeats)
    return CUDA_BATCH * size.operations(len(row["input_ids"])) / seconds


def print_ratios(size: str, found: Mapping[str, Mapping[int, Sequence[Measured]]], clients: Sequence[int]) -> None:
    turns = len(found[BASELINE][clients[0]])
    table = Table(
        title=f"{size}: requests a second (times {BASELINE}), CPU and p50/p95 of a request in ms; medians of {turns}"
    )
    for name in ("server", *(f"{number} clients" for number in clients)):
        table.add_column(name)
    middle = {
        name: {number: Measured(*map(statistics.median, zip(*each[number], strict=True))) for number in clients}
        for name, each in found.items()
    }
    base = middle[BASELINE]
    for name, by_clients in middle.items():
        table.add_row(
            name,
            *(
                f"{one.per_second:.1f} ({one.per_second / base[number].per_second:.2f}), {one.cpu_ms:.1f}, "
                f"{one.p50_ms:.0f}/{one.p95_ms:.0f}"
                for number, one in by_clients.items()
            ),
        )
    Console().print(table)


def measure(size: str, given: argparse.Namespace, folder: Path) -> list[str]:
    """Prints a size's tables; gives the rivals that were left out."""
    asked = queries(given.questions)
    if size == SHIPPED:  # the packages of the other rivals do not have what it needs
        others, _ = rivals(SHIPPED_MODEL, alone=True)
        compare(size, [suite("this suite", SHIPPED_MODEL), *others], asked, given)
        return []
    fp32 = folder / f"{size}-fp32"
    write_network(fp32, SIZES[size])
    others, missing = rivals(f"huggingface:{fp32}", alone=given.alone)
    own = own_servers(fp32, folder / f"{size}-int8", asked, given.device, given.precisions)
    compare(size, [*own, *others], asked, given)
    for precision, speed, product in speeds(size, folder, asked, given):
        print(
            f"{size} {precision}: {speed / 1e9:.0f} of {product / 1e9:.0f} G operations/s, share {speed / product:.2f}"
        )
    return missing


def compare(size: str, contenders: list[Contender], asked: Sequence[Query], given: argparse.Namespace) -> None:
    """They take turns, in another order each time."""
    found: dict[str, dict[int, list[Measured]]] = {
        one.name: {number: [] for number in given.clients} for one in contenders
    }
    for turn in range(given.rounds):
        random.Random(turn).shuffle(contenders)
        for contender in contenders:
            with running(contender) as server:
                for number in given.clients:
                    one = measured(contender, server, number, given.seconds, asked)
                    found[contender.name][number].append(one)
                    line = f"{one.per_second:.1f}/s, {one.cpu_ms:.1f} ms of CPU each, p95 {one.p95_ms:.0f} ms"
                    print(f"{size}, turn {turn + 1}: {contender.name}, {number} clients: {line}", file=sys.stderr)
    print_ratios(size, found, given.clients)


def own_servers(
    fp32: Path, int8: Path, asked: Sequence[Query], device: str, precisions: Sequence[str]
) -> list[Contender]:
    """This suite's, with a network in each precision; the one in int8 is made here."""
    if device == CUDA:
        return [
            suite(f"this suite, {each}", f"huggingface:{fp32}", "--device", CUDA, "--precision", each)
            for each in CUDA_PRECISIONS
        ]
    write_int8(fp32, int8, asked)
    networks = {"int8": int8, "fp32": fp32}
    return [suite(f"this suite, {name}", f"openvino:{networks[name]}") for name in precisions]


def speeds(
    size: str, folder: Path, asked: Sequence[Query], given: argparse.Namespace
) -> Iterator[tuple[str, float, float]]:
    """Return, by precision, the operations a second of the network and of matrix products."""
    if given.device == CUDA:
        for precision in CUDA_PRECISIONS:
            network = cuda_network_speed(folder / f"{size}-fp32", SIZES[size], precision, asked, given.repeats)
            yield precision, network, cuda_product_speed(precision, given.repeats)
        return
    for precision in given.precisions:
        network = network_speed(folder / f"{size}-{precision}", SIZES[size], asked, given.repeats)
        yield precision, network, product_speed(precision, given.repeats)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", choices=[SHIPPED, *SIZES], help="of the networks")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--device", choices=["cpu", CUDA], default="cpu")
    parser.add_argument(
        "--precisions", nargs="+", choices=CPU_PRECISIONS, default=CPU_PRECISIONS, help="of this suite's, on the CPU"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=40, help="of the matrix product and of the forward pass")
    parser.add_argument("--requests", type=int, default=1000, help="for the CPU time beyond the model")
    parser.add_argument("--alone", action="store_true", help=f"no rival but {BASELINE}")
    given = parser.parse_args()
    if given.device == CUDA and not torch.cuda.is_available():
        parser.error("--device cuda: torch finds no CUDA device here.")
    sizes = given.sizes or [*([] if given.device == CUDA else [SHIPPED]), "minilm", "base"]
    if given.device == CUDA and SHIPPED in sizes:
        parser.error(f"--device cuda: {SHIPPED_MODEL} runs on the CPU; choose other --sizes.")
    os.environ[DEVICE] = given.device
    transformers.utils.logging.disable_progress_bar()
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{CORES} cores, load {load}, torch {torch.__version__}")
    missing: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            missing = measure(size, given, Path(folder)) or missing
    print(f"CPU beyond the model, a request: {1000 * front_end_seconds(given.requests):.2f} ms")
    if missing:
        print(f"left out: {', '.join(missing)}; benchmarks/rivals/__init__.py says how they are installed")


if __name__ == "__main__":
    main()
