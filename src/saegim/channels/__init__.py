"""Chat channels that people talk to assistants in."""
