"""Until when a person's time is counted, and when an item was handed out whose form may still be sent."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    with op.batch_alter_table("person", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("counted_until", sa.Double(), nullable=False, server_default=sa.text("0"))
        )
    with op.batch_alter_table("reclaimed", schema=None) as batch_op:
        batch_op.add_column(sa.Column("started", sa.Double(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("reclaimed", schema=None) as batch_op:
        batch_op.drop_column("started")
    with op.batch_alter_table("person", schema=None) as batch_op:
        batch_op.drop_column("counted_until")
