"""`make verify-chaos`: inject random faults under load; nothing may be lost."""
