"""Saegim in other people's frameworks, on the client alone."""
