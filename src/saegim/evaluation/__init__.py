"""Judge, scenarios, retrieval harness, reports. Filled by EV1-EV3."""
