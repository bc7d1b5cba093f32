from tests.integration.auth.conftest import auth_stack

__all__ = ["auth_stack"]
