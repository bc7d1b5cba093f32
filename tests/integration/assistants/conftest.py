from tests.integration.auth.conftest import house

__all__ = ["house"]
