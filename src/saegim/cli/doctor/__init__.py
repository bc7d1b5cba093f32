"""`saegim doctor`: checks every component of a deployment."""
