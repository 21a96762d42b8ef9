"""What a template reads, compares and goes through, in words: values by their names in bold, and no filters."""

from collections.abc import Iterator

from liquid.builtin.expressions import BooleanExpression, FilteredExpression, LoopExpression, Nil, Path, StringLiteral
from liquid.builtin.expressions.logical import (
    ContainsExpression,
    EqExpression,
    GeExpression,
    GtExpression,
    LeExpression,
    LogicalAndExpression,
    LogicalOrExpression,
    LtExpression,
    NeExpression,
)
from liquid.builtin.expressions.primitive import Blank, Empty, RangeLiteral
from liquid.expression import Expression

from sayso.core.overview.markdown import bold, plain

_COMPARED = {
    EqExpression: "is",
    NeExpression: "is not",
    LtExpression: "is less than",
    GtExpression: "is more than",
    LeExpression: "is at most",
    GeExpression: "is at least",
    ContainsExpression: "contains",
}
_Comparison = (
    EqExpression | NeExpression | LtExpression | GtExpression | LeExpression | GeExpression | ContainsExpression
)
_JOINED = (LogicalAndExpression, LogicalOrExpression)


def in_words(expression: Expression) -> str:
    """An expression among words: its names in bold, its texts in quotes."""
    match expression:
        case FilteredExpression():
            return f"{in_words(expression.left)} {others(expression)}".rstrip()
        case BooleanExpression():
            return in_words(expression.expression)
        case Path():
            return _path(expression)
        case StringLiteral():
            return f'"{plain(expression.value, 200)}"'
        case RangeLiteral():
            return f"the numbers {in_words(expression.start)} to {in_words(expression.stop)}"
        case Nil():
            return "nothing"
        case Empty() | Blank():
            return "empty"
        case LogicalAndExpression():
            return f"{_grouped(expression.left)} and {_grouped(expression.right)}"
        case LogicalOrExpression():
            return f"{_grouped(expression.left)} or {_grouped(expression.right)}"
        case _ if isinstance(expression, _Comparison):
            return _comparison(expression)
    return str(expression)  # a number, true or false


def _grouped(expression: Expression) -> str:
    """A side of an "and" or an "or": with brackets where it is such a condition itself."""
    return f"({in_words(expression)})" if isinstance(expression, _JOINED) else in_words(expression)


def _comparison(expression: _Comparison) -> str:
    word = next(_COMPARED[one] for one in type(expression).__mro__ if one in _COMPARED)
    return f"{in_words(expression.left)} {word} {in_words(expression.right)}"


def _path(path: Path) -> str:
    """The last name of a path, and which of its items or members is read."""
    at = max(n for n, part in enumerate(path.path) if isinstance(part, str))
    said = bold(str(path.path[at]))
    for part in path.path[at + 1 :]:
        said = f"{said} by {_path(part)}" if isinstance(part, Path) else f"{_nth(int(part))} of {said}"
    return said


def _nth(index: int) -> str:
    if index in (0, -1):
        return "the last" if index else "the first"
    return f"number {index + 1}" if index > 0 else f"number {-index} from the end"


def others(expression: FilteredExpression) -> str:
    """What the filters of an expression read beside it, since every value that a template reads is said."""
    read = dict.fromkeys(_path(path) for argument in expression.children()[1:] for path in _paths(argument))
    return f"(with {', '.join(read)})" if read else ""


def _paths(expression: Expression) -> Iterator[Path]:
    if isinstance(expression, Path):
        yield expression
    else:
        for child in expression.children():
            yield from _paths(child)


def loop_in_words(loop: LoopExpression) -> str:
    """What a loop goes through: "each **line** of **lines**, at most 5, last first"."""
    said = [f"each {bold(loop.identifier)} of {in_words(loop.iterable)}"]
    if loop.offset is not None:
        goes_on = isinstance(loop.offset, StringLiteral)
        said.append("on from where the last one ended" if goes_on else f"without the first {in_words(loop.offset)}")
    if loop.limit is not None:
        said.append(f"at most {in_words(loop.limit)}")
    if loop.cols is not None:
        said.append(f"{in_words(loop.cols)} in a row")
    if loop.reversed:
        said.append("last first")
    return ", ".join(said)
