from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from beat_the_ai.cli import COMMANDS, main

LINE = 80  # characters of the narrowest terminal that people have


def test_the_list_of_commands_has_a_whole_line_on_each() -> None:
    shown = CliRunner().invoke(main, ["--help"], terminal_width=LINE).output
    listed = {line.split()[0]: line for line in shown.partition("Commands:")[2].splitlines() if line.strip()}
    assert list(listed) == list(COMMANDS)
    assert all(line.endswith(".") and len(line) <= LINE for line in listed.values())


def test_the_list_of_commands_imports_none_of_them() -> None:
    program = (
        "import sys; from beat_the_ai.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "print([name for name in sys.modules if name.startswith(('beat_the_ai.cli.', 'mephisto', 'sqlalchemy'))])"
    )
    said = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert said.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_there(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
