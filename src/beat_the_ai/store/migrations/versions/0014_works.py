"""Settings that speak of works and contexts, whatever a kind of task calls them."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

NAMES = {"questions_per_hit": "works_per_hit", "same_passage": "same_context"}


def upgrade() -> None:
    _rename(sa.table("campaigns", sa.column("id", sa.String), sa.column("config", sa.JSON)))
    rounds = (sa.column("campaign_id", sa.String), sa.column("number", sa.Integer))
    _rename(sa.table("rounds", *rounds, sa.column("config", sa.JSON)))


def _rename(table: sa.TableClause) -> None:
    for row in op.get_bind().execute(sa.select(table)).mappings().all():
        terms = row["config"].get("validation", {}).get("terms", {})
        if terms.keys() & NAMES.keys():
            renamed = {NAMES.get(name, name): value for name, value in terms.items()}
            config = {**row["config"], "validation": {**row["config"]["validation"], "terms": renamed}}
            same_row = (column == row[column.name] for column in table.c if column.name != "config")
            op.execute(sa.update(table).where(*same_row).values(config=config))
