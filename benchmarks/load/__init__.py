"""`make bench-load`: conversations against API and worker processes, and what they cost."""
