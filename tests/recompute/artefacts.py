"""Artefacts of a dataset, from its examples alone: what `artefacts.json` and `artefacts --json` say, and the report.

The baselines are logistic regressions of scikit-learn. Examples whose two best guesses are equal but for rounding are
right or wrong by chance: by so many a baseline's figures may differ.
"""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
import pandas as pd
from scipy import stats

from tests.recompute.campaign import Kind, Section
from tests.recompute.cells import jackknifed, number
from tests.recompute.files import Export

FEWEST, FOLDS, ANSWERS, WORDS, MARGIN = 50, 5, 50, 10, 0.05
FEWEST_WITH_A_WORD, SMOOTHING = 20, 100
SURELY_ALIKE, PERHAPS_ALIKE = 0.7, 0.35  # shares of common runs of three words; 0.5 is what MinHash estimates
EQUAL, ROUNDING = 0.02, 1e-6
COLUMNS = ("word", "label", "pmi", "examples", "with_label", "p", "ids")  # of a word that tells a label
Found = Mapping[str, Any]


@dataclass(frozen=True)
class Named:
    """A guess of an answer of the training part, by the features that are there."""

    features: Sequence[str]
    answer: str


@dataclass(frozen=True)
class Chosen:
    """A guess of an example's own option, by the features of each."""

    options: Sequence[Sequence[str]]
    right: int


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def bag(text: str) -> list[str]:
    """Return the distinct words of a text, in order."""
    return list(dict.fromkeys(words_of(text)))


def trace(name: str, part: str, context: str, text: str, label: str, guesses: Mapping[str, Named | Chosen]) -> Found:
    """Return an example as artefacts see it: `shared` is the share of its words that its context has.

    Without a context it depends on no other example.
    """
    words, known = bag(text), set(words_of(context))
    return {
        "id": name,
        "part": part,
        "context": context,
        "cluster": context or name,
        "text": text,
        "label": label,
        "words": words,
        "shared": sum(word in known for word in words) / len(words) if words and context else None,
        "place": None,
        "guesses": guesses,
    }


def kept(export: Export) -> Found | None:
    path = export.folder / "artefacts.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def card_warnings(export: Export) -> list[str]:
    """Return the warnings of the card above its figures."""
    found = kept(export)
    if found is None:
        return []
    of = f"That is of the {found['dataset']['examples']:,} examples at that time; see `beat-the-ai artefacts`."
    return [f"{warning} {of}" for warning in _warnings(found)]


def sections(export: Export) -> dict[str, Section]:
    found = kept(export)
    if found is None:
        return {}
    names = list(dict.fromkeys(each["baseline"] for each in found["dataset"]["baselines"]))
    rows = [
        [name, dataset["name"], *_cells(each)]
        for name in names
        for dataset in (found["dataset"], *found["beside"])
        for each in dataset["baselines"]
        if each["baseline"] == name
    ]
    told = [f"Warning: {warning}" for warning in _warnings(found)]
    if not rows:
        told = ["at least 50 examples are needed."]
    elif not told:
        told = ["No baseline without another reason leads by more than 5 points for sure."]
    if rows:
        largest = max(found["dataset"]["baselines"], key=lambda each: each["tested"])
        folds = f", {largest['draws']} times in turn" if largest["draws"] > 1 else ""
        told.append(f", trained on {largest['trained']:,} examples and measured on {largest['tested']:,} others{folds}")
    header = ["baseline", "dataset", "right", "most frequent answer", "chance", "lead"]
    return {"What a part of the input gives away": Section(header, rows, told)}


def _cells(each: Found) -> list[str]:
    lead = _rate(each["lead"], points=True)
    warned = f"{lead}, a warning" if _gives_away(each) else lead
    return [_rate(each["accuracy"]), _rate(each["majority"]), f"{each['chance']['value']:.1%}", warned]


def _rate(rate: Found, *, points: bool = False) -> str:
    told = [
        number(100 * value, 1) if points else f"{value:.1%}" for value in (rate["value"], *(rate["interval"] or ()))
    ]
    return f"{told[0]} ({told[1]} to {told[2]})" if told[1:] else told[0]


def _gives_away(each: Found) -> bool:
    return not each["expected"] and each["lead"]["interval"] is not None and each["lead"]["interval"][0] > MARGIN


def _warnings(found: Found) -> list[str]:
    return [
        f"A baseline that sees a part of the input ({each['baseline']}) is right on {each['accuracy']['value']:.1%} of "
        f"the examples held out, {100 * each['lead']['value']:.1f} points above chance and the most frequent "
        "answer."
        for each in found["dataset"]["baselines"]
        if _gives_away(each)
    ]


