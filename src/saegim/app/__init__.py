"""Settings and the service container."""
