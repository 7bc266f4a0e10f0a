"""`doctor`: everything that a campaign needs, looked at at once."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from beat_the_ai.campaign.doctor.checks import Finding, examine
from beat_the_ai.campaign.doctor.examination import CHECKS
from beat_the_ai.campaign.doctor.storing import schema_at
from beat_the_ai.campaign.doctor.subject import Subject
from beat_the_ai.campaign.settings.configuration import Settings, amended, read_settings
from beat_the_ai.cli.campaign_arguments import campaign_out_option, known_settings
from beat_the_ai.cli.payments import json_option
from beat_the_ai.errors import Refused
from beat_the_ai.terms.locate import store_file, store_of


@click.command()
@click.argument("given", nargs=-1, metavar="[CAMPAIGN | TASK_DIR] [KEY=VALUE]...")
@campaign_out_option
@json_option
def doctor(given: tuple[str, ...], out: Path, as_json: bool) -> None:
    """Look at all that the folder CAMPAIGN needs, or a campaign from TASK_DIR in --out: each fault with its mend.

    Nothing is changed, and language models are not asked. The exit status is 1 where something is wrong.
    """
    findings = examine(_subject(given, out), CHECKS)
    if as_json:
        found = list(findings)
        click.echo(json.dumps([asdict(each) for each in found]))
    else:
        found = []
        for each in findings:
            found.append(each)
            click.echo(_line(each))
    if faults := sum(each.is_fault for each in found):
        if not as_json:
            click.echo(f"{faults} {'fault' if faults == 1 else 'faults'}.")
        raise SystemExit(1)


def _line(finding: Finding) -> str:
    if not finding.is_fault:
        return f"ok     {finding.check}: {finding.said}"
    return f"FAULT  {finding.check}: {finding.said} Mend: {finding.mend}"


def _subject(given: tuple[str, ...], out: Path) -> Subject:
    is_named = bool(given) and ("=" not in given[0] or Path(given[0]).is_dir())
    named, overrides = (Path(given[0]), list(given[1:])) if is_named else (None, list(given))
    if named is not None and not named.is_dir():
        raise click.BadParameter(f"Directory {given[0]!r} does not exist.", param_hint="CAMPAIGN")
    if named is not None and (named / "conf" / "config.yaml").is_file():
        task_dir = named
        return Subject.of(out, None, lambda: read_settings(task_dir, overrides, out=out.resolve()))
    folder = (named or out).resolve()
    store = store_of(folder) if store_file(folder) is None else str(folder)
    return Subject.of(folder, store, lambda: _settings(folder, store, overrides))


def _settings(folder: Path, store: str | None, overrides: list[str]) -> Settings | None:
    """Read the settings of a campaign; its store is not migrated for that."""
    if store is None:
        return None
    place = store if "://" in store else str(store_file(Path(store)))
    if not schema_at(place).is_current:
        raise Refused("The campaign's settings are in its store, which has another schema than this version.")
    known = known_settings(folder)
    return amended(known, overrides) if known is not None and overrides else known
