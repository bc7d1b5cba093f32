"""Texts of the command line in Korean and English."""
