"""Every benchmark in small: that it still starts, measures and prints. What it measures is no matter here.

`make test` runs those that need a second or two, `make thorough` all of them.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from contextlib import nullcontext

import pytest

from benchmarks.stock.router import ROOT
from tests.forked.starts import new_interpreters
from tests.thorough import names

BENCHMARKS = ROOT / "benchmarks"
ROUTER = ROOT / "out" / "benchmarks" / "stock-router-1.1.1"
PARTS = {
    "suite",
    "trivial",
    "measured_command",
    "stock/operator",
    *(f"rivals/{name}" for name in ("fastapi_lock", "lit_serve", "ray_serve")),
}
SMALL = {
    "adjudication": ("--lines 50 --runs 1", r"50 lines in \d"),
    "advscore": ("--items 20 --runs 1", r"1,000 responses to 20 examples in \d"),
    "adversary_cost": ("--questions 6", r"ratio: \d"),
    "arrivals": ("--people 8", r"8 people in \d+\.\d s; 8 assignments and 8 HITs"),
    "attempt_latency": (
        "--writers 1 2 --pauses 0.1 0 --calls 2 --rounds 1 --alone",
        r"(?s)model server.*1 │ +0 │ this suite +│ +2 │.*1 │ +0.1 │ this suite +│ +2 │",
    ),
    "beside": (
        "--attempts 200 --seconds 3 --rounds 1",
        r"(?s)│ alone +│ +\d.*│ beside the others +│ +\d.*│ beside a console +│ +\d.*times that alone: \d.*cast \d+ "
        r"votes and judged \d.*the console told [1-9]\d* changes and showed figures [1-9]",
    ),
    "burst": (
        "--workers 3 --questions 2 --think 0.1",
        r"(?s)think for about 0.1 s.*ratio of p95: \d.*lost.*\n.*\n│ 3 +│ 3 +│ 3 +│ 6 +│ 6 +│ 6 +│ 0 +│ 0 +│",
    ),
    "front_end_cpu": ("--requests 20 --passes 5", r"share +\d"),
    "growth": (
        "--attempts 500 600 --only status settling 'review page'",
        r"(?s)│ status +│ +[\d.]+ │.*│ settling a validation HIT +│ +\d.*│ review page +│ +\d",
    ),
    "guessers": (
        "--models tantivy:sample onnx:dan-small --questions 3",
        r"(?s)│ onnx:dan-small +│ +[\d.]+ \(.*│ tantivy:sample +│ onnx:dan-small +│ +-?[\d.]+ \(",
    ),
    "hits": (
        "--annotators 2 --hits 4 --alone",
        r"(?s)2 annotators, 4 HITs: \d.*verdicts lost 0.*│ +2 │ this suite │ +4 │(?: +\d+\.?\d* │){6}(?: +0 │){3}",
    ),
    "hints": ("--authors 2 --pause 0.05", r"│ +2 │ +\d+ │ +\d+ │"),
    "interval_coverage": ("--samples 2", r"(?s)│ +3 │ +\d+\.\d% │.*│ +40 │ +\d+\.\d% │"),
    "marketplace_load": ("--hits 30 --requests 20", r"SendBonus +\d"),
    "model_client": ("--requests 20 --threads 2 --rounds 1", r"2 +│ this suite +│ [\d,]+ +│"),
    "operators": ("--operators 2 --annotators 4 --hits 8", r"│ 2 +│ 8 +│.*│ 0 +│"),
    "page_load": ("--rounds 1 --kinds quizbowl", r"(?s)│ quizbowl │ first │ +[\d,]+ │.*│ quizbowl │ next +│ +[\d,]+ │"),
    "serving": (
        "--alone --sizes tiny --precisions int8 --clients 2 --rounds 1 --seconds 0.2"
        " --questions 4 --repeats 4 --requests 5",
        r"(?s)suite, int8 │ [\d.]+ \([\d.]+\), [\d.]+, \d+/\d+.*FastAPI \+ lock +│ [\d.]+ \(1\.00\), [\d.]+"
        r".*share \d.*left out: LitServe",
    ),
    "start": ("--rounds 1", r"(?s)│ 1 +│ \d[\d.]+ +│ \d+ +│ \d+ +│ \d+ +│ \d+ +│.*--help \d"),
    "thousand": (
        "--workers 3 --seconds 1 --pause 0.2",
        r"(?s)register, all at once │ 3 +│.*│ operator +│ [\d.]+ +│.*lost 0, doubled 0; PSS",
    ),
    "quality_control": ("--seeds 1", r"recommended within 15 HITs: \d"),
}
USUAL = {
    "adjudication",
    "advscore",
    "attempt_latency",
    "guessers",
    "hints",
    "hits",
    "interval_coverage",
    "marketplace_load",
    "model_client",
}
OFFLINE = {"npm_config_offline": "true"}


def run(name: str, options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", f"benchmarks.{name}", *shlex.split(options)]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **OFFLINE}, capture_output=True, text=True)


def test_no_benchmark_is_left_out() -> None:
    programs = {
        path.relative_to(BENCHMARKS).with_suffix("").as_posix()
        for path in BENCHMARKS.rglob("*.py")
        if any(
            isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)
            for node in ast.parse(path.read_text()).body
        )
    }
    assert programs == PARTS | SMALL.keys()


@pytest.mark.parametrize("name", names(SMALL, USUAL))
def test_it_runs_in_small(name: str) -> None:
    options, printed = SMALL[name]
    with new_interpreters() if name == "start" else nullcontext():
        ran = run(name, options)
    if name == "page_load" and "No Chromium is installed" in ran.stderr:
        pytest.skip(ran.stderr.strip())
    assert re.search(printed, ran.stdout), ran.stdout + ran.stderr
    if name != "front_end_cpu":  # its status is its finding
        assert ran.returncode == 0, ran.stderr


@pytest.mark.thorough
def test_the_rival_runs_too_or_says_what_it_lacks() -> None:
    """Its router's packages come from the npm registry, which tests do not ask."""
    ran = run("attempt_latency", "--writers 1 --pauses 0.1 --calls 2 --rounds 1")
    if ROUTER.exists():
        assert re.search(r"1 │ +0.1 │ Mephisto 1.1.1 +│ +2 │", ran.stdout), ran.stdout + ran.stderr
    else:
        assert ran.returncode == 1
        assert re.search("npm could not install the stock router's packages|this machine lacks", ran.stderr), ran.stderr
