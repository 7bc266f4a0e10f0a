"""Signs of cheating in what a worker wrote, for reviewers to judge. Nothing is ever rejected because of them.

Each function looks at one sign and gives back items for people to read; all are pure. Every sign has honest causes: two
people may write the same of a text, dictation presses no keys, names look like gibberish. `detail` may quote what
workers wrote: it is hostile text like all of theirs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from beat_the_ai.rules.kind import Words, Writing
from beat_the_ai.rules.registry import bind
from beat_the_ai.rules.text import folded
from beat_the_ai.store import Assignment, AttemptInCampaign, Store, Telemetry
from beat_the_ai.workforce.likeness import LIKE, Likeness, tokens
from beat_the_ai.workforce.spelling import Spelling

COPIED_SHARE = 0.7  # of an entry's words, in runs of at least COPIED_RUN that stand in the context like that
COPIED_RUN = 5
GIBBERISH_SHARE = 0.5  # of an entry's letters, in words that no context would have
PASTED_SHARE = 0.5  # of an entry's characters
PASTED_CHARS = 15
UNFINISHED = 0.5  # people forget the question mark, too
TYPED_SHARE = 0.25  # key presses per character
FASTEST_CHARS_PER_SECOND = 15.0  # 180 words a minute
FASTEST_WORDS_PER_SECOND = 10.0  # of reading: skimming, at two to three times what people read


@dataclass(frozen=True)
class Entry:
    """What one attempt typed, and what it chose with it (`Writing.typed`, `Writing.chosen`)."""

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


def evidence_for(store: Store, campaign_id: str, assignments: Collection[str]) -> dict[str, list[Evidence]]:
    """`{assignment: what was found}`, the strongest first; compared with all that was written before."""
    kind = bind(store.campaigns.get(campaign_id).kind_place)
    words = kind.words
    rows = sorted(store.attempts.of_campaign(campaign_id), key=lambda row: (row.attempt.created_at, row.attempt.id))
    wanted = [row for row in rows if row.assignment.id in assignments]
    spelling = Spelling.of({row.hit.context.id: row.hit.context.text for row in rows}.values())
    telemetry = store.attempts.telemetry(campaign_id)
    entries = {row.attempt.id: _entry(row, kind.writing) for row in rows}
    copies = near_copies(list(entries.values()), {row.attempt.id for row in wanted}, words)
    found: dict[str, list[Evidence]] = {assignment: [] for assignment in assignments}
    for one in store.attempts.confirmed(campaign_id):
        if one.id in found:
            of_hit = [row for row in wanted if row.assignment.id == one.id]
            context = of_hit[0].hit.context.text if of_hit else ""
            found[one.id] += effort(one, context, [entries[row.attempt.id] for row in of_hit], words)
    for row in wanted:
        entry = entries[row.attempt.id]
        found[row.assignment.id] += [
            *copies.get(row.attempt.id, []),
            *copied_context(entry, row.hit.context.text, words),
            *gibberish(entry, row.hit.context.text, spelling),
            *unfinished(entry),
            *typing(entry, telemetry.get(row.attempt.id), words),
        ]
    return {
        name: sorted(items, key=lambda item: (-item.strength, item.attempt_id or "")) for name, items in found.items()
    }


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
        detail = f"{len(entries)} {words.works} on a {words.context} of {length} words within {seconds:.0f} s"
        yield Evidence("rushed", None, 1 - seconds / least, detail)


def near_copies(entries: Sequence[Entry], wanted: Collection[str], words: Words) -> dict[str, list[Evidence]]:
    """For each attempt in `wanted`, the earlier entries that are nearly the same: its nearest of each kind."""
    likeness = Likeness([entry.text for entry in entries])
    found: dict[str, list[Evidence]] = {}
    for number, entry in enumerate(entries):
        if entry.attempt_id not in wanted:
            continue
        nearest: dict[str, Evidence] = {}
        for earlier, share in likeness.before(number, LIKE):
            item = _copy(entry, entries[earlier], share, words)
            nearest.setdefault(item.kind, item)
        if nearest:
            found[entry.attempt_id] = list(nearest.values())
    return found


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
    """What the page counted while the entry came to be; nothing where it counted nothing."""
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