def differences(export: Export, kind: Kind, found: Found | None) -> Iterator[str]:
    """Yield how findings differ from the examples. Those that a campaign keeps have no words and pairs."""
    if found is None:
        return
    traces = kind.traces(export)
    dataset = found["dataset"]
    if dataset["examples"] != len(traces):
        yield (
            f"artefacts: found of {dataset['examples']} examples, and there are {len(traces)}. Run `artefacts` and "
            "`export` again"
        )
        return
    labels = dict(Counter(traces["label"]).most_common())
    yield from _told("labels", dataset["labels"], {"total": len(traces), "counts": labels})
    yield from _told("places", dataset["places"], _places(traces))
    yield from _told("first words", dataset["first_words"], _first_words(traces, dataset["first_words"]))
    yield from _told("words in common", dataset["shared"], _shared(traces, list(labels)))
    yield from _baselines(traces, dataset["baselines"])
    words, tested = _label_words(traces)
    yield from _told("words tested", found["words_tested"], tested)
    if found["words"] or dataset["first_words"]["counts"]:
        said = [{name: each[name] for name in COLUMNS} for each in found["words"]]
        for each in said:
            each["ids"] = [name.rpartition("/")[2] for name in each["ids"]]  # in a folder of parts they name theirs
        yield from _told("words", said, words)
    yield from _repeats(traces, found["repeats"])


def _told(what: str, said: Any, made: Any, within: float = 0) -> Iterator[str]:
    if not _alike(said, made, within + ROUNDING):
        yield f"artefacts, {what}: {said} is said, {made} is in the files"


def _alike(said: Any, made: Any, within: float) -> bool:
    """Return whether two are the same up to so much; of mappings the order counts, too."""
    if isinstance(said, Mapping) and isinstance(made, Mapping):
        return list(said) == list(made) and all(_alike(said[name], made[name], within) for name in made)
    if isinstance(said, list) and isinstance(made, list):
        return len(said) == len(made) and all(_alike(*pair, within) for pair in zip(said, made, strict=True))
    if isinstance(said, float) and isinstance(made, float):
        return isclose(said, made, rel_tol=ROUNDING, abs_tol=within)
    return bool(said == made)


def _places(traces: pd.DataFrame) -> Found:
    """Return in which tenth of the context answers begin."""
    tenths = (traces["place"].dropna().astype(float) * 10).astype(int).clip(upper=9)
    counts = {f"{10 * tenth} to {10 * tenth + 10}%": int((tenths == tenth).sum()) for tenth in range(10)}
    return {"total": len(tenths), "counts": counts}


def _first_words(traces: pd.DataFrame, said: Found) -> Found:
    counts = Counter(words[0] for words in traces["words"] if words)
    return {"total": len(traces), "counts": dict(counts.most_common(10)) if said["counts"] else {}}


def _interval(sums: np.ndarray) -> list[float] | None:
    """Return the interval of a share, the first column's sum over the last one's, by contexts."""
    return list(jackknifed(sums)[1:]) or None


def _shared(traces: pd.DataFrame, labels: Sequence[str]) -> dict[str, Found]:
    found = dict[str, Found]()
    known = traces[traces["shared"].notna()]
    for label in labels:
        mine = known[known["label"] == label]
        if len(mine):
            shares = mine["shared"].astype(float)
            sums = shares.groupby(mine["cluster"], sort=False).agg(["sum", "size"]).to_numpy(dtype=float)
            found[label] = {"value": float(shares.mean()), "interval": _interval(sums)}
    return found


def _divisions(traces: pd.DataFrame) -> list[tuple[pd.DataFrame, pd.DataFrame]]:
    """Return train, and dev with test; where these are small, five folds of contexts, shuffled with the seed 1."""
    parts = traces[traces["part"] == "train"], traces[~traces["part"].isin(["", "train"])]
    if min(map(len, parts)) >= FEWEST:
        return [parts]
    if len(traces) < FEWEST:
        return []
    clusters = [list(rows.index) for _, rows in traces.groupby("cluster", sort=False)]
    random.Random(1).shuffle(clusters)
    folds: list[list[int]] = [[] for _ in range(FOLDS)]
    for cluster in clusters:
        min(folds, key=len).extend(cluster)
    return [
        (traces.loc[[place for other in folds if other is not fold for place in other]], traces.loc[fold])
        for fold in folds
        if fold
    ]


def _baselines(traces: pd.DataFrame, said: Sequence[Found]) -> Iterator[str]:
    divisions = _divisions(traces)
    names = list(dict.fromkeys(name for guesses in traces["guesses"] for name in guesses))
    made = {name: measured for name in names if (measured := _measured(name, divisions)) is not None}
    if sorted(each["baseline"] for each in said) != sorted(made):
        yield f"artefacts, baselines: {[each['baseline'] for each in said]} are said, {list(made)} are in the files"
        return
    for each in said:
        name = each["baseline"]
        figures, undecided = made[name]
        for figure in ("trained", "tested", "draws", "majority", "chance"):
            yield from _told(f"{name}, {figure}", each[figure], figures[figure])
        for figure in ("accuracy", "lead"):
            yield from _told(f"{name}, {figure}", each[figure], figures[figure], undecided)


