"""`saegim dev`: runs every process on one machine."""
