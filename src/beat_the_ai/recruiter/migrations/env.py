"""Alembic runs inside the transaction that `databases.database` opened, so a failed upgrade leaves nothing behind."""

from alembic import context

from beat_the_ai.recruiter.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
