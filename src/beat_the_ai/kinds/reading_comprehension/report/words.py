"""Words of questions: tokens, kinds of question, and the longest run that a question copies from its passage."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_TOKEN = re.compile(r"\w+")

# The kinds of question that Bartolo et al. 2020 (Figure 6, §3.4) tell apart, "in" ("In what year ...") among them.
WH_WORDS = ("what", "who", "how", "when", "which", "where", "why", "in")
OTHER = "other"
_FORMS = {"whom": "who", "whose": "who"}


def tokens(text: str) -> list[str]:
    """Runs of letters, digits and underscores, lower-cased."""
    return _TOKEN.findall(text.lower())


def count_words(text: str) -> int:
    """Return the number of words between white space, as Table 4 counts them."""
    return len(text.split())


def wh_word(question: str) -> str:
    """Return the kind of a question by its first token; `OTHER` for one that begins with another word."""
    first = next(iter(tokens(question)), "")
    first = _FORMS.get(first, first)
    return first if first in WH_WORDS else OTHER


class PassageOverlap:
    """The longest common n-gram of one passage and any number of questions (Table 4, Figure 4)."""

    def __init__(self, passage: str) -> None:
        self._matcher: SequenceMatcher[str] = SequenceMatcher(autojunk=False)
        self._matcher.set_seq2(tokens(passage))  # indexed once

    def longest(self, question: str) -> int:
        """Return the length, in tokens, of the longest run of tokens that both have."""
        self._matcher.set_seq1(tokens(question))
        return self._matcher.find_longest_match().size
