"""Edits that broke the model, and a question as it was written (Wallace et al. 2019, §7, Figures 8 to 10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import cached_property
from itertools import groupby, pairwise

from beat_the_ai.analysis.cells import clustered_bar, clustered_cell, clustered_words
from beat_the_ai.analysis.drawings import bars, lines
from beat_the_ai.analysis.marked import marked
from beat_the_ai.analysis.revision import Revision
from beat_the_ai.kinds.quizbowl.answers import page_title
from beat_the_ai.kinds.quizbowl.guesses import Evidence
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.rules.drafts import AnsweredDraft
from beat_the_ai.rules.protocol import Json
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.section import Section, Table

MOST_EDITS = 10
MOST_DRAFTS = 100
NEVER = "never"
STRONGEST = 2 / 3  # the least saliency of the strongest of three shades on the author's page


class Effect(Enum):
    """The effect of an edit on the model's best guess at the end, and on the word at which it is first right."""

    BROKE = "turned a right guess wrong"
    LATER = "right all the same, but later"
    SAME = "right as early as before"
    EARLIER = "right, and earlier"
    MENDED = "turned a wrong guess right"
    WRONG = "wrong before and after"


BREAKS = (Effect.BROKE, Effect.LATER)


@dataclass(frozen=True)
class Draft:
    """A question as far as it was written, and what the model said of it, as it is stored: there may be very many."""

    ordinal: int
    text: str
    answer: str
    prediction: Json
    model_hash: str | None
    at: datetime

    @classmethod
    def of(cls, seen: AnsweredDraft) -> Draft:
        text, answer = seen.draft["text"], seen.draft["answer"]
        return cls(seen.ordinal, text, answer, seen.prediction, seen.model_hash, seen.at)

    @cached_property
    def words(self) -> list[str]:
        return self.text.split()

    @property
    def guess(self) -> str:
        """Return the name of the best guess at the end, with a sign for whether it is right."""
        turns = self.prediction["turns"]
        return f"{page_title(turns[-1]['page'])} {'✓' if self.is_right else '✗'}" if turns else "none ✗"

    @property
    def is_right(self) -> bool:
        turns = self.prediction["turns"]
        return bool(turns) and bool(turns[-1]["page"] == self.answer)

    @property
    def first_right(self) -> int | None:
        return next((turn["word"] for turn in self.prediction["turns"] if turn["page"] == self.answer), None)

    @property
    def evidence(self) -> list[Evidence]:
        return [Evidence.model_validate(each) for each in self.prediction["evidence"]]


@dataclass(frozen=True)
class Edit:
    """Two drafts of a question with the same answer, one after the other, of which one model has said something."""

    assignment: str
    before: Draft
    after: Draft

    @cached_property
    def revision(self) -> Revision:
        return Revision(self.before.words, self.after.words)

    @cached_property
    def moved(self) -> int:
        """Return how many words later the best guess is first right, beyond those that the edit put in before it."""
        first, then = self.before.first_right, self.after.first_right
        return 0 if first is None or then is None else then - self.revision.place_after(first)

    @cached_property
    def effect(self) -> Effect:
        if not self.before.is_right:
            return Effect.MENDED if self.after.is_right else Effect.WRONG
        if not self.after.is_right:
            return Effect.BROKE
        if self.moved == 0:
            return Effect.SAME
        return Effect.LATER if self.moved > 0 else Effect.EARLIER

    @property
    def rank(self) -> tuple[bool, int, int, str, int]:
        """Order breaks: a guess that is wrong now, then the farthest move, then the fewest words that changed."""
        broke = self.effect is Effect.BROKE
        return not broke, 0 if broke else -self.moved, self.revision.words, self.assignment, self.after.ordinal

    @property
    def evidence(self) -> Evidence | None:
        """Return the evidence of the guess before for the first sentence with a marked word that went."""
        places = words(self.before.text)
        gone = [places[word] for word in self._gone]
        return next(
            (
                each
                for each in self.before.evidence
                if any(mark.start < place.end and place.start < mark.end for mark in each.matches for place in gone)
            ),
            None,
        )

    @property
    def is_direct(self) -> bool | None:
        """Return whether a word went that the author saw marked: by evidence, or in the strongest shade by saliency.

        None where the model showed neither.
        """
        shades = self.before.prediction["saliency"]
        if self.before.prediction["evidence"]:
            return self.evidence is not None
        return any(shades[word] >= STRONGEST for word in self._gone) if shades else None

    @property
    def _gone(self) -> list[int]:
        return [word for each in self.revision.changes for word in range(each.start, each.end)]


