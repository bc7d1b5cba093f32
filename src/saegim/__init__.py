"""Saegim: a copilot server that remembers."""

__version__ = "0.17.0"
