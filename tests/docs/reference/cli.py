"""The command line, as its own help says it."""

from collections.abc import Iterator
from typing import Any

import typer

from sayso.cli.main import app
from tests.docs.reference.table import code, table


def commands() -> str:
    """A section a command, in the order in which its help lists them."""
    return "\n\n".join(_section(path, command) for path, command in _all("sayso", _root()))


def door() -> str:
    """The options that every command takes which goes through a door."""
    return table(("Option", "What it does"), _door())


def _root() -> Any:
    return typer.main.get_command(app)


def _all(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield path, command
        return
    for name, sub in command.commands.items():
        yield from _all(f"{path} {name}", sub)


def _section(path: str, command: Any) -> str:
    rows, shared = _rows(command), _door()
    usage = " ".join([path, *(_argument(one) for one in _arguments(command)), "[OPTIONS]"])
    parts = [f"### `{path}`", f"```text\n{usage}\n```", " ".join(command.help.split())]
    if all(row in rows for row in shared):
        rows = [row for row in rows if row not in shared]
        parts.append("It goes through [a door](#the-options-of-a-door).")
    return "\n\n".join([*parts, *([table(("Option", "What it does"), rows)] if rows else [])])


def _door() -> list[tuple[str, str]]:
    """What two commands share that have nothing else in common."""
    commands = _root().commands
    return [row for row in _rows(commands["run"]) if row in _rows(commands["cancel"])]


def _rows(command: Any) -> list[tuple[str, str]]:
    arguments = [(code(_argument(one)), one.help or "") for one in _arguments(command)]
    return arguments + [_option(one) for one in command.params if one.param_type_name == "option"]


def _arguments(command: Any) -> list[Any]:
    return [one for one in command.params if one.param_type_name == "argument"]


def _argument(argument: Any) -> str:
    name = str(argument.metavar or argument.name.upper())
    name += "..." if argument.nargs == -1 else ""
    return name if argument.required else f"[{name}]"


def _option(option: Any) -> tuple[str, str]:
    names = ", ".join(option.opts)
    takes = "" if option.is_flag else f" {option.metavar or option.type.name.upper()}"
    words = option.help or ""
    if option.envvar:
        words += f" Without it: {code(option.envvar)}."
    if isinstance(option.default, str | int) and not isinstance(option.default, bool):
        words += f" Default: {code(option.default)}."
    return code(names + takes), words
