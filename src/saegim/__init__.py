"""Saegim: a copilot server that remembers."""

__version__ = "0.18.0"
