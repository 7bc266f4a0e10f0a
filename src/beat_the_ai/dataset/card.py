"""The data card: what is in an export and how it came to be, filled in from the campaign (Gebru et al. 2018).

It begins with the metadata that the Hugging Face hub reads. Nothing in it is text from workers.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from beat_the_ai.dataset.balance import Balance
from beat_the_ai.dataset.columns import meanings
from beat_the_ai.dataset.further import WrittenTable
from beat_the_ai.dataset.placement import DOUBTFUL, REJECTED, UNBALANCED
from beat_the_ai.dataset.records import ATTEMPTS, attempt_type, example_type
from beat_the_ai.dataset.splits import SPLITS
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.rules.adjudication import Validity
from beat_the_ai.rules.dataset import CardText
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import EXCLUSIVE, PARTS
from beat_the_ai.terms.preset import HEADER, NOT_AS_IN_THE_PAPER, differences
from beat_the_ai.terms.round import DatasetSettings, RoundTerms

CARD_FILE = "README.md"
SIMULATED = "A rehearsal: simulated people made all of this. Nobody wrote, reviewed or validated any of it."

_EXCLUSIVE = f"`{EXCLUSIVE}` is the share of test by writers who are in no other part."

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
    DOUBTFUL: "a reviewer has still to look at it",
    REJECTED: "a reviewer did not admit it",
}
MARKDOWN = str.maketrans({each: f"\\{each}" for each in "\\`*_[]|~!"})
MOST_GAPS = 6  # that are named


def card(
    campaign: BoundCampaign,
    tally: Tally,
    shards: Mapping[str, str],
    further: Sequence[WrittenTable],
) -> str:
    """`shards`: the files of each split and table, seen from the card; none without a hub folder."""
    kind = campaign.kind
    text = kind.dataset.card
    sections = [
        _metadata(text, campaign.languages, shards, [SPLITS[part] for part in PARTS if tally.examples[part]], further),
        f"# {_plain(campaign.id)}\n",
        *([f"**{SIMULATED}**\n"] if campaign.record.simulated else []),
        f"{text.introduction}\n",
        "## Size\n\n" + _sizes(kind, tally),
        *(["## Checked by other people\n\n" + _checks(kind, tally)] if kind.checking else []),
        "## How it was collected\n\n" + _collection(campaign, tally),
        *_arms(campaign, tally),
        *_after_papers(campaign),
        "## Not in the dataset\n\n" + _losses(kind, tally),
        "## Fields\n\n" + _fields(campaign, further),
        f"## Limits\n\n{text.limits}\n",
        *([f"{_cell(campaign.left_out)}\n"] if campaign.left_out else []),
    ]
    return "\n".join(sections)


def _metadata(
    text: CardText,
    languages: Sequence[str],
    shards: Mapping[str, str],
    splits: Sequence[str],
    further: Sequence[WrittenTable],
) -> str:
    """`load_dataset` cannot read a split without rows, so it is told of the others."""
    lines = ["---", "language:", *(f'- "{language}"' for language in languages)]  # no is false
    for name, values in (("task_categories", text.task_categories), ("task_ids", text.task_ids)):
        lines += [f"{name}:", *(f"- {value}" for value in values)] if values else []
    if shards and splits:
        lines += ["configs:", "- config_name: examples", "  default: true", "  data_files:"]
        for split in splits:
            lines += [f"  - split: {split}", f"    path: {shards[split]}"]
        for table in (ATTEMPTS, *(each.table.name for each in further if not each.is_empty)):
            if table in shards:
                lines += [f"- config_name: {table}", "  data_files:", "  - split: train", f"    path: {shards[table]}"]
    return "\n".join([*lines, "---", ""])


def _sizes(kind: Kind, tally: Tally) -> str:
    rows = []
    for part in _parts(tally):
        counts = (len(tally.contexts[part]), tally.examples[part], tally.attempts[part])
        rows.append((part, *(f"{count:,}" for count in counts), _rate(tally, [part])))
    total = tally.all_attempts
    beaten = (
        f"Over all {total:,} attempts the model was beaten in {_rate(tally, PARTS)} of those not taken back. "
        if sum(tally.judged.values())
        else ""
    )
    words = kind.words
    table = _table(("part", words.contexts, words.works, "attempts", "model beaten (95% interval)"), rows)
    exclusive = f" {_EXCLUSIVE}" if tally.attempts[EXCLUSIVE] else ""
    balances = "".join(f"- {_balanced(place, of_part)}\n" for place, of_part in tally.balances.items())
    return f"{table}\n{beaten}No {words.context} is in two parts.{exclusive}\n" + (balances and f"\n{balances}")


def _parts(tally: Tally) -> list[str]:
    """The parts, and the exclusive writers' share of test where there is one."""
    return [*PARTS, *([EXCLUSIVE] if tally.attempts[EXCLUSIVE] else [])]


