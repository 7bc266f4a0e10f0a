"""SQuAD's format, written as examples come."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from beat_the_ai.kinds.reading_comprehension.squad_files import SQUAD_FILE, squad_files
from beat_the_ai.rules.dataset import Example
from beat_the_ai.rules.protocol import Context
from beat_the_ai.terms.division import PARTS
from tests.examples import examples

TITLES = ["Mills", 'Häfen \u2028 "and" lights', ""]
contexts = st.integers(0, 8)
texts = st.text(max_size=12).map(lambda text: text.encode(errors="replace").decode())  # as the store has them
written = st.lists(st.tuples(contexts, texts), max_size=30)


def example(number: int, context: int, text: str) -> Example:
    """The context decides upon title and part: some articles have passages in every part."""
    passage = Context(f"c{context}", f"Passage {context}.\n\u2029 It ends.", TITLES[context % len(TITLES)])
    work = {"question": text, "answer": {"text": text, "start": number}}
    return Example(f"e{number}", PARTS[context // 3], passage, work, None, "m", {}, True, 1, False, None)


def content(found: Sequence[Example]) -> str:
    """The whole file, by the order in which articles, passages and questions come first."""
    articles: dict[str, dict[str, dict[str, Any]]] = {}
    for one in found:
        passages = articles.setdefault(one.context.title, {})
        passage = passages.setdefault(one.context.id, {"context": one.context.text, "qas": []})
        answers = [{"text": one.work["answer"]["text"], "answer_start": one.work["answer"]["start"]}]
        passage["qas"].append({"id": one.id, "question": one.work["question"], "answers": answers})
    data = [{"title": title, "paragraphs": list(passages.values())} for title, passages in articles.items()]
    return json.dumps({"version": "1.1", "data": data}, ensure_ascii=False) + "\n"


@settings(max_examples=examples(50), deadline=None)
@given(written)
def test_what_is_written_as_it_comes_is_what_is_made_of_all_together(drawn: list[tuple[int, str]]) -> None:
    found = [example(number, context, text) for number, (context, text) in enumerate(drawn)]
    with tempfile.TemporaryDirectory() as folder:
        with squad_files(Path(folder)) as files:
            for one in found:
                files.write(one.part, [one])
        parts = {part: [one for one in found if one.part == part] for part in PARTS}
        for part, of_part in parts.items():
            assert (Path(folder) / "squad" / f"{part}.json").read_bytes().decode() == content(of_part)
        whole = [one for part in PARTS for one in parts[part]]
        assert (Path(folder) / SQUAD_FILE).read_bytes().decode() == content(whole)
        assert sorted(files.paths) == sorted(path for path in Path(folder).rglob("*") if path.is_file())
