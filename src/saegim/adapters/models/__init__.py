"""Roles to models: presets, providers, embedders."""
