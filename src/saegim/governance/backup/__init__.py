"""Backups of a cell, and export and import of a whole tenant."""
