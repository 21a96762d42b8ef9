"""The expressions whose meaning is not the engine's here, and the one pass that puts them into a parsed template."""

import re
from collections.abc import Iterator
from typing import cast

from liquid import BoundTemplate
from liquid.ast import Node
from liquid.builtin.expressions import FilteredExpression, Path, StringLiteral
from liquid.builtin.expressions.logical import BooleanExpression, ContainsExpression, EqExpression, NeExpression
from liquid.builtin.expressions.loop import LoopExpression
from liquid.builtin.expressions.primitive import Blank, Empty, RangeLiteral
from liquid.builtin.tags.for_tag import ForNode
from liquid.builtin.tags.tablerow_tag import TablerowNode
from liquid.context import RenderContext
from liquid.expression import Expression

from sayso.core.bounds import RANGE_ITEM_CHARGES, STEP_CHARGES
from sayso.core.templates.context import Context
from sayso.core.templates.filters import search_charges
from sayso.core.templates.rendering import MISSING, Missing, RenderRefused, brief

# Words that the engine's expressions reserve, and which it does not take after a dot, as in {{ input.limit }}. The
# first letter is changed before it parses, which keeps every offset, and back after.
_RESERVED = (
    *("and", "as", "blank", "cols", "contains", "continue", "else", "empty", "false", "for", "if", "in", "limit"),
    *("nil", "not", "null", "offset", "or", "required", "reversed", "true", "with"),
)
_MARK = "ᚠ"
_MEANT = {_MARK + word[1:]: word for word in _RESERVED}
_AFTER_DOT = re.compile(rf"(\"[^\"]*\"|'[^']*')|(?<=[\w\]?])(\s*\.\s*)({'|'.join(_RESERVED)})(?![\w\-?])")


def mark_reserved(code: str) -> str:
    """An expression whose reserved words after a dot are marked, for the parser to take them as names."""
    return _AFTER_DOT.sub(lambda found: found[1] or found[2] + _MARK + found[3][1:], code)


class ForgivingPath(Path):
    """A path in a condition or under ``default``, where a missing name is empty."""

    __slots__ = ()

    def evaluate(self, context: RenderContext) -> object:
        segments = [part.evaluate(context) if isinstance(part, Path) else part for part in self.path]
        return context.get(segments, token=self.token, default=MISSING)


class _ComputedPath(Path):
    """A path whose parts are read from the input too. What it lacks is told of without them: they are values."""

    __slots__ = ()

    def evaluate(self, context: RenderContext) -> object:
        segments = [part.evaluate(context) if isinstance(part, Path) else part for part in self.path]
        found = context.get(segments, token=self.token, default=MISSING)
        if found is MISSING:
            raise RenderRefused(
                "invalid_input", f"The template reads {brief(str(self))}, which the input lacks.", "/input"
            )
        return found


class _ForgivingEq(EqExpression):
    """Equality in a condition: what is missing equals nil, the empty text, ``empty`` and ``blank``."""

    __slots__ = ()

    def evaluate(self, context: RenderContext) -> object:
        left, right = self.left.evaluate(context), self.right.evaluate(context)
        if isinstance(left, Missing) or isinstance(right, Missing):
            return _is_empty(left) and _is_empty(right)
        return super().evaluate(context)


class _ForgivingNe(NeExpression):
    __slots__ = ()

    def evaluate(self, context: RenderContext) -> object:
        left, right = self.left.evaluate(context), self.right.evaluate(context)
        if isinstance(left, Missing) or isinstance(right, Missing):
            return not (_is_empty(left) and _is_empty(right))
        return super().evaluate(context)


def _is_empty(value: object) -> bool:
    return value is None or isinstance(value, Missing | Empty | Blank) or value in ("", [], {})


class _PaidContains(ContainsExpression):
    """Whether a text has another in it, paid for before it is searched."""

    __slots__ = ()

    def evaluate(self, context: RenderContext) -> object:
        left, right = self.left.evaluate(context), self.right.evaluate(context)
        if not isinstance(left, str) or not isinstance(right, str):
            return super().evaluate(context)
        cast("Context", context).meter.charge(search_charges(left, right))
        return right in left


class _PaidRange(RangeLiteral):
    """A range, paid for by its length before anything walks it."""

    __slots__ = ()

    def evaluate(self, context: RenderContext) -> range:
        made: range = super().evaluate(context)
        cast("Context", context).meter.charge(max(0, made.stop - made.start) * RANGE_ITEM_CHARGES)
        return made


class _PaidLoop(LoopExpression):
    """What a loop goes over, paid for by its length times what stands in its body."""

    weight = 0

    @classmethod
    def of(cls, loop: LoopExpression, weight: int) -> "_PaidLoop":
        """The same loop, whose body weighs this much."""
        paid = cls(
            loop.token,
            loop.identifier,
            loop.iterable,
            limit=loop.limit,
            offset=loop.offset,
            reversed_=loop.reversed,
            cols=loop.cols,
        )
        paid.weight = weight
        return paid

    def evaluate(self, context: RenderContext) -> tuple[Iterator[object], int]:
        items, length = super().evaluate(context)
        cast("Context", context).meter.charge(length * self.weight)
        return items, length


class Fitting:
    """Goes through a parsed template, puts in this format's expressions, and weighs what stands in loops."""

    def __init__(self, template: BoundTemplate) -> None:
        self._static = RenderContext(template)

    def fit(self, nodes: list[Node]) -> int:
        """Fit these nodes and all below them. Returns what rendering them once costs, apart from their values."""
        return sum(self._node(node) for node in nodes)

    def _node(self, node: Node) -> int:
        literals = sum(_fit(expression) for expression in node.expressions())
        below = self.fit(list(node.children(self._static)))
        if isinstance(node, ForNode | TablerowNode):
            node.expression = _PaidLoop.of(node.expression, STEP_CHARGES + below)
        return STEP_CHARGES + literals + below


def _path_class(path: Path, forgiving: bool) -> type[Path]:
    if forgiving:
        return ForgivingPath
    is_computed = type(path) is Path and any(isinstance(part, Path) for part in path.path)
    return _ComputedPath if is_computed else type(path)


def _fit(expression: Expression, forgiving: bool = False) -> int:
    """Fit an expression and what it is made of. Returns the length of the texts that are written in it."""
    forgiving = forgiving or isinstance(expression, BooleanExpression)
    match expression:
        case Path():
            expression.path = [_MEANT.get(part, part) if isinstance(part, str) else part for part in expression.path]
            expression.__class__ = _path_class(expression, forgiving)
        case RangeLiteral():
            expression.__class__ = _PaidRange
        case ContainsExpression():
            expression.__class__ = _PaidContains
        case EqExpression():
            expression.__class__ = _ForgivingEq
        case NeExpression():
            expression.__class__ = _ForgivingNe
        case FilteredExpression(filters=[first, *_]) if first.name == "default":
            _fit(expression.left, forgiving=True)
    own = len(expression.value) if isinstance(expression, StringLiteral) else 0
    return own + sum(_fit(part, forgiving) for part in expression.children())
