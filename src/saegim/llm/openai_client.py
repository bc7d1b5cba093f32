from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

from saegim.llm.model_config import OPENAI_URL

_CONNECT_SECONDS = 5.0
_NO_KEY = "no-key"


def openai_client(base_url: str | None, api_key: str | None, seconds: float) -> AsyncOpenAI:
    """A client that uses what it is given and nothing else: no `OPENAI_*` variable counts.

    A key of the environment must never reach a server that the settings name, and a server of
    one's own must need none. Retries are the caller's.
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
    # OPENAI_CUSTOM_HEADERS may carry a credential, and the constructor has no way to say no.
    client._custom_headers = {}  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return client
