"""Searches the library in a loop until the evidence suffices."""
