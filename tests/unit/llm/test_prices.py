import socket
from decimal import Decimal

import pytest
from genai_prices.data_snapshot import get_snapshot

from saegim.llm.connections.checks import prices
from saegim.llm.connections.types import TOKENS_PER_TURN, cost_of_turns
from saegim.llm.metering import FALLBACK, price
from saegim.llm.ports import ModelRole

OPENAI = "https://api.openai.com/v1/"


def test_a_known_model_has_a_price_for_each_side():
    assert price("gpt-5-nano", 1_000_000, 0) == Decimal("0.05")
    assert price("gpt-5-nano", 0, 1_000_000) == Decimal("0.4")
    assert price("gpt-5-nano", 1_000_000, 1_000_000, OPENAI) == Decimal("0.45")


def test_an_unknown_model_has_no_price():
    assert price("gemma-3-270m", 1000, 1000) is None


def test_a_known_model_on_a_server_of_ones_own_has_no_list_price():
    assert price("gpt-5-nano", 1000, 1000, "http://127.0.0.1:8080/v1") is None


def test_turns_cost_the_tokens_of_a_role_at_its_list_price():
    tokens = TOKENS_PER_TURN[ModelRole.LITE]
    cost = cost_of_turns(ModelRole.LITE, *prices("gpt-5-mini", OPENAI))
    assert cost == tokens.input * Decimal("0.25") / 1000 + tokens.output * Decimal(2) / 1000
    assert cost_of_turns(ModelRole.JUDGE, *prices("gpt-5-mini", OPENAI)) == 0


def test_turns_cost_nothing_locally_and_an_unknown_price_is_not_zero():
    local = prices("gpt-5-mini", "http://127.0.0.1:8080/v1")
    unknown = prices("no-such-model", "https://models.example.com/v1")
    assert cost_of_turns(ModelRole.LITE, *local) == 0
    assert cost_of_turns(ModelRole.LITE, *unknown) is None


def test_the_twin_costs_nothing():
    assert price(FALLBACK, 1000, 1000) == Decimal(0)


def test_prices_come_from_the_release_and_not_from_the_network(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise AssertionError("a price was looked up on the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)

    assert price("gpt-5-mini", 10, 10) is not None
    assert get_snapshot().from_auto_update is False
