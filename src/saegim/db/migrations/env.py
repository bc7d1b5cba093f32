"""Alembic environment: runs revisions on the connection of `migrate`."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table="schema_revision",
    version_table_schema="saegim",
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
