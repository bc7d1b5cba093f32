"""What spans features: retention, erasure, export, backup, audit. Filled by LM7 and OP5."""