def edit_sections(seen: Iterable[AnsweredDraft]) -> list[Section]:
    """Return the sections on drafts in the order in which they came; nothing where no draft was changed."""
    effects, marks = list[tuple[Effect, str]](), Clustered()
    shown = list[Edit]()
    longest: tuple[Edit, list[Draft]] | None = None
    for assignment, drafts in _questions(seen):
        edits = list(_edits(assignment, drafts))
        effects += ((edit.effect, assignment) for edit in edits)
        breaks = [edit for edit in edits if edit.effect in BREAKS]
        for edit in breaks:
            if edit.is_direct is not None:
                marks.add(assignment, edit.is_direct)
        if breaks:
            best = min(breaks, key=lambda edit: edit.rank)
            if longest is None or best.rank < longest[0].rank:
                longest = best, drafts
            shown = sorted([*shown, best], key=lambda edit: edit.rank)[:MOST_EDITS]
    if not effects:
        return []
    found = [_effects(effects, marks)]
    if shown:
        found.append(_broken(shown))
    return found if longest is None else [*found, _written(*longest)]


def _questions(seen: Iterable[AnsweredDraft]) -> Iterator[tuple[str, list[Draft]]]:
    """Yield each question's drafts, without those that leave the words before as they were."""
    for (assignment, _), of_question in groupby(seen, key=lambda each: (each.assignment, each.attempt)):
        drafts = list[Draft]()
        for draft in map(Draft.of, of_question):
            if not drafts or draft.words != drafts[-1].words:
                drafts.append(draft)
        yield assignment, drafts


def _edits(assignment: str, drafts: Sequence[Draft]) -> Iterator[Edit]:
    for before, after in pairwise(drafts):
        if (before.answer, before.model_hash) == (after.answer, after.model_hash):
            yield Edit(assignment, before, after)


def _effects(effects: Sequence[tuple[Effect, str]], marks: Clustered) -> Section:
    """Return what edits did. `effects` have the HIT of each edit."""
    shares = Clustered.of_things((effect for effect, _ in effects), (hit for _, hit in effects), Effect)
    rows = [(effect.value, clustered_cell(share)) for effect, share in shares.items()]
    drawn = clustered_words((next(iter(shares.values())), "HITs"))
    text = (
        f"Of {len(effects):,} edits between drafts that the model saw, of questions that count, whether they are in "
        "the dataset or not: what became of its best guess at the end, and of the word at which it is first right, "
        "beyond the words that were put in before. Of those that turned a right guess wrong or made it late, so many "
        "changed a word that the author saw marked, by evidence or in the strongest shade, where "
        "the model showed either: "
        f"{clustered_cell(marks)}. In the paper that often is enough (§7). {drawn}"
    )
    plot = bars([clustered_bar(effect.value, share) for effect, share in shares.items()], "What edits did")
    return Section("Edits and the model", text, Table(("the best guess", "edits"), rows), plot, "§7")


def _broken(edits: Sequence[Edit]) -> Section:
    text = (
        "What went and what came, with the guesses before and after. Edits that turned a right guess wrong come first, "
        "then those that moved the word at which it is first right the farthest; of each question the strongest edit "
        f"alone, at most {MOST_EDITS}. The evidence is that of the guess before, for a sentence of which a marked word "
        "went. The last column is the HIT and the draft, as in the table of edits."
    )
    header = ("edit", "guess before", "guess after", "first right at word", "evidence before", "HIT, draft")
    rows = [
        (
            edit.revision.shown(),
            edit.before.guess,
            edit.after.guess,
            f"{edit.before.first_right or NEVER} → {edit.after.first_right or NEVER}",
            _snippet(edit.evidence),
            f"{edit.assignment}, {edit.after.ordinal}",
        )
        for edit in edits
    ]
    return Section("Edits that broke the model", text, Table(header, rows), source="Figures 8 and 10, Table 5")


def _snippet(evidence: Evidence | None) -> str:
    if evidence is None:
        return "–"
    return marked(evidence.text, [(mark.start, mark.end) for mark in evidence.highlights])


def _written(edit: Edit, drafts: Sequence[Draft]) -> Section:
    """Return the question of the first of the edits that broke the model, draft by draft."""
    shown = drafts[:MOST_DRAFTS]
    began = drafts[0].at
    rows = [
        (
            f"{draft.ordinal}",
            f"{(draft.at - began).total_seconds():,.0f}",
            f"{len(draft.words):,}",
            f"{draft.first_right or NEVER}",
            draft.guess,
        )
        for draft in shown
    ]
    text = (
        f"The question of the first edit above, in the HIT {edit.assignment}: its length, and the word at which the "
        "best guess is first right, which has a gap where it never is. Drafts that change no word are left out"
        f"{f', and all after the first {MOST_DRAFTS}' if len(drafts) > MOST_DRAFTS else ''}."
    )
    drawn: dict[str, list[float | None]] = {
        "length of the question, in words": [float(len(draft.words)) for draft in shown],
        "word at which the guess is first right": [draft.first_right for draft in shown],
    }
    plot = lines(drawn, "A question as it was written", "drafts, in their order")
    header = ("draft", "seconds since the first", "words", "first right at word", "best guess")
    return Section("A question as it was written", text, Table(header, rows), plot, "Figure 9")
