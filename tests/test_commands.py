"""Every command, from the one table of commands: none is forgotten, each writes what the table says."""

from command_table import COMMANDS
from rollcall.cli.main import app


def test_every_registered_command_is_in_the_table() -> None:
    assert {row.name for row in COMMANDS} == {command.name for command in app.registered_commands}
    assert len({str(row) for row in COMMANDS}) == len(COMMANDS), "rows can be told apart"