def _balanced(place: tuple[int, str], found: Balance) -> str:
    number, part = place
    gaps = ", ".join(_plain(" / ".join(gap)) for gap in found.gaps[:MOST_GAPS])
    gaps += f" and {len(found.gaps) - MOST_GAPS:,} more" if len(found.gaps) > MOST_GAPS else ""
    without = f"it has no example of {gaps}"
    if not found.columns:
        return f"{part} of round {number} is not balanced: {without}."
    told = f"{part} of round {number} is balanced by {' and '.join(found.columns)}: {found.size:,} of each"
    return f"{told}; by no more, for {without}." if gaps else f"{told}."


def _rate(tally: Tally, parts: Iterable[str]) -> str:
    names = list(parts)
    wins, judged = sum(tally.wins[part] for part in names), sum(tally.judged[part] for part in names)
    low, high = wilson(wins, judged)
    return f"{wins / judged:.1%} ({low:.1%} to {high:.1%})" if judged else "–"


def _checks(kind: Kind, tally: Tally) -> str:
    if not tally.outcomes:
        return f"**Unvalidated: nobody but its writer has looked at a {kind.words.work} of this export.** " + (
            f"{kind.dataset.card.unchecked}\n"
        )
    rows = []
    for part in _parts(tally):
        counts = [tally.outcomes[part, validity] for validity in Validity]
        decided = counts[0] + counts[1]
        low, high = wilson(counts[0], decided)
        share = f"{counts[0] / decided:.1%} ({low:.1%} to {high:.1%})" if decided else "–"
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
    return f"{_table(header, rows)}\n{before}{asked}{_kept(kind, tally)}\n"


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
        "seed": campaign.seed,
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
    return "".join(f"- {name}: {fact}\n" for name, fact in facts.items() if fact not in ("", None, False))


def _terms(campaign: BoundCampaign) -> dict[str, str]:
    """Return the terms once where all rounds have them, else those of each."""
    rounds = campaign.rounds
    told = {number: _terms_of(campaign.kind, each.terms) for number, each in rounds.items()}
    names = dict.fromkeys(name for terms in told.values() for name in terms)
    facts = {}
    for name in names:
        by_round = {number: str(terms[name]) for number, terms in told.items() if terms[name]}
        same = len(set(by_round.values())) == 1 and len(by_round) == len(rounds)
        each = "; ".join(f"round {number}: {fact}" for number, fact in by_round.items())
        facts[name] = next(iter(by_round.values())) if same else each
    return facts


def _terms_of(kind: Kind, terms: RoundTerms) -> dict[str, Any]:
    asked, sizes = terms.round, terms.dataset.model_dump()
    return {
        "beaten means": kind.dataset.beaten_means({} if terms.task is None else terms.task.options),
        "asked for": asked and f"{asked.wins_wanted} to {asked.max_wins} such wins a HIT",
        "reward": terms.pay and f"{terms.pay.reward_cents} US cents a HIT",
        "parts": ", ".join(f"{part} {sizes[part]}" for part in PARTS) + f" (relative sizes in {kind.words.contexts})",
    }


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
    told = [f"{listed:,} listed writers"] * bool(listed) + [f"{share:.0%} of the writers, drawn by the seed"] * bool(
        share
    )
    return " and ".join(told)


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
    """A name in one line, without what Markdown or HTML would take for more than a name."""
    return "".join(char if char.isalnum() or char in " ._-/:+" else "_" for char in text)


def _cell(text: str) -> str:
    """Return a text of the requester's as a cell in one line, without Markdown or HTML."""
    return html.escape(" ".join(text.split()), quote=False).translate(MARKDOWN)


def _fields(campaign: BoundCampaign, further: Sequence[WrittenTable]) -> str:
    """From the declarations of the columns."""
    kind = campaign.kind
    examples, attempts = _columns(example_type(campaign)), _columns(attempt_type(kind))
    told = "The table of attempts has every attempt, those that are not in the dataset, too."
    tables = [each.table for each in further if each.paths]
    others = "".join(f"\n{table.about}\n\n{_columns(table.row_type)}" for table in tables)
    return f"{examples}\n{told}\n\n{attempts}{others}\n`SHA256SUMS` holds the checksums of all files.\n"


def _columns(record: type[Value]) -> str:
    return _table(("field", "meaning"), [(f"`{name}`", meaning) for name, meaning in meanings(record)])
