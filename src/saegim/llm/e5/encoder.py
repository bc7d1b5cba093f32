"""Runs multilingual-e5-small: a graph of int8 matrix products for onnxruntime.

`encoder.onnx` is the graph without weights (`scripts/e5_graph.py` writes it). On load, the 4-bit
matrices are converted to int8 in memory, so no converted file is kept. Rows of the word table are
read from the package's file when needed.
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saegim.llm.e5.centres import Centres
from saegim.llm.e5.tokenizer import Tokenizer
from saegim.llm.e5.weights import E5Weights, Floats
from saegim.llm.ports import EmbedKind

DIMENSIONS = 384
GRAPH = Path(__file__).with_name("encoder.onnx")
PREFIXES: dict[EmbedKind, str] = {"query": "query: ", "document": "passage: "}
# 7 bits: products of two such values cannot overflow on processors without VNNI.
_MOST = 63


class E5Encoder:
    """Threads may share an encoder: a text is one run of one thread, and nothing is padded."""

    def __init__(self) -> None:
        # Imported late: takes a quarter of a second.
        runtime = import_module("onnxruntime")
        weights = E5Weights()
        self._weights = weights
        self._first, self._last = weights.vocabulary.first, weights.vocabulary.last
        self._tokenizer = Tokenizer(weights.vocabulary)
        # Every text is of token type 0.
        types = weights.matrix("emb.type", weights.width)
        self._positions = weights.matrix("emb.pos", weights.width) + types[0]
        self._window = weights.longest - 2
        self._centres = Centres()
        self._session = _session(runtime, weights)

    def encode(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        """Return a unit vector for each text, without the mean of its language."""
        return [
            self._centres.remove(self.vector(text, kind), text, kind).tolist() for text in texts
        ]

    def vector(self, text: str, kind: EmbedKind) -> Floats:
        """Return the model's own vector: the mean of the windows; of a query, the first one."""
        tokens = self._tokenizer.encode(PREFIXES[kind] + text)
        windows = [tokens[at : at + self._window] for at in range(0, len(tokens), self._window)]
        if kind == "query":
            windows = windows[:1]
        total = sum(len(window) * self._pooled(window) for window in windows)
        return (total / np.linalg.norm(total)).astype(np.float32)

    def _pooled(self, tokens: Sequence[int]) -> Floats:
        ids = np.array([self._first, *tokens, self._last], np.int64)
        words = self._weights.rows("emb.word", ids) + self._positions[: len(ids)]
        [pooled] = self._session.run(None, {"words": words[None]})
        return pooled[0]


def _session(runtime: Any, weights: E5Weights) -> Any:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # The next level would fuse sums into layer norms, which is slower on a CPU.
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    values = initializers(weights)
    options.add_external_initializers(
        list(values), [runtime.OrtValue.ortvalue_from_numpy(value) for value in values.values()]
    )
    return runtime.InferenceSession(str(GRAPH), options, providers=["CPUExecutionProvider"])


def initializers(weights: E5Weights) -> dict[str, NDArray[Any]]:
    """Return the values of the graph by name."""
    values: dict[str, NDArray[Any]] = {}

    def add_norm(name: str, of: str) -> None:
        values[f"{name}.weight"] = weights.vector(f"{of}.w")
        values[f"{name}.bias"] = weights.vector(f"{of}.b")

    def add_product(name: str, of: Sequence[str], columns: int) -> None:
        matrix = np.concatenate([weights.matrix(f"{each}.w", columns) for each in of])
        scales = np.abs(matrix).max(axis=1) / _MOST
        values[f"{name}.scale"] = scales
        values[f"{name}.weight"] = np.ascontiguousarray(
            np.rint(matrix / scales[:, None]).astype(np.int8).T
        )
        values[f"{name}.bias"] = np.concatenate([weights.vector(f"{each}.b") for each in of])

    add_norm("words.norm", "emb.ln")
    for number in range(weights.layers):
        layer = f"l{number}"
        add_product(f"{layer}.attend", [f"{layer}.{each}" for each in "qkv"], weights.width)
        add_product(f"{layer}.attended", [f"{layer}.ao"], weights.width)
        add_norm(f"{layer}.attended.norm", f"{layer}.aln")
        add_product(f"{layer}.inner", [f"{layer}.fi"], weights.width)
        add_product(f"{layer}.outer", [f"{layer}.fo"], weights.inner)
        add_norm(f"{layer}.outer.norm", f"{layer}.oln")
    return values
