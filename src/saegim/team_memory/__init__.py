"""Team memory: records that the readers of a collection share."""
