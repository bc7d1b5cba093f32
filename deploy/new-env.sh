#!/usr/bin/env bash
# Writes the secrets that compose.yaml asks for: deploy/new-env.sh > .env
# Keep a copy of SAEGIM_MASTER_KEY elsewhere: without it nothing that is stored can be read.
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
