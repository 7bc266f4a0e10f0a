"""Pairs of premise and hypothesis (Nie et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import pandas as pd

from tests.recompute.adversarialness import labels_right
from tests.recompute.artefacts import Named, bag, trace
from tests.recompute.campaign import Kind, Section, counted, drawn, errors
from tests.recompute.cells import NONE, alpha, clustered_figure, clustered_mean, clustered_median, clustered_share, mean
from tests.recompute.files import EXCLUSIVE, PARTS, Export, is_true

LABELS = ("entailment", "neutral", "contradiction")


def _parts(export: Export) -> dict[str, pd.DataFrame]:
    columns = ("context", "hypothesis", "label", "model_label", "genre", "emturk", "tag")
    parts = {
        name: pd.DataFrame({column: rows.get(column, []) for column in columns}, dtype=object)
        for name, rows in export.examples.items()
    }
    exclusive = parts["test"][parts["test"]["emturk"].astype(bool)]
    return {**parts, **({EXCLUSIVE: exclusive} if len(exclusive) else {})}


def sections(export: Export) -> dict[str, Section]:
    parts = _parts(export)
    pairs = [
        [
            name,
            f"{rows['context'].nunique():,}",
            f"{len(rows):,}",
            *(clustered_share(rows["label"] == label[0], rows["context"]) for label in LABELS),
            clustered_mean([len(each.split()) for each in rows["hypothesis"]], rows["context"], 2),
        ]
        for name, rows in parts.items()
    ]
    whole = pd.concat([rows.assign(part=name) for name, rows in parts.items() if name != EXCLUSIVE])
    whole["round"], whole["exclusive"] = whole["tag"].map(lambda tag: tag[1:]), whole["emturk"]
    sizes = [
        [
            *heading,
            f"{rows['context'].nunique():,}",
            *(f"{(rows['part'] == part).sum():,}" for part in PARTS),
            mean(lengths := rows["context"].drop_duplicates().map(len), 0),
            f"{lengths.min():,} to {lengths.max():,}",
        ]
        for heading, rows in _groups(whole)
    ]
    labels = [
        [
            *heading,
            f"{len(rows):,}",
            *(clustered_share(rows["label"] == label[0], rows["context"]) for label in LABELS),
            clustered_share(rows["label"] != rows["model_label"], rows["context"]),
        ]
        for heading, rows in _groups(whole)
    ]
    of_premises = drawn(whole["context"], "premises")
    of_sizes = ["round", "genre", "premises", *PARTS, "characters per premise", "shortest to longest"]
    of_labels = ["round", "genre", "pairs", *LABELS, "model in the loop wrong"]
    return {
        "Pairs and labels": Section(["part", "premises", "pairs", *LABELS, "words per hypothesis"], pairs, of_premises),
        "Pairs by round and genre": Section(of_sizes, sizes),
        "Labels by round and genre": Section(of_labels, labels, of_premises),
        **_errors(export),
        "Examples of each round": _examples(export),
    }


def _examples(export: Export) -> Section:
    kept = export.kept
    rows = []
    for number in sorted(kept["round"].unique()):
        of_round = kept[(kept["round"] == number) & kept["part"].isin(("dev", "test"))]
        drawn = sorted(of_round.itertuples(), key=lambda row: (row.part, sha256(row.attempt_id.encode()).hexdigest()))
        for row in drawn[:3]:
            why = row.explanation
            rows.append(
                [
                    f"{number}",
                    row.context,
                    row.work["hypothesis"],
                    f"{why['label_reason']} {why['model_reason']}" if why else NONE,
                    row.work["target"],
                    row.prediction["label"],
                    ", ".join(vote["vote"]["label"] or "bad example" for vote in row.counted_votes),
                    row.label or row.work["target"],
                ]
            )
    header = ["round", "premise", "hypothesis", "reason", "asked for", "model", "verifiers", "label"]
    return Section(header, rows)


def _groups(rows: pd.DataFrame) -> Iterator[tuple[list[str], pd.DataFrame]]:
    """Yield the rows of each round and its genres, of its exclusive writers, and of all rounds."""
    rounds = sorted(rows["round"].unique(), key=int)
    for number in rounds:
        of_round = rows[rows["round"] == number]
        for genre in sorted(of_round["genre"].unique()):
            yield [f"{number}", genre.replace("_", " ")], of_round[of_round["genre"] == genre]
        yield from _together(f"{number}", of_round, of_round["genre"].nunique() > 1)
    if len(rounds) > 1:
        yield from _together("all", rows, True)


def _together(name: str, rows: pd.DataFrame, is_shown: bool) -> Iterator[tuple[list[str], pd.DataFrame]]:
    if is_shown:
        yield [name, "all genres"], rows
    if rows["exclusive"].any():
        yield [name, "exclusive writers"], rows[rows["exclusive"].astype(bool)]


def _errors(export: Export) -> dict[str, Section]:
    trials = errors(export)
    rates, of_hits, effort = [], [], []
    for heading, rows in _groups(trials):
        tried = rows[rows["judged"]]
        verified = rows[rows["verified"]]
        settled = rows[rows["decided"].astype(bool)]
        decided = len(settled)
        rates.append(
            [
                *heading,
                f"{tried['context_id'].nunique():,}",
                f"{len(tried):,}",
                clustered_share(is_true(tried["fooled"]), tried["worker"]),
                f"{decided:,}",
                clustered_share(settled["verified"].astype(bool), settled["worker"]),
            ]
        )
        last, ran_out, ended = _hits(tried)
        of_hits.append(
            [*heading, f"{len(last):,}", clustered_share(ran_out, last["worker"]), f"{len(ended):,}", *_effort(ended)]
        )
        effort.append([*heading, f"{len(verified):,}", *_effort(verified)])
    unverified, verified_ = (f"model error rate, {name}" for name in ("unverified", "verified"))
    figures = ("tries, mean", "tries, median", "seconds, mean", "seconds, median")
    return {
        "Model errors": Section(
            ["round", "genre", "premises", "hypotheses", unverified, "decided", verified_],
            rates,
            drawn(trials[counted(trials)]["worker"]),
        ),
        "Tries and time of a HIT": Section(
            ["round", "genre", "HITs", "tries ran out", "ended", *figures],
            of_hits,
            drawn(_hits(trials[trials["judged"]])[2]["worker"]),
        ),
        "Tries and time for a verified model error": Section(
            ["round", "genre", "verified errors", *figures], effort, drawn(trials[trials["verified"]]["worker"])
        ),
    }


def _hits(tried: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series, pd.DataFrame]:
    """Return the last try of each HIT, whether its tries ran out, and the last tries of HITs that came to an end."""
    hits = tried.sort_values("ordinal").groupby("assignment")
    last, beaten = hits.last(), hits["fooled"].sum() > 0
    ran_out = (last["tries_left"] == 0) & ~beaten
    return last, ran_out, last[beaten | ran_out]


def _effort(rows: pd.DataFrame) -> list[str]:
    tries, seconds = (rows[column].astype(float) for column in ("ordinal", "seconds"))
    cells = [
        (clustered_mean(of, rows["worker"], digits), clustered_median(of, rows["worker"]))
        for of, digits in ((tries, 2), (seconds, 1))
    ]
    return [cell for pair in cells for cell in pair]


def human(_export: Export, rows: pd.DataFrame) -> list[str]:
    """The first verifier of each."""
    first = [row.counted_votes[0] for row in rows.itertuples()]
    right = [one["vote"]["label"] == work["target"] for one, work in zip(first, rows["work"], strict=True)]
    return [clustered_figure(right, [one["worker"] for one in first])]


def agreement(_export: Export, works: pd.DataFrame) -> list[tuple[str, str]]:
    said = [[vote["vote"]["label"] for vote in votes] for votes in works["counted_votes"]]
    cast = [
        (vote, work["target"])
        for votes, work in zip(works["counted_votes"], works["work"], strict=True)
        for vote in votes
    ]
    right = [vote["vote"]["label"] == target for vote, target in cast]
    share = clustered_figure(right, [vote["worker"] for vote, _ in cast], digits=2, scale=1) if cast else NONE
    return [("alpha, labels", alpha(said)), ("share of votes with the writer's label", share)]


def beaten(rows: pd.DataFrame) -> pd.Series:
    """By the label that verifiers gave, where it is another one than the target."""
    said = rows["prediction"].map(lambda one: one["label"])
    return rows["fooled"].astype(bool) & (rows["label"].isna() | (rows["label"] != said))


def divisions(works: pd.DataFrame) -> dict[str, pd.Series]:
    genres = works["genre"].map(lambda genre: genre.replace("_", " ") if genre else None)
    return {"label": works["work"].map(lambda work: work["target"]), "genre": genres}


def traces(export: Export) -> pd.DataFrame:
    named = {label[0]: label for label in LABELS}
    found = []
    for part, examples in export.examples.items():
        for row in examples.itertuples():
            label, words = named[row.label], bag(row.hypothesis)
            one = trace(row.uid, part, row.context, row.hypothesis, label, {})
            tenths = [] if one["shared"] is None else [f"{int(10 * one['shared'])} tenths"]
            seen = {"hypothesis only": words, "premise only": bag(row.context), "overlap only": tenths}
            found.append({**one, "guesses": {name: Named(features, label) for name, features in seen.items()}})
    return pd.DataFrame(found, dtype=object)


KIND = Kind(
    works="hypotheses",
    work="hypothesis",
    contexts="premises",
    context="premise",
    checked="Verified model errors",
    kept="verified model errors",
    beaten=beaten,
    human_header=["accuracy, %"],
    human=human,
    agreement=agreement,
    sections=sections,
    discarded="too little of what others have checked was kept",
    divisions=divisions,
    traces=traces,
    votes_right=lambda _, example: labels_right(
        example.work["target"], example.counted_votes, lambda vote: vote["vote"]["label"]
    ),
    model_right=lambda example, answer: answer["prediction"]["label"] == (example.label or example.work["target"]),
    told=lambda work: [work["hypothesis"], work["target"]],
)
