"""Models that have answered again: which works beat them, in all and by group."""

from __future__ import annotations

import pandas as pd

from tests.recompute.campaign import Kind, Section, drawn
from tests.recompute.cells import clustered_share, share
from tests.recompute.files import Export, Rescored, is_true

BEAT, CONFIRMED, DID_NOT, ALL = "beat the model then", "of these, confirmed by others", "did not beat it then", "all"
WRITER = "writer"


def sections(export: Export, kind: Kind) -> dict[str, Section]:
    works = {rescored.label: _works(export, rescored) for rescored in export.rescored}
    found = dict[str, Section]()
    for rescored in export.rescored:
        found |= _sections(rescored, works[rescored.label], kind)
    if len(works) > 1:
        found["Looking back with each model"] = _beside(works)
    return found


def _works(export: Export, rescored: Rescored) -> pd.DataFrame:
    """Return the attempts that the model has answered and that were not taken back, with a column `now`."""
    judged = export.attempts[export.attempts["judged"]]
    answered = judged[judged["attempt_id"].isin(rescored.answers.index)]
    return answered.assign(now=is_true(answered["attempt_id"].map(rescored.answers["fooled"])))


def _choices(works: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the works of each choice that has any."""
    beat = is_true(works["fooled"])
    chosen = {
        BEAT: works[beat],
        CONFIRMED: works[beat & (works["validation"] == "valid")],
        DID_NOT: works[~beat],
        ALL: works,
    }
    return {name: some for name, some in chosen.items() if len(some)}


def _cells(works: pd.DataFrame) -> list[str]:
    return [f"{len(works):,}", clustered_share(works["now"], works["worker"])]


def _beside(works: dict[str, pd.DataFrame]) -> Section:
    chosen = {label: _choices(of_model) for label, of_model in works.items()}
    names = [name for name in (BEAT, CONFIRMED, DID_NOT, ALL) if all(name in of_model for of_model in chosen.values())]
    rows = [[label, *(_cells(of_model[name])[1] for name in names)] for label, of_model in chosen.items()]
    return Section(["model", *names], rows, drawn(pd.concat(list(works.values()))["worker"]))


def _sections(rescored: Rescored, works: pd.DataFrame, kind: Kind) -> dict[str, Section]:
    chosen = _choices(works)
    told = drawn(works["worker"])
    loop = works["model"].map(lambda model: (model["hash"], model["precision"]) == (rescored.hash, rescored.precision))
    same = works[loop.astype(bool)]
    if len(same):
        alike = (is_true(same["fooled"]) == same["now"]).sum()
        told.append(f"Of the {len(same):,} that this very model judged then, {alike:,} have the same verdict.")
    if kind.stray is not None and (strays := kind.stray(rescored.answers).sum()):
        told.append(f"Of its answers {strays:,} are {kind.stray_called}.")
    found = {
        f"Looking back with {rescored.label}": Section(
            [kind.works, "number", "beat it"], [[name, *_cells(some)] for name, some in chosen.items()], told
        )
    }
    divided = chosen.get(BEAT, works)
    of_whom = f"the {kind.works} that beat the model then" if BEAT in chosen else f"all {kind.works}"
    rows = [
        [division, name, *_cells(divided[groups == name])]
        for division, groups in _divisions(divided, kind).items()
        if groups.nunique() > 1
        for name in sorted(groups.dropna().unique())
    ]
    if rows:
        header = ["division", "group", kind.works, "beat it"]
        told = [f"Of each group, {of_whom}: ", *drawn(divided["worker"])]
        found[f"What beats {rescored.label}"] = Section(header, rows, told)
    writers = sorted(divided.groupby("worker"), key=lambda each: (-len(each[1]), each[0]))
    if len(writers) > 1:
        ranked = [[name, f"{len(theirs):,}", share(int(theirs["now"].sum()), len(theirs))] for name, theirs in writers]
        found[f"Whose {kind.works} beat {rescored.label}"] = Section(
            [WRITER, kind.works, "beat it"], ranked, [f"Of each writer, {of_whom}: "]
        )
    return found


def _divisions(works: pd.DataFrame, kind: Kind) -> dict[str, pd.Series]:
    """Return the group of each work in each division; None in one that has no group for it."""
    of_all = {
        "round": works["round"].map(str),
        "model then": works["model"].map(lambda model: model["member"]),
    }
    return {**of_all, **kind.divisions(works)}