def _measured(name: str, divisions: Sequence[tuple[pd.DataFrame, pd.DataFrame]]) -> tuple[Found, float] | None:
    """Return a baseline's figures, and the share of examples whose two best guesses are equal."""
    rows, trained, draws = [], 0, 0
    for train, test in divisions:
        training = [guesses[name] for guesses in train["guesses"] if name in guesses]
        held = test[[name in guesses for guesses in test["guesses"]]]
        guesses = [each[name] for each in held["guesses"]]
        if training and guesses:
            marks = _of_names(training, guesses) if isinstance(guesses[0], Named) else _of_options(training, guesses)
            rows.append(pd.DataFrame(marks, columns=["right", "majority", "chance", "undecided"]))
            rows[-1]["cluster"] = list(held["cluster"])
            trained, draws = trained + len(training), draws + 1
    if not rows:
        return None
    marks = pd.concat(rows, ignore_index=True)
    marks["tested"] = 1.0
    sums = marks.groupby("cluster", sort=False)[["right", "majority", "chance", "tested"]].sum()
    right, majority, chance, tested = (sums[column].to_numpy(dtype=float) for column in sums)
    better = majority if majority.sum() >= chance.sum() else chance

    def rate(of: np.ndarray, *, is_signed: bool = False) -> Found:
        value, *ends = jackknifed(np.stack([of, tested], axis=1), is_signed=is_signed)
        return {"value": float(value), "interval": ends or None}

    figures = {
        "trained": round(trained / draws),
        "tested": round(len(marks) / draws),
        "draws": draws,
        "accuracy": rate(right),
        "majority": rate(majority),
        "chance": rate(chance),
        "lead": rate(right - better, is_signed=True),
    }
    return figures, float(marks["undecided"].mean())


class _Regression:
    """Logistic regression with half the squared weights of every class as a penalty.

    Of two classes scikit-learn has one vector of weights; the penalty of two opposite ones is half as large.
    """

    def __init__(self, rows: Sequence[Sequence[str]], classes: Sequence[int]) -> None:
        from sklearn.feature_extraction import DictVectorizer  # takes a second, and most reports have no baselines
        from sklearn.linear_model import LogisticRegression

        self._columns = DictVectorizer()
        table = self._columns.fit_transform([_present(row) for row in rows])
        self._only = classes[0] if len(set(classes)) == 1 else None
        strength = 2.0 if len(set(classes)) == 2 else 1.0
        self._model = LogisticRegression(C=strength, tol=1e-6, max_iter=1000, solver="newton-cg")
        if self._only is None:
            with catch_warnings():
                simplefilter("ignore", UserWarning)  # that there are many classes
                self._model.fit(table, classes)

    def scores(self, rows: Sequence[Sequence[str]]) -> np.ndarray:
        """Return a row of scores, one for each class from 0."""
        if self._only is not None:
            return np.zeros((len(rows), 1))
        scores: np.ndarray = self._model.decision_function(self._columns.transform([_present(row) for row in rows]))
        return scores if scores.ndim > 1 else np.stack([np.zeros(len(rows)), scores], axis=1)


def _present(features: Sequence[str]) -> dict[str, int]:
    return {"": 1, **{f"feature {name}": 1 for name in features}}  # one that all have changes nothing


Marks = list[tuple[float, float, float, bool]]


def _of_names(training: Sequence[Named], held: Sequence[Named]) -> Marks:
    counts = Counter(guess.answer for guess in training)
    answers = [answer for answer, _ in counts.most_common(ANSWERS)]
    known = [guess for guess in training if guess.answer in answers]
    model = _Regression([guess.features for guess in known], [answers.index(guess.answer) for guess in known])
    marks = []
    for guess, scores in zip(held, model.scores([guess.features for guess in held]), strict=True):
        best = np.sort(scores)[::-1]
        undecided = len(best) > 1 and best[0] - best[1] < EQUAL
        right = guess.answer == answers[int(scores.argmax())]
        marks.append((float(right), float(guess.answer == answers[0]), 1 / len(counts), bool(undecided)))
    return marks


def _of_options(training: Sequence[Chosen], held: Sequence[Chosen]) -> Marks:
    rows = [(option, number == guess.right) for guess in training for number, option in enumerate(guess.options)]
    model = _Regression([option for option, _ in rows], [int(is_right) for _, is_right in rows])
    most = Counter(guess.right for guess in training).most_common(1)[0][0]
    marks = []
    for guess in held:
        scores = model.scores(guess.options)
        leads = list(scores[:, -1] - scores[:, 0])
        best = leads.index(max(leads))
        others = [
            lead for lead, option in zip(leads, guess.options, strict=True) if set(option) != set(guess.options[best])
        ]
        undecided = bool(others) and leads[best] - max(others) < EQUAL
        majority = min(most, len(leads) - 1) == guess.right
        marks.append((float(best == guess.right), float(majority), 1 / len(leads), undecided))
    return marks


