"""Extracts memories from turns and reconciles them with stored ones."""
