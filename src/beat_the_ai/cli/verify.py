"""`verify`: check an export with nothing but its files."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path

import click

from beat_the_ai.dataset.packing import unpacked
from beat_the_ai.dataset.transcript.verification import Verification
from beat_the_ai.dataset.transcript.verification import verify as verified
from beat_the_ai.errors import Refused
from beat_the_ai.process.gc_control import search_paused

SHOWN = 20


@click.command()
@click.argument("export", type=click.Path(exists=True, path_type=Path), metavar="EXPORT")
@click.option("--key", metavar="HEX", help="The public key that the requester has published.")
@click.option("--head", metavar="HEX", help="A head that was published earlier: the transcript must continue it.")
@click.option(
    "--task", metavar="PLACE", help="Where the kind of task lies if it is not a shipped one. Its code is run."
)
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
@search_paused()
def verify(export: Path, key: str | None, head: str | None, task: str | None, as_json: bool) -> None:
    """Check that EXPORT, a folder or its ZIP file, is as it was signed, and judge its attempts and votes again.

    It needs no store. The first row that was changed is named first, and the exit status is 1 then.
    """
    with nullcontext(export) if export.is_dir() else unpacked(export, "EXPORT") as folder:
        found = verified(folder, key=key, head=head, task=task)
    if as_json:
        click.echo(json.dumps(found.as_json()))
        sys.exit(1 if found.faults else 0)
    for told in _told(found, key):
        click.echo(told)
    for fault in found.faults[:SHOWN]:
        click.echo(str(fault), err=True)
    if found.faults:
        raise Refused(f"{export} has {found.number_of_faults:,} faults. The first is {found.faults[0]}.")


def _told(found: Verification, key: str | None) -> list[str]:
    redacted = f", of which {found.redacted:,} say nothing any more (a person was erased)" if found.redacted else ""
    told = [
        f"campaign {found.campaign}, {found.task}",
        f"transcript: {found.entries:,} entries{redacted}; head {found.head}",
        f"signed by {found.public_key}" + ("" if key else ": compare it with the key that the requester published"),
    ]
    if found.seen is not None:
        told.append(f"the head that you gave is that of entry {found.seen:,}")
    if found.replayed:
        told.append(f"judged again: {found.verdicts:,} attempts, the votes on {found.adjudications:,}")
    else:
        told.append("not judged again: the rules of this task are not shipped; name them with --task")
    told.append(f"compared with it: {sum(found.rows.values()):,} rows in {len(found.rows)} files")
    told.append(f"checksums: {found.files} files")
    return told
