"""Encryption keys: keyring, cipher, KMS and rotation."""
