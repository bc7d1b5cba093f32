"""A model connection to a provider that a test runs."""

from benchmarks.doubles.providers import BrokenProvider


def connection_to(provider: BrokenProvider) -> dict[str, object]:
    """Returns the body that connects a provider for answers."""
    return {
        "provider": "openai",
        "base_url": provider.base_url,
        "api_key": "sk-test-0123456789",
        "name": "outside",
        "model": "mine",
        "step_seconds": 6,
        "roles": ["lite", "strong"],
    }
