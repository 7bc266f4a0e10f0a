"""The data card: what is in an export and how it came to be, filled in from the campaign (Gebru et al. 2018).

It begins with the metadata that the Hugging Face hub reads. Nothing in it is text from workers.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beat_the_ai.dataset.balance import Balance
from beat_the_ai.dataset.citation import bibtex
from beat_the_ai.dataset.columns import meanings
from beat_the_ai.dataset.datasheet import answers, settings
from beat_the_ai.dataset.further import WrittenTable
from beat_the_ai.dataset.names import ATTEMPTS
from beat_the_ai.dataset.placement import DOUBTFUL, REJECTED, SURPLUS, UNBALANCED
from beat_the_ai.dataset.records import attempt_type, example_type
from beat_the_ai.dataset.splits import SPLITS
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.rules.adjudication import Validity
from beat_the_ai.rules.checking import Checking
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.figure import percent
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.crowd import CrowdTerms
from beat_the_ai.terms.division import EXCLUSIVE, PARTS, TEST
from beat_the_ai.terms.preset import HEADER, NOT_AS_IN_THE_PAPER, differences
from beat_the_ai.terms.round import DatasetSettings, RoundTerms

CARD_FILE = "README.md"
SIMULATED = "A rehearsal: simulated people made all of this. Nobody wrote, reviewed or validated any of it."

_EXCLUSIVE = f"`{EXCLUSIVE}` is the share of test by writers who are in no other part."
_INTERVALS = "Intervals are by a jackknife of the writers, with Student's t; there is none of one alone."

ARMS = (
    "Each writer was drawn into one arm, in permuted blocks, and stayed in it. Examples and attempts name it as `arm`; "
    "examples in a\nformat of their own have the `id` of their attempt."
)

EXCLUDED = {
    "discarded": "of writers whose work is discarded",
    "not_handed_in": "in a HIT that was never handed in",
    "not_confirmed": "in a HIT that the crowd has not confirmed yet",
    "set_aside": "in a HIT that the crowd does not have from that worker",
}
DROPPED = {
    "model_right": "the model was right",
    "retracted": "taken back by the writer",
    Validity.INVALID.value: "other people say otherwise",
    Validity.UNDECIDED.value: "too few votes of other people",
    "not_validated": "not looked at by other people",
    UNBALANCED: "left out to balance the part",
    SURPLUS: "more than the part is to have",
    DOUBTFUL: "a reviewer has still to look at it",
    REJECTED: "a reviewer did not admit it",
}
MARKDOWN = str.maketrans({each: f"\\{each}" for each in "\\`*_[]|~!"})
SIZE_CATEGORIES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
LARGEST = "n>1M"
MOST_GAPS = 6  # that are named
SINGLE = ("license", "pretty_name")  # of the metadata; all other values are lists


@dataclass(frozen=True)
class FoundBefore:
    """Sentences on what commands have found in the dataset: `warnings`, which stand above all figures, and of votes."""

    warnings: Sequence[str] = ()
    of_votes: Sequence[str] = ()


NOTHING_FOUND = FoundBefore()


def card(
    campaign: BoundCampaign,
    tally: Tally,
    shards: Mapping[str, str],
    further: Sequence[WrittenTable],
    found: FoundBefore = NOTHING_FOUND,
) -> str:
    """Return the card. `shards`: the files of each split and table, seen from it; none without a hub folder."""
    kind = campaign.kind
    text = kind.dataset.card
    sections = [
        _metadata(campaign, tally, shards, further),
        f"# {_cell(title_of(campaign))}\n",
        *([f"**{warning}**\n"] if (warning := simulated_warning(campaign)) else []),
        f"{text.introduction}\n",
        *(f"**Warning: {_cell(warning)}**\n" for warning in found.warnings),
        "## Size\n\n" + _sizes(campaign, tally),
        *(["## Checked by other people\n\n" + _checks(kind, tally, found.of_votes)] if kind.checking else []),
        "## How it was collected\n\n" + _collection(campaign, tally),
        *_arms(campaign, tally),
        *_after_papers(campaign),
        "## Not in the dataset\n\n" + _losses(kind, tally),
        "## Fields\n\n" + _fields(campaign, further),
        f"## Limits\n\n{text.limits}\n",
        *([f"{_cell(campaign.left_out)}\n"] if campaign.left_out else []),
        "## Datasheet\n\n" + "\n".join(f"**{asked}** {_cell(said)}\n" for asked, said in answers(campaign, tally)),
        "## Settings\n\n" + _settings(campaign),
        *_citation(campaign, tally),
    ]
    return "\n".join(sections)


def simulated_warning(campaign: BoundCampaign) -> str:
    """Return the warning that goes with whatever simulated people have made; "" of other campaigns."""
    return SIMULATED if campaign.record.simulated else ""


def title_of(campaign: BoundCampaign) -> str:
    """Return the name of the dataset for readers."""
    return campaign.release.pretty_name or campaign.id


def _settings(campaign: BoundCampaign) -> str:
    """Return all settings, folded, as they are many."""
    rows = _table(("setting", "value"), ((f"`{key}`", _cell(value)) for key, value in settings(campaign)))
    return f"<details><summary>All settings of the campaign and its rounds</summary>\n\n{rows}\n</details>\n"


def _citation(campaign: BoundCampaign, tally: Tally) -> Iterator[str]:
    """Yield a section for whoever cites it; nothing without authors."""
    entry = bibtex(campaign.release, campaign.id, title_of(campaign), tally.last_day)
    if entry is not None:
        yield f"## How to cite it\n\n```bibtex\n{entry}\n```\n"


def _metadata(campaign: BoundCampaign, tally: Tally, shards: Mapping[str, str], further: Sequence[WrittenTable]) -> str:
    """Return the metadata. `load_dataset` cannot read a split without rows, so these are left out."""
    release, text = campaign.release, campaign.kind.dataset.card
    splits = [SPLITS[part] for part in PARTS if tally.examples[part]]
    makers = ["machine-generated" if campaign.record.simulated else "crowdsourced"]
    lists: dict[str, Sequence[str]] = {
        "annotations_creators": makers,
        "language_creators": makers,
        "language": campaign.languages,
        "license": [release.license] if release.license else (),
        "pretty_name": [title_of(campaign)],
        "size_categories": [_size_category(sum(tally.examples[part] for part in PARTS))],
        "source_datasets": release.source_datasets,
        "task_categories": text.task_categories,
        "task_ids": text.task_ids,
    }
    lines = ["---"]
    for name, values in lists.items():
        quoted = [json.dumps(value, ensure_ascii=False) for value in values]  # the language no would be false
        if name in SINGLE:
            lines += [f"{name}: {value}" for value in quoted]
        elif values:
            lines += [f"{name}:", *(f"- {value}" for value in quoted)]
    if shards and splits:
        lines += ["configs:", "- config_name: examples", "  default: true", "  data_files:"]
        for split in splits:
            lines += [f"  - split: {split}", f"    path: {shards[split]}"]
        for table in (ATTEMPTS, *(each.table.name for each in further if not each.is_empty)):
            if table in shards:
                lines += [f"- config_name: {table}", "  data_files:", "  - split: train", f"    path: {shards[table]}"]
    return "\n".join([*lines, "---", ""])


def _size_category(examples: int) -> str:
    """Return the size in the words of the Hugging Face hub."""
    return next((name for below, name in SIZE_CATEGORIES.items() if examples < below), LARGEST)


def _sizes(campaign: BoundCampaign, tally: Tally) -> str:
    kind, rows = campaign.kind, []
    for part in _parts(tally):
        counts = (len(tally.contexts[part]), tally.examples[part], tally.attempts[part])
        rows.append((part, *(f"{count:,}" for count in counts), _rate(tally.beaten[part])))
    total, whole = tally.all_attempts, Clustered.merged(tally.beaten[part] for part in PARTS)
    beaten = (
        f"Over all {total:,} attempts the model was beaten in {_rate(whole)} of those not taken back. {_INTERVALS} "
        if whole.of
        else ""
    )
    words = kind.words
    table = _table(("part", words.contexts, words.works, "attempts", "model beaten (95% interval)"), rows)
    exclusive = f" {_EXCLUSIVE}" if tally.attempts[EXCLUSIVE] else ""
    balances = "".join(f"- {told}\n" for told in _wanted(campaign, tally))
    balances += "".join(f"- {_balanced(place, of_part)}\n" for place, of_part in tally.balances.items())
    return f"{table}\n{beaten}No {words.context} is in two parts{kind.dataset.card.separation}.{exclusive}\n" + (
        balances and f"\n{balances}"
    )


def _wanted(campaign: BoundCampaign, tally: Tally) -> Iterator[str]:
    """Say of each part with a size in examples how many it has."""
    for number, each in campaign.rounds.items():
        section = each.terms.dataset
        for part, wanted in section.examples.items():
            told = f"{part} of round {number} is to have {wanted:,} {campaign.kind.words.works}"
            if part == TEST and section.most_exclusive is not None:
                told += f", at most {section.most_exclusive:,} of them by exclusive writers"
            yield f"{told}; it has {tally.by_round[number, part]:,}."


def _parts(tally: Tally) -> list[str]:
    """Return the parts, and the exclusive writers' share of test where there is one."""
    return [*PARTS, *([EXCLUSIVE] if tally.attempts[EXCLUSIVE] else [])]


