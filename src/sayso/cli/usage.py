"""How the command line is read and explained: its usage, its help, and a value that cannot be told in one line."""

import re
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from sayso.cli.screen import Screen

# As many digits as a whole number can have and still be one that is meant.
_WHOLE = re.compile("[0-9]{1,18}")


class Command(TyperCommand):
    """A command whose help names its arguments by the capitals of its usage alone."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The parts of the usage line."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The sections of arguments and options."""
        shown: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for param in self.get_params(ctx):
            name, words = param.get_help_record(ctx) or ("", "")
            named = str(param.metavar) if param.param_type_name == "argument" else name
            shown[param.param_type_name].append((named, words))
        for kind, rows in shown.items():
            if rows:
                with formatter.section(f"{kind.capitalize()}s"):
                    formatter.write_dl(rows)


class Commands(TyperGroup):
    """All commands. A value that cannot be is told as a refusal is; the usage is for what is missing or unknown."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is named."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as fault:
            if type(fault) is not typer.BadParameter:
                raise
            Screen().note(f"sayso: {_said(fault)}", "bold red")
            raise typer.Exit(2) from None


def _said(fault: typer.BadParameter) -> str:
    """What is wrong, after the name of the option or argument where typer alone knows it."""
    name = fault.param.get_error_hint().strip("'") if fault.param else fault.param_hint
    return f"{name}: {fault.message}" if name else fault.message


def whole(least: int, most: int | None = None) -> Callable[[str | int], int]:
    """What reads the whole number of an option, and says from where to where it goes."""
    reach = f"from {least} to {most}" if most is not None else f"from {least} on"

    def read(written: str | int) -> int:
        number = int(written) if _WHOLE.fullmatch(str(written)) else -1
        if number < least or (most is not None and number > most):
            raise typer.BadParameter(f"A whole number {reach} is needed.")
        return number

    return read
