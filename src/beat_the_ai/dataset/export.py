"""Exports of a campaign: the dataset in its parts, every attempt in a second table, a data card, checksums.

Nothing depends on the time of the export: the same campaign gives the same bytes. Rows come in the store's order
(context, slot, assignment, ordinal). Worker ids are replaced by a keyed hash; the key stays in the store. Every attempt
is in the second table, and says why it is not in the dataset: what does not count, or was discarded, is in no part.
The transcript is written as far as the store has it (`transcript.contents.record`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from beat_the_ai.dataset.card import CARD_FILE, NOTHING_FOUND, FoundBefore, card
from beat_the_ai.dataset.catalogues import write_citation, write_croissant
from beat_the_ai.dataset.contexts import contexts
from beat_the_ai.dataset.croissant import DescribedTable
from beat_the_ai.dataset.edits import edits
from beat_the_ai.dataset.files import Checksums, checksums, remove_others, sha256, write_manifest, write_text
from beat_the_ai.dataset.format import COMMON, Format, PartFiles, Rows, check_formats, common_format, formats_of
from beat_the_ai.dataset.further import FurtherTable, write_further
from beat_the_ai.dataset.jsonl_files import json_lines
from beat_the_ai.dataset.names import ATTEMPTS, HUGGING_FACE_FOLDER
from beat_the_ai.dataset.part_cards import write_part_card
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.dataset.records import Placed, attempt_row, attempt_type, example_row, example_type
from beat_the_ai.dataset.screenings import screenings
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.dataset.transcript.files import LINES, write_lines, write_statement
from beat_the_ai.dataset.votes import gold_votes, votes
from beat_the_ai.files.permissions import PRIVATE, make_private, make_private_folder
from beat_the_ai.rules.dataset import Example, Parts
from beat_the_ai.rules.protocol import Value
from beat_the_ai.store.batches import batched
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import PARTS

BATCH_ROWS = 250


def export_campaign(
    placement: Placement,
    out: Path,
    formats: Iterable[str] | None = None,
    tally: Tally | None = None,
    further: Sequence[FurtherTable] = (),
    found: FoundBefore = NOTHING_FOUND,
) -> list[Path]:
    """Write a campaign's attempts and dataset into `out` in each of `formats` (all that its kind of task has).

    `further` tables lie beside them; works of newcomers and votes on gold in `out/private`. An empty `tally` has the
    counts afterwards. The card says what was `found`. Returns all files, in order. Raises `UnknownName` for another
    format.
    """
    campaign = placement.campaign
    kind = campaign.kind
    chosen = list(formats_of(kind) if formats is None else formats)
    check_formats(chosen, [kind])
    common = [common_format(name) for name in COMMON if name in chosen]
    tally = Tally() if tally is None else tally
    tally.balances = placement.balances
    with ExitStack() as opened:
        attempts = [opened.enter_context(each.table(out, ATTEMPTS, attempt_type(kind))) for each in common]
        parts = [opened.enter_context(each.parts(out, PARTS, example_type(campaign))) for each in common]
        own = [opened.enter_context(files(out)) for name, files in kind.dataset.formats.items() if name in chosen]
        for batch in batched(placement.attempts(), BATCH_ROWS):
            for placed in batch:
                tally.count(placed)
            _write(attempts, (attempt_row(placed, campaign) for placed in batch))
            for part, examples in _kept(batch).items():
                _write([each.rows[part] for each in parts], (example_row(one, campaign) for one in examples))
                for files in own:
                    files.write(part, examples)
    written = [table.path for table in attempts]
    beside = [write_further(table, out, common) for table in (*_further(placement), *further)]
    written += [path for each in beside for path in each.paths]
    written += [path for each in parts for path in each.paths]
    written += _part_cards(parts, [part for part in PARTS if tally.examples[part]])
    written += [path for files in own for path in files.paths]
    tables = [DescribedTable(ATTEMPTS, attempt_type(kind), [table.path for table in attempts])]
    tables += [
        DescribedTable(each.table.name, each.table.row_type, each.paths, each.table.about)
        for each in beside
        if not each.is_empty
    ]
    tables += [
        DescribedTable(part, example_type(campaign), [each.rows[part].path for each in parts])
        for part in PARTS
        if tally.examples[part]
    ]
    if "hf" in chosen:
        remove_others(out / HUGGING_FACE_FOLDER, "*/data*.arrow", written)
    shards = _shards(out, written)
    for folder in [out, out / HUGGING_FACE_FOLDER] if shards else [out]:  # the hub's is published alone
        seen = {split: path.relative_to(folder).as_posix() for split, path in shards.items()}
        write_text(folder / CARD_FILE, card(campaign, tally, seen, beside, found))
        written.append(folder / CARD_FILE)
    is_recorded = campaign.store.transcripts.head(campaign.id) is not None
    if is_recorded:
        written.append(write_lines(campaign, out))
    written += write_citation(campaign, tally, out)
    sums, of_rows = checksums(out, written, [LINES])
    described = write_croissant(campaign, tally, out, sums, tables)
    written.append(described)
    manifest, rows = write_manifest(out, Checksums({**sums, described.name: sha256(described)}, of_rows))
    written.append(rows)
    if is_recorded:
        written.append(write_statement(campaign, out, manifest))
    formats_apart = [common_format(name) for name in COMMON if name in chosen and name != "hf"]
    written += _write_apart(out / PRIVATE, _secret(campaign), formats_apart)
    return [manifest, *sorted(written)]


def _part_cards(parts: Iterable[PartFiles], with_rows: Sequence[str]) -> Iterator[Path]:
    """Write the cards of folders of parts. On the hub each split has a folder of its own, and the data card."""
    for each in parts:
        files = {part: rows.path for part, rows in each.rows.items()}
        if len(folders := {path.parent for path in files.values()}) == 1:
            yield write_part_card(folders.pop(), files, with_rows)


def _write_apart(folder: Path, tables: Sequence[FurtherTable], formats: Sequence[Format]) -> list[Path]:
    """Write tables to a folder that is its owner's alone, and return the files."""
    if not formats or not tables:
        return []
    make_private_folder(folder)
    written = [path for table in tables for path in write_further(table, folder, formats).paths]
    for path in written:
        make_private(path)
    return written


