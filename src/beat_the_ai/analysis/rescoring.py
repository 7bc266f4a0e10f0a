"""Works that beat another model, too: in all, and by author, time, opponent and content.

After Bartolo et al. 2020, §4.1 ("Consistency of the Model in the Loop"). There, models are measured on works that were
written against others of their kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from beat_the_ai.analysis.cells import clustered_bar, clustered_cell, clustered_words, share_bar, share_cell
from beat_the_ai.analysis.drawings import bars
from beat_the_ai.rules.kind import Words
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.intervals import Interval, wilson
from beat_the_ai.statistics.section import Section, Table

WRITER = "writer"
MOST_BARS = 40


@dataclass(frozen=True)
class RescoredWork:
    """A work: whether it beat the model that it was written against `then` (None: not known), and the other one `now`.

    `confirmed`: other people's votes keep it. `cluster` is its writer or, where none is known, its context. `groups`
    has its group in each division: `{"round": "1"}`.
    """

    then: bool | None
    now: bool
    confirmed: bool
    cluster: str
    groups: Mapping[str, str]


@dataclass(frozen=True)
class Share:
    """The share of a group's works that beat the other model; without a division and a group, of all `works`.

    `counts` are by the works' clusters.
    """

    works: str
    division: str
    group: str
    counts: Clustered

    @property
    def total(self) -> int:
        return round(self.counts.of)

    @property
    def beaten(self) -> int:
        return round(self.counts.found)

    @property
    def figures(self) -> dict[str, str | int]:
        """Return the share for programs."""
        names = {"works": self.works, "division": self.division, "group": self.group}
        return {**names, "total": self.total, "beaten": self.beaten}

    @property
    def interval(self) -> Interval | None:
        """Return the 95% interval: of one writer's works alone Wilson's."""
        if self.division == WRITER:
            return wilson(self.beaten, self.total)
        estimate = self.counts.share
        return None if estimate is None else estimate.interval


BEAT, CONFIRMED, DID_NOT, ALL = "beat the model then", "of these, confirmed by others", "did not beat it then", "all"
CHOICES: Mapping[str, Callable[[RescoredWork], bool]] = {
    BEAT: lambda work: bool(work.then),
    CONFIRMED: lambda work: bool(work.then) and work.confirmed,
    DID_NOT: lambda work: work.then is False,
    ALL: lambda _: True,
}


def shares(works: Sequence[RescoredWork]) -> list[Share]:
    """Return the shares of all works, of those that beat the model then, and by groups.

    The groups divide the works that beat the model then; where no work did, they divide all works.
    """
    chosen = {name: [work for work in works if choice(work)] for name, choice in CHOICES.items()}
    found = [_share(name, "", "", some) for name, some in chosen.items() if some]
    name = BEAT if chosen[BEAT] else ALL
    groups: dict[tuple[str, str], list[RescoredWork]] = defaultdict(list)
    for work in chosen[name]:
        for division, group in work.groups.items():
            groups[division, group].append(work)
    divisions = list(dict.fromkeys(division for division, _ in groups))
    in_order = sorted(groups, key=lambda group: (divisions.index(group[0]), group[1]))
    return [*found, *(_share(name, *group, groups[group]) for group in in_order)]


def _share(name: str, division: str, group: str, works: Sequence[RescoredWork]) -> Share:
    counts = Clustered.of_values((work.now for work in works), (work.cluster for work in works))
    return Share(name, division, group, counts)


def rescoring_sections(
    label: str,
    words: Words,
    clusters: str,
    found: Sequence[Share],
    same: tuple[int, int],
    strays: tuple[str, int] | None = None,
) -> list[Section]:
    """Return the sections on one model. `label` is its name, `clusters` what the works' clusters are called.

    `same`: how many works this very model had judged then, alike and in all. `strays` are what its strays are, and how
    many there are among its answers.
    """
    sections = [_whole(label, words, clusters, [share for share in found if not share.division], same, strays)]
    by_division: dict[str, list[Share]] = defaultdict(list)
    for share in found:
        by_division[share.division].append(share)
    writers = by_division.pop(WRITER, [])
    divided = [share for division, of in by_division.items() if division and len(of) > 1 for share in of]
    if divided:
        sections.append(_divided(label, words, clusters, divided))
    if len(writers) > 1:
        sections.append(_writers(label, words, writers))
    return sections


def beside_section(found: Mapping[str, Sequence[Share]], words: Words, clusters: str) -> Section:
    """Compare models, `{label: shares}`: a row for each, and a column for each choice of works that all have."""
    whole = {label: {share.works: share for share in of if not share.division} for label, of in found.items()}
    choices = [name for name in CHOICES if all(name in of for of in whole.values())]
    rows = [(label, *(_cells(of[name])[1] for name in choices)) for label, of in whole.items()]
    every = Clustered.merged(share.counts for of in whole.values() for share in of.values())
    text = (
        f"The share of {words.works} that each model gets wrong, and how many they are. "
        f"{clustered_words((every, clusters))}"
    )
    return Section("Looking back with each model", text, Table(("model", *choices), rows))


def _whole(
    label: str,
    words: Words,
    clusters: str,
    found: Sequence[Share],
    same: tuple[int, int],
    strays: tuple[str, int] | None,
) -> Section:
    alike, judged = same
    astray = "" if strays is None else f" Of its answers {strays[1]:,} are {strays[0]}."
    again = f" Of the {judged:,} that this very model judged then, {alike:,} have the same verdict." if judged else ""
    drawn = clustered_words((Clustered.merged(share.counts for share in found), clusters))
    text = f"The share of {words.works} that {label} gets wrong.{again}{astray} {drawn}"
    table = Table((words.works, "number", "beat it"), [(share.works, *_cells(share)) for share in found])
    plot = bars([clustered_bar(share.works, share.counts) for share in found], f"Beat {label}", largest=1.0)
    return Section(f"Looking back with {label}", text, table, plot)


def _divided(label: str, words: Words, clusters: str, found: Sequence[Share]) -> Section:
    every = Clustered.merged(share.counts for share in found)
    text = (
        f"Of each group, {_those(words, found)}: the share that {label} gets wrong. "
        f"{clustered_words((every, clusters))}"
    )
    rows = [(share.division, share.group, *_cells(share)) for share in found]
    drawn = [clustered_bar(f"{share.division}: {share.group}", share.counts) for share in found[:MOST_BARS]]
    plot = bars(drawn, f"Beat {label}, by group", largest=1.0)
    return Section(f"What beats {label}", text, Table(("division", "group", words.works, "beat it"), rows), plot)


def _writers(label: str, words: Words, found: Sequence[Share]) -> Section:
    ranked = sorted(found, key=lambda share: (-share.total, share.group))
    text = (
        f"Of each writer, {_those(words, found)}: the share that {label} gets wrong, with 95% Wilson intervals. The "
        f"{words.works} of one writer are taken for independent."
    )
    rows = [(share.group, f"{share.total:,}", share_cell(share.beaten, share.total)) for share in ranked]
    table = Table(("writer", words.works, "beat it"), rows)
    drawn = [share_bar(share.group, share.beaten, share.total) for share in ranked[:MOST_BARS]]
    return Section(
        f"Whose {words.works} beat {label}", text, table, bars(drawn, f"Beat {label}, by writer", largest=1.0)
    )


def _those(words: Words, found: Sequence[Share]) -> str:
    return f"the {words.works} that beat the model then" if found[0].works == BEAT else f"all {words.works}"


def _cells(share: Share) -> tuple[str, str]:
    return f"{share.total:,}", clustered_cell(share.counts)
