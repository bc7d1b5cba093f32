"""The public keys of issuers, over HTTPS."""