def _further(placement: Placement) -> Iterator[FurtherTable]:
    campaign = placement.campaign
    yield contexts(placement)
    if campaign.kind.hints is not None:
        yield edits(campaign)
    if campaign.kind.checking is not None:
        yield votes(campaign, placement.validation)


def _secret(campaign: BoundCampaign) -> list[FurtherTable]:
    """Return the tables that show keys: of the quiz, and of gold."""
    samples = campaign.samples
    return [*([] if samples is None else screenings(campaign, samples)), *gold_votes(campaign)]


def collect(placement: Placement) -> Parts:
    """Return the dataset: the examples of each part."""
    return _kept(placement.attempts())


def _kept(attempts: Iterable[Placed]) -> dict[str, list[Example]]:
    """Return the examples of the dataset, by part."""
    parts: dict[str, list[Example]] = {part: [] for part in PARTS}
    for placed in attempts:
        if placed.example is not None and placed.dropped is None:
            parts[placed.example.part].append(placed.example)
    return parts


def _write(files: Sequence[Rows], rows: Iterable[Value]) -> None:
    """Write rows to all of the files; make no rows that no file takes."""
    if files and (lines := json_lines(rows)):
        for file in files:
            file.write(lines)


def _shards(out: Path, written: Iterable[Path]) -> dict[str, Path]:
    """Return the files of the Hugging Face hub's splits."""
    hub = out / HUGGING_FACE_FOLDER
    return {path.parent.name: path for path in written if path.parent.parent == hub and path.suffix == ".arrow"}
