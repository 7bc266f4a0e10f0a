"""Comparing the tables of an export with its transcript, row by row."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

from beat_the_ai.dataset.names import DISCARDED
from beat_the_ai.dataset.transcript.contents import text_hash
from beat_the_ai.dataset.transcript.examples import Kept
from beat_the_ai.dataset.transcript.reading import HOSTILE, Changed, Fault, object_of, shown
from beat_the_ai.dataset.transcript.replay import Fields, Replay, adjudicated
from beat_the_ai.dataset.transcript.rows import differences, rows, shown_vote, with_fields, without_nothing
from beat_the_ai.rules.adjudication import Adjudication, Validity

MODEL_RIGHT = "model_right"
OPEN = ("not_handed_in", "not_confirmed")  # why a row is in no transcript yet
_APART = {"context_sha256", "prompt", "doubted", "admitted", "set_aside"}  # in the transcript alone

# Reasons why an attempt is not in the dataset, each with what its entry says then.
_REASONS: Mapping[str, Callable[[Fields, Fields], bool]] = {
    "retracted": lambda entry, _: entry["retracted"],
    "set_aside": lambda entry, _: entry["set_aside"],
    "doubtful": lambda entry, _: entry["doubted"] and entry["admitted"] is None,
    "rejected": lambda entry, _: entry["doubted"] and entry["admitted"] is False,
    "invalid": lambda _, row: row.get("validation") == Validity.INVALID.value,
    "undecided": lambda _, row: row.get("validation") == Validity.UNDECIDED.value,
    "not_validated": lambda _, row: row.get("validation") is None,
    **{reason: lambda _entry, _row: False for reason in OPEN},  # what is in the transcript counts, or is set aside
}
_MAY_BE_VOTED_ON = (None, "not_validated", "unbalanced")
_OUT = ("retracted", "set_aside", "doubtful", "rejected", "invalid")  # with these it is never in the dataset


class TableCheck:
    """The check of one table against a transcript. `rows` counts those that were compared, `kept` has the examples."""

    def __init__(self, path: Path, name: str, replay: Replay) -> None:
        self.rows = 0
        self.adjudicated = 0
        self.kept: dict[str, Kept] = {}
        self._path = path
        self._name = name
        self._replay = replay

    def attempts(self) -> Iterator[Fault]:
        """Yield what is wrong with a table of attempts."""
        return self._faults(lambda row: row["attempt_id"], self._replay.attempts, "attempt", self._attempt)

    def votes(self) -> Iterator[Fault]:
        """Yield what is wrong with a table of votes."""
        return self._faults(lambda row: (row["assignment"], row["position"]), self._replay.votes, "vote", self._vote)

    def _faults(
        self,
        key_of: Callable[[Fields], Any],
        entries: Mapping[Any, tuple[int, str]],
        noun: str,
        compare: Callable[[Fields, Fields], Iterator[str]],
    ) -> Iterator[Fault]:
        seen: dict[Any, int] = {}
        try:
            for line, row in rows(self._path, self._name):
                key = key_of(row)
                subject = f"{noun} {shown(key)}"
                if key in seen:
                    yield Fault(self._name, f"it is in line {seen[key]}, too", line, subject)
                    continue
                seen[key] = line
                if key not in entries:
                    if row.get("dropped") not in OPEN:
                        yield Fault(self._name, "it is not in the transcript", line, subject)
                    continue
                number, content = entries[key]
                self.rows += 1
                for what in compare(object_of(content, self._name, line), row):
                    yield Fault(self._name, f"{what} (entry {number})", line, subject)
        except Changed as error:
            yield error.fault
            return
        except (*HOSTILE, OSError) as error:
            yield Fault(self._name, f"it cannot be understood ({type(error).__name__})", len(seen) + 1)
            return
        for key, (number, _) in entries.items():
            if key not in seen:
                yield Fault(self._name, f"it is missing here (entry {number})", None, f"{noun} {shown(key)}")

    def _attempt(self, entry: Fields, row: Fields) -> Iterator[str]:
        if text_hash(row["context"]) != entry["context_sha256"]:
            yield "its context is another text than in the transcript"
        yield from differences(entry, row, _APART)
        found = yield from self._adjudicated(row)
        yield from self._placed(
            entry, row, model_right=not entry["fooled"] or (found is not None and found.model_right)
        )
        if row["dropped"] is None:
            self.kept[entry["attempt_id"]] = Kept(row["part"], row["exclusive"], None if found is None else found.label)

    def _vote(self, entry: Fields, row: Fields) -> Iterator[str]:
        yield from differences(entry, row, _APART)
        if row["dropped"] in OPEN or (row["dropped"] == "set_aside") is not entry["set_aside"]:
            yield f"dropped is {shown(row['dropped'])}, which the transcript does not say"
        elif not entry["set_aside"] and (row["dropped"] == DISCARDED) is not self._replay.is_revoked(entry["worker"]):
            yield f"dropped is {shown(row['dropped'])}, and by the transcript its voter was, or was not, revoked"

    def _placed(self, entry: Fields, row: Fields, *, model_right: bool) -> Iterator[str]:
        """Compare the reason why it is not in the dataset, as far as that follows from the transcript."""
        dropped, kind = row["dropped"], self._replay.kind(entry["round"])
        is_so = {name: holds(entry, row) for name, holds in _REASONS.items()} | {MODEL_RIGHT: model_right}
        if dropped is not None:
            if not is_so.get(dropped, True):
                yield f"dropped is {shown(dropped)}, which does not follow from the transcript"
            return
        reasons = [name for name in _OUT if is_so[name]]
        if self._replay.is_revoked(entry["worker"]):
            reasons.append(DISCARDED)
        if model_right and kind is not None and row["part"] not in kind.dataset.parts_with_model_right:
            reasons.append(MODEL_RIGHT)
        if reasons:
            yield f"it is in the dataset, and by the transcript it is not ({reasons[0]})"

    def _adjudicated(self, row: Fields) -> Generator[str, None, Adjudication | None]:
        """Compare the votes with those in the transcript, and the final status with what they come to.

        Returns what they come to, if there are any.
        """
        kind = self._replay.kind(row["round"])
        cast, votes = row.get("votes") or [], self._replay.votes_on(row["attempt_id"])
        is_judged = row.get("validation") is not None or bool(cast)
        if kind is None or kind.checking is None or not (is_judged or (votes and row["dropped"] in _MAY_BE_VOTED_ON)):
            return None
        if sorted(map(shown_vote, cast)) != sorted(map(shown_vote, votes)):
            yield "its votes are not those in the transcript"
        if not is_judged:
            return None
        counted = [
            with_fields(kind.checking.vote_type, without_nothing(each["vote"])) for each in cast if each["counts"]
        ]
        found = adjudicated(kind.checking, row, counted)
        self.adjudicated += 1
        if found.validity.value != row["validation"]:
            yield f"validation is {shown(row['validation'])}, and by these votes {shown(found.validity.value)}"
        return found
