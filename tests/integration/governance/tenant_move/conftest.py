from tests.integration.db.conftest import other, town

__all__ = ["other", "town"]
