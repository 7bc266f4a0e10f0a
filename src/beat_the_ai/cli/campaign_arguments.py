"""The settings of a command on a campaign: those of a task folder, or those that the campaign in --out has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from beat_the_ai.campaign.settings.campaign_file import CampaignFile, is_campaign_file
from beat_the_ai.campaign.settings.configuration import Settings, amended, read_settings
from beat_the_ai.campaign.settings.overrides import key_of
from beat_the_ai.campaign.settings.resume import settings_of
from beat_the_ai.errors import InvalidInput
from beat_the_ai.terms.locate import DATABASE_VARIABLE, campaign_store, main_campaigns, store_of, store_record

campaign_out_option = click.option(
    "--out", type=click.Path(path_type=Path), default=Path("out/campaign"), show_default=True
)


@dataclass(frozen=True)
class CampaignArguments:
    """The arguments of a command: a task folder or none, and values of the configuration (`key=value`)."""

    task_dir: Path | None
    overrides: tuple[str, ...]

    def settings(self, out: Path) -> Settings:
        """Return the settings of the task folder, or else of the campaign in `out`. Raises `InvalidInput` without."""
        if self.task_dir is not None:
            return read_settings(self.task_dir, list(self.overrides), out=out)
        known = known_settings(out, _override(self.overrides, "name"), self._round_number())
        if known is None:
            raise InvalidInput(
                "TASK_DIR",
                f"{out} holds no campaign yet. Name the folder of a task, such as tasks/reading_comprehension.",
            )
        return self.amended(known)

    def _round_number(self) -> int | None:
        given = _override(self.overrides, "round.number")
        if given is not None and not given.isdecimal():
            raise InvalidInput("round.number", f"round.number={given[:40]} was given; a number is needed.")
        return None if given is None else int(given)

    def amended(self, known: Settings) -> Settings:
        return amended(known, list(self.overrides)) if self.overrides else known


def _given(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> CampaignArguments:
    """The first argument is a campaign's own file, or the task folder if it is a folder, or has no `=`."""
    if values and is_campaign_file(values[0]):
        file, own = CampaignFile.read(Path(values[0]), Settings), set(map(key_of, values[1:]))
        kept = [each for each in file.overrides if key_of(each) not in own]
        return CampaignArguments(file.task_dir, (*kept, *values[1:]))
    if not values or ("=" in values[0] and not Path(values[0]).is_dir()):
        return CampaignArguments(None, values)
    task_dir = Path(values[0])
    if not task_dir.is_dir():
        raise click.BadParameter(f"Directory {values[0]!r} does not exist.", param_hint="TASK_DIR")
    return CampaignArguments(task_dir, values[1:])


given_argument = click.argument("given", nargs=-1, metavar="[TASK_DIR|FILE.yaml] [KEY=VALUE]...", callback=_given)


def known_settings(out: Path, name: str | None = None, number: int | None = None) -> Settings | None:
    """Return the settings of the campaign in `out`, or in the database of the environment; None where there is none.

    They are those of the current round, unless another number is given.
    """
    place, record = store_of(out), store_record(out)
    if place is None:
        return None
    name = record.campaign if name is None and record is not None else name
    with campaign_store(place) as store:
        campaigns = main_campaigns(store)
        if name is None and len(campaigns) > 1:
            names = ", ".join(campaign.id for campaign in campaigns)
            raise InvalidInput("name", f"The store holds {len(campaigns)} campaigns: {names}. Choose one: name=NAME.")
        chosen = [campaign for campaign in campaigns if name in (None, campaign.id)]
        return settings_of(chosen[0], out, number=number) if chosen else None


def store_place(out: Path) -> str:
    """Return where the store of the campaign in this folder is. Raises `InvalidInput`."""
    place = store_of(out)
    if place is None:
        raise InvalidInput("CAMPAIGN", f"{out} holds no campaign, and {DATABASE_VARIABLE} names no database.")
    return place


def _override(overrides: tuple[str, ...], key: str) -> str | None:
    return next((value.removeprefix(f"{key}=") for value in overrides if value.startswith(f"{key}=")), None)
