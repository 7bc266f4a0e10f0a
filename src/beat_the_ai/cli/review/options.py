"""The options and arguments that several review commands have."""

from __future__ import annotations

import click

from beat_the_ai.process.user import machine_user

reviewer_option = click.option(
    "--reviewer",
    metavar="NAME",
    default=machine_user,
    help="Who decides; otherwise the user of this machine. The log has both.",
)
endpoint_option = click.option(
    "--endpoint", metavar="URL", help="A requester API like MTurk's; otherwise as boto3 finds it."
)
reason_option = click.option("--reason", required=True, help="Kept with the decision; the worker does not see it.")
assignment_argument = click.argument("assignment", metavar="ASSIGNMENT")
worker_argument = click.argument("worker", metavar="WORKER")
