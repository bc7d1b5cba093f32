#!/usr/bin/env bash
# Generates the secrets for compose.yaml: deploy/new-env.sh > .env
# Keep a copy of SAEGIM_MASTER_KEY elsewhere: without it stored content cannot be read.
set -euo pipefail
word() { openssl rand -hex 24; }
cat <<EOF
SAEGIM_MASTER_KEY=$(openssl rand -base64 32)
SAEGIM_METRICS_KEY=$(word)
POSTGRES_OWNER_PASSWORD=$(word)
POSTGRES_APP_PASSWORD=$(word)
KEYRING_PASSWORD=$(word)
VALKEY_PASSWORD=$(word)
EOF