def _balanced(place: tuple[int, str], found: Balance) -> str:
    number, part = place
    gaps = ", ".join(_plain(" / ".join(gap)) for gap in found.gaps[:MOST_GAPS])
    gaps += f" and {len(found.gaps) - MOST_GAPS:,} more" if len(found.gaps) > MOST_GAPS else ""
    without = f"it has no example of {gaps}"
    if not found.columns:
        return f"{part} of round {number} is not balanced: {without}."
    told = f"{part} of round {number} is balanced by {' and '.join(found.columns)}: {found.size:,} of each"
    told += f", and one more of {found.longer}" if found.longer else ""
    return f"{told}; by no more, for {without}." if gaps else f"{told}."


def _rate(of: Clustered) -> str:
    share = of.share
    return "–" if share is None else share.text(percent)


def _checks(kind: Kind, tally: Tally, found: Sequence[str]) -> str:
    if not tally.outcomes:
        return f"**Unvalidated: nobody but its writer has looked at a {kind.words.work} of this export.** " + (
            f"{kind.dataset.card.unchecked}\n"
        )
    rows = []
    for part in _parts(tally):
        counts = [tally.outcomes[part, validity] for validity in Validity]
        share = _rate(tally.kept[part])
        rows.append((part, *(f"{count:,}" for count in counts), share, f"{tally.valid_examples[part]:,}"))
    share_of = "valid of the decided (95% interval)"
    header = ("part", *(validity.value for validity in Validity), share_of, "valid in the dataset")
    asked = f"{len(tally.voters):,} people gave {tally.votes:,} votes"
    asked += (
        f", {tally.uncounted_votes:,} of which do not count: who gave them did badly where the label is known. "
        if tally.uncounted_votes
        else ". "
    )
    before = "The shares are taken before writers are discarded for what others say of their work. "
    return f"{_table(header, rows)}\n{before}{asked}{' '.join([_kept(kind, tally), *map(_cell, found)])}\n"


