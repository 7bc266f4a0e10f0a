"""What processes say to those who started them."""

from __future__ import annotations

import subprocess
import sys

SAYS = "from beat_the_ai.process.parent_death import announce; announce({'address': 'here'}); print('still there')"


def test_a_line_of_json_is_said_at_once() -> None:
    done = subprocess.run([sys.executable, "-c", SAYS], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ('{"address": "here"}\nstill there\n', "")


def test_nothing_but_that_line_comes_where_a_starter_reads_one() -> None:
    keeps = "from beat_the_ai.process.parent_death import keep_standard_output; keep_standard_output(); print('before')"
    done = subprocess.run([sys.executable, "-c", f"{keeps}; {SAYS}"], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ('{"address": "here"}\n', "before\nstill there\n")


def test_a_starter_who_is_gone_is_no_fault() -> None:
    command = [sys.executable, "-c", f"import sys; sys.stdin.read(); {SAYS}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0
