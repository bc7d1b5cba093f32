from alembic.script import ScriptDirectory

from saegim.db.migrate import MIGRATIONS
from saegim.db.revision import newest_revision


def test_the_newest_revision_is_the_one_that_migrations_lead_to() -> None:
    assert newest_revision() == ScriptDirectory(str(MIGRATIONS)).get_current_head()
