import sys
from pathlib import Path

# `scripts/` is not installed: the repository's root makes it importable as a namespace package.
sys.path.insert(0, str(Path(__file__).parents[3]))
