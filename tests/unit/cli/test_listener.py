import contextlib
import socket

import pytest
import typer

from saegim.cli.server import listener


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.7", False),
        ("saegim.example", False),
    ],
)
def test_only_this_machine_counts_as_loopback(host: str, expected: bool) -> None:
    assert listener.is_loopback(host) is expected


def test_a_busy_port_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(typer.Exit):
            listener.bind("127.0.0.1", port)
    assert f"127.0.0.1:{port}" in capsys.readouterr().err


def test_two_that_took_a_port_together_are_told_when_the_first_answers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with contextlib.ExitStack() as both:
        first = both.enter_context(listener.bind("127.0.0.1", 0))
        second = both.enter_context(listener.bind("127.0.0.1", listener.port_of(first)))
        listener.answer(first, "127.0.0.1")
        with pytest.raises(typer.Exit):
            listener.answer(second, "127.0.0.1")
        assert f"127.0.0.1:{listener.port_of(second)}" in capsys.readouterr().err


def test_a_taken_port_does_not_answer_yet() -> None:
    with (
        listener.bind("127.0.0.1", 0) as taken,
        pytest.raises(ConnectionRefusedError),
        socket.create_connection(("127.0.0.1", listener.port_of(taken)), timeout=60),
    ):
        pass


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("::1", "http://[::1]:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),
        ("::", "http://[::1]:80"),
    ],
)
def test_an_address_is_written_as_a_url(host: str, url: str) -> None:
    assert listener.address(host, 80) == url
