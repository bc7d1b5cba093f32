"""Routes, a file for each thing of the API."""
