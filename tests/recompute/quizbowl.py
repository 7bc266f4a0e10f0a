"""Quizbowl questions (Wallace et al. 2019)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from functools import partial
from hashlib import blake2b
from itertools import groupby, pairwise
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from tests.recompute.adversarialness import agreements_right, most_votes, was_right
from tests.recompute.artefacts import Named, bag, trace
from tests.recompute.campaign import Kind, Section
from tests.recompute.cells import NONE, clustered_figure, clustered_share, mean, share
from tests.recompute.files import EXCLUSIVE, PARTS, Export, table
from tests.recompute.sentences import sentences

CAPITAL = "A-ZÀ-ÖØ-Þ"
NAME = re.compile(rf"\b[{CAPITAL}][\w’'-]*(?:\s+(?:of\s+|de\s+|the\s+|von\s+)?[{CAPITAL}][\w’'-]*)*")

HEADER = ["questions", "number", "words known", "pairs known", "longest run", "names known"]
HEADER += ["words", "names", "known questions per answer"]
PUBLISHED = [
    ["regular, in the paper", "–", "0.37", "0.05", "6.87", "0.46", "133.5", "12.5", "16.9"],
    ["adversarial, in the paper", "1,213", "0.40", "0.08", "6.73", "0.38", "107.1", "9.1", "14.9"],
    ["against the IR system, in the paper", "807", "–", "–", "–", "0.35", "–", "–", "–"],
    ["against the RNN, in the paper", "406", "–", "–", "–", "0.44", "–", "–", "–"],
]


@dataclass(frozen=True)
class Compared:
    """The files of known and of regular questions with which a report compares."""

    known: Path
    regular: Path


def names(text: str) -> list[str]:
    """Runs of words with a capital, where a sentence begins of two or more."""
    found = []
    for sentence in sentences(text):
        for match in NAME.finditer(sentence):
            name = match[0].removeprefix("The ")
            if match.start() or " " in name:
                found.append(name)
    return found


def _parts(export: Export) -> dict[str, pd.DataFrame]:
    columns = ("qanta_id", "text", "page", "category", "tokenizations", "model")
    parts = {
        name: pd.DataFrame({column: rows.get(column, []) for column in columns}, dtype=object)
        for name, rows in export.examples.items()
    }
    mine = set(export.kept[export.kept["exclusive"].astype(bool)]["attempt_id"])
    exclusive = parts["test"][parts["test"]["qanta_id"].isin(mine)]
    return {**parts, **({EXCLUSIVE: exclusive} if len(exclusive) else {})}


def sections(compared: Compared | None, export: Export) -> dict[str, Section]:
    parts = _parts(export)
    sizes = [
        [
            name,
            f"{len(rows):,}",
            f"{rows['page'].nunique():,}",
            mean([len(text.split()) for text in rows["text"]], 1),
            mean([len(each) for each in rows["tokenizations"]], 1),
            mean([len(names(text)) for text in rows["text"]], 1),
        ]
        for name, rows in parts.items()
    ]
    every = pd.concat([rows for name, rows in parts.items() if name != EXCLUSIVE])
    topics = Counter(every["category"].fillna("none"))
    found = {
        "Questions": Section(["part", "questions", "answers", "words", "sentences", "names"], sizes),
        "Topics": Section(
            ["category", "questions"], [[name, share(count, len(every))] for name, count in topics.most_common()]
        ),
        "What misled the model": _evidence(export),
        **_edits(export),
        **_plays(export),
    }
    if compared is not None:
        sets = _sets(parts, compared)
        found["Models in the course of the questions"] = _courses(sets, export)
        found["Overlap with known questions"] = _overlap(sets, table(compared.known))
    return found


def _courses(sets: dict[str, pd.DataFrame], export: Export) -> Section:
    """Return a row for each set and model: in the loop where it answered the whole set, or asked again later."""
    again = {each.label: each.answers["prediction"].to_dict() for each in export.rescored}
    names = {each.name for each in export.rescored}
    loop = {}
    for model, rows in export.kept.groupby(export.kept["model"].map(lambda model: model["name"])):
        if model not in names:
            loop[f"{model}, in the loop"] = dict(zip(rows["attempt_id"], rows["prediction"], strict=True))
    rows = []
    for name, questions in sets.items():
        ids = questions["qanta_id"] if name != "regular" else questions["text"].map(gold)
        asked = list(zip(ids, questions["text"], questions["page"], strict=True))
        for model, predictions in [*loop.items(), *again.items()]:
            read = [
                (len(text.split()), page, predictions[one]["turns"]) for one, text, page in asked if one in predictions
            ]
            if read and (model in again or len(read) == len(asked)):
                rows.append([name, model, f"{len(read):,}", *_course(read)])
    header = [f"right at {percent}%" for percent in (25, 50, 75, 100)]
    return Section(["questions", "model", "answered", *header, "first right at"], rows)


def _evidence(export: Export) -> Section:
    """Return the sentence of each wrongly guessed question that shares the most different words with the evidence."""
    found = []
    for row in export.kept.itertuples():
        text, said = row.work["text"], row.prediction
        guess = said["guesses"][0]["page"] if said["guesses"] else row.work["answer"]
        alike: tuple[int, Any] = (0, None)
        for each in said["evidence"]:
            words = {text[mark["start"] : mark["end"]].casefold() for mark in each["matches"]}
            if each["page"] == guess != row.work["answer"] and len(words) > alike[0]:
                alike = len(words), each
        if alike[1] is not None:
            found.append((-alike[0], row.attempt_id, row.work, alike[1]))
    rows = [
        [
            _bracketed(work["text"], evidence["matches"], evidence["sentence"]),
            _bracketed(evidence["text"], evidence["highlights"], {"start": 0, "end": len(evidence["text"])}),
            evidence["source"],
            _title(evidence["page"]),
            _title(work["answer"]),
        ]
        for *_, work, evidence in sorted(found, key=lambda each: each[:2])[:12]
    ]
    return Section(["question", "the model's evidence", "from", "its guess", "answer"], rows)


def _bracketed(text: str, marks: Sequence[dict[str, int]], within: dict[str, int]) -> str:
    starts, ends = {mark["start"] for mark in marks}, {mark["end"] for mark in marks}
    places = range(within["start"], within["end"] + 1)
    shown = [("]" if at in ends else "") + ("[" if at in starts else "") + text[at : at + 1] for at in places]
    return "".join(shown)[: -1 if within["end"] < len(text) else None]


def _title(page: str) -> str:
    return re.sub(r"[ _]\([^()]*\)$", "", page).replace("_", " ")


EFFECTS = {
    "broke": "turned a right guess wrong",
    "later": "right all the same, but later",
    "same": "right as early as before",
    "earlier": "right, and earlier",
    "mended": "turned a wrong guess right",
    "wrong": "wrong before and after",
}


def _edits(export: Export) -> dict[str, Section]:
    """Return what is told of drafts that change a word, have a prediction and led to an attempt that counts."""
    tried = export.attempts[export.attempts["is_trial"]]
    tried_keys = set(zip(tried["assignment"], tried["ordinal"], strict=True))
    effects, evident, breaks = list[tuple[str, str]](), list[tuple[bool, str]](), []
    seen = [row for row in export.edits if (row["assignment"], row["attempt"]) in tried_keys and row["prediction"]]
    for (hit, _), of_question in groupby(seen, key=lambda row: (row["assignment"], row["attempt"])):
        drafts: list[dict[str, Any]] = []
        for row in of_question:
            words = row["draft"]["text"].split()
            if not drafts or words != drafts[-1]["words"]:
                drafts.append({**row, "words": words, **_guess(row)})
        best = None
        for before, after in pairwise(drafts):
            if before["draft"]["answer"] != after["draft"]["answer"] or before["model_hash"] != after["model_hash"]:
                continue
            changes = _changes(before["words"], after["words"])
            effect, moved = _effect(before, after, changes)
            effects.append((effect, hit))
            if effect in ("broke", "later"):
                clue = _clue(before, changes)
                shades = before["prediction"]["saliency"]
                if before["prediction"]["evidence"]:
                    evident.append((clue is not None, hit))
                elif shades:
                    marks = any(shades[word] >= 2 / 3 for a, b, _, _ in changes for word in range(a, b))
                    evident.append((marks, hit))
                size = sum(end - start + new_end - new_start for start, end, new_start, new_end in changes)
                rank = (effect != "broke", -moved if effect == "later" else 0, size, hit, after["ordinal"])
                best = min([each for each in (best, (rank, before, after, changes, clue)) if each], key=lambda e: e[0])
        if best is not None:
            breaks.append((*best, drafts))
    if not effects:
        return {}
    which, hits = (pd.Series(column) for column in zip(*effects, strict=True))
    marked = clustered_share(*(pd.Series([pair[place] for pair in evident], dtype=object) for place in (0, 1)))
    rows = [[said, clustered_share(which == name, hits)] for name, said in EFFECTS.items()]
    sentences = [
        f"Of {len(effects):,} edits",
        f"by evidence or in the strongest shade, where the model showed either: {marked}.",
    ]
    found = {"Edits and the model": Section(["the best guess", "edits"], rows, sentences)}
    breaks.sort(key=lambda each: each[0])
    if breaks:
        header = ["edit", "guess before", "guess after", "first right at word", "evidence before", "HIT, draft"]
        found["Edits that broke the model"] = Section(header, [_break(*each[1:5]) for each in breaks[:10]])
        found["A question as it was written"] = _as_written(breaks[0][-1])
    return found


def _guess(row: dict[str, Any]) -> dict[str, Any]:
    turns, page = row["prediction"]["turns"], row["draft"]["answer"]
    right = bool(turns) and turns[-1]["page"] == page
    guess = f"{_title(turns[-1]['page'])} {'✓' if right else '✗'}" if turns else "none ✗"
    return {
        "right": right,
        "guess": guess,
        "first": next((turn["word"] for turn in turns if turn["page"] == page), None),
    }


def _changes(before: list[str], after: list[str]) -> list[tuple[int, int, int, int]]:
    """Return where words went, and where words came, without those that both begin and end with."""
    same = next((n for n, (one, new) in enumerate(zip(before, after, strict=False)) if one != new), None)
    start = min(len(before), len(after)) if same is None else same
    most = min(len(before), len(after)) - start
    end = next((n for n in range(most) if before[-1 - n] != after[-1 - n]), most)
    middle = before[start : len(before) - end], after[start : len(after) - end]
    opcodes = SequenceMatcher(None, *middle, autojunk=False).get_opcodes()
    return [(a + start, b + start, c + start, d + start) for tag, a, b, c, d in opcodes if tag != "equal"]


def _effect(before: dict[str, Any], after: dict[str, Any], changes: Any) -> tuple[str, int]:
    if not before["right"]:
        return ("mended" if after["right"] else "wrong"), 0
    if not after["right"]:
        return "broke", 0
    put_in = sum(d - c - b + a for a, b, c, d in changes if a < before["first"])
    moved = after["first"] - before["first"] - put_in
    return ("same" if moved == 0 else "later" if moved > 0 else "earlier"), moved


def _clue(before: dict[str, Any], changes: Any) -> dict[str, Any] | None:
    places = [match.span() for match in re.finditer(r"\S+", before["draft"]["text"])]
    gone = {at for a, b, _, _ in changes for start, end in places[a:b] for at in range(start, end)}
    for evidence in before["prediction"]["evidence"]:
        if any(gone & set(range(mark["start"], mark["end"])) for mark in evidence["matches"]):
            return dict(evidence)
    return None


def _break(before: dict[str, Any], after: dict[str, Any], changes: Any, clue: dict[str, Any] | None) -> list[str]:
    text, done = "", 0
    words, new_words = before["words"], after["words"]
    for number, (a, b, c, d) in enumerate(changes):
        between = words[done:a]
        if len(between) > (10 if number else 5):
            between = [*(between[:5] if number else []), "…", *between[-5:]]
        text += "".join(f"{word} " for word in between)
        text += f"[-{' '.join(words[a:b])}-] " if b > a else ""
        text += f"{{+{' '.join(new_words[c:d])}+}} " if d > c else ""
        done = b
    text += " ".join([*words[done : done + 5], *(["…"] if len(words) > done + 5 else [])])
    whole = {"start": 0, "end": len(clue["text"])} if clue else {}
    return [
        text,
        before["guess"],
        after["guess"],
        f"{before['first'] or 'never'} → {after['first'] or 'never'}",
        _bracketed(clue["text"], clue["highlights"], whole) if clue else NONE,
        f"{after['assignment']}, {after['ordinal']}",
    ]


def _as_written(drafts: Sequence[dict[str, Any]]) -> Section:
    at = [datetime.fromisoformat(draft["at"]) for draft in drafts]
    rows = [
        [
            str(draft["ordinal"]),
            f"{(time - at[0]).total_seconds():,.0f}",
            f"{len(draft['words']):,}",
            str(draft["first"] or "never"),
            draft["guess"],
        ]
        for draft, time in zip(drafts[:100], at[:100], strict=True)
    ]
    header = ["draft", "seconds since the first", "words", "first right at word", "best guess"]
    return Section(header, rows, [f"in the HIT {drafts[0]['assignment']}: "])


def gold(text: str) -> str:
    """Return what the table of votes calls a regular question: a short hash of its letters and digits."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    letters = "".join(char for char in plain if unicodedata.category(char)[0] in "LMN")
    return blake2b(letters.encode(), digest_size=12).hexdigest()


