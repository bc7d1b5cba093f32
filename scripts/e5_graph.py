"""Write the graph of multilingual-e5-small without its weights: `scripts/e5_graph.py`.

The product reads `src/saegim/llm/e5/encoder.onnx` and adds the weights on load. A text at a time:
no mask, no padding. A test fails if the file differs.
"""

import sys
from typing import Any

from onnx import ModelProto, NodeProto, TensorProto, helper

from saegim.llm.e5.encoder import GRAPH, initializers
from saegim.llm.e5.weights import E5Weights

CONTRIB = "com.microsoft"
OPSET = 20
IR_VERSION = 10
TYPES = {"float32": TensorProto.FLOAT, "int8": TensorProto.INT8}


class Graph:
    """Nodes in order; each method returns the name of its output."""

    def __init__(self, weights: E5Weights) -> None:
        self._weights = weights
        self._nodes: list[NodeProto] = []

    def add(self, kind: str, inputs: list[str], name: str, domain: str = "", **more: Any) -> str:
        outputs = [name] if "num_outputs" not in more else [f"{name}.{at}" for at in range(3)]
        self._nodes.append(helper.make_node(kind, inputs, outputs, name, domain=domain, **more))
        return name

    def norm(self, value: str, name: str) -> str:
        inputs = [value, f"{name}.weight", f"{name}.bias"]
        epsilon = self._weights.epsilon
        return self.add("LayerNormalization", inputs, name, axis=-1, epsilon=epsilon)

    def product(self, value: str, name: str, *, bias: bool = True) -> str:
        inputs = [value, f"{name}.weight", f"{name}.scale"]
        inputs += ["", f"{name}.bias"] if bias else []
        return self.add("DynamicQuantizeMatMul", inputs, name, CONTRIB)

    def layer(self, value: str, name: str) -> str:
        split = self.add(
            "Split",
            [self.product(value, f"{name}.attend")],
            f"{name}.split",
            axis=-1,
            num_outputs=3,
        )
        attended = self.add(
            "MultiHeadAttention",
            [f"{split}.{at}" for at in range(3)],
            f"{name}.heads",
            CONTRIB,
            num_heads=self._weights.heads,
        )
        attended = self.product(attended, f"{name}.attended")
        value = self.norm(
            self.add("Add", [attended, value], f"{name}.attended.sum"), f"{name}.attended.norm"
        )
        inner = self.product(value, f"{name}.inner", bias=False)
        active = self.add("BiasGelu", [inner, f"{name}.inner.bias"], f"{name}.active", CONTRIB)
        outer = self.product(active, f"{name}.outer")
        return self.norm(self.add("Add", [outer, value], f"{name}.outer.sum"), f"{name}.outer.norm")

    def model(self) -> ModelProto:
        width = self._weights.width
        value = self.norm("words", "words.norm")
        for number in range(self._weights.layers):
            value = self.layer(value, f"l{number}")
        self.add("ReduceMean", [value, "axes"], "pooled", keepdims=0)
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info("words", TensorProto.FLOAT, [1, "tokens", width])],
            [helper.make_tensor_value_info("pooled", TensorProto.FLOAT, [1, width])],
            [helper.make_tensor("axes", TensorProto.INT64, [1], [1]), *self._external()],
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)

    def _external(self) -> list[TensorProto]:
        found: list[TensorProto] = []
        for name, value in initializers(self._weights).items():
            tensor = TensorProto(name=name, data_type=TYPES[value.dtype.name], dims=value.shape)
            tensor.data_location = TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value="added on load")
            found.append(tensor)
        return found


def written() -> bytes:
    """Return the graph as it is stored."""
    return Graph(E5Weights()).model().SerializeToString(deterministic=True)


def main() -> int:
    GRAPH.write_bytes(written())
    print(GRAPH)
    return 0


if __name__ == "__main__":
    sys.exit(main())
