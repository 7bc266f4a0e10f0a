"""HITs in which nobody has tried anything are not done: in rounds that are open they go to somebody else."""

from alembic import op

revision = "0021"
down_revision = "0020"
MOST = 8  # hand-ins of one HIT


def upgrade() -> None:
    op.execute(
        f"""
        UPDATE hits SET outcome = NULL
        WHERE outcome = 'barren'
            AND NOT EXISTS (
                SELECT 1 FROM assignments JOIN attempts ON attempts.assignment_id = assignments.id
                WHERE assignments.hit_id = hits.id AND assignments.confirmed_at IS NOT NULL
            )
            AND {MOST} > (
                SELECT count(*) FROM assignments
                WHERE assignments.hit_id = hits.id AND assignments.confirmed_at IS NOT NULL
            )
            AND EXISTS (
                SELECT 1 FROM contexts
                JOIN rounds ON rounds.campaign_id = contexts.campaign_id AND rounds.number = contexts.round
                WHERE contexts.campaign_id = hits.campaign_id AND contexts.id = hits.context_id
                    AND rounds.closed_at IS NULL
            )
        """  # noqa: S608  # a constant
    )
