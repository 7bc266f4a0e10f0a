"""Signs of cheating in what a worker wrote, for reviewers to judge. Nothing is ever rejected because of them.

Each function looks at one sign and gives back items for people to read; all are pure. Every sign has honest causes: two
people may write the same of a text, dictation presses no keys, names look like gibberish. `detail` may quote what
workers wrote: it is hostile text like all of theirs.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from beat_the_ai.rules.kind import Words, Writing
from beat_the_ai.rules.stage import Stage
from beat_the_ai.rules.text import folded
from beat_the_ai.store import Assignment, AttemptInCampaign, Telemetry, WrittenWork
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce.spelling import Spelling
from beat_the_ai.workforce.tokens import tokens

COPIED_SHARE = 0.7  # of an entry's words, in runs of at least COPIED_RUN that stand in the context like that
COPIED_RUN = 5
GIBBERISH_SHARE = 0.5  # of an entry's letters, in words that no context would have
PASTED_SHARE = 0.5  # of an entry's characters
PASTED_CHARS = 15
UNFINISHED = 0.5  # people forget the question mark, too
TYPED_SHARE = 0.25  # key presses per character
FASTEST_CHARS_PER_SECOND = 15.0  # 180 words a minute
STORED_WITHIN = timedelta(minutes=15)
FASTEST_WORDS_PER_SECOND = 10.0  # of reading: skimming, at two to three times what people read


@dataclass(frozen=True)
class Entry:
    """The typed text of one attempt, and its choice (`Writing.typed`, `Writing.chosen`)."""

    attempt_id: str
    worker: str
    context_id: str
    text: str
    choice: str


@dataclass(frozen=True)
class Evidence:
    """One sign in one attempt, or in a whole HIT, where `attempt_id` is None.

    `strength` is a share from 0 to 1; `other` is the attempt that this one is like.
    """

    kind: str
    attempt_id: str | None
    strength: float
    detail: str
    other: str | None = None


def evidence_for(campaign: BoundCampaign, assignments: Collection[str]) -> dict[str, list[Evidence]]:
    """`{assignment: what was found}`, the strongest first; compared with all that was written before."""
    return Signs(campaign).of(assignments)


class Signs:
    """The evidence of `evidence_for`, for a process that is asked repeatedly: it reads each work only once.

    Safe to use from threads. It keeps nothing that cannot be read again: an index of the typed texts, without the
    texts.
    """

    def __init__(self, campaign: BoundCampaign) -> None:
        kind = campaign.kind
        self._store = campaign.store
        self._campaign_id = campaign.id
        self._words: Words = kind.words
        self._writing: Writing[Any, Any, Any] = kind.writing
        self._written = Written(campaign)
        self._spelling: tuple[int, Spelling] | None = None
        self._lock = threading.Lock()

    def of(self, assignments: Iterable[str]) -> dict[str, list[Evidence]]:
        """`{assignment: what was found}` of all of these, the strongest first."""
        with self._lock:
            return self._of(list(assignments))

    def _of(self, assignments: Sequence[str]) -> dict[str, list[Evidence]]:
        attempts, words = self._store.attempts, self._words
        rows = attempts.of_hits(self._campaign_id, assignments)
        entries = {row.attempt.id: _entry(row, self._writing) for row in rows}
        telemetry = attempts.telemetry_of(entries)
        found: dict[str, list[Evidence]] = {assignment: [] for assignment in assignments}
        for one in self._store.assignments.confirmed(self._campaign_id, Stage.WRITING, among=assignments):
            of_hit = [row for row in rows if row.assignment.id == one.id]
            context = of_hit[0].hit.context.text if of_hit else ""
            found[one.id] += effort(one, context, [entries[row.attempt.id] for row in of_hit], words)
        if rows:
            spelling = self._learnt()
            self._written.catch_up(rows)
        for row in rows:
            entry, context = entries[row.attempt.id], row.hit.context.text
            found[row.assignment.id] += [
                *self._written.copies(entry, words),
                *copied_context(entry, context, words),
                *gibberish(entry, context, spelling),
                *unfinished(entry),
                *typing(entry, telemetry.get(row.attempt.id), words),
            ]
        return {
            name: sorted(items, key=lambda item: (-item.strength, item.attempt_id or ""))
            for name, items in found.items()
        }

    def _learnt(self) -> Spelling:
        """From all contexts that the campaign offers."""
        number = self._store.campaigns.number_of_contexts(self._campaign_id)
        if self._spelling is None or self._spelling[0] != number:
            contexts = self._store.campaigns.contexts(self._campaign_id).values()
            texts = (context.text for of_round in contexts for context in of_round)
            self._spelling = number, Spelling.of(texts)
        return self._spelling[1]


class Written:
    """The works of a campaign up to the last update, for comparison with later works."""

    def __init__(self, campaign: BoundCampaign) -> None:
        self._store = campaign.store
        self._campaign_id = campaign.id
        self._writing = campaign.kind.writing
        from beat_the_ai.workforce.likeness import Likeness  # numpy takes a tenth of a second, where nobody reviews

        self._likeness = Likeness()
        self._numbers: dict[str, int] = {}
        self._attempts: list[tuple[datetime, str]] = []
        self._latest: datetime | None = None
        self._workers: list[str] = []
        self._contexts: list[str] = []

    def catch_up(self, rows: Iterable[AttemptInCampaign]) -> None:
        """Read what is new, an attempt is stored soon after it is made; and take in these, whenever they were made."""
        since = None if self._latest is None else self._latest - STORED_WITHIN
        late = (
            WrittenWork(
                row.attempt.id, row.attempt.created_at, row.assignment.worker, row.hit.context.id, row.attempt.work
            )
            for row in rows
        )
        self._likeness.add(self._texts(chain(self._store.attempts.written(self._campaign_id, since), late)))

    def _texts(self, written: Iterable[WrittenWork]) -> Iterator[str]:
        for one in written:
            if one.attempt_id not in self._numbers:
                self._numbers[one.attempt_id] = len(self._numbers)
                self._attempts.append((one.created_at, one.attempt_id))
                self._latest = one.created_at if self._latest is None else max(self._latest, one.created_at)
                self._workers.append(sys.intern(one.worker))
                self._contexts.append(sys.intern(one.context_id))
                yield self._writing.typed(one.work)

    def copies(self, entry: Entry, words: Words) -> list[Evidence]:
        """Return evidence of copying from earlier works, for an entry up to the last update."""
        return near_copies(entry, self._alike(self._numbers[entry.attempt_id]), words)

    def _alike(self, number: int) -> Iterator[tuple[Entry, float]]:
        """Earlier entries; those that can be of no other kind than a nearer one are passed over, and not read."""
        seen = set[bool | None]()
        alike = sorted(self._likeness.like(number), key=lambda pair: (-pair[1], self._attempts[pair[0]]))
        for other, share in alike:
            if self._attempts[other] < self._attempts[number]:
                is_own = self._workers[other] == self._workers[number]
                relation = is_own or (None if self._contexts[other] == self._contexts[number] else False)
                if relation is None or relation not in seen:
                    seen.add(relation)
                    yield self._entry(other), share

    def _entry(self, number: int) -> Entry:
        name = self._attempts[number][1]
        work = self._store.works.texts([name])[name]
        typed, chosen = self._writing.typed(work), self._writing.chosen(work)
        return Entry(name, self._workers[number], self._contexts[number], typed, chosen)


def _entry(row: AttemptInCampaign, writing: Writing[Any, Any, Any]) -> Entry:
    work, context_id = row.attempt.work, row.hit.context.id
    return Entry(row.attempt.id, row.assignment.worker, context_id, writing.typed(work), writing.chosen(work))


def effort(assignment: Assignment, context: str, entries: Sequence[Entry], words: Words) -> Iterator[Evidence]:
    """A HIT that was handed in empty, or sooner than anybody reads the context and types what is in it."""
    assert assignment.submitted_at is not None, "only what was handed in is looked at"
    seconds = (assignment.submitted_at - assignment.accepted_at).total_seconds()
    if not entries:
        yield Evidence("empty", None, 1.0, f"handed in after {seconds:.0f} s without a {words.work}")
        return
    length = len(context.split())
    characters = sum(len(entry.text) for entry in entries)
    least = length / FASTEST_WORDS_PER_SECOND + characters / FASTEST_CHARS_PER_SECOND
    if seconds < least:
        works = words.work if len(entries) == 1 else words.works
        detail = f"{len(entries)} {works} on a {words.context} of {length} words within {seconds:.0f} s"
        yield Evidence("rushed", None, 1 - seconds / least, detail)


def near_copies(entry: Entry, alike: Iterable[tuple[Entry, float]], words: Words) -> list[Evidence]:
    """The nearest of each kind among `(earlier entry, similarity)`, which come with the most similar first."""
    nearest: dict[str, Evidence] = {}
    for earlier, share in alike:
        item = _copy(entry, earlier, share, words)
        nearest.setdefault(item.kind, item)
    return list(nearest.values())


def _copy(entry: Entry, earlier: Entry, share: float, words: Words) -> Evidence:
    if earlier.worker == entry.worker:
        kind, whose = "repeats_own", f"their own earlier {words.work}"
    elif earlier.context_id == entry.context_id and _same_choice(entry, earlier):
        kind, whose = "copies_account", f"another account's {words.work} on this {words.context}, with the same choice:"
    else:
        kind, whose = "repeats_other", f"another worker's earlier {words.work}"
    detail = f"{share:.0%} like {whose} “{earlier.text}”"
    return Evidence(kind, entry.attempt_id, share, detail, earlier.attempt_id)


def _same_choice(one: Entry, two: Entry) -> bool:
    return bool(one.choice) and folded(one.choice) == folded(two.choice)


def copied_context(entry: Entry, context: str, words: Words) -> Iterator[Evidence]:
    """An entry that is mostly a stretch of the context."""
    own, source = tokens(entry.text), tokens(context)
    runs = {tuple(source[start : start + COPIED_RUN]) for start in range(len(source) - COPIED_RUN + 1)}
    copied: set[int] = set()
    for start in range(len(own) - COPIED_RUN + 1):
        if tuple(own[start : start + COPIED_RUN]) in runs:
            copied.update(range(start, start + COPIED_RUN))
    share = len(copied) / len(own) if own else 0.0
    if share >= COPIED_SHARE:
        detail = f"{share:.0%} of its words are a stretch of the {words.context}"
        yield Evidence("copies_context", entry.attempt_id, share, detail)


def gibberish(entry: Entry, context: str, spelling: Spelling) -> Iterator[Evidence]:
    """Words whose letters do not follow each other as they do in the contexts; those of its own are fine."""
    known = set(tokens(context))
    words = [word for word in tokens(entry.text) if word.isalpha()]
    odd = [word for word in words if word not in known and spelling.is_odd(word)]
    letters = sum(map(len, words))
    share = sum(map(len, odd)) / letters if letters else 0.0
    if share >= GIBBERISH_SHARE:
        yield Evidence("gibberish", entry.attempt_id, share, f"unlikely words: {', '.join(odd[:5])}")


def unfinished(entry: Entry) -> Iterator[Evidence]:
    """An entry that breaks off: it ends in a word."""
    if entry.text[-1:].isalnum():
        yield Evidence("unfinished", entry.attempt_id, UNFINISHED, "it ends without a question mark or a full stop")


def typing(entry: Entry, telemetry: Telemetry | None, words: Words) -> Iterator[Evidence]:
    """Yield the page's counts of the entry's making; nothing where it counted nothing."""
    if telemetry is None or not entry.text:
        return
    length = len(entry.text)
    if telemetry.pasted_chars >= max(PASTED_CHARS, PASTED_SHARE * length):
        share = min(1.0, telemetry.pasted_chars / length)
        detail = (
            f"{telemetry.pasted_chars} characters pasted, in {telemetry.pastes} times, for a {words.work} of {length}"
        )
        yield Evidence("pasted", entry.attempt_id, share, detail)
    elif telemetry.keystrokes < TYPED_SHARE * length:
        share = 1 - telemetry.keystrokes / length
        detail = f"{telemetry.keystrokes} key presses for a {words.work} of {length} characters"
        yield Evidence("hardly_typed", entry.attempt_id, share, detail)
    if telemetry.focused_seconds < length / FASTEST_CHARS_PER_SECOND:
        share = 1 - telemetry.focused_seconds * FASTEST_CHARS_PER_SECOND / length
        detail = f"{telemetry.focused_seconds:.1f} s on the page for a {words.work} of {length} characters"
        yield Evidence("fast", entry.attempt_id, share, detail)
