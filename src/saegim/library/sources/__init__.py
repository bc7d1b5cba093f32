"""Sources: where documents come from by themselves, on a schedule (LB10)."""
