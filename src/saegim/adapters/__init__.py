"""Where ports meet engines: Postgres, Redis, Lance, models, keyring, local servers."""
