"""Rounds as records, with the terms that campaigns had; assignments name theirs.

Until now a campaign had one round, whose number its contexts tell. Whatever was offered is frozen.
"""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = "0011"
down_revision = "0010"

TERMS = ("task", "contexts", "adversary", "round", "pay", "dataset", "validation")  # of a round, not of a campaign

CAMPAIGNS = sa.table(
    "campaigns",
    sa.column("id", sa.String()),
    sa.column("config", sa.JSON()),
    sa.column("created_at", Utc()),
    sa.column("closed_at", Utc()),
)
ROUNDS = sa.table(
    "rounds",
    sa.column("campaign_id", sa.String()),
    sa.column("number", sa.Integer()),
    sa.column("config", sa.JSON()),
    sa.column("models", sa.JSON()),
    sa.column("opened_at", Utc()),
    sa.column("closed_at", Utc()),
)
STAGES = sa.table(
    "round_stages",
    *(sa.column(name, sa.String()) for name in ("campaign_id", "stage")),
    sa.column("number", sa.Integer()),
    sa.column("frozen_at", Utc()),
)


def upgrade() -> None:
    op.create_table(
        "rounds",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("models", sa.JSON(), nullable=False),
        sa.Column("opened_at", Utc(), nullable=False),
        sa.Column("closed_at", Utc(), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_rounds_campaign_id")),
        sa.PrimaryKeyConstraint("campaign_id", "number", name=op.f("pk_rounds")),
    )
    op.create_table(
        "round_stages",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("frozen_at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "number"],
            ["rounds.campaign_id", "rounds.number"],
            name=op.f("fk_round_stages_campaign_id_number"),
        ),
        sa.PrimaryKeyConstraint("campaign_id", "number", "stage", name=op.f("pk_round_stages")),
    )
    _move_terms()
    _name_rounds()
    if op.get_bind().dialect.name == "sqlite":
        op.execute("ALTER TABLE campaigns DROP COLUMN closed_at")
    else:
        op.drop_column("campaigns", "closed_at")


def _move_terms() -> None:
    connection = op.get_bind()
    numbers = {
        row.campaign_id: row.round
        for row in connection.execute(sa.text("SELECT DISTINCT campaign_id, round FROM contexts"))
    }
    validated = set(connection.scalars(sa.text("SELECT DISTINCT campaign_id FROM validation_assignments")))
    for campaign in connection.execute(sa.select(CAMPAIGNS)).all():
        terms = {name: value for name, value in campaign.config.items() if name in TERMS}
        number = numbers.get(campaign.id, terms.get("round", {}).get("number", 1))
        connection.execute(
            sa.insert(ROUNDS).values(
                campaign_id=campaign.id,
                number=number,
                config=terms,
                models=[],
                opened_at=campaign.created_at,
                closed_at=campaign.closed_at,
            )
        )
        started = ["writing"] * (campaign.id in numbers) + ["validation"] * (campaign.id in validated)
        for stage in started:
            row = {"campaign_id": campaign.id, "number": number, "stage": stage, "frozen_at": campaign.created_at}
            connection.execute(sa.insert(STAGES).values(row))
        kept = {name: value for name, value in campaign.config.items() if name not in TERMS}
        connection.execute(sa.update(CAMPAIGNS).where(CAMPAIGNS.c.id == campaign.id).values(config=kept))


def _name_rounds() -> None:
    of_hit = (
        "SELECT contexts.round FROM hits JOIN contexts ON contexts.campaign_id = hits.campaign_id "
        "AND contexts.id = hits.context_id WHERE hits.id = assignments.hit_id"
    )
    of_campaign = "SELECT rounds.number FROM rounds WHERE rounds.campaign_id = validation_assignments.campaign_id"
    for table, number in (("assignments", of_hit), ("validation_assignments", of_campaign)):
        op.add_column(table, sa.Column("round", sa.Integer(), nullable=False, server_default="1"))
        op.execute(f"UPDATE {table} SET round = ({number})")  # noqa: S608  # constants
