"""${message}"""

import sqlalchemy as sa
from alembic import op

from beat_the_ai.databases import Utc

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}
