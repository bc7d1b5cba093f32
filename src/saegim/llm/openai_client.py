from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

from saegim.llm.model_config import OPENAI_URL

_CONNECT_SECONDS = 5.0
_NO_KEY = "no-key"


def openai_client(base_url: str | None, api_key: str | None, seconds: float) -> AsyncOpenAI:
    """Create a client that ignores all `OPENAI_*` environment variables and does not retry.

    A key from the environment must never reach a server from the settings.
    """
    if api_key is None and base_url is None:
        raise ValueError("OpenAI's own models need an API key")
    timeout = Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS))
    client = AsyncOpenAI(
        base_url=base_url or OPENAI_URL,
        api_key=api_key or _NO_KEY,
        admin_api_key="",
        webhook_secret="",
        timeout=timeout,
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(timeout=timeout),
    )
    client.admin_api_key = client.organization = client.project = client.webhook_secret = None
    # OPENAI_CUSTOM_HEADERS may have a credential, and the constructor cannot disable it.
    client._custom_headers = {}  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return client
