"""Signs of cheating in what a worker wrote, for reviewers to judge. Nothing is ever rejected because of them.

Each function looks at one sign and gives back items for people to read; all are pure. Every sign has honest causes: two
people may ask the same about a passage, dictation presses no keys, names look like gibberish. `detail` may quote what
workers wrote: it is hostile text like all of theirs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from beat_the_ai.rules.kind import Writing
from beat_the_ai.rules.registry import bind
from beat_the_ai.rules.text import folded
from beat_the_ai.store import Assignment, AttemptInCampaign, Store, Telemetry
from beat_the_ai.workforce.likeness import LIKE, Likeness, tokens
from beat_the_ai.workforce.spelling import Spelling

COPIED_SHARE = 0.7  # of a question's words, in runs of at least COPIED_RUN that stand in the passage like that
COPIED_RUN = 5
GIBBERISH_SHARE = 0.5  # of a question's letters, in words that no passage would have
PASTED_SHARE = 0.5  # of a question's characters
PASTED_CHARS = 15
UNFINISHED = 0.5  # people forget the question mark, too
TYPED_SHARE = 0.25  # key presses per character
FASTEST_CHARS_PER_SECOND = 15.0  # 180 words a minute
FASTEST_WORDS_PER_SECOND = 10.0  # of reading: skimming, at two to three times what people read


@dataclass(frozen=True)
class Question:
    """What one attempt typed, and what it chose for an answer."""

    attempt_id: str
    worker: str
    context_id: str
    text: str
    answer: str


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
    """`{assignment: what was found}`, the strongest first; compared with everything asked before in the campaign."""
    writing = bind(store.campaigns.get(campaign_id).task).writing
    rows = sorted(store.attempts.of_campaign(campaign_id), key=lambda row: (row.attempt.created_at, row.attempt.id))
    wanted = [row for row in rows if row.assignment.id in assignments]
    spelling = Spelling.of({row.hit.context.id: row.hit.context.text for row in rows}.values())
    telemetry = store.attempts.telemetry(campaign_id)
    asked = {row.attempt.id: _question(row, writing) for row in rows}
    copies = near_copies(list(asked.values()), {row.attempt.id for row in wanted})
    found: dict[str, list[Evidence]] = {assignment: [] for assignment in assignments}
    for one in store.attempts.confirmed(campaign_id):
        if one.id in found:
            of_hit = [row for row in wanted if row.assignment.id == one.id]
            context = of_hit[0].hit.context.text if of_hit else ""
            found[one.id] += effort(one, context, [asked[row.attempt.id] for row in of_hit])
    for row in wanted:
        question = asked[row.attempt.id]
        found[row.assignment.id] += [
            *copies.get(row.attempt.id, []),
            *copied_passage(question, row.hit.context.text),
            *gibberish(question, row.hit.context.text, spelling),
            *unfinished(question),
            *typing(question, telemetry.get(row.attempt.id)),
        ]
    return {
        name: sorted(items, key=lambda item: (-item.strength, item.attempt_id or "")) for name, items in found.items()
    }


def _question(row: AttemptInCampaign, writing: Writing[Any, Any, Any]) -> Question:
    work, context_id = row.attempt.work, row.hit.context.id
    return Question(row.attempt.id, row.assignment.worker, context_id, writing.typed(work), writing.chosen(work))


def effort(assignment: Assignment, context: str, questions: Sequence[Question]) -> Iterator[Evidence]:
    """A HIT that was handed in without a question, or sooner than anybody reads the passage and types the questions."""
    assert assignment.submitted_at is not None, "only what was handed in is looked at"
    seconds = (assignment.submitted_at - assignment.accepted_at).total_seconds()
    if not questions:
        yield Evidence("empty", None, 1.0, f"handed in after {seconds:.0f} s without a question")
        return
    words = len(context.split())
    characters = sum(len(question.text) for question in questions)
    least = words / FASTEST_WORDS_PER_SECOND + characters / FASTEST_CHARS_PER_SECOND
    if seconds < least:
        detail = f"{len(questions)} questions on a passage of {words} words within {seconds:.0f} s"
        yield Evidence("rushed", None, 1 - seconds / least, detail)


def near_copies(questions: Sequence[Question], wanted: Collection[str]) -> dict[str, list[Evidence]]:
    """For each attempt in `wanted`, the earlier questions that are nearly the same: its nearest of each kind."""
    likeness = Likeness([question.text for question in questions])
    found: dict[str, list[Evidence]] = {}
    for number, question in enumerate(questions):
        if question.attempt_id not in wanted:
            continue
        nearest: dict[str, Evidence] = {}
        for earlier, share in likeness.before(number, LIKE):
            item = _copy(question, questions[earlier], share)
            nearest.setdefault(item.kind, item)
        if nearest:
            found[question.attempt_id] = list(nearest.values())
    return found


def _copy(question: Question, earlier: Question, share: float) -> Evidence:
    if earlier.worker == question.worker:
        kind, whose = "repeats_own", "their own earlier question"
    elif earlier.context_id == question.context_id and _same_answer(question, earlier):
        kind, whose = "copies_account", "another account's question on this passage, with the same answer:"
    else:
        kind, whose = "repeats_other", "another worker's earlier question"
    detail = f"{share:.0%} like {whose} “{earlier.text}”"
    return Evidence(kind, question.attempt_id, share, detail, earlier.attempt_id)


def _same_answer(one: Question, two: Question) -> bool:
    return bool(one.answer) and folded(one.answer) == folded(two.answer)


def copied_passage(question: Question, passage: str) -> Iterator[Evidence]:
    """A question that is mostly a stretch of the passage."""
    words, source = tokens(question.text), tokens(passage)
    runs = {tuple(source[start : start + COPIED_RUN]) for start in range(len(source) - COPIED_RUN + 1)}
    copied: set[int] = set()
    for start in range(len(words) - COPIED_RUN + 1):
        if tuple(words[start : start + COPIED_RUN]) in runs:
            copied.update(range(start, start + COPIED_RUN))
    share = len(copied) / len(words) if words else 0.0
    if share >= COPIED_SHARE:
        detail = f"{share:.0%} of its words are a stretch of the passage"
        yield Evidence("copies_passage", question.attempt_id, share, detail)


def gibberish(question: Question, passage: str, spelling: Spelling) -> Iterator[Evidence]:
    """Words whose letters do not follow each other as they do in the passages; those of the passage are fine."""
    known = set(tokens(passage))
    words = [word for word in tokens(question.text) if word.isalpha()]
    odd = [word for word in words if word not in known and spelling.is_odd(word)]
    letters = sum(map(len, words))
    share = sum(map(len, odd)) / letters if letters else 0.0
    if share >= GIBBERISH_SHARE:
        yield Evidence("gibberish", question.attempt_id, share, f"unlikely words: {', '.join(odd[:5])}")


def unfinished(question: Question) -> Iterator[Evidence]:
    """A question that breaks off: it ends in a word."""
    if question.text[-1:].isalnum():
        yield Evidence("unfinished", question.attempt_id, UNFINISHED, "it ends without a question mark or a full stop")


def typing(question: Question, telemetry: Telemetry | None) -> Iterator[Evidence]:
    """What the page counted while the question came to be; nothing where it counted nothing."""
    if telemetry is None or not question.text:
        return
    length = len(question.text)
    if telemetry.pasted_chars >= max(PASTED_CHARS, PASTED_SHARE * length):
        share = min(1.0, telemetry.pasted_chars / length)
        detail = f"{telemetry.pasted_chars} characters pasted, in {telemetry.pastes} times, for a question of {length}"
        yield Evidence("pasted", question.attempt_id, share, detail)
    elif telemetry.keystrokes < TYPED_SHARE * length:
        share = 1 - telemetry.keystrokes / length
        detail = f"{telemetry.keystrokes} key presses for a question of {length} characters"
        yield Evidence("hardly_typed", question.attempt_id, share, detail)
    if telemetry.focused_seconds < length / FASTEST_CHARS_PER_SECOND:
        share = 1 - telemetry.focused_seconds * FASTEST_CHARS_PER_SECOND / length
        detail = f"{telemetry.focused_seconds:.1f} s on the page for a question of {length} characters"
        yield Evidence("fast", question.attempt_id, share, detail)
