"""Rules that tell English questions and statements from other text: small words, openings, a list of words.

`english_words.txt` has the whole words of the shipped model's vocabulary (MiniLM's, Apache-2.0). All words here are in
lower case.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cache
from itertools import pairwise
from pathlib import Path

WORDS_FILE = Path(__file__).with_name("english_words.txt")
SMALL_SHARE = 0.15  # of the words of English text are small words at the least; mostly it is two in five
SHORTEST_SMALL_SHARE = 0.1  # in a question or a statement
SHORT_QUESTION = 3  # words
SHORT_STATEMENT = 4
FEWEST_WORDS_OF_ECHO = 6  # of a statement in which a word may be said twice in a row


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


QUESTION_WORDS = _words("what which who whom whose whos whats when whence where why how")
AUXILIARIES = _words(
    "am is are was were be been being do does did have has had can could will would shall should may might must"
)
ASKING = _words("who whom why how where")  # before an auxiliary; "What was there was old" is a statement
PRONOUNS = _words("i you he she it we they me him her us them this that these those")
INDEFINITE = _words("""
    somebody someone something somewhere nobody nothing nowhere everybody everyone everything everywhere
    anybody anyone anything anywhere never always often sometimes
    """)
SUBJECTS = PRONOUNS | INDEFINITE | _words("a an the there any every no some all")
DEMANDS = _words(
    "name list give identify tell state describe explain define find specify mention cite choose complete fill"
)
BLANK = "___"  # stands for the gap of "The capital is ____.", however long
SMALL_WORDS = (
    QUESTION_WORDS
    | AUXILIARIES
    | PRONOUNS
    | _words("""
    a an the each every all any some no both either neither many much few several more most
    other another same such not only also there here
    my your his its our their one
    about above across after against along among around as at before behind below beneath beside besides between
    beyond by despite down during except for from in inside into like near of off on onto out outside over past per
    regarding concerning amid since than through throughout till to toward towards under until up upon via with within
    without
    and or but nor so if then because while though although done doing having
    """)
)
# Of those that neither -ed nor -s gives away.
VERBS = _words("""
    ate beat became become began bent bet bit blew bore bought bound bred broke brought built burnt came cast caught
    chose clung cost crept cut dealt drank drew drove dug fed fell felt fled flew forgot fought found froze gave get go
    got grew held hid hit hung hurt keep kept knew laid lay led left lent let lit lost made make makes mean meant met
    own paid put ran rang read rode rose said sang sat saw say see sent set shone shook shot shut slept slid sold sought
    spent spoke spread spun stole stood struck stuck swam swept swore swung take taught think thought threw told took
    tore use want went wept win won wore wound write wrote
    """)
_VERB_ENDINGS = ("ed", "s", "ing")


@cache
def known_words() -> frozenset[str]:
    lines = WORDS_FILE.read_text(encoding="ascii").split("\n")
    return SMALL_WORDS | {line for line in lines if line and not line.startswith("#")}


def is_english(words: Sequence[str]) -> bool:
    """Return whether a text of these words is English, as far as its small words tell."""
    return sum(word in SMALL_WORDS for word in words) >= SMALL_SHARE * max(1, len(words))


def asks(clauses: Sequence[Sequence[str]], passage: Set[str]) -> bool:
    """Return whether words, by clause, make a question or a demand about a passage with these words.

    A question has a question word, or a clause that begins with an auxiliary or a demand. Content needs small words
    that hold it together, or else a verb and a word of the passage. Three words ("Who ruled last?") need the verb
    alone. A question without content needs somebody or something to ask about ("Who is he?").
    """
    words = [word for clause in clauses for word in clause]
    small = [word for word in words if word in SMALL_WORDS]
    content = [word for word in words if word not in SMALL_WORDS]
    if not content:
        return not (PRONOUNS.isdisjoint(words) or QUESTION_WORDS.isdisjoint(words))
    if SHORTEST_SMALL_SHARE * len(words) > len(small) or _repeats(words, passage):
        return False
    if all(word in QUESTION_WORDS for word in small):
        return bool(small) and _holds_without_small_words(words, passage)
    openings = {clause[0] for clause in clauses if clause}
    return not (QUESTION_WORDS.isdisjoint(words) and (AUXILIARIES | DEMANDS).isdisjoint(openings)) or BLANK in words


def _holds_without_small_words(words: Sequence[str], passage: Set[str]) -> bool:
    if len(words) <= SHORT_QUESTION and _may_be_verb(words[1]):
        return True
    return any(map(_may_be_verb, words[1:])) and not passage.isdisjoint(set(words) - SMALL_WORDS)


def _may_be_verb(word: str) -> bool:
    return word in VERBS or (len(word) > 3 and word.endswith(_VERB_ENDINGS))


def _repeats(words: Sequence[str], passage: Set[str]) -> int:
    """Count the words of content that stand twice in a row, and are no names of the passage such as "Mau Mau"."""
    return sum(one == two and one.isalpha() and one not in SMALL_WORDS | passage for one, two in pairwise(words))


def states(words: Sequence[str], passage: Set[str]) -> bool:
    """Say whether words may make a statement about a passage with these words.

    Small words hold them together, or else a verb and something of the passage, but for the shortest. Only one may be
    said twice in a row, as in "a long, long time".
    """
    small = sum(word in SMALL_WORDS or word in INDEFINITE for word in words)
    held = (
        len(words) < SHORT_STATEMENT
        or small >= SHORTEST_SMALL_SHARE * len(words)
        or (any(map(_may_be_verb, words)) and not passage.isdisjoint(set(words) - SMALL_WORDS))
    )
    return held and _repeats(words, passage) <= (len(words) >= FEWEST_WORDS_OF_ECHO)


def opens_as_question(words: Sequence[str]) -> bool:
    """Say whether words begin as a question does: "Is the …", "Why did …"."""
    first, second = words[:2] if len(words) > 1 else ("", "")
    return (first in AUXILIARIES and second in SUBJECTS) or (first in ASKING and second in AUXILIARIES)
