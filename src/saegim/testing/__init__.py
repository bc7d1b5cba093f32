"""Fakes and local servers that ship, so that users can test with them."""
