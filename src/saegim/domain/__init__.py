"""The words of the product as types. Imports nothing of ours."""
