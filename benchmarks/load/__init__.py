"""`make bench-load`: measure the cost of conversations with API and worker processes."""
