"""The Liquid engine as this format has it: its parser and nodes do the work, and all that they write is JSON values."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO, cast

from liquid import BoundTemplate, Environment, Mode
from liquid.builtin.output import Output as OutputTag
from liquid.builtin.output import OutputNode
from liquid.builtin.tags.cycle_tag import CycleNode, CycleTag
from liquid.builtin.tags.echo_tag import EchoNode, EchoTag
from liquid.context import RenderContext
from liquid.exceptions import LiquidError
from liquid.token import TOKEN_EXPRESSION, TOKEN_TAG, Token

from sayso.core.templates import filters
from sayso.core.templates.context import Context
from sayso.core.templates.expressions import Fitting, mark_reserved
from sayso.core.templates.rendering import Meter, Output, RenderRefused, written
from sayso.core.templates.source import TAGS
from sayso.core.values import Json

# What the engine needs beside the tags: its names for output, text and what it does not know.
_OF_ENGINE = frozenset({"content", "illegal", "output"})

# What comes of a value of another kind than a tag takes: text for a limit, a list for columns. The engine words some.
_MISFITS = (LiquidError, TypeError, ValueError, ArithmeticError, LookupError, RecursionError)


class _Written(OutputNode):
    """An output: JSON values as text, and no structure among text."""

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        return buffer.write(written(self.expression.evaluate(context)))


class _WrittenEcho(_Written, EchoNode):
    pass


class _WrittenCycle(CycleNode):
    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        group = written(self.group.evaluate(context)) if self.group else ""
        values = [argument.evaluate(context) for argument in self.args]
        return buffer.write(written(values[context.cycle(group or str(values), len(values))]))


class _Output(OutputTag):
    node_class = _Written


class _Echo(EchoTag):
    node_class = _WrittenEcho


class _Cycle(CycleTag):
    node_class = _WrittenCycle


class _Environment(Environment):
    def tokenizer(self) -> Callable[[str], Iterator[Token]]:
        read = super().tokenizer()

        def marked(source: str) -> Iterator[Token]:
            tag = ""
            for token in read(source):
                if token.kind == TOKEN_EXPRESSION:
                    # The lines of a liquid tag are read apart, and a quote does not go on in the next.
                    lines = token.value.splitlines(keepends=True) if tag == "liquid" else [token.value]
                    yield token._replace(value="".join(map(mark_reserved, lines)))
                else:
                    yield token
                tag = token.value if token.kind == TOKEN_TAG else ""

        return marked


def _environment() -> _Environment:
    made = _Environment(tolerance=Mode.STRICT, strict_filters=True)
    for tag in (_Output, _Echo, _Cycle):
        made.add_tag(tag)
    made.tags = {name: tag for name, tag in made.tags.items() if name in TAGS | _OF_ENGINE}
    made.filters = dict(filters.FILTERS)
    return made


_ENVIRONMENT = _environment()


def parse(source: str) -> BoundTemplate:
    """A template ready to render. Raises the engine's LiquidError where an expression cannot be read."""
    template = _ENVIRONMENT.from_string(source)
    Fitting(template).fit(template.nodes)
    return template


def run(template: BoundTemplate, names: Mapping[str, Json], limit: int, meter: Meter) -> str:
    """The text that a template renders over these names, of at most ``limit`` bytes. Raises RenderRefused."""
    output = Output(limit, meter)
    with _refusing_misfits():
        template.render_with_context(Context(template, names, meter), cast("TextIO", output))
    return output.text()


def value(template: BoundTemplate, names: Mapping[str, Json], meter: Meter) -> Json:
    """What the one output of a template reads over these names, of any type of JSON. Raises RenderRefused."""
    (node,) = template.nodes
    with _refusing_misfits():
        return filters.plain(cast("OutputNode", node).expression.evaluate(Context(template, names, meter)))


@contextmanager
def _refusing_misfits() -> Iterator[None]:
    try:
        yield
    except _MISFITS:
        raise RenderRefused(
            "invalid_input", "A value of the input does not fit where the template uses it.", "/input"
        ) from None
