"""How a model step runs: render the prompt, call the model, fall back to the twin, meter."""
