"""The words of what a person had forgotten are struck from the turns they were said in; what a
person attaches to a chat is in a collection of their own.

`turn.struck` holds places, by the record that each is struck for, and never words. `turn.outdated`
tells which records of a turn were corrected or replaced since; `memory.struck` the turns that undo
has to look at. The release before reads turns as they were said. A collection with an owner has an
audience that no group is named by, so that the release before shows it to nobody.
"""

from alembic import op

revision = "0018"
down_revision = "0017"

STATEMENTS = [
    "alter table turn add column struck jsonb, add column outdated jsonb",
    "alter table memory add column struck uuid[]",
    "alter table collection add column owner_id uuid",
    """
    create unique index collection_of_person on collection (tenant_id, owner_id)
    where owner_id is not null
    """,
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
