"""Parses files into structured text."""
