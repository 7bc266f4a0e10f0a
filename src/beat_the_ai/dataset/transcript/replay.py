"""Replaying a transcript: verdicts from predictions, and final statuses from votes, by the terms of each round."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from beat_the_ai.dataset.transcript.reading import HOSTILE, Changed, Fault, Read, object_of, shown
from beat_the_ai.rules.adjudication import Adjudication
from beat_the_ai.rules.checking import Checking
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Context, TaskItem
from beat_the_ai.rules.registry import bind
from beat_the_ai.rules.transcript import ATTEMPT, CAMPAIGN, ERASURE, ROUND, STANDING, VOTE
from beat_the_ai.store.discards import REVOKED

Fields = Mapping[str, Any]


class Replay:
    """The state to which a transcript leads, entry by entry: later entries replace earlier ones.

    `task` names the kind of task whose rules are replayed; None: they are not known here.
    """

    def __init__(self, name: str, task: str | None) -> None:
        self.verdicts = 0
        self.redacted: set[int] = set()
        self.campaign: Fields = {}
        self._name = name
        self._task = task
        self._erased: set[int] = set()
        self._kinds: dict[Any, Kind] = {}
        self._attempts: dict[str, tuple[int, str]] = {}
        self._votes: defaultdict[str, dict[tuple[str, Any], str]] = defaultdict(dict)
        self._all_votes: dict[tuple[str, Any], tuple[int, str]] = {}
        self._revoked: set[str] = set()

    def add(self, read: Read) -> Iterator[Fault]:
        """Take an entry in, and yield what is wrong with it."""
        entry = read.entry
        if entry.content is None:
            self.redacted.add(read.number)
            return
        try:
            yield from self._take(entry.type, object_of(entry.content, self._name, read.number), read)
        except Changed as error:
            yield error.fault
        except HOSTILE as error:
            yield self._fault(read, f"this {entry.type} cannot be understood ({type(error).__name__})")

    def end(self) -> Iterator[Fault]:
        """Yield what is wrong with the whole."""
        unexplained = self.redacted - self._erased
        if unexplained:
            yield Fault(self._name, "it says nothing, and no erasure names it", min(unexplained))

    @property
    def attempts(self) -> Mapping[str, tuple[int, str]]:
        """Return the last entry on each attempt by id: its number and its content."""
        return self._attempts

    @property
    def votes(self) -> Mapping[tuple[str, Any], tuple[int, str]]:
        """Return the last entry on each vote by HIT and position: its number and its content."""
        return self._all_votes

    def is_revoked(self, worker: object) -> bool:
        return worker in self._revoked

    def votes_on(self, attempt_id: str) -> list[Fields]:
        """Return the votes on an attempt that are nobody's who was revoked, and of no HIT that was set aside."""
        votes = [object_of(text, self._name) for text in self._votes[attempt_id].values()]
        return [each for each in votes if not each["set_aside"] and not self.is_revoked(each["worker"])]

    def kind(self, number: object) -> Kind | None:
        """Return the kind of task with the terms of a round, if they are known."""
        return self._kinds.get(number)

    @property
    def last_kind(self) -> Kind | None:
        """Return the kind of task with the terms of the round that came last."""
        return next(reversed(self._kinds.values()), None)

    def _take(self, of_type: str, content: Fields, read: Read) -> Iterator[Fault]:
        if of_type == CAMPAIGN:
            self.campaign = content
        elif of_type == ROUND and self._task is not None:
            self._kinds[content["round"]] = bind(self._task, content["options"], content["rules"], content["language"])
        elif of_type == STANDING:
            (self._revoked.add if content["standing"] == REVOKED else self._revoked.discard)(content["worker"])
        elif of_type == ATTEMPT:
            self._attempts[content["attempt_id"]] = read.number, str(read.entry.content)
            yield from self._verdict(content, read)
        elif of_type == VOTE:
            place = content["assignment"], content["position"]
            self._all_votes[place] = read.number, str(read.entry.content)
            if content["attempt_id"] is not None:
                self._votes[content["attempt_id"]][place] = str(read.entry.content)
        elif of_type == ERASURE:
            self._erased.update(content["entries"])

    def _verdict(self, content: Fields, read: Read) -> Iterator[Fault]:
        """Judge an attempt again."""
        kind = self.kind(content["round"])
        if kind is None:
            return
        writing, item = kind.writing, TaskItem(Context(content["context_id"], ""), content["prompt"])
        work = writing.work_type.model_validate(content["work"])
        prediction = writing.prediction_type.model_validate(content["prediction"])
        verdict = writing.judge(work, prediction, item)
        self.verdicts += 1
        if verdict.fooled is not content["fooled"]:
            by_rule, said = (("beaten" if each else "right") for each in (verdict.fooled, content["fooled"]))
            yield self._fault(read, f"by the rules the model was {by_rule}, and the verdict says {said}", content)
        scores = verdict.scores.model_dump(mode="json")
        for name, said in content["scores"].items():
            if said is not None and not _is_close(said, scores.get(name)):
                what = f"scores.{name} is {shown(said)}, and {shown(scores.get(name))} by the rules"
                yield self._fault(read, what, content)

    def _fault(self, read: Read, what: str, content: Fields | None = None) -> Fault:
        subject = "" if content is None else f"attempt {shown(content['attempt_id'])}"
        return Fault(self._name, what, read.number, subject)


def adjudicated(checking: Checking, row: Fields, counted: Sequence[Fields]) -> Adjudication:
    """Return what these votes on a row of attempts come to."""
    labels = [checking.vote_label(vote) for vote in counted]
    return checking.adjudicate(checking.author_label(row["work"]), checking.model_label(row["prediction"]), labels)


def _is_close(one: Any, other: Any) -> bool:
    numbers = isinstance(one, int | float) and isinstance(other, int | float)
    return math.isclose(one, other, rel_tol=1e-9) if numbers else bool(one == other)
