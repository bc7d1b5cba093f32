"""What a model call costs, from the price list that comes with the release; never downloaded."""

from decimal import Decimal

from genai_prices import Usage, calc_price

TWIN = "twin"
"""The model name of a step that its twin did."""


def price(
    model: str, input_tokens: int, output_tokens: int, provider_url: str | None = None
) -> Decimal | None:
    """US dollars for one call, or None where the price is not known.

    With `provider_url` the price is that provider's: a well-known model on a server of one's own
    has no list price.
    """
    if model == TWIN:
        return Decimal(0)
    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    try:
        return calc_price(usage, model, provider_api_url=provider_url).total_price
    except LookupError:
        return None
