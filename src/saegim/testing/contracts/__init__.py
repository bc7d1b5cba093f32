"""Contract tests for implementations of our Protocols."""
