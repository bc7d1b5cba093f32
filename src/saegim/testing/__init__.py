"""Test doubles and contract tests that ship with the product."""
