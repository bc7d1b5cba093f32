"""`make verify-chaos`: everything breaks at random while people talk, and nothing may be lost."""
