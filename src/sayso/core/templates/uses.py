"""Uses: what a template does with the names that it reads, seen before it is run.

Whether it reckons with what is a text, and which members of the input it cannot do without.
"""

from collections.abc import Iterator
from typing import NamedTuple

from liquid import BoundTemplate
from liquid.builtin.expressions import FilteredExpression, Path
from liquid.context import RenderContext
from liquid.expression import Expression
from liquid.static_analysis import TemplateAnalysis

from sayso.core.templates.expressions import ForgivingPath
from sayso.core.templates.source import Slip

_RECKONING = frozenset(
    ("abs", "at_least", "at_most", "ceil", "divided_by", "floor", "minus", "modulo", "plus", "round", "times")
)
_MOMENTS = {"today": "2026-01-31", "now": "2026-01-31T09:30:00.000Z", "expires_at": "2026-01-31T09:30:00.000Z"}
_TEXTS = frozenset({"function", "message", "run_id"})


class Members(NamedTuple):
    """The members of the input that a template reads by name.

    ``needed`` are those without which it does not render, each at the offset where it is read first, and ``guarded``
    those that some place allows to be missing: a condition, or ``default``.
    """

    needed: dict[str, int]
    guarded: frozenset[str]


def members(template: BoundTemplate, analysis: TemplateAnalysis) -> Members:
    """The members of the input that a template reads."""
    needed: dict[str, int] = {}
    guarded: set[str] = set()
    of_input = _offsets(analysis, "input")
    for path in _every(template) if of_input else ():
        if isinstance(path, Path) and path.token.start_index in of_input and len(path.path) > 1:
            member, offset = path.path[1], path.token.start_index
            if isinstance(path, ForgivingPath) and isinstance(member, str):
                guarded.add(member)
            elif isinstance(member, str):
                needed[member] = min(offset, needed.get(member, offset))
    return Members(needed, frozenset(guarded))


def slips(template: BoundTemplate, analysis: TemplateAnalysis) -> Iterator[Slip]:
    """Every filter that reckons with what is a text: it would take it for 0, and send that in silence."""
    texts = {offset: name for name in (*_MOMENTS, *_TEXTS) for offset in _offsets(analysis, name)}
    for one in _every(template) if texts else ():
        if isinstance(one, FilteredExpression) and one.filters and one.filters[0].name in _RECKONING:
            offset = one.left.token.start_index
            if offset in texts:
                yield Slip(offset, _of_reckoning(texts[offset], one.filters[0].name))


def _of_reckoning(name: str, filter_: str) -> str:
    if name in _MOMENTS:
        words = f"{name} is a text such as {_MOMENTS[name]}, and no template reckons with dates"
        return f"{words}: give the input the date that you need, and write {{{{ input.due }}}}."
    return f"{name} is a text, which {filter_} takes for 0: write {{{{ {name} }}}} alone."


def _offsets(analysis: TemplateAnalysis, name: str) -> set[int]:
    """Where a name is read that the template did not assign itself."""
    return {variable.span.index for variable in analysis.globals.get(name, ())}


def _every(template: BoundTemplate) -> Iterator[Expression]:
    """Every expression of a template, with those that it is made of, in no order."""
    static = RenderContext(template)
    nodes = list(template.nodes)
    while nodes:
        node = nodes.pop()
        nodes += node.children(static)
        waiting = list(node.expressions())
        while waiting:
            one = waiting.pop()
            waiting += one.children()
            yield one
