"""Tables of Markdown."""

from collections.abc import Iterable, Sequence


def table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows under their names; what would end a cell is escaped."""
    lines = [_line(names), _line(["---"] * len(names)), *(_line(row) for row in rows)]
    return "\n".join(lines)


def code(text: object) -> str:
    """A word of code."""
    return f"`{text}`"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
