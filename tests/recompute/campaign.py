"""The sections that the reports of all kinds of task have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from tests.recompute.cells import (
    NONE,
    binned,
    clustered_mean,
    clustered_share,
    dollars,
    label,
    less_over_clusters,
    points,
)
from tests.recompute.files import PARTS, Export, is_true
from tests.recompute.left_out import ROWS

HELD = {
    "empty": "empty, waiting for a person",
    "too_few": "handed in early, with fewer tries than a HIT takes",
    "unexplained": "handed in early, with a win that is not explained",
    "set_aside": "set aside, not work that the crowd has",
    "not_handed_in": "never handed in",
    "not_confirmed": "not confirmed by the crowd yet",
    "withheld": "withheld, though it counts by now",
}


@dataclass(frozen=True)
class Section:
    """The table of a section, and sentences that its text has to hold."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    sentences: Sequence[str] = ()


@dataclass(frozen=True)
class Kind:
    """The words and rules of a kind of task.

    `beaten` says of attempts whether they beat the model by their final labels, `divisions` names the group of each in
    each division, and `human` gives a cell for each of `human_header` from the confirmed works of a part. `stray` says
    of rows with a prediction whether it is no proper one, and `traces` has the examples as artefacts see them. Of an
    example, `votes_right` says of each vote that counts whether it is right, None where it decided on the example, and
    `model_right` says so of the answer of a model; `told` has the texts of a work that people read.
    """

    works: str
    work: str
    checked: str
    kept: str
    beaten: Callable[[pd.DataFrame], pd.Series]
    human_header: Sequence[str]
    human: Callable[[Export, pd.DataFrame], Sequence[str]]
    agreement: Callable[[Export, pd.DataFrame], Sequence[tuple[str, str]]]
    sections: Callable[[Export], dict[str, Section]]
    discarded: str
    contexts: str
    context: str
    divisions: Callable[[pd.DataFrame], dict[str, pd.Series]]
    traces: Callable[[Export], pd.DataFrame]
    votes_right: Callable[[Export, Any], Sequence[bool | None]]
    model_right: Callable[[Any, pd.Series], bool]
    told: Callable[[dict[str, Any]], Sequence[str]]
    stray: Callable[[pd.DataFrame], pd.Series] | None = None
    stray_called: str = ""


def campaign_sections(export: Export, kind: Kind, said: Mapping[str, Section]) -> dict[str, Section]:
    """Return the sections that say anything. Of what is `said`, only rows that are left out (`ROWS`) are taken."""
    made = {
        "Is a later model harder to beat?": _rounds(export),
        **kind.sections(export),
        "How often the model was beaten": _beaten(export, kind),
        kind.checked: _kept(export, kind),
        "Human performance": _human(export, kind),
        "Validators": _validators(export, kind),
        "Writers": _writers(export, kind),
        "Discarded work": _discards(export, kind),
        "Work that waits for a person": _held(export),
        "Time for a HIT": _time(export),
        "Cost": _cost(export, kind, said.get("Cost", Section([], []))),
    }
    return {title: section for title, section in made.items() if section.rows or section.sentences}


def _rounds(export: Export) -> Section:
    """Return the error rates of each round, and how much they differ from those of the first; none of one round."""
    trials = errors(export)
    rounds = {number: trials[trials["round"] == number] for number in sorted(trials["round"].unique())}
    rates = {number: _rates(rows) for number, rows in rounds.items()}
    models = {
        number: ", ".join(sorted(set(of["model"].map(lambda model: model["member"])))) for number, of in rounds.items()
    }
    opening = next(iter(rates), 0)
    first = rates.get(opening, {})
    rows, told = [], drawn(trials[counted(trials)]["worker"])
    for number, of_round in rates.items():
        less = {
            name: () if number == opening else less_over_clusters(rate, first[name]) for name, rate in of_round.items()
        }
        cells = [cell for name, rate in of_round.items() for cell in (clustered_share(*rate), points(less[name]))]
        rows.append([f"{number}", models[number], *cells])
        if number != opening and models[number] == models[opening]:
            told.append(f"Round {number} was played against the same model as the first.")
            continue
        told += [
            f"By the {name} rate the model of round {number}, {models[number]}, {_verdict(value)} than that of the "
            f"first: {points(value)}."
            for name, value in less.items()
            if value
        ]
    names = [cell for name in first for cell in (f"model error rate, {name}", "less the first round's")]
    return Section(["round", "model", *names], rows, told) if len(rows) > 1 else Section([], [])


