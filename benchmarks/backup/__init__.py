"""`make verify-backup`: a backup under load and back, a standby, a point in time."""