def _kept(kind: Kind, tally: Tally) -> str:
    """Name the parts whose works others have all confirmed, and what else the others hold, by the released rows."""
    works = kind.words.works
    parts_by_content = {
        f"hold only valid {works} of those that beat the model": [
            part for part in PARTS if tally.kept_wins(part) and not tally.unchecked_wins[part]
        ],
        f"also hold {works} that beat the model and that nobody has confirmed": [
            part for part in PARTS if tally.unchecked_wins[part]
        ],
        f"also hold {works} that did not beat the model": [part for part in PARTS if tally.model_right[part]],
    }
    return " ".join(f"Parts that {what}: {', '.join(names)}." for what, names in parts_by_content.items() if names)


def _collection(campaign: BoundCampaign, tally: Tally) -> str:
    facts: dict[str, Any] = {
        "task": _plain(campaign.kind.name),
        "seed": f"{campaign.seed}",
        "rounds": ", ".join(str(number) for number in sorted(tally.rounds)),
        "writers": f"{len(tally.writers):,}",
        "written from": tally.first_at and f"{tally.first_at:%Y-%m-%d} to {tally.last_at:%Y-%m-%d} (UTC)",
        "model in the loop": "; ".join(
            f"{_plain(name)} (weights {_plain(digest)[:16]}, {_plain(precision)})"
            for name, digest, precision in sorted(tally.models)
        ),
        **_terms(campaign),
        "test part only": _exclusive([each.terms.dataset for each in campaign.rounds.values()]),
        "crowd": _plain(campaign.crowd.provider),
    }
    return "".join(f"- {name}: {fact}\n" for name, fact in facts.items() if fact)


def _terms(campaign: BoundCampaign) -> dict[str, str]:
    """Return the terms once where all rounds have them, else those of each."""
    rounds = campaign.rounds
    told = {number: _terms_of(each.kind, each.terms, campaign.crowd) for number, each in rounds.items()}
    names = dict.fromkeys(name for terms in told.values() for name in terms)
    facts = {}
    for name in names:
        by_round = {number: str(terms[name]) for number, terms in told.items() if terms[name]}
        same = len(set(by_round.values())) == 1 and len(by_round) == len(rounds)
        each = "; ".join(f"round {number}: {fact}" for number, fact in by_round.items())
        facts[name] = next(iter(by_round.values())) if same else each
    return facts