def _course(read: Sequence[tuple[int, str, list[dict[str, Any]]]]) -> list[str]:
    cells = []
    for percent in (25, 50, 75, 100):
        guessed = [[turn["page"] for turn in turns if turn["word"] <= ceil(n * percent / 100)] for n, _, turns in read]
        right = sum(bool(pages) and pages[-1] == page for pages, (_, page, _) in zip(guessed, read, strict=True))
        cells.append(share(right, len(read)))
    first = [[turn["word"] / n for turn in turns if turn["page"] == page] for n, page, turns in read]
    return [*cells, mean(shares[0] for shares in first if shares)]


def _plays(export: Export) -> dict[str, Section]:
    votes = export.votes
    if votes.empty:
        return {}
    played = set(export.attempts[export.attempts["validation"].notna()]["attempt_id"])
    votes = votes[votes["dropped"].isna() & (votes["attempt_id"].isna() | votes["attempt_id"].isin(played))].copy()
    votes["word"] = votes["vote"].map(lambda vote: vote["words"])
    votes["answered"] = votes["vote"].map(lambda vote: vote["said"] is not None)
    votes["right"] = votes["agrees"].astype(bool) & votes["answered"]
    votes["left"] = [1 - word / steps for word, steps in zip(votes["word"], votes["steps"], strict=True)]
    if votes.empty:
        return {}
    groups = {
        "people, regular": votes[votes["attempt_id"].isna()],
        "people, adversarial": votes[votes["attempt_id"].notna()],
    }
    answers = {name: rows[rows["answered"]] for name, rows in groups.items()}
    counts = [[int(rows["right"].sum()), int((~rows["right"]).sum())] for rows in answers.values()]
    one, other = (list(map(float, rows["left"])) for rows in answers.values())
    p_shares = stats.fisher_exact(counts).pvalue if all(map(sum, counts)) else None
    p_words = None
    if min(len(one), len(other)) > 1 and len({*one}) + len({*other}) > 2:
        p_words = float(stats.ttest_ind(one, other, equal_var=False).pvalue)
    rows = []
    for (name, of), p in zip(answers.items(), (("", ""), (_p(p_shares), _p(p_words))), strict=True):
        rows.append(
            [name, f"{len(of):,}", share(int(of["right"].sum()), len(of)), p[0], mean(map(float, of["left"])), p[1]]
        )
    course = [
        [
            f"{of_words:.0%}",
            *(
                share(int((of["right"] & (of["word"] <= of_words * of["steps"])).sum()), len(of))
                for of in groups.values()
            ),
        ]
        for of_words in (0.25, 0.5, 0.75, 1.0)
    ]
    return {
        "Answers": Section(["by, on questions", "answers", "right", "p", "share of the words left", "p"], rows),
        "Right answers in the course of a question": Section(["of the words", *groups], course),
    }


