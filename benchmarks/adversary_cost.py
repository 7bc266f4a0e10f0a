"""The cost of one answer of the shipped model, on one core, beside a MiniLM-L6-sized transformer in torch.

The passages are SQuAD-like in length: about 150 words. Prints the median of each and their ratio. The transformer has
random weights: it is there for its size, not for its answers.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
from transformers import BertConfig, BertModel

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import READING, open_adversary
from beat_the_ai.kinds.reading_comprehension.writing import Query

SAMPLE = Path(__file__).parents[1] / "tasks" / "reading_comprehension" / "contexts" / "sample.jsonl"
WORDS = 150
TOKENS = 195  # word pieces of 150 words and a question
MINILM = BertConfig(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)


def queries(count: int) -> list[Query]:
    """Questions on passages of 150 words, put together from the sample passages."""
    rng = random.Random(0)
    records = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    made = []
    for _ in range(count):
        chosen = rng.sample(records, 4)
        words = " ".join(record["context"] for record in chosen).split()[:WORDS]
        made.append(Query(context=" ".join(words), question=rng.choice(chosen[0]["questions"])["question"]))
    return made


def milliseconds(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return 1000 * (time.process_time() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="onnx:bidaf-small")
    parser.add_argument("--questions", type=int, default=100)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    shipped = open_adversary(arguments.model, READING, LoadOptions(threads=1))
    transformer = BertModel(MINILM).eval()
    tokens = torch.randint(1000, 20_000, (1, TOKENS))
    ours, rivals = [], []
    with torch.inference_mode():
        for query in queries(arguments.questions):
            ours.append(milliseconds(partial(shipped.predict, [query])))
            rivals.append(milliseconds(partial(transformer, tokens)))
    mine, rival = statistics.median(ours[5:]), statistics.median(rivals[5:])
    print(f"{shipped.identity.name}: {mine:.1f} ms of one core for a passage of {WORDS} words (median)")
    print(f"MiniLM-L6-sized transformer, torch: {rival:.1f} ms")
    print(f"ratio: {mine / rival:.2f}")


if __name__ == "__main__":
    main()
