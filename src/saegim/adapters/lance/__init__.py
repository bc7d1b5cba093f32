"""The library's search index on LanceDB: one dataset per tenant and generation, derived data."""