def _terms_of(kind: Kind, terms: RoundTerms, crowd: CrowdTerms) -> dict[str, Any]:
    asked, sizes = terms.round, terms.dataset.model_dump()
    return {
        "beaten means": kind.dataset.beaten_means({} if terms.task is None else terms.task.options),
        "asked for": asked and f"{asked.wins_wanted} to {asked.max_wins} such wins a HIT",
        "reward": terms.pay and f"{crowd.amount(terms.pay.reward_cents)} a HIT",
        "votes asked for": kind.checking and _votes(kind, kind.checking, adaptive=terms.validation.terms.adaptive),
        "parts": ", ".join(f"{part} {sizes[part]}" for part in PARTS) + f" (relative sizes in {kind.words.contexts})"
        if terms.dataset.splits is None
        else f"those of a file that names the part of each {kind.words.context}",
    }


def _votes(kind: Kind, checking: Checking, *, adaptive: bool) -> str:
    stop = ", no more once its status is certain" if adaptive else ""
    return f"up to {checking.most_votes} on a {kind.words.work} that beat the model{stop}"


def _arms(campaign: BoundCampaign, tally: Tally) -> list[str]:
    """Return a section on the arms of each round that has any."""
    works, sections = campaign.kind.words.works, []
    for number, each in campaign.rounds.items():
        rows = [
            (_plain(name), _cell(str(arm)), f"{len(of.writers):,}", f"{of.attempts:,}", f"{of.examples:,}")
            for name, arm in each.terms.arms.items()
            for of in [tally.arms[number, name]]
        ]
        if rows:
            table = _table(("arm", "settings of its own", "writers", "attempts", works), rows)
            sections.append(f"## Arms of round {number}\n\n{ARMS}\n\n{table}")
    return sections


def _after_papers(campaign: BoundCampaign) -> list[str]:
    """Return a section on the presets of the rounds, and what is not as in the papers; nothing without a preset."""
    return [
        f"## {NOT_AS_IN_THE_PAPER}: round {number}\n\n"
        f"Preset `{_plain(preset.name)}`, after {_cell(preset.paper)}.\n\n"
        + _table(HEADER, (list(map(_cell, row)) for row in differences(preset, campaign.departures(number))))
        for number, each in campaign.rounds.items()
        if (preset := each.terms.preset) is not None
    ]


def _exclusive(divisions: Sequence[DatasetSettings]) -> str:
    """Say who writes for test alone: the exclusive writers of all rounds."""
    listed = len({worker for each in divisions for worker in each.exclusive_writers})
    share = max((each.exclusive_share for each in divisions), default=0)
    told = [
        f"{listed:,} listed writers" if listed else "",
        f"{share:.0%} of the writers, drawn by the seed" if share else "",
    ]
    return " and ".join(filter(None, told))


def _losses(kind: Kind, tally: Tally) -> str:
    rows = [
        (why, *(f"{tally.dropped[part, reason]:,}" for part in PARTS))
        for reason, why in DROPPED.items()
        if any(tally.dropped[part, reason] for part in PARTS)
    ]
    excluded = [(why, f"{tally.excluded[reason]:,}") for reason, why in EXCLUDED.items() if tally.excluded[reason]]
    told = [_table(("attempts", *PARTS), rows)] if rows else []
    told += [_table(("attempts in no part", "number"), excluded)] if excluded else []
    if tally.discarded_writers:
        told.append(
            f"Writers all of whose work is discarded: {len(tally.discarded_writers):,}. Reviewers have revoked them"
            f"{f', or {kind.checking.text.discarded}' if kind.checking else ''}.\n"
        )
    return "\n".join(told or ["Nothing was left out.\n"])


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _plain(text: str) -> str:
    """Return a name in one line, without what Markdown or HTML would take for more than a name."""
    return "".join(char if char.isalnum() or char in " ._-/:+" else "_" for char in text)


def _cell(text: str) -> str:
    """Return a text of the requester's as a cell in one line, without Markdown or HTML."""
    return html.escape(" ".join(text.split()), quote=False).translate(MARKDOWN)


def _fields(campaign: BoundCampaign, further: Sequence[WrittenTable]) -> str:
    """Return the columns with their meanings, from their declarations."""
    kind = campaign.kind
    examples, attempts = _columns(example_type(campaign)), _columns(attempt_type(kind))
    told = "The table of attempts has every attempt, including those that are not in the dataset."
    tables = [each.table for each in further if each.paths]
    others = "".join(f"\n{table.about}\n\n{_columns(table.row_type)}" for table in tables)
    return f"{examples}\n{told}\n\n{attempts}{others}\n`SHA256SUMS` holds the checksums of all files.\n"


def _columns(record: type[Value]) -> str:
    return _table(("field", "meaning"), [(f"`{name}`", meaning) for name, meaning in meanings(record)])
