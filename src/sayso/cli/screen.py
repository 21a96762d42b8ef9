"""The screen: JSON for programs, tables and colour at a terminal, plain lines into a pipe.

Whatever others wrote (messages, parties, names) is shown with its control characters made visible, and never read as
markup: a text is a ``rich.text.Text`` at a terminal, and itself elsewhere.
"""

import io
import os
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from sayso.cli.refusals import Refused
from sayso.cli.values import written_json
from sayso.core.values import Json

if TYPE_CHECKING:
    from rich.console import Console

LOG_COLUMNS = 160
LAST_COLUMN = 24
GAP = 2

# Controls, format characters (those that turn text round among them), surrogates, and the two odd line ends.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def visible(text: str, *, lines: bool = False) -> str:
    """The text with every control and format character spelled out; with ``lines``, line ends stay line ends."""
    return "".join(_shown(character, lines) for character in text)


def one_line(text: str, limit: int = 72) -> str:
    """The text on one line, cut with an ellipsis where it is longer than the limit."""
    flat = visible(" ".join(text.split()))
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def _shown(character: str, lines: bool) -> str:
    if unicodedata.category(character) not in _HIDDEN or (lines and character == "\n"):
        return character
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)  # the picture of the control, such as ␛
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


@dataclass(frozen=True, kw_only=True)
class Screen:
    """Where a command writes. Results go to standard output; notes, prompts and problems to standard error."""

    as_json: bool = False
    for_people: bool = False

    @property
    def is_terminal(self) -> bool:
        """Whether a person looks at the results: at a terminal, or with ``for_people`` in a log of it."""
        return (self.for_people or sys.stdout.isatty()) and not self.as_json

    def json(self, value: Json) -> None:
        """One JSON document."""
        print(written_json(value, indent=2 if sys.stdout.isatty() else None))

    def line(self, text: str = "", style: str = "") -> None:
        """A line of our own or of others' words, made visible."""
        self._write(sys.stdout, text, style)

    def note(self, text: str, style: str = "dim") -> None:
        """A line beside the results, on standard error."""
        self._write(sys.stderr, text, style)

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Names and values, one pair a line."""
        width = max(len(name) for name, _ in pairs) + 2
        for name, value in pairs:
            if self.is_terminal:
                self.line(f"{name:<{width}}{value}")
            else:
                print(f"{name}\t{visible(value)}")

    def table(self, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Rows under their names, the last column cut to what is left of the line; into a pipe, tab-separated alone."""
        shown = [[visible(cell) for cell in row] for row in rows]
        if not self.is_terminal:
            for row in shown:
                print("\t".join(row))
            return
        from rich.table import Table
        from rich.text import Text

        taken = _taken(names, shown)
        last = max(_console(sys.stdout).width - taken, LAST_COLUMN)
        table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, GAP, 0, 0))
        for name in names[:-1]:
            table.add_column(name, no_wrap=True)
        table.add_column(names[-1], no_wrap=True, overflow="ellipsis", max_width=last)
        for row in shown:
            table.add_row(*(Text(cell) for cell in row))
        # Wider than a narrow terminal rather than cut: an id that lacks its end is none.
        _console(sys.stdout, taken + last).print(table)

    def refused(self, refused: Refused) -> None:
        """The problem on standard error: its document for a program, its words, places and advice for a person."""
        if self.as_json:
            print(written_json(refused.document), file=sys.stderr)
            return
        self.note(f"sayso: {refused}", "bold red")
        for issue in refused.issues:
            self.note(f"  {issue.get('pointer', '')}: {issue.get('detail', '')}", "")
        if refused.advice:
            self.note(f"  {refused.advice}", "")

    def _write(self, stream: TextIO, text: str, style: str) -> None:
        shown = visible(text, lines=True)
        if style and stream.isatty():
            from rich.text import Text

            _console(stream).print(Text(shown, style=style), soft_wrap=True)
        else:
            print(shown, file=stream)


def _taken(names: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """The columns of a line that all but the last column take, with the gaps after them."""
    from rich.cells import cell_len

    columns = list(zip(names, *rows, strict=True))[:-1]
    return sum(max(cell_len(cell) for cell in column) + GAP for column in columns)


def _console(stream: TextIO, width: int | None = None) -> "Console":
    from rich.console import Console

    width = width or (None if stream.isatty() else LOG_COLUMNS)
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def settle_streams() -> None:
    """Let no character break a command where the locale cannot write it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def leave_broken_pipe() -> None:
    """Whoever read the output is gone: let the interpreter's last flush go nowhere instead of failing."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
