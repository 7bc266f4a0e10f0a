"""`review`: the sample of HITs, what reviewers say of it, newcomers, and who may go on working."""

from __future__ import annotations

import click

from beat_the_ai.cli.review.accounts import reviewer
from beat_the_ai.cli.review.board import board, unlist
from beat_the_ai.cli.review.doubts import admit, doubtful
from beat_the_ai.cli.review.held import held, release
from beat_the_ai.cli.review.inbox import answer, inbox
from beat_the_ai.cli.review.letters import letters
from beat_the_ai.cli.review.log import audit
from beat_the_ai.cli.review.newcomers import newcomers, requests
from beat_the_ai.cli.review.page import serve
from beat_the_ai.cli.review.pool import take_over
from beat_the_ai.cli.review.sample import list_
from beat_the_ai.cli.review.standings import confirm, grant, reconcile, refuse, reinstate, revoke, withdraw
from beat_the_ai.cli.review.verdicts import accept, reject, undo


class _ServesWithoutSubcommand(click.Group):
    """`review CAMPAIGN` is `review serve CAMPAIGN`."""

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        named = self.get_command(context, arguments[0]) is not None
        return super().resolve_command(context, arguments if named else ["serve", *arguments])


@click.group(cls=_ServesWithoutSubcommand, subcommand_metavar="CAMPAIGN | COMMAND [ARGS]...")
def review() -> None:
    """Review workers' HITs, and say who may work.

    CAMPAIGN is the campaign's folder, its SQLite file or a database URL. With nothing but it, the page is served. A
    name that has an account is proven by its password, which is asked for or read as the first line of standard input.
    """


for command in (
    serve,
    list_,
    accept,
    reject,
    undo,
    newcomers,
    requests,
    grant,
    refuse,
    revoke,
    confirm,
    withdraw,
    reinstate,
    reconcile,
    take_over,
    audit,
    reviewer,
    inbox,
    answer,
    letters,
    board,
    unlist,
    held,
    release,
    doubtful,
    admit,
):
    review.add_command(command)
