"""The model server's own cost per request, against the cost of a small transformer: the front end's CPU share.

A server process with a trivial model answers requests with a passage of about 195 tokens, each a new question, so that
nothing comes from the cache; its own CPU time per request is set against the CPU time of one forward pass of a network
of MiniLM-L6's size (random weights; only the time matters) in this process, on one thread. Linux only (reads /proc).

    python benchmarks/front_end_cpu.py [--requests 2000] [--passes 30]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from beat_the_ai.adversary import registry
from beat_the_ai.adversary.client import AdversaryClient
from beat_the_ai.adversary.protocol import LoadOptions, ModelIdentity
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query

TOKENS = 195
TARGET_SHARE = 0.02
WARM_UP_REQUESTS = 200
# English has about 4.4 characters to a word piece, the space included.
PASSAGE = ("The university was founded in 1842 by a congregation of priests. " * 20)[: int(TOKENS * 4.4)]


class Trivial:
    """Answers with the passage's beginning, at once."""

    query_type = Query
    identity = ModelIdentity("trivial", "reading_comprehension", "0" * 64, "fp32")

    def predict(self, queries: Sequence[Query]) -> list[Prediction]:
        return [Prediction(text=query.context[:10], start=0, score=0.5) for query in queries]


def load(source: str, options: LoadOptions) -> Trivial:
    """The backend `trivial`."""
    return Trivial()


def model_seconds(passes: int) -> float:
    """Median CPU time of one forward pass over 195 tokens, on one thread."""
    import torch  # the server process has no use for it
    from transformers import BertConfig, BertForQuestionAnswering

    torch.set_num_threads(1)
    config = BertConfig(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)
    network = BertForQuestionAnswering(config).eval()
    tokens = torch.randint(1000, 20000, (1, TOKENS))
    times = []
    with torch.inference_mode():
        for _ in range(passes):
            started = time.process_time()
            network(tokens)
            times.append(time.process_time() - started)
    return statistics.median(times)


def front_end_seconds(requests: int) -> float:
    """Mean CPU time, user and system, that the server process spends on one request."""
    serving = [sys.executable, str(Path(__file__)), "--serve"]
    with subprocess.Popen(serving, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        address = json.loads(server.stdout.readline())["address"]
        try:
            with AdversaryClient(address, timeout_seconds=10) as client:
                ask(client, range(WARM_UP_REQUESTS))
                before = cpu_seconds(server.pid)
                ask(client, range(WARM_UP_REQUESTS, WARM_UP_REQUESTS + requests))
                return (cpu_seconds(server.pid) - before) / requests
        finally:
            server.terminate()


def ask(client: AdversaryClient, numbers: range) -> None:
    for number in numbers:
        question = f"In which year was university number {number} founded?"
        client.predict([Query(context=PASSAGE, question=question)], Prediction, requester="writer")


def cpu_seconds(process_id: int) -> float:
    """User and system time so far: fields 14 and 15 of /proc/<pid>/stat, in clock ticks (proc_pid_stat(5))."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--passes", type=int, default=30, help="of the network")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        from beat_the_ai.adversary.server import serve

        registry.BACKENDS["trivial"] = {registry.READING: load}
        serve({"trivial": "trivial:model"})
        return
    network, front_end = model_seconds(given.passes), front_end_seconds(given.requests)
    share = front_end / network
    print(f"network, {TOKENS} tokens  {1000 * network:8.2f} ms CPU")
    print(f"front end, a request {1000 * front_end:8.2f} ms CPU")
    print(f"share                {100 * share:8.2f} %   (target: at most {100 * TARGET_SHARE:g} %)")
    raise SystemExit(share > TARGET_SHARE)


if __name__ == "__main__":
    main()
