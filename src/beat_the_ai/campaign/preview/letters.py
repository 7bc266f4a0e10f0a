"""The states of a worker's page of results and letters, which the server writes: made-up mailboxes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone

from beat_the_ai.campaign.preview.words import own_folder
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.letters.app import BOARD, NO_DRAFT, Draft, mailbox_page, problem_page
from beat_the_ai.letters.board import BoardPage, BoardRow
from beat_the_ai.letters.box import JudgedHit, Mailbox, Results, ShutOut
from beat_the_ai.letters.saying import said, voice_in
from beat_the_ai.payments import Earnings
from beat_the_ai.rules.wins import WinRecord
from beat_the_ai.store import Letter
from beat_the_ai.store.letters import MESSAGE, REJECTION, LetterAnswer
from beat_the_ai.terms.crowd import CrowdTerms

NOON = datetime(2026, 3, 2, 12, tzinfo=timezone.utc)
WEEK = timedelta(days=7)
EMPTY = Mailbox(Results(0, 0, 0), Earnings(0, 0), True, (), None, (), answer_days=7)
JUDGED = (
    JudgedHit("a2", "The Lighthouse of Anstey", NOON, False, ("The question has two answers.",), NOON + WEEK),
    JudgedHit("a1", "The Ferry", NOON - WEEK, True, (), None),
)
LETTERS = tuple(
    Letter(f"letter-{number}", "", "", kind, "", text, NOON, NOON + WEEK, answer)
    for number, (kind, text, answer) in enumerate(
        (
            (MESSAGE, "When am I paid?", None),
            (MESSAGE, "May I write more?", LetterAnswer("ann", "Tomorrow there is more.", None, NOON)),
            (REJECTION, "Both answers are the same.", LetterAnswer("ann", "You are right.", True, NOON)),
            (REJECTION, "It is a question.", LetterAnswer("ann", "It is none.", False, NOON)),
        )
    )
)
AT_WORK = replace(EMPTY, results=Results(12, 40, 31), earnings=Earnings(2_400, 1_800), judged=JUDGED, letters=LETTERS)
RECORD = WinRecord(wins=31, streak=4, best=9)
ROWS = (BoardRow(1, "Owl", WinRecord(wins=40, streak=0, best=11), False), BoardRow(2, "Ant", RECORD, True))
BOARDED = BoardPage(RECORD, "Ant", ROWS, may_join=True, is_taken_off=False)


@dataclass(frozen=True)
class LetterState:
    """A state of the page; without a mailbox, a `problem`."""

    title: str
    mailbox: Mailbox | None = None
    draft: Draft = NO_DRAFT
    sent: str = ""
    problem: str = ""

    @property
    def id(self) -> str:
        return "letters-" + re.sub(r"[^a-z0-9]+", "-", self.title.lower())


@dataclass(frozen=True)
class _Campaign:
    id: str
    crowd: CrowdTerms


def letter_states() -> Iterator[LetterState]:
    """Yield the states of the page."""
    yield LetterState("nothing yet", EMPTY)
    yield LetterState("results, reviews and letters", AT_WORK)
    yield LetterState("a letter was sent", AT_WORK, sent="letter-0")
    yield LetterState("a letter was not kept", AT_WORK, Draft(problem=said("letters_refusals.not_yours")))
    yield LetterState("let in no more", replace(AT_WORK, shut_out=ShutOut("1", NOON, False, NOON + WEEK)))
    yield LetterState("a newcomer who was refused", replace(EMPTY, shut_out=ShutOut("1", NOON, True, None)))
    yield LetterState("the leader board", replace(AT_WORK, board=BOARDED), sent=BOARD)
    nobody = BoardPage(RECORD, None, (), may_join=True, is_taken_off=False)
    yield LetterState("an empty leader board", replace(AT_WORK, board=nobody), sent=BOARD)
    taken_off = replace(nobody, may_join=False, is_taken_off=True)
    yield LetterState("taken off the leader board", replace(AT_WORK, board=taken_off))
    yield LetterState("an address of nobody", problem=said("letters_refusals.nobody"))


def letters_page(settings: Settings, language: str, state: LetterState) -> bytes:
    """Return the page in a state, with the words of now."""
    voice = voice_in(language, own_folder(settings))
    if state.mailbox is None:
        return bytes(problem_page(voice, state.problem, 404).body)
    campaign = _Campaign(settings.name, settings.crowd)
    return bytes(mailbox_page(voice, state.mailbox, campaign, state.draft, state.sent).body)
