"""Items that are gold: their right verdict was given, and others are measured by it."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    with op.batch_alter_table("item", schema=None) as batch_op:
        batch_op.add_column(sa.Column("gold", sa.Boolean(), nullable=False, server_default=sa.false()))
    _index_of_free_slots(
        "project_id", "state", "place", "id"
    )  # of one place, what was there first comes first


def downgrade() -> None:
    _index_of_free_slots("project_id", "state", "place")
    with op.batch_alter_table("item", schema=None) as batch_op:
        batch_op.drop_column("gold")


def _index_of_free_slots(*columns: str) -> None:
    with op.batch_alter_table("slot", schema=None) as batch_op:
        batch_op.drop_index("ix_slot_free")
        batch_op.create_index("ix_slot_free", list(columns), unique=False)