def counted(trials: pd.DataFrame) -> pd.Series:
    """Return which trials are in some rate."""
    return trials["judged"].astype(bool) | trials["decided"].astype(bool)


def _verdict(less: Sequence[float]) -> str:
    _, low, high = (*less, 0.0, 0.0)[:3]
    if low <= 0 <= high:
        return "is not shown to be harder or easier to beat"
    return f"is {'harder' if high < 0 else 'easier'} to beat"


def _rates(rows: pd.DataFrame) -> dict[str, tuple[pd.Series, pd.Series]]:
    """Return which attempts count in each rate as beaten, and their writers."""
    judged, decided = rows[rows["judged"]], rows[rows["decided"].astype(bool)]
    return {
        "unverified": (is_true(judged["fooled"]), judged["worker"]),
        "verified": (decided["verified"].astype(bool), decided["worker"]),
    }


def _beaten(export: Export, kind: Kind) -> Section:
    judged = export.attempts[export.attempts["judged"]]
    models = judged["model"].map(lambda model: model["name"])
    groups = {name: judged[models == name] for name in sorted(models.unique())}
    if len(groups) != 1:
        groups["all"] = judged
    strays = {name: kind.stray(rows) if kind.stray else rows["fooled"] & False for name, rows in groups.items()}
    header = [
        "model",
        "attempts",
        "beaten",
        *([f"its answer is {kind.stray_called}"] if any(map(any, strays.values())) else []),
    ]
    cells = [
        [
            name,
            f"{len(rows):,}",
            clustered_share(rows["fooled"], rows["worker"]),
            clustered_share(strays[name], rows["worker"]),
        ]
        for name, rows in groups.items()
    ]
    return Section(header, [row[: len(header)] for row in cells], drawn(judged["worker"]))


def drawn(clusters: pd.Series, called: str = "writers") -> list[str]:
    if not len(clusters):
        return []
    number = clusters.nunique()
    few = f"No intervals: 2 {called} are the fewest for one."
    return [f"95% intervals by a jackknife of the {number:,} {called}" if number > 1 else few]


def _kept(export: Export, kind: Kind) -> Section:
    rows, writers = [], []
    for part in export.shown_parts:
        decided = decided_works(export, part)
        if len(decided):
            valid = clustered_share(decided["validation"] == "valid", decided["worker"])
            rows.append([part, f"{len(decided):,}", valid, f"{len(confirmed(export, part)):,}"])
            writers.append(decided["worker"])
    told = drawn(pd.concat(writers)) if writers else []
    return Section(["part", "decided", kind.kept, "of these in the dataset"], rows, told)


def decided_works(export: Export, part: str) -> pd.DataFrame:
    rows = export.checked(part)
    return rows[rows["validation"].isin(["valid", "invalid"])]


def confirmed(export: Export, part: str) -> pd.DataFrame:
    """Return the works of a part in the dataset that other people have confirmed."""
    rows = export.part(part)
    return rows[rows["dropped"].isna() & (rows["validation"] == "valid")]


def _human(export: Export, kind: Kind) -> Section:
    by_part = {part: confirmed(export, part) for part in export.shown_parts}
    rows = [[part, f"{len(of):,}", *kind.human(export, of)] for part, of in by_part.items() if len(of)]
    return Section(["part", kind.works, *kind.human_header], rows)


