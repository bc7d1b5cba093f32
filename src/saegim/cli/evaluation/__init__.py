"""`saegim eval`: runs evaluations."""
