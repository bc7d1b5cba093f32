"""Alembic's hook: runs the revisions on the connection that `migrate` opened and locked."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table="schema_revision",
    version_table_schema="saegim",
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
