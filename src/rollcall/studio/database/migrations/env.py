"""Alembic's entry: runs migrations on the connection that `migrating` gives it."""

from alembic import context

from rollcall.studio.database.tables import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