def _p(value: float | None) -> str:
    if value is None:
        return NONE
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _sets(parts: dict[str, pd.DataFrame], compared: Compared) -> dict[str, pd.DataFrame]:
    written = pd.concat([parts[name] for name in PARTS])
    models = sorted(written["model"].unique())
    apart = {f"against {model}": written[written["model"] == model] for model in models}
    return {"regular": table(compared.regular), "adversarial": written, **(apart if len(apart) > 1 else {})}


def _overlap(sets: dict[str, pd.DataFrame], known: pd.DataFrame) -> Section:
    texts = defaultdict(list)
    for row in known.itertuples():
        texts[row.page].append(row.text)
    rows = []
    for name, questions in sets.items():
        others = [[text for text in texts[row.page] if text != row.text] for row in questions.itertuples()]
        found = [one for text, of in zip(questions["text"], others, strict=True) if (one := _shared(text, of))]
        rows.append(
            [
                name,
                f"{len(questions):,}",
                *(_spread([one[place] for one in found]) for place in range(4)),
                _spread([len(text.split()) for text in questions["text"]], 1),
                _spread([len(names(text)) for text in questions["text"]], 1),
                _spread([len(each) for each in others], 1),
            ]
        )
    return Section(HEADER, [*rows, *PUBLISHED])


