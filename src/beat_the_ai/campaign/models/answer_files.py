"""Models' answers in files, whichever command wrote them: `rescore`, or `adversary predict`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from beat_the_ai.campaign.models.rescoring import all_rescored, is_rescored, kept_answers, read_rescored
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.answers import read_answers
from beat_the_ai.rules.answers import KeptAnswers

OPTION = "--answers"


def read_answer_files(sources: Iterable[str]) -> list[KeptAnswers]:
    """Return the answers in files, or in folders of `rescore`; `NAME=FILE` names the model of a file.

    Answers under the same name are one model's; of two to the same work the first stands. Raises `InvalidInput`.
    """
    found: dict[str, KeptAnswers] = {}
    for source in sources:
        for each in _answers(source):
            before = found.get(each.label)
            answers = each.answers if before is None else {**each.answers, **before.answers}
            found[each.label] = KeptAnswers(each.model, each.label, answers)
    return list(found.values())


def _answers(source: str) -> list[KeptAnswers]:
    name, path = ("", Path(source)) if Path(source).exists() else _named(source)
    if path.is_dir():
        if not (rescored := all_rescored(path)):
            raise InvalidInput(OPTION, f"{path} holds no answers of `rescore`. Name such a folder, or a file.")
        return kept_answers(rescored)
    if is_rescored(path):
        [kept] = kept_answers([read_rescored(path)])
        return [KeptAnswers(kept.model, name or kept.label, kept.answers)]
    return [KeptAnswers(name or path.stem, name or path.stem, read_answers(path, OPTION))]


def _named(source: str) -> tuple[str, Path]:
    name, _, path = source.partition("=")
    if not name or not path or not Path(path).exists():
        raise InvalidInput(OPTION, f"{source!r} is no file and no folder. Name one, or NAME=FILE.")
    return name, Path(path)