def _label_words(traces: pd.DataFrame) -> tuple[list[Found], int]:
    """Return the words whose share of a label is above its share of all, by label; and how many were tested."""
    labels = list(dict.fromkeys(traces["label"]))
    if len(labels) < 2:
        return [], 0
    carried = traces[["label", "words"]].explode("words").dropna()
    counts = pd.crosstab(carried["words"], carried["label"])[labels]
    total = counts.sum(axis=1)
    frequent = counts[total >= FEWEST_WITH_A_WORD]
    smoothed = counts + SMOOTHING
    expected = np.outer(smoothed.sum(axis=1), smoothed.sum(axis=0)) / smoothed.to_numpy().sum()
    information = np.log(smoothed / expected)
    shares = traces["label"].value_counts()[labels] / len(traces)
    wanted = np.outer(total[frequent.index], shares)
    spread = np.sqrt(wanted * (1 - shares.to_numpy()))
    p = 2 * stats.norm.sf(np.abs(frequent - wanted) / spread).ravel()
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(np.minimum(1, p[order] * (len(p) - np.arange(len(p)))))
    holm = pd.DataFrame(adjusted.reshape(frequent.shape), frequent.index, labels)
    more = frequent > wanted
    found = list[Found]()
    for label in labels:
        telling = [word for word in frequent.index if holm.loc[word, label] < 0.05 and more.loc[word, label]]
        for word in sorted(telling, key=lambda word: (-information.loc[word, label], word))[:WORDS]:
            both = traces[(traces["label"] == label) & traces["words"].map(lambda words, word=word: word in words)]
            figures = (float(information.loc[word, label]), int(total[word]), len(both), float(holm.loc[word, label]))
            found.append(dict(zip(COLUMNS, (word, label, *figures, list(both["id"][:100])), strict=True)))
    return found, len(frequent)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(char for char in plain if unicodedata.category(char)[0] not in "PSZC")


def _repeats(traces: pd.DataFrame, said: Found) -> Iterator[str]:
    """Train comes first. Texts that are alike by an estimate are between those that surely and that perhaps are."""
    rows = traces.sort_values("part", key=lambda part: part != "train", kind="stable").reset_index(drop=True)
    rows["read"] = rows["text"].map(words_of)
    rows["text"], rows["context"] = rows["text"].map(_folded), rows["context"].map(_folded)
    later = ~rows["part"].isin(["", "train"])
    made: dict[str, int] = {"examples": len(rows)}
    for name, columns in (("same", ["context", "text"]), ("same_text", ["text"])):
        again = rows.duplicated(columns)
        first = rows.groupby(columns, sort=False)["part"].transform("first")
        made[name], made[f"{name}_across"] = int(again.sum()), int((again & later & (first == "train")).sum())
    parts = rows[rows["context"] != ""].groupby("context")["part"].agg(set)
    crossing = parts[parts.map(len) > 1]
    trained = crossing[crossing.map(lambda several: "train" in several)].index
    made["contexts"] = len(crossing)
    made["in_them"] = int((rows["context"].isin(trained) & (rows["part"] != "train")).sum())
    for name, count in made.items():
        yield from _told(f"repeats, {name}", said[name], count)
    distinct = rows[~rows.duplicated("text")]
    surely, perhaps = (_near(distinct, least) for least in (SURELY_ALIKE, PERHAPS_ALIKE))
    for name, least, most in zip(("near", "near_across"), surely, perhaps, strict=True):
        if not least <= said[name] <= most:
            yield f"artefacts, repeats, {name}: {said[name]} is said, {least} to {most} are in the files"


def _near(rows: pd.DataFrame, least: float) -> tuple[int, int]:
    """Return how many texts have an earlier one with this share of common runs; of these in dev or test after train."""
    carriers: dict[tuple[str, ...], list[int]] = {}
    seen: list[set[tuple[str, ...]]] = []
    near = across = 0
    for place, (words, part) in enumerate(zip(rows["read"], rows["part"], strict=True)):
        runs = {tuple(words[start : start + 3]) for start in range(max(1, len(words) - 2))}
        common = Counter(other for run in runs for other in carriers.get(run, ()))
        alike = [other for other, count in common.items() if count / len(runs | seen[other]) >= least]
        near += bool(alike)
        across += part not in ("", "train") and any(rows["part"].iloc[other] == "train" for other in alike)
        for run in runs:
            carriers.setdefault(run, []).append(place)
        seen.append(runs)
    return near, across
