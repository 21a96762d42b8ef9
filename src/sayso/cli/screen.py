"""The screen: JSON for programs, tables and colour at a terminal, plain lines into a pipe.

Whatever others wrote (messages, parties, names) is shown with its control characters made visible, and never read as
markup: a text is a ``rich.text.Text`` at a terminal, and itself elsewhere.
"""

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

from sayso.cli.refusals import Refused
from sayso.cli.text import visible, wrapped
from sayso.cli.values import written_json
from sayso.core.values import Json

if TYPE_CHECKING:
    from rich.console import Console

LOG_COLUMNS = 160
USUAL_COLUMNS = 80
USUAL_LINES = 25
LAST_COLUMN = 24
GAP = 2
WORD = 9

MANY = 20
A_WHILE_S = 0.5

# What stands before every line of somebody's words.
GUTTER = "  | "

_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}

T = TypeVar("T")


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

    @property
    def stream(self) -> TextIO:
        """Where lines go."""
        return sys.stdout

    def line(self, text: str = "", style: str = "") -> None:
        """A line of our own or of others' words, made visible."""
        self._write(self.stream, text, style)

    def note(self, text: str, style: str = "dim") -> None:
        """A line beside the results, on standard error."""
        self._write(sys.stderr, text, style)

    def quote(self, text: str) -> None:
        """Somebody's words: marked on every line, also on those that the width of the terminal makes of a long one."""
        for line in visible(text, lines=True).strip("\n").split("\n"):
            for part in self._fitted(line, len(GUTTER)):
                self.line(f"{GUTTER}{part}".rstrip())

    def text(self, text: str) -> None:
        """A text of somebody's: at a terminal made visible, elsewhere byte for byte, so that it can become a file."""
        if self.stream.isatty():
            self.line(text.removesuffix("\n"))
        else:
            self.stream.flush()
            self.stream.buffer.write(text.encode())

    def markdown(self, text: str) -> None:
        """Markdown: at a terminal laid out, with the target of each link beside it; elsewhere as it is written."""
        if not self.is_terminal:
            self.line(text.removesuffix("\n"))
            return
        from rich.markdown import Markdown

        # A link must show where it leads, and a text that was made visible has no other way to steer the terminal.
        shown = Markdown(visible(text, lines=True), hyperlinks=False)
        _console(self.stream).print(shown)

    def pairs(self, pairs: Sequence[tuple[str, str]], indent: str = "") -> None:
        """Names and values, one pair a line; at a terminal a long value goes on under its beginning."""
        width = max(len(name) for name, _ in pairs) + GAP
        for name, value in pairs:
            if not self.is_terminal:
                print(f"{name}\t{visible(value)}")
                continue
            # One word, such as an id, is never broken.
            shown = visible(value)
            parts = self._fitted(shown, len(indent) + width) if len(shown.split()) > 1 else [shown]
            for number, part in enumerate(parts):
                self.line(f"{indent}{'' if number else name:<{width}}{part}")

    def _fitted(self, line: str, taken: int) -> list[str]:
        """The line as the lines that fit beside what is taken of the terminal's width; into a pipe as it is."""
        return wrapped(line, _columns(self.stream) - taken) if self.stream.isatty() else [line]

    def table(self, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Rows under their names, or where they would not fit a block each; into a pipe, tab-separated alone."""
        shown = [[visible(cell) for cell in row] for row in rows]
        if not self.is_terminal:
            for row in shown:
                print("\t".join(row))
        elif (room := _columns(sys.stdout) - _taken(names, shown)) < LAST_COLUMN:
            self._blocks(names, shown)
        else:
            self._columned(names, shown, room)

    def row(self, cells: Sequence[str], style: str = "") -> None:
        """One line of what comes line by line, its first cell a word of ours; into a pipe, tab-separated."""
        shown = [visible(cell) for cell in cells]
        if self.is_terminal:
            self.line("  ".join([f"{shown[0]:<{WORD}}", *filter(None, shown[1:])]), style)
        else:
            print("\t".join(shown))

    def _columned(self, names: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> None:
        from rich.cells import cell_len, set_cell_size

        widths = [max(map(cell_len, column)) + GAP for column in zip(names, *rows, strict=True)]
        if os.environ.get("TERM") == "dumb":  # whatever reads it there, it is no eye that wants columns
            room = widths[-1]
        for number, row in enumerate((names, *rows)):
            cells = [set_cell_size(cell, width) for cell, width in zip(row, widths[:-1], strict=False)]
            last = row[-1] if cell_len(row[-1]) <= room else set_cell_size(row[-1], room - 1) + "…"
            self.line("".join([*cells, last]).rstrip(), "" if number else "bold")

    def _blocks(self, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        for number, row in enumerate(rows):
            if number:
                self.line()
            self.line(row[0], "bold")
            self.pairs([(name.lower(), cell) for name, cell in zip(names[1:], row[1:], strict=True)], "  ")

    def diff(self, text: str) -> None:
        """A unified diff, coloured by what became of each line."""
        for line in text.removesuffix("\n").split("\n") if text else ():
            self.line(visible(line), _DIFF_STYLES.get(line[:1], ""))

    def progress(self, items: Sequence[T], words: str) -> Iterable[T]:
        """The items one by one; where they are many, a terminal shows how far they are."""
        if len(items) <= MANY or not (self.is_terminal and sys.stderr.isatty()):
            return items
        from rich.progress import track

        return track(items, words, console=_console(sys.stderr), transient=True)

    @contextlib.contextmanager
    def measured(self, words: str) -> Iterator[Callable[[int, int | None], None]]:
        """What is told how much is done, of how much if that is known; a terminal shows it when it takes a while."""
        if not (self.is_terminal and sys.stderr.isatty()):
            yield lambda _done, _total: None
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        progress, began_at = Progress(*columns, console=_console(sys.stderr), transient=True), time.monotonic()
        task = progress.add_task(words, total=None)

        def tell(done: int, total: int | None) -> None:
            progress.update(task, completed=done, total=total)
            if not progress.live.is_started and time.monotonic() - began_at >= A_WHILE_S:
                progress.start()

        try:
            yield tell
        finally:
            if progress.live.is_started:
                progress.stop()

    def refused(self, refused: Refused) -> None:
        """The problem on standard error: its document for a program, its words, places and advice for a person."""
        if self.as_json:
            print(written_json(refused.document), file=sys.stderr)
            return
        self.note(f"sayso: {refused.words}", "bold red")
        for where, what in refused.places:
            self.note(f"  {where}: {what}", "")
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


def _columns(stream: TextIO) -> int:
    """How wide the terminal is: by COLUMNS and by its own word the smaller, so that nothing runs over its edge."""
    if not stream.isatty():
        return LOG_COLUMNS
    written = os.environ.get("COLUMNS", "")
    said = [int(written) if written.isdecimal() else 0, os.get_terminal_size(stream.fileno()).columns]
    return min((columns for columns in said if columns), default=USUAL_COLUMNS)


def _console(stream: TextIO, width: int | None = None) -> "Console":
    from rich.console import Console

    # The height keeps the width as it is given, also where TERM is dumb.
    width = width or _columns(stream)
    return Console(file=stream, width=width, height=USUAL_LINES, highlight=False, markup=False, emoji=False)


def settle_streams() -> None:
    """Let no character break a command where the locale cannot write it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def leave_output() -> None:
    """The output cannot be written any more: let the interpreter's last flush go nowhere instead of failing."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
