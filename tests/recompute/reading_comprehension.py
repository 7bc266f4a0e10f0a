"""Questions about passages (Bartolo et al. 2020)."""

from __future__ import annotations

import hashlib
import re
import string
from collections import Counter
from typing import Any

import pandas as pd

from tests.recompute.adversarialness import agreements_right, most_votes, was_right
from tests.recompute.artefacts import Chosen, Named, bag, trace
from tests.recompute.campaign import Kind, Section, drawn
from tests.recompute.cells import alpha, binned, clustered_figure, clustered_share, clustered_spread, label
from tests.recompute.files import Export
from tests.recompute.sentences import sentence_places

WH = ("what", "who", "how", "when", "which", "where", "why", "in")


def tokens(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def normal(answer: str) -> str:
    """As SQuAD's official script."""
    bare = "".join(char for char in answer.lower() if char not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def f1(one: str, other: str) -> float:
    first, second = Counter(normal(one).split()), Counter(normal(other).split())
    common = (first & second).total()
    return 2 * common / (first.total() + second.total()) if common else 0.0


def longest_common(question: list[str], passage: list[str]) -> int:
    """The longest run of tokens in both, by its length: is any run that long in the passage?"""
    for length in range(len(question), 0, -1):
        runs = {tuple(passage[start : start + length]) for start in range(len(passage) - length + 1)}
        if any(tuple(question[start : start + length]) in runs for start in range(len(question) - length + 1)):
            return length
    return 0


def sections(export: Export) -> dict[str, Section]:
    parts = {name: _figures(rows) for name, rows in export.examples.items()}
    parts["all"] = pd.concat(list(parts.values()))
    sizes = [[name, f"{rows['context'].nunique():,}", f"{len(rows):,}"] for name, rows in parts.items()]
    means = [
        [
            name,
            *(clustered_spread(rows[column], rows["context"]) for column in ("words", "answer_words", "overlap")),
        ]
        for name, rows in parts.items()
    ]
    of_passages = drawn(parts["all"]["context"], "passages")
    found = {
        "Passages and questions": Section(["part", "passages", "questions"], sizes),
        "Mean lengths and overlap": Section(
            ["part", "words per question", "words per answer", "longest n-gram overlap"], means, of_passages
        ),
        "Kinds of question": _categories(parts, "kind", [*WH, "other"]),
        "First three tokens": _beginnings(parts["all"]),
        "Examples": _examples(export),
        "Types of answer": _categories(parts, "type", [*RULES, "noun phrase", "other"]),
    }
    for title, unit, column in (
        ("Longest n-gram overlap", "tokens", "overlap"),
        ("Length of questions", "words", "words"),
        ("Length of answers", "words", "answer_words"),
    ):
        width, starts = binned(parts["all"][column])
        rows = [
            [
                label(start, width),
                *(clustered_share(of[column] // width * width == start, of["context"]) for of in parts.values()),
            ]
            for start in starts
        ]
        found[title] = Section([unit, *parts], rows, of_passages)
    return found


def _examples(export: Export) -> Section:
    """Return five of dev by the hashes of their ids; a passage is shown from a word before its answer to one after."""
    rows = export.examples["dev"] if len(export.examples["dev"]) else pd.concat(list(export.examples.values()))
    drawn = sorted(rows.to_dict("records"), key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest())[:5]
    return Section(["question", "passage, with the answer"], [[row["question"], _around(row)] for row in drawn])


def _around(row: dict[str, Any]) -> str:
    answer, start = row["answers"]["text"][0], row["answers"]["answer_start"][0]
    before, after = row["context"][:start], row["context"][start + len(answer) :]
    if len(before) > 120:
        before = "…" + re.sub(r"^[^ ]* ", "", before[-120:])
    if len(after) > 120:
        after = re.sub(r" [^ ]*$", "", after[:120]) + "…"
    return f"{before}[{answer}]{after}"


def _figures(rows: pd.DataFrame) -> pd.DataFrame:
    made = pd.DataFrame({name: rows.get(name, []) for name in ("context", "question", "answers")})
    answers = [each["text"][0] for each in made["answers"]]
    made["words"] = [len(each.split()) for each in made["question"]]
    made["answer_words"] = [len(each.split()) for each in answers]
    made["overlap"] = [
        longest_common(tokens(question), tokens(context))
        for question, context in zip(made["question"], made["context"], strict=True)
    ]
    made["kind"] = [first_word(each) for each in made["question"]]
    made["type"] = [answer_type(each) for each in answers]
    return made


def divisions(works: pd.DataFrame) -> dict[str, pd.Series]:
    """Return the groups of questions in English; there are none of others."""
    if not works["language"].map(lambda language: language.partition("-")[0] == "en").all():
        return {}
    return {
        "begins with": works["work"].map(lambda work: first_word(work["question"])),
        "type of answer": works["work"].map(lambda work: answer_type(work["answer"]["text"])),
    }


def first_word(question: str) -> str:
    first = (tokens(question) or [""])[0]
    first = {"whom": "who", "whose": "who"}.get(first, first)
    return first if first in WH else "other"


def _categories(parts: dict[str, pd.DataFrame], column: str, names: list[str]) -> Section:
    rows = [[name, *(clustered_share(of[column] == name, of["context"]) for of in parts.values())] for name in names]
    return Section(["", *parts], rows, drawn(parts["all"]["context"], "passages"))


def _beginnings(rows: pd.DataFrame) -> Section:
    first = rows["question"].map(lambda question: tuple(tokens(question)[:3]))
    found = Counter(read[:length] for read in first for length in range(1, len(read) + 1))
    ranked = sorted(found.items(), key=lambda one: (-one[1], one[0]))[:50]
    begun = {each: first.map(lambda read, each=each: read[: len(each)] == each) for each, _ in ranked}
    cells = [[" ".join(each), clustered_share(which, rows["context"])] for each, which in begun.items()]
    return Section(["beginning", "questions"], cells, drawn(rows["context"], "passages"))


CALENDAR = re.compile(
    "(January|February|March|April|May|June|July|August|September|October|November|December|"
    "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)s?"
)
ERA = re.compile("centur(y|ies)|decades?|bce?|ad|ce")
YEAR = re.compile(r"(1\d\d\d|20\d\d)s?|\d0s")
NUMBER = re.compile(
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    "eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|"
    "trillion|dozens?|half|third|quarter|twice|once|first|second"
)
BEFORE = re.compile(
    "about|around|over|under|nearly|almost|approximately|roughly|some|at|least|most|more|less|than|up|to|the|an?"
)
WITHIN = re.compile("of|the|and|for|in|on|at|de|la|le|von|van|der|den|di|da|du|del|al|el|et|und|y|to")
VERB = re.compile(
    "is|are|was|were|be|been|being|am|has|have|had|do|does|did|will|would|can|could|shall|should|may|might|must|cannot|"
    "not|that|which|who|because|if|when|while"
)
ENDING = re.compile(".*(ly|ous|ful|less|able|ible|ive|ical|ish|ant|ent|ary|ic|al|er|est)")


def _date(words: list[str]) -> bool:
    return any(CALENDAR.fullmatch(each) or ERA.fullmatch(each.lower()) or YEAR.fullmatch(each) for each in words)


def _number(words: list[str]) -> bool:
    first = ([each.lower() for each in words if not BEFORE.fullmatch(each.lower())] or [""])[0]
    return first[:1].isdigit() or bool(NUMBER.fullmatch(first.split("-")[0]))


def _name(words: list[str]) -> bool:
    telling = [each[0] for each in words if not WITHIN.fullmatch(each.lower())]
    return bool(telling) and all(each.isupper() or each.isdigit() for each in telling)


def _clause(words: list[str]) -> bool:
    lower = [each.lower() for each in words]
    verb_first = lower[0] == "to" or (len(lower) > 1 and lower[0].endswith(("ing", "ed")))
    return verb_first or any(map(VERB.fullmatch, lower))


def _adjective(words: list[str]) -> bool:
    return len(words) <= 2 and all(ENDING.fullmatch(each.lower()) for each in words)


RULES = {"date": _date, "number": _number, "name": _name, "verb or clause": _clause, "adjective or adverb": _adjective}


def answer_type(answer: str) -> str:
    words = re.findall(r"[^\W_]+(?:['’.-][^\W_]+)*", answer)
    if not words:
        return "other"
    return next((name for name, holds in RULES.items() if holds(words)), "noun phrase")


def _said(vote: dict[str, dict[str, dict[str, str]]]) -> str | None:
    answer = vote["vote"]["answer"]
    return None if answer is None else answer["text"]


def human(export: Export, rows: pd.DataFrame) -> list[str]:
    """Return EM and F1 of one validator a question: drawn by the seed, or the first where asking stopped early."""
    exact, overlap, validators = [], [], []
    stops_early = "no more once" in export.fact("votes asked for")
    for row in rows.itertuples():
        digest = hashlib.blake2b(f"{export.seed}/{row.attempt_id}".encode()).digest()
        drawn = 0 if stops_early else int.from_bytes(digest[:8], "big") % len(row.counted_votes)
        validators.append(row.counted_votes[drawn]["worker"])
        said, gold = _said(row.counted_votes[drawn]), row.work["answer"]["text"]
        exact.append(float(said is not None and normal(said) == normal(gold)))
        overlap.append(0.0 if said is None else f1(said, gold))
    return [clustered_figure(exact, validators), clustered_figure(overlap, validators)]


def agreement(_export: Export, works: pd.DataFrame) -> list[tuple[str, str]]:
    said = [[_said(vote) for vote in votes] for votes in works["counted_votes"]]

    def distance(one: str | None, other: str | None) -> float:
        if one is None or other is None:
            return float(one is not other)
        return 0.0 if sorted(normal(one).split()) == sorted(normal(other).split()) else 1 - f1(one, other)

    return [
        ("alpha, answered or not", alpha([[each is None for each in unit] for unit in said])),
        ("alpha, answers by word overlap", alpha(said, distance)),
    ]


def traces(export: Export) -> pd.DataFrame:
    found = []
    for part, examples in export.examples.items():
        for row in examples.itertuples():
            answer, start = row.answers["text"][0], row.answers["answer_start"][0]
            words, label = bag(row.question), answer_type(answer)
            guesses: dict[str, Named | Chosen] = {
                "question only": Named(words, normal(answer)),
                "type of answer by the question": Named(words, label),
            }
            places = sentence_places(row.context)
            right = next((number for number, (begin, end) in enumerate(places) if begin <= start < end), None)
            if right is not None and len(places) > 1:
                said = [bag(row.context[begin:end]) for begin, end in places]
                seen = [[*each, f"sentence {number}"] for number, each in enumerate(said, start=1)]
                seen[-1].append("last sentence")
                shared = [sum(word in each for word in words) for each in said]
                guesses["passage only"] = Chosen(seen, right)
                most_alike = [["most alike"] if each == max(shared) else [] for each in shared]
                guesses["sentence most like the question"] = Chosen(most_alike, right)
            one = trace(row.id, part, row.context, row.question, label, guesses)
            found.append({**one, "place": start / len(row.context) if 0 <= start < len(row.context) else None})
    return pd.DataFrame(found, dtype=object)


KIND = Kind(
    works="questions",
    work="question",
    contexts="passages",
    context="passage",
    checked="Answerability",
    kept="answerable",
    beaten=lambda rows: rows["fooled"].astype(bool),
    human_header=["exact match, %", "F1, %"],
    human=human,
    agreement=agreement,
    sections=sections,
    discarded="less than half of the questions were valid",
    stray=lambda rows: rows["prediction"].map(lambda one: one["start"] == -1),
    stray_called="not in the passage",
    divisions=divisions,
    traces=traces,
    votes_right=lambda export, example: agreements_right(example.counted_votes, most_votes(export), 1),
    model_right=was_right,
    told=lambda work: [work["question"], work["answer"]["text"]],
)
