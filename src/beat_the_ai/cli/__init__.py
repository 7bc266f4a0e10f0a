"""The command line: `beat-the-ai`. Exit status 0 done, 1 failed, 2 wrong usage."""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

from beat_the_ai.errors import BeatTheAIError, InvalidInput
from beat_the_ai.files.disk_full import is_full
from beat_the_ai.process.gc_control import imported
from beat_the_ai.process.secret_files import read_secret_files

UNUSABLE = (  # as a place for a file that the user has named
    errno.EACCES,
    errno.EEXIST,
    errno.EISDIR,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
)
FULL_DISK = "Free some space there and run the same command again."
log = logging.getLogger(__name__)


class Entry(NamedTuple):
    """A command in the list: the module that has it, and one line on it, for which nothing is imported."""

    module: str
    summary: str


COMMANDS = {
    "rehearse": Entry("rehearse", "Run a whole campaign with simulated people."),
    "forecast": Entry("forecast", "Forecast sizes, cost and time from a rehearsal or a pilot."),
    "serve": Entry("serve", "Serve a campaign to people in a browser, until stopped."),
    "launch": Entry("launch", "Offer a campaign's HITs on the configured crowd."),
    "pause": Entry("acts", "Give nobody a HIT of a campaign for now."),
    "continue": Entry("acts", "Give HITs again after a pause."),
    "change": Entry("acts", "Change settings of a campaign while it goes on."),
    "add-contexts": Entry("acts", "Offer more contexts while a campaign goes on."),
    "presets": Entry("presets", "Show the settings of the papers' campaigns."),
    "contexts": Entry("contexts", "Cut documents into passages, and choose the best."),
    "round": Entry("rounds", "Open, freeze and compare the rounds of a campaign."),
    "relocate": Entry("relocation", "Tell a campaign that its task folder has moved."),
    "backup": Entry("backup", "Pack a campaign into one file, while it is served."),
    "restore": Entry("backup", "Restore a campaign from a backup, at another place."),
    "doctor": Entry("doctor", "Look for faults in a campaign or a task, each with its mend."),
    "status": Entry("status", "Show the progress of a campaign."),
    "console": Entry("console", "Watch running campaigns in the browser."),
    "pay": Entry("payments", "Show what a campaign owes, and pay it."),
    "statement": Entry("payments", "Show each worker's earnings and payments."),
    "review": Entry("review", "Review workers' HITs, and say who may work."),
    "export": Entry("data", "Export the dataset of a campaign."),
    "verify": Entry("verify", "Check an export with nothing but its files."),
    "score": Entry("evaluation", "Score predictions on a dataset."),
    "stats": Entry("stats", "Print the statistics that papers print of a dataset."),
    "report": Entry("report", "Make the papers' tables and figures."),
    "annotate": Entry("report", "Make a page to label a sample of a dataset."),
    "adjudicate": Entry("validation", "Turn votes into a final label for each line of a file."),
    "train": Entry("training", "Train a model for a kind of task."),
    "evaluate": Entry("evaluation", "Score a model on a dataset."),
    "matrix": Entry("matrix", "Train models on each dataset and on several, and score them."),
    "replicate": Entry("replicate", "Do a paper's tables again, beside the published figures."),
    "rescore": Entry("rescore", "Have another model answer every attempt of a campaign."),
    "advscore": Entry("advscore", "Score how adversarial a dataset is, by people and models."),
    "artefacts": Entry("artefacts", "Look for what gives a dataset's answers away."),
    "votes": Entry("votes", "Compare the rule's labels with those of models of the votes."),
    "adversary": Entry("models", "Serve the models in the loop, and check them."),
    "event": Entry("events", "Hold a live event, as a tournament of Quizbowl."),
    "forms": Entry("forms", "Check consent forms and surveys, and export the answers."),
    "words": Entry("words", "Check and preview what workers read, in each language."),
    "people": Entry("people", "Invite and manage the people of your own crowd."),
    "marketplace": Entry("marketplace", "Run a marketplace that speaks the Mechanical Turk protocol."),
    "recruiter": Entry("recruiter", "Run a local recruiter that speaks Prolific's API."),
}


class _Program(click.Group):
    """Imports a command's module when it is called; turns the suite's errors into one line and an exit status."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = imported(f"beat_the_ai.cli.{COMMANDS[name].module}")
        commands = (one for one in vars(module).values() if isinstance(one, click.Command))
        return next(command for command in commands if command.name == name)

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """Without the commands themselves: to import all of them takes a second."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if arguments and arguments[0] not in COMMANDS:
            context.fail(f"No command {arguments[0]!r}. Available: {', '.join(COMMANDS)}.")
        return super().resolve_command(context, arguments)

    def invoke(self, context: click.Context) -> Any:
        with errors_in_one_line():
            return super().invoke(context)


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    try:
        yield
    except BeatTheAIError as error:
        click.echo(f"beat-the-ai: {error}", err=True)
        sys.exit(2 if isinstance(error, InvalidInput) else 1)
    except OSError as error:
        if not (is_full(error) or error.errno in UNUSABLE):
            raise
        log.info("This is where it failed:", exc_info=error)
        reason = FULL_DISK if is_full(error) else "Name a place that can be used."
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"beat-the-ai: {place}{error.strerror}. {reason}", err=True)
        sys.exit(1 if is_full(error) else 2)


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="beat-the-ai")
@click.option("-v", "--verbose", is_flag=True, help="Log what is going on, not only what goes wrong.")
def main(verbose: bool) -> None:
    """Collect datasets with humans and models in the loop."""
    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True)
    read_secret_files(os.environ)