def _spread(values: Sequence[float | None], digits: int = 2) -> str:
    known = [each for each in values if each is not None]
    return mean(known, digits) + (f", sd {np.std(known, ddof=1):.{digits}f}" if len(known) > 1 else "")


def _shared(text: str, others: Sequence[str]) -> tuple[float, float, int, float | None] | None:
    own = re.findall(r"\w+", text.casefold())
    if not others or len(own) < 2:
        return None
    read = [re.findall(r"\w+", other.casefold()) for other in others]

    def runs(words: Sequence[str], length: int) -> list[tuple[str, ...]]:
        return list(zip(*(words[start:] for start in range(length)), strict=False))

    def known(length: int) -> float:
        seen = {run for words in read for run in runs(words, length)}
        return sum(run in seen for run in runs(own, length)) / (len(own) - length + 1)

    longest = max((length for length in range(1, len(own) + 1) if known(length)), default=0)
    own_names = [name.casefold() for name in names(text)]
    seen_names = {name.casefold() for other in others for name in names(other)}
    in_names = sum(name in seen_names for name in own_names) / len(own_names) if own_names else None
    return known(1), known(2), longest, in_names


def human(_export: Export, rows: pd.DataFrame) -> list[str]:
    cast = [(vote, 1 / len(votes)) for votes in rows["counted_votes"] for vote in votes]
    right = [weight * vote["agrees"] for vote, weight in cast]
    return [clustered_figure(right, [vote["worker"] for vote, _ in cast], [weight for _, weight in cast])]