def _validators(export: Export, kind: Kind) -> Section:
    votes = export.votes
    if votes.empty:
        return Section([], [])
    counted = votes[votes["dropped"].isna() | (votes["dropped"] == "unsound")]
    excluded = counted[counted["dropped"] == "unsound"]["worker"].nunique()
    gold = counted[counted["attempt_id"].isna()]
    asked_in = export.assignments[export.assignments["assignment"].isin(counted["assignment"])]
    unanswered = asked_in[asked_in["gold_unanswered"].astype(int) > 0]
    missed = unanswered["worker"].repeat(unanswered["gold_unanswered"].astype(int))
    asked = pd.concat([gold["worker"], missed], ignore_index=True)
    right = pd.Series([*gold["agrees"].astype(bool), *[False] * len(missed)], dtype=bool)
    works = export.attempts[export.attempts["validation"].notna()]
    rows = [
        ["validators", f"{counted['worker'].nunique():,}"],
        *([["of these, with votes that do not count", f"{excluded:,}"]] if excluded else []),
        ["votes", f"{works['counted_votes'].map(len).sum():,}"],
        ["votes saved by stopping early", f"{works['votes_saved'].sum():,}"],
        [f"{kind.works} with known labels, voted right", _gold(right, asked)],
        *map(list, kind.agreement(export, works)),
    ]
    return Section(["what", "figure"], rows)


def _gold(right: pd.Series, validators: pd.Series) -> str:
    return f"{clustered_share(right, validators)} of {len(right):,}" if len(right) else NONE


def _counting(export: Export, stage: str) -> pd.DataFrame:
    rows = export.stage(stage)
    return rows[rows["dropped"].isna()]


def _writers(export: Export, kind: Kind) -> Section:
    hits = _counting(export, "writing").groupby("worker")
    judged = export.attempts[export.attempts["judged"]]
    counting = _counting(export, "writing")
    looked_at = counting[counting["review"].notna()]["assignment"]
    figures = pd.DataFrame(
        {
            "hits": hits.size(),
            "reviewed": hits["review"].count(),
            "wins": judged.groupby("worker")["fooled"].sum(),
            "seen": judged[judged["assignment"].isin(looked_at)].groupby("worker")["fooled"].sum(),
        }
    ).fillna(0)
    figures = figures.astype(int).reset_index(names="worker")
    figures = figures.sort_values(["wins", "hits", "worker"], ascending=[False, False, True])
    rows = [
        [
            one.worker,
            *(
                cell
                for total, seen in ((one.wins, one.seen), (one.hits, one.reviewed))
                for cell in (f"{total:,}", f"{seen:,} ({seen / total:.0%})" if total else f"{seen:,}")
            ),
        ]
        for one in figures.itertuples()
    ]
    sentences = [f"that beat the model, of each of {len(figures):,} writers"] if rows else []
    if figures["wins"].sum():
        sentences.append(f"the writer with the most wrote {figures['wins'].max() / figures['wins'].sum():.1%} of them")
    header = ["writer", f"{kind.works} that beat the model", "in reviewed HITs", "HITs", "reviewed"]
    return Section(header, rows, sentences)


def _discards(export: Export, kind: Kind) -> Section:
    writing, validation = export.stage("writing"), export.stage("validation")
    discarded = export.assignments[export.assignments["discarded_by"].notna()]
    attempts = export.attempts[export.attempts["dropped"] == "discarded"].groupby("worker").size()
    rows = []
    for worker, theirs in sorted(discarded.groupby("worker")):
        mine, checked = writing[writing["worker"] == worker], validation[validation["worker"] == worker]
        if len(mine) + len(checked):
            why = kind.discarded
            if (theirs["discarded_by"] == "reviewer").any():
                reviewed = mine["review"].dropna()
                why = "revoked by a reviewer" + (
                    f"; {(reviewed == 'accepted').sum():,} of {len(reviewed):,} reviewed HITs were accepted"
                    if len(reviewed)
                    else ""
                )
            rows.append([worker, f"{len(mine):,}", f"{attempts.get(worker, 0):,}", f"{len(checked):,}", why])
    refused = export.assignments[export.assignments["standing"] == "refused"]["worker"].nunique()
    told = [f"Newcomers who were refused, without any work in the campaign: {refused:,}."] if refused else []
    return Section(["worker", "writing HITs", "attempts", "validation HITs", "why"], rows, told)


