"""`contexts`: passages of documents that questions are about, to write on in a round."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import click

from beat_the_ai.contexts.documents import GENRE, read_documents
from beat_the_ai.contexts.draw import same_text
from beat_the_ai.contexts.passages import Passage, passages
from beat_the_ai.contexts.retrieval import best_for_each
from beat_the_ai.dataset.files import write_text
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.content import read_text
from beat_the_ai.terms.locate import campaign_store, main_campaigns


@click.command()
@click.argument(
    "documents", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="DOCUMENTS..."
)
@click.option(
    "--questions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="One a line; each gets the passage that is most like it.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="JSON Lines.")
@click.option("--genre", metavar="NAME", help="Of documents that name none, such as news.")
@click.option(
    "--not-in", "campaigns", multiple=True, metavar="CAMPAIGN", help="Without the contexts of all of its rounds."
)
@click.option("--min-chars", type=click.IntRange(1), default=250, show_default=True)
@click.option("--max-chars", type=click.IntRange(1), default=600, show_default=True)
def contexts(
    documents: tuple[Path, ...],
    questions: Path,
    out: Path,
    genre: str | None,
    campaigns: tuple[str, ...],
    min_chars: int,
    max_chars: int,
) -> None:
    """Cut DOCUMENTS into passages, and choose by TF-IDF the best for each question that no other question has.

    DOCUMENTS are JSON Lines with id, text, and perhaps title and genre, or folders of .txt files. Passages are whole
    sentences. What is chosen goes to --out as `contexts=FILE` of `launch` and `round open` takes it.
    """
    if min_chars > max_chars:
        raise InvalidInput("--min-chars", f"--min-chars {min_chars} is more than --max-chars {max_chars}.")
    if genre is not None and not re.match(GENRE, genre):
        raise InvalidInput("--genre", f"{genre!r} was given; a genre is a name of small letters, such as news.")
    asked = _questions(questions)
    read = read_documents(documents, genre)
    cut = [passage for document in read for passage in passages(document, min_chars, max_chars)]
    if not cut:
        raise InvalidInput(
            "DOCUMENTS",
            f"None of the {len(read):,} documents has whole sentences of {min_chars:,} to {max_chars:,} characters.",
        )
    known = _contexts_of(campaigns)
    chosen = list(best_for_each([passage.text for passage in cut], asked, _taken(cut, known)))
    rows = [_row(cut[place], question) for place, question in zip(chosen, asked, strict=True) if place is not None]
    if not rows:
        raise InvalidInput(
            "--questions",
            f"None of the {len(cut):,} passages that are left has a word of a question. Name other documents or "
            "questions.",
        )
    write_text(out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    click.echo(f"{out}: {len(rows):,} contexts out of {len(cut):,} passages of {len(read):,} documents.")
    if len(rows) < len(asked):
        click.echo(f"For {len(asked) - len(rows):,} of {len(asked):,} questions no passage was left.", err=True)


def _questions(path: Path) -> list[str]:
    lines = (line.strip() for line in read_text(path, "--questions").split("\n"))
    asked = [line for line in lines if line]
    if not asked:
        raise InvalidInput("--questions", f"{path} holds no questions; it has one a line.")
    return asked


def _contexts_of(campaigns: Sequence[str]) -> set[str]:
    """The texts that are on offer in them, whatever the round."""
    known = set()
    for campaign in campaigns:
        with campaign_store(campaign) as store:
            for one in main_campaigns(store):
                of_rounds = store.campaigns.contexts(one.id).values()
                known |= {same_text(context.text) for of_round in of_rounds for context in of_round}
    return known


def _taken(cut: Sequence[Passage], known: set[str]) -> set[int]:
    """Places of passages that are known, or stand before."""
    taken, seen = set(), set(known)
    for place, passage in enumerate(cut):
        text = same_text(passage.text)
        if text in seen:
            taken.add(place)
        seen.add(text)
    return taken


def _row(passage: Passage, question: str) -> dict[str, str]:
    document = passage.document
    return {
        "id": passage.id,
        "title": document.title,
        "genre": document.genre,
        "context": passage.text,
        "question": question,
    }