def traces(export: Export) -> pd.DataFrame:
    """Questions depend on no context."""
    found = []
    for part, examples in export.examples.items():
        for row in examples.itertuples():
            said = [bag(sentence) for sentence in sentences(row.text)]
            seen = {
                "category only": [row.category],
                "first sentence only": said[0],
                "last sentence only": said[-1],
            }
            guesses = {name: Named(features, row.page) for name, features in seen.items()}
            found.append(trace(row.qanta_id, part, "", row.text, row.category, guesses))
    return pd.DataFrame(found, dtype=object)


def _votes_right(export: Export, example: Any) -> list[bool | None]:
    least = re.search(r"^\| `validation\.rules\.min_right` \| (\d+) \|$", export.card, re.MULTILINE)
    return agreements_right(example.counted_votes, most_votes(export), int(least[1]) if least else 0)


def kind(compared: Compared | None) -> Kind:
    return Kind(
        works="questions",
        work="question",
        contexts="categories",
        context="category",
        checked="Played questions",
        kept="kept",
        beaten=lambda rows: rows["fooled"].astype(bool),
        human_header=["accuracy, %"],
        human=human,
        agreement=lambda _export, _works: [],
        sections=partial(sections, compared),
        discarded="too little of what others have checked was kept",
        divisions=lambda works: {"category": works["genre"]},
        traces=traces,
        votes_right=_votes_right,
        model_right=was_right,
        told=lambda work: [work["text"], work["answer"].replace("_", " ")],
    )
