"""Integrations with other frameworks. Built on the client alone."""

from importlib.util import find_spec

if find_spec("langgraph") is None or find_spec("langchain_core") is None:
    raise ModuleNotFoundError(
        "LangChain and LangGraph are not installed: pip install 'saegim[langchain]'"
    )
