"""Templates: checked when a document is saved, against the names that their place reads; rendered when it is run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from liquid import BoundTemplate
from liquid.ast import Node
from liquid.builtin.content import ContentNode
from liquid.builtin.expressions import FilteredExpression, Path
from liquid.builtin.output import OutputNode
from liquid.exceptions import LiquidError

from sayso.core.bounds import MESSAGE_BYTES, SAMPLE_CHARGES
from sayso.core.pointers import NOTHING
from sayso.core.schemas.schema import Schema
from sayso.core.templates import doubts, engine, names, uses
from sayso.core.templates.advice import of_expression
from sayso.core.templates.context import missing, own_member
from sayso.core.templates.place import PLACES, Place
from sayso.core.templates.rendering import Meter, Overflow, RenderRefused, TooMuchWork, brief, written
from sayso.core.templates.source import BLOCKS, Slip, Statement, slips, statements
from sayso.core.templates.uses import Members
from sayso.core.values import Json

__all__ = ["PLACES", "Place", "RenderRefused", "Slip", "Template", "compile_template", "never_fits"]

# Statements that have an expression, and what makes a template of those that only stand within a block.
_EXPRESSIONS = frozenset({"", "assign", "cycle", "decrement", "echo", "elsif", "increment", "when"})
_AROUND = {"elsif": ("{% if true %}", "{% endif %}"), "when": ("{% case 1 %}", "{% endcase %}")}

# AUTO: Sending through a tool. No document is filled from the environment, and none is to look as if it were.
_FILLED = (
    "${ is not taken in what goes to a tool, since nothing is filled in from the environment. "
    "A dollar sign before a value is written {{ '$' }}{{ input.amount }}."
)

_Parts = tuple[str | tuple[str | int, ...], ...]


@dataclass(frozen=True, eq=False)
class Template:
    """A compiled template. It never changes, and any number of renderings may go on at once.

    ``reads`` are the names of its place that it reads. ``is_whole`` is whether it is one ``{{ }}`` and nothing else,
    and so may stand for a value of any type. ``parts`` is there when the template is text and plain paths alone: then
    it renders without the engine. ``overflows`` is whether it renders more than a message may be, whatever it reads.
    ``members`` are those of the input that it reads. ``doubts`` are what was taken of it and hardly meant, each at its
    offset.
    """

    source: str
    reads: frozenset[str]
    parsed: BoundTemplate
    is_whole: bool
    parts: _Parts | None
    members: Members
    doubts: tuple[Slip, ...] = ()
    overflows: bool = False

    def render(self, names: Mapping[str, Json], limit: int = MESSAGE_BYTES, meter: Meter | None = None) -> str:
        """The text over these names, of at most ``limit`` bytes. Raises RenderRefused."""
        if self.parts is None:
            return engine.run(self.parsed, names, limit, meter or Meter())
        texts, size = [], 0
        for part in self.parts:
            text = part if isinstance(part, str) else written(_read(names, part))
            size += len(text.encode(errors="surrogatepass"))
            if size > limit:
                raise Overflow(limit)
            texts.append(text)
        return "".join(texts)

    def value(self, names: Mapping[str, Json], limit: int, meter: Meter) -> Json:
        """The value that the template reads if it is whole, of any size; else its text. Raises RenderRefused."""
        match self.is_whole, self.parts:
            case False, _:
                return self.render(names, limit, meter)
            case True, [tuple(path)]:
                return _read(names, path)
        return engine.value(self.parsed, names, meter)


def compile_template(source: str, place: Place, input_schema: Schema | None = None) -> Template | list[Slip]:
    """A template of text ready to render, or all that is wrong with it, each at its offset in the source.

    What reads no input is tried over the place's sample: a structure among text is told of here.
    """
    template = read_template(source, place, input_schema)
    if isinstance(template, list) or "input" in template.reads:
        return template
    try:
        template.render(place.sample, meter=Meter(SAMPLE_CHARGES))
    except Overflow:
        return replace(template, overflows=True)
    except RenderRefused as refusal:
        return [Slip(0, refusal.detail)] if is_settled(refusal, template, place) else template
    return template


def read_template(source: str, place: Place, input_schema: Schema | None) -> Template | list[Slip]:
    """A template as it is written, not tried yet, or all that is wrong with it."""
    if place.is_filled and "${" in source:
        return [Slip(source.index("${"), _FILLED)]
    found = slips(source)
    if found:
        return found
    try:
        parsed = engine.parse(source)
    except LiquidError as error:
        return list(_unreadable(source)) or [Slip(0, _words(_brief(error)))]
    analysis = parsed.analyze()
    found = [*names.slips(analysis, place, input_schema), *uses.slips(parsed, analysis)]
    if found:
        return found
    is_whole = _is_whole(source, parsed)
    is_value = is_whole and place.is_filled
    return Template(
        source=source,
        reads=frozenset(analysis.globals),
        parsed=parsed,
        is_whole=is_whole,
        parts=_plain_parts(parsed),
        members=uses.members(parsed, analysis),
        doubts=(*names.doubts(analysis, input_schema), *doubts.of_text(source, None if is_value else input_schema)),
    )


def is_settled(refusal: RenderRefused, template: Template, place: Place) -> bool:
    """Whether a template that will not render over the sample is a fault of the document, and not of what it reads.

    # AUTO: Templates and pointers. A structure among text is one. What else may be wrong is told of only where it goes
    to a tool and reads nothing that varies. Too long is for the caller to judge, and too much work says nothing.
    """
    if isinstance(refusal, Overflow | TooMuchWork):
        return False
    return refusal.reason == "unworkable" or (place.is_filled and not template.reads & place.varying)


def never_fits(template: Template) -> bool:
    """Whether a template renders more than a message may be, whatever the input is."""
    return template.overflows


def _unreadable(source: str) -> Iterator[Slip]:
    """Each statement that the engine cannot read alone: of a whole template it names only the first, if that."""
    for statement in statements(source):
        if statement.tag in _EXPRESSIONS or statement.tag in BLOCKS - {"comment"}:
            before, after = _AROUND.get(statement.tag, ("", ""))
            after = after or (f"{{% end{statement.tag} %}}" if statement.tag in BLOCKS else "")
            try:
                engine.parse(f"{before}{statement.text}{after}")
            except LiquidError as error:
                advice = of_expression(statement.tag, statement.code)
                offset = _offset_in(error, statement, source, len(before))
                yield Slip(statement.start + offset, _words(advice or _brief(error)))


def _offset_in(error: LiquidError, statement: Statement, source: str, before: int) -> int:
    if error.token is None or not source.startswith(statement.text, statement.start):  # a line of a liquid tag
        return 0
    at = error.token.start_index - before
    return at if 0 <= at < len(statement.text) else 0


def _brief(error: LiquidError) -> str:
    return f"{brief(str(error.message), 200)}."


def _words(detail: str) -> str:
    return f"The template cannot be read here. {detail[0].upper()}{detail[1:]}"


def _is_whole(source: str, parsed: BoundTemplate) -> bool:
    return source.startswith("{{") and source.endswith("}}") and len(parsed.nodes) == 1


def _plain_parts(parsed: BoundTemplate) -> _Parts | None:
    """The template as texts and paths; None if it is more than that."""
    parts = [_plain_part(node) for node in parsed.nodes]
    return None if None in parts else tuple(part for part in parts if part is not None)


def _plain_part(node: Node) -> str | tuple[str | int, ...] | None:
    if isinstance(node, ContentNode):
        return node.text
    if isinstance(node, OutputNode) and isinstance(node.expression, FilteredExpression):
        path = node.expression.left
        if not node.expression.filters and isinstance(path, Path):
            plain = tuple(part for part in path.path if not isinstance(part, Path))
            return plain if len(plain) == len(path.path) else None
    return None


def _read(names: Mapping[str, Json], path: tuple[str | int, ...]) -> object:
    found: object = dict(names)
    for segment in path:
        found = own_member(found, segment)
        if found is NOTHING:
            raise missing(list(path))
    return found