def _held(export: Export) -> Section:
    held = export.assignments[export.assignments["held"].notna() & (export.assignments["stage"] != "screening")]
    rows = []
    for cause, words in HELD.items():
        mine = held[held["held"] == cause]
        tried = export.attempts["assignment"].isin(mine["assignment"]).sum()
        if len(mine):
            rows.append([words, f"{len(mine):,}", f"{tried:,}", f"{mine['is_paid'].notna().sum():,}"])
    return Section(["HITs", "number", "attempts in them", "decided"], rows)


def _time(export: Export) -> Section:
    hits = _counting(export, "writing")
    seconds = hits["seconds"].astype(float)
    if not len(seconds):
        return Section([], [])
    width, starts = binned(seconds)
    counts = Counter(int(each) // width * width for each in seconds)
    rows = [[label(start, width), f"{counts[start]:,}"] for start in starts if counts[start]]
    sentence = f"Mean {clustered_mean(seconds, hits['worker'])} seconds over {len(seconds):,} HITs"
    return Section(["seconds", "HITs"], rows, [sentence, *drawn(hits["worker"])])


def _cost(export: Export, kind: Kind, said: Section) -> Section:
    charged = [row for row in said.rows if row[0] in ROWS]
    charged_cents = sum(round(100 * float(row[1].strip("$").replace(",", ""))) for row in charged)
    earned = export.assignments.groupby("stage")["earned_cents"].sum()
    writing, validation = int(earned.get("writing", 0)), int(earned.get("validation", 0))
    works = int(kind.beaten(export.kept).sum())
    valid = sum(len(confirmed(export, part)) for part in PARTS)
    each = (writing + charged_cents) / works if works else None
    rows = [
        ["earned in the screening, with fees", dollars(int(earned.get("screening", 0)))],
        ["earned by writers, with fees", dollars(writing)],
        ["earned by validators, with fees", dollars(validation)],
        *map(list, charged),
        [f"{kind.works} in the dataset that beat the model", f"{works:,}"],
        ["of these, validated", f"{valid:,}"],
        [f"cost of a {kind.work} that beat the model", dollars(each)],
    ]
    if each is not None and valid:
        rows.append([f"cost of a validated {kind.work}", dollars(each + validation / valid)])
    return Section(["what", "amount"], rows)


def confirmation(attempts: pd.DataFrame) -> pd.Series:
    """Return whether other people keep a work, by a reviewer's word on doubts, then by votes; None: that is open."""
    kept = attempts["validation"].map({"valid": True, "invalid": False})
    told = [
        False if no is False else yes if yes in (True, False) else None
        for no, yes in zip(attempts["admitted"], kept, strict=True)
    ]
    return pd.Series(told, index=attempts.index, dtype=object)


def errors(export: Export) -> pd.DataFrame:
    """Return the trials with columns `decided` (the HIT is) and `verified` (the attempt is a verified error)."""
    trials = export.attempts[export.attempts["is_trial"]].copy()
    fooled, confirmed_ = is_true(trials["fooled"]), confirmation(trials)
    is_open = (fooled & confirmed_.isna()).groupby(trials["assignment"]).transform("any")
    trials["decided"] = is_true(trials["is_checked"]) & ~is_open
    trials["verified"] = trials["decided"] & fooled & is_true(confirmed_)
    return trials
