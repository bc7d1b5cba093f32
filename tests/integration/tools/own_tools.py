"""Tools as a deployment writes them: found by the name of this module."""


async def order_status(order_number: str) -> str:
    """The status of an order.

    Args:
        order_number: The number on the receipt.
    """
    if order_number == "A-0":
        raise RuntimeError("the shop is closed")
    return f"주문 {order_number}은 배송 중입니다."


async def _not_a_tool() -> str:
    return ""
