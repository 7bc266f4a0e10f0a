"""Exports of a campaign: the dataset in its parts, every attempt in a second table, a data card, checksums.

Nothing depends on the time of the export: the same campaign gives the same bytes. Rows come in the store's order
(context, slot, assignment, ordinal). Worker ids are replaced by a keyed hash; the key stays in the store. Every attempt
is in the second table, and says why it is not in the dataset: what does not count, or was discarded, is in no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from beat_the_ai.dataset.card import CARD_FILE, card
from beat_the_ai.dataset.edits import EDITS, edit_type, write_edits
from beat_the_ai.dataset.files import remove_others, write_manifest, write_text
from beat_the_ai.dataset.format import Format, Rows, format_named, formats_of
from beat_the_ai.dataset.parts import Division
from beat_the_ai.dataset.placement import Divisions, Placement
from beat_the_ai.dataset.records import ATTEMPTS, HUGGING_FACE_FOLDER, attempt_row, attempt_type
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.dataset.validation import NOT_VALIDATED, Validation
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value
from beat_the_ai.store import Campaign, Store

BATCH_ROWS = 5000


def export_campaign(
    store: Store,
    campaign: Campaign,
    out: Path,
    kind: Kind,
    formats: Iterable[str] | None = None,
    divisions: Divisions | None = None,
    validation: Validation = NOT_VALIDATED,
) -> list[Path]:
    """Write the campaign, which is of that kind of task, into `out` in each of `formats` (all that the kind has).

    Returns all files, in order. Without `divisions` each round has the default one of the campaign's seed. Raises
    `UnknownName` for another format.
    """
    validation = validation.without(store.standings.discarded(campaign.id))
    chosen = {name: format_named(name, kind) for name in (formats_of(kind) if formats is None else formats)}
    with ExitStack() as opened:
        tables = _tables(chosen.values(), out, ATTEMPTS, attempt_type(kind), opened)
        tally = collect(store, campaign, kind, divisions or _default(store, campaign), validation, tables)
        if kind.hints is not None:
            edits = _tables(chosen.values(), out, EDITS, edit_type(kind), opened)
            write_edits(store, campaign, kind, edits)
            tables += edits
    written = [table.path for table in tables]
    for form in chosen.values():
        written += form.write_examples(out, tally.parts, kind)
    shards = _shards(out, written)
    rounds = store.rounds.of_campaign(campaign.id)
    for folder in [out, out / HUGGING_FACE_FOLDER] if shards else [out]:  # the hub's is published alone
        seen = {split: path.relative_to(folder).as_posix() for split, path in shards.items()}
        write_text(folder / CARD_FILE, card(campaign, kind, rounds, tally, validation, seen))
        written.append(folder / CARD_FILE)
    if "hf" in chosen:
        remove_others(out / HUGGING_FACE_FOLDER, "*/data*.arrow", written)
    return [write_manifest(out, written), *sorted(written)]


def _tables(formats: Iterable[Format], out: Path, name: str, row_type: type[Value], opened: ExitStack) -> list[Rows]:
    """In each of these formats that has tables."""
    return [opened.enter_context(each.table(out, name, row_type)) for each in formats if each.table is not None]


def _default(store: Store, campaign: Campaign) -> Divisions:
    return {each.number: Division(campaign.seed) for each in store.rounds.of_campaign(campaign.id)}


def collect(
    store: Store,
    campaign: Campaign,
    kind: Kind,
    divisions: Divisions,
    validation: Validation = NOT_VALIDATED,
    tables: Sequence[Rows] = (),
) -> Tally:
    """The dataset and its figures; every attempt goes into each of `tables` on the way."""
    placement = Placement(store, campaign, kind, divisions, validation)
    tally = Tally(balances=placement.balances)
    attempts = placement.attempts()
    while batch := list(islice(attempts, BATCH_ROWS)):
        records = []
        for row, example, dropped in batch:
            tally.count(row, example, dropped, validation.validity(row.attempt.id))
            if tables:
                records.append(attempt_row(row, campaign, kind, example, dropped, validation))
        for table in tables:
            table.write(records)
    return tally


def _shards(out: Path, written: Iterable[Path]) -> dict[str, Path]:
    """The files of the Hugging Face hub's splits."""
    hub = out / HUGGING_FACE_FOLDER
    return {path.parent.name: path for path in written if path.parent.parent == hub and path.suffix == ".arrow"}
