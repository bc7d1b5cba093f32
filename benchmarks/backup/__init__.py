"""`make verify-backup`: backup under load and restore, standby, point-in-time recovery."""
