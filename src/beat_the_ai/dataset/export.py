"""Exports of a campaign: the dataset in its parts, every attempt in a second table, a data card, checksums.

Nothing depends on the time of the export: the same campaign gives the same bytes. Rows come in the store's order
(context, slot, assignment, ordinal). Worker ids are replaced by a keyed hash; the key stays in the store. Every attempt is
in the second table, and says why it is not in the dataset: work that does not count, or was discarded, is in no part.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from beat_the_ai.dataset.card import CARD_FILE, card
from beat_the_ai.dataset.files import write_manifest, write_text
from beat_the_ai.dataset.format import Rows, format_named
from beat_the_ai.dataset.parts import Division, divide
from beat_the_ai.dataset.records import HUGGING_FACE_FOLDER, attempt_record, dropped_because, example, excluded_because
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.dataset.validation import NOT_VALIDATED, Validation
from beat_the_ai.store import Campaign, Store

BATCH_ROWS = 5000


def parts_of(store: Store, campaign: Campaign, division: Division, validation: Validation) -> dict[str, str]:
    """`{context id: part}` of every context that the campaign offered."""
    writers = store.attempts.writers(campaign.id)
    kept = [(context_id, worker) for context_id, worker in writers if worker not in validation.discarded_workers]
    return divide(store.campaigns.contexts(campaign.id), kept, division)


def export_campaign(
    store: Store,
    campaign: Campaign,
    out: Path,
    formats: Iterable[str],
    division: Division | None = None,
    validation: Validation = NOT_VALIDATED,
) -> list[Path]:
    """Write the campaign into `out` in each of `formats` (squad, jsonl, parquet, hf). Returns all files, in order.

    Without a `division` it is the default one of the campaign's seed. Raises `UnknownName` for another format.
    """
    validation = validation.without(store.standings.discarded(campaign.id))
    chosen = {name: format_named(name) for name in formats}
    written: list[Path] = []
    with ExitStack() as opened:
        tables: list[Rows] = []
        for one in chosen.values():
            if one.attempts is not None:
                written.append(out / one.attempts.name)
                tables.append(opened.enter_context(one.attempts.opened(written[-1])))
        tally = collect(store, campaign, division or Division(campaign.seed), validation, tables)
    for one in chosen.values():
        written += one.write_examples(out, tally.parts)
    written += _write_cards(out, campaign, tally, validation, has_hugging_face="hf" in chosen)
    return [write_manifest(out, written), *sorted(written)]


def collect(
    store: Store,
    campaign: Campaign,
    division: Division,
    validation: Validation = NOT_VALIDATED,
    tables: Iterable[Rows] = (),
) -> Tally:
    """The dataset and its figures; every attempt goes into each of `tables` on the way."""
    part_of = parts_of(store, campaign, division, validation)
    tally = Tally()
    rows = store.attempts.of_campaign(campaign.id)
    while batch := list(islice(rows, BATCH_ROWS)):
        records = []
        for row in batch:
            excluded = excluded_because(row, validation)
            if excluded is not None:
                tally.exclude(row, excluded)
                records.append(attempt_record(row, campaign, None, excluded, validation))
                continue
            part = part_of[row.hit.context.id]
            dropped = dropped_because(row, part, validation)
            tally.count(row, part, dropped, validation.status(row.attempt.id))
            if dropped is None:
                tally.parts[part].append(example(row, part))
            records.append(attempt_record(row, campaign, part, dropped, validation))
        for table in tables:
            table.write(records)
    return tally


def _write_cards(
    out: Path, campaign: Campaign, tally: Tally, validation: Validation, *, has_hugging_face: bool
) -> list[Path]:
    """One for the export; the folder for the Hugging Face hub, which is published alone, has its own."""
    folder = f"{HUGGING_FACE_FOLDER}/"
    cards = {out / CARD_FILE: folder if has_hugging_face else None}
    if has_hugging_face:
        cards[out / folder / CARD_FILE] = ""
    for path, data_folder in cards.items():
        write_text(path, card(campaign, tally, validation, data_folder))
    return list(cards)
