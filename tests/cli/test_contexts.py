"""Contexts for a list of questions, from documents to what a round takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.registry import bind
from beat_the_ai.store import Campaign, now, open_store
from beat_the_ai.terms.locate import private_folder

FERRY = (
    "Nell Harrow ran the ferry at Fenmouth for thirty years. She carried farmers, their sheep and, on two occasions, a "
    "whole brass band. When the bridge was opened in 1931, the council paid her a pension and took the bell from her "
    "landing stage. It hangs in the town hall now, and nobody under sixty can say what it was for. "
)
MILL = (
    "The mill above the weir has ground no corn since the flood. Its wheel was sold for scrap, but the stones were too "
    "heavy to move and lie where they fell. Walkers use the smaller one as a table. A plate on the wall names the five "
    "millers and, in smaller letters, the cat that outlived the last of them by a year. "
)
QUESTIONS = ["Who ran the ferry at Fenmouth?", "When was the bridge opened?", "How many millers does a plate name?"]


def write(path: Path, *documents: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    return path


def contexts(
    tmp_path: Path, *documents: Path, questions: str = "\n".join(QUESTIONS), more: tuple[str, ...] = ()
) -> Result:
    asked = tmp_path / "questions.txt"
    asked.write_text(questions, encoding="utf-8")
    options = ["--questions", str(asked), "--out", str(tmp_path / "contexts.jsonl"), *more]
    return CliRunner().invoke(main, ["contexts", *map(str, documents), *options])


def chosen(tmp_path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (tmp_path / "contexts.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture
def tales(tmp_path: Path) -> Path:
    return write(
        tmp_path / "tales.jsonl",
        {"id": "ferry", "title": "The Ferry", "genre": "fiction", "text": FERRY, "source": "of our own"},
        {"id": "mill", "genre": "how_to", "text": f"The Mill\n\n{MILL}"},
    )


def test_each_question_gets_a_passage_that_a_round_takes(tmp_path: Path, tales: Path) -> None:
    done = contexts(tmp_path, tales)
    assert (done.exit_code, "2 contexts out of 2 passages of 2 documents" in done.stdout) == (0, True)
    assert "For 1 of 3 questions no passage was left." in done.stderr
    assert chosen(tmp_path) == [
        {"id": "ferry/1", "title": "The Ferry", "genre": "fiction", "context": FERRY.strip(), "question": QUESTIONS[0]},
        {"id": "mill/1", "title": "", "genre": "how_to", "context": MILL.strip(), "question": QUESTIONS[1]},
    ]
    premises = bind("nli").writing.load_contexts(tmp_path / "contexts.jsonl")
    assert [premise.id for premise in premises] == ["ferry/1", "mill/1"]
    before = (tmp_path / "contexts.jsonl").read_bytes()
    contexts(tmp_path, tales)
    assert (tmp_path / "contexts.jsonl").read_bytes() == before


def test_folders_of_texts_are_documents_of_one_genre(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    (folder / "old").mkdir(parents=True)
    (folder / "old" / "mill.txt").write_text(MILL, encoding="utf-8")
    (folder / "ferry.txt").write_text(FERRY, encoding="utf-8")
    assert "--genre news" in contexts(tmp_path, folder).stderr
    assert contexts(tmp_path, folder, more=("--genre", "fiction"), questions="A ferry?\nA mill?").exit_code == 0
    assert [(row["id"], row["title"], row["genre"]) for row in chosen(tmp_path)] == [
        ("ferry/1", "ferry", "fiction"),
        ("old/mill/1", "mill", "fiction"),
    ]


def test_no_text_of_an_earlier_round_is_chosen_again_however_it_is_written(tmp_path: Path, tales: Path) -> None:
    store = open_store(str(private_folder(tmp_path / "campaign") / "campaign.db"))
    campaign = store.campaigns.create(Campaign("nli", "nli", 3, "k" * 64, {}, now()))
    twin = Context("another-name", FERRY.upper().replace(" ", "  "), private={"genre": "fiction", "hypotheses": []})
    store.campaigns.offer(campaign.id, [twin], round_number=1, slots=1)
    store.close()
    assert contexts(tmp_path, tales, more=("--not-in", str(tmp_path / "campaign"))).exit_code == 0
    assert [row["id"] for row in chosen(tmp_path)] == ["mill/1"]


def test_a_text_that_stands_twice_is_chosen_once(tmp_path: Path) -> None:
    documents = write(
        tmp_path / "twins.jsonl",
        *({"id": name, "genre": "news", "text": text} for name, text in (("a", FERRY), ("b", FERRY.lower() + FERRY))),
    )
    assert contexts(tmp_path, documents, questions="A ferry?\nThe ferry?\nNo ferry?").exit_code == 0
    texts = [row["context"].casefold() for row in chosen(tmp_path)]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": "a", "genre": "news"}', "line 2: a JSON object with 'id' and 'text' is needed (text"),
        ('{"id": "a", "genre": "News!", "text": "x"}', "line 2: a JSON object with 'id' and 'text' is needed (genre"),
        ("half a li", "line 2: a JSON object"),
        ('{"id": "ferry", "genre": "news", "text": "x"}', "2 documents with the id 'ferry'"),
        ('{"id": "a", "text": "x"}', "line 2: no genre is named there"),
        ('{"id": "a", "genre": "news", "text": "\\u0000"}', "line 2: the text has a NUL"),
    ],
)
def test_what_is_no_document_is_named_and_nothing_is_written(tmp_path: Path, line: str, told: str) -> None:
    path = write(tmp_path / "bad.jsonl", {"id": "ferry", "genre": "news", "text": FERRY})
    with path.open("a", encoding="utf-8") as file:
        file.write(line)
    refused = contexts(tmp_path, path)
    assert (refused.exit_code, told in refused.stderr) == (2, True), refused.stderr
    assert not (tmp_path / "contexts.jsonl").exists()


def test_what_leaves_nothing_to_choose_is_an_error(tmp_path: Path, tales: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "latin.jsonl").write_bytes(b"\xff\xfe")
    for refused, told in (
        (contexts(tmp_path, tales, questions=" \n\n"), "holds no questions"),
        (contexts(tmp_path, tales, questions="Xyzzy?"), "None of the 2 passages that are left has a word"),
        (
            contexts(tmp_path, tales, more=("--max-chars", "300")),
            "None of the 2 documents has whole sentences of 250 to",
        ),
        (contexts(tmp_path, tales, more=("--min-chars", "700")), "--min-chars 700 is more than --max-chars 600"),
        (contexts(tmp_path, tales, more=("--genre", "Sci Fi")), "'Sci Fi' was given"),
        (contexts(tmp_path, tmp_path / "empty", more=("--genre", "news")), "holds no .txt files"),
        (contexts(tmp_path, tmp_path / "latin.jsonl"), "cannot be read"),
        (contexts(tmp_path, tales, more=("--not-in", str(tmp_path / "empty"))), "holds no campaign.db"),
    ):
        assert (refused.exit_code, told in refused.stderr) == (2, True), refused.stderr
        assert "Traceback" not in refused.stderr
        assert not (tmp_path / "contexts.jsonl").exists()
