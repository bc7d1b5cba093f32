"""The table of `saegim doctor`."""

from io import StringIO

from rich.console import Console

from saegim.cli.doctor.command import findings_table
from saegim.cli.findings import Finding
from saegim.locales import translate

KOREAN = translate("the file parser process cannot reach the network, secrets or other files", "ko")


def test_no_width_of_the_terminal_cuts_a_finding_off() -> None:
    rows = [Finding("parsers", "ok", KOREAN)]
    for width in range(60, 120):
        shown = StringIO()
        Console(width=width, file=shown).print(findings_table(rows))
        [first, *more] = [line for line in shown.getvalue().splitlines() if line.strip()]
        text = "".join([first.split("parsers")[1], *more])
        assert "".join(text.split()) == "".join(KOREAN.split())
