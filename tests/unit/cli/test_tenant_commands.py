from uuid import UUID

import pytest
import typer

from saegim.cli.operators.tenants import choose_assistant

TENANT, ONE, TWO, OTHER = (UUID(int=number) for number in range(1, 5))


def test_the_only_assistant_needs_no_name() -> None:
    assert choose_assistant(TENANT, None, (ONE,)) == ONE


def test_one_of_several_is_named() -> None:
    assert choose_assistant(TENANT, TWO, (ONE, TWO)) == TWO


@pytest.mark.parametrize(
    ("assistant", "there", "named"),
    [(None, (), TENANT), (ONE, (), TENANT), (None, (ONE, TWO), TWO), (OTHER, (ONE, TWO), OTHER)],
)
def test_what_cannot_be_told_ends_the_command_and_is_named(
    assistant: UUID | None,
    there: tuple[UUID, ...],
    named: UUID,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(typer.Exit):
        choose_assistant(TENANT, assistant, there)
    assert str(named) in capsys.readouterr().err
