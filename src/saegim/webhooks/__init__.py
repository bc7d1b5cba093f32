"""Telling a tenant's own systems what happened: signed, retried, to public addresses only."""
