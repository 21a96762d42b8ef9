"""Templates: checked when a document is saved, against the names that their place reads; rendered when it is run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from liquid import BoundTemplate
from liquid.ast import Node
from liquid.builtin.content import ContentNode
from liquid.builtin.expressions import FilteredExpression, Path
from liquid.builtin.output import OutputNode
from liquid.exceptions import LiquidError
from liquid.static_analysis import TemplateAnalysis

from sayso.core.bounds import MESSAGE_BYTES
from sayso.core.pointers import NOTHING
from sayso.core.schemas.schema import Schema
from sayso.core.templates import engine
from sayso.core.templates.context import missing, own_member
from sayso.core.templates.filters import FILTERS
from sayso.core.templates.place import PLACES, Place
from sayso.core.templates.rendering import Overflow, RenderRefused, written
from sayso.core.templates.source import BLOCKS, Slip, Statement, slips, statements
from sayso.core.values import Json

__all__ = ["PLACES", "Place", "RenderRefused", "Slip", "Template", "compile_template", "never_fits"]

# Statements that have an expression, and what makes a template of those that only stand within a block.
_EXPRESSIONS = frozenset({"", "assign", "cycle", "decrement", "echo", "elsif", "increment", "when"})
_AROUND = {"elsif": ("{% if true %}", "{% endif %}"), "when": ("{% case 1 %}", "{% endcase %}")}


_Parts = tuple[str | tuple[str | int, ...], ...]


@dataclass(frozen=True, eq=False)
class Template:
    """A compiled template. It never changes, and any number of renderings may go on at once.

    ``parts`` is there when the template is text and plain paths alone: then it renders without the engine.
    """

    source: str
    reads_input: bool
    parsed: BoundTemplate
    parts: _Parts | None

    def render(self, names: Mapping[str, Json], limit: int = MESSAGE_BYTES) -> str:
        """The text over these names, of at most ``limit`` bytes. Raises RenderRefused."""
        if self.parts is None:
            return engine.run(self.parsed, names, limit)
        texts, size = [], 0
        for part in self.parts:
            text = part if isinstance(part, str) else written(_read(names, part))
            size += len(text.encode(errors="surrogatepass"))
            if size > limit:
                raise Overflow(limit)
            texts.append(text)
        return "".join(texts)


def compile_template(source: str, place: Place, input_schema: Schema | None = None) -> Template | list[Slip]:
    """A template ready to render, or all that is wrong with it, each at its offset in the source."""
    found = slips(source)
    if found:
        return found
    try:
        parsed = engine.parse(source)
    except LiquidError as error:
        return list(_unreadable(source)) or [Slip(0, _words(error))]
    analysis = parsed.analyze()
    found = [*_filter_slips(analysis), *_name_slips(analysis, place, input_schema)]
    if found:
        return found
    template = Template(source, "input" in analysis.globals, parsed, _plain_parts(parsed))
    refusal = _always_refused(template)
    # AUTO: Templates and pointers. A structure among text is told of when saved; what takes too much, when run.
    if refusal is not None and refusal.reason == "unworkable" and not isinstance(refusal, Overflow):
        return [Slip(0, refusal.detail)]
    return template


def never_fits(template: Template) -> bool:
    """Whether a template renders more than a message may be, whatever the input is."""
    return isinstance(_always_refused(template), Overflow)


def _always_refused(template: Template) -> RenderRefused | None:
    """How a template that reads no input, and so renders the same each time, will not render."""
    if template.reads_input:
        return None
    try:
        template.render(PLACES["message"].sample)
    except RenderRefused as refusal:
        return refusal
    return None


def _unreadable(source: str) -> Iterator[Slip]:
    """Each statement that the engine cannot read alone: of a whole template it names only the first, if that."""
    for statement in statements(source):
        if statement.tag in _EXPRESSIONS or statement.tag in BLOCKS - {"comment"}:
            before, after = _AROUND.get(statement.tag, ("", ""))
            after = after or (f"{{% end{statement.tag} %}}" if statement.tag in BLOCKS else "")
            try:
                engine.parse(f"{before}{statement.text}{after}")
            except LiquidError as error:
                yield Slip(statement.start + _offset_in(error, statement, source, len(before)), _words(error))


def _offset_in(error: LiquidError, statement: Statement, source: str, before: int) -> int:
    if error.token is None or not source.startswith(statement.text, statement.start):  # a line of a liquid tag
        return 0
    at = error.token.start_index - before
    return at if 0 <= at < len(statement.text) else 0


def _words(error: LiquidError) -> str:
    return f"The template cannot be read here: {error.message}."


def _filter_slips(analysis: TemplateAnalysis) -> Iterator[Slip]:
    for name, spans in analysis.filters.items():
        if name not in FILTERS:
            yield from (Slip(span.index, f"There is no filter {name!r} that templates may use.") for span in spans)


def _name_slips(analysis: TemplateAnalysis, place: Place, schema: Schema | None) -> Iterator[Slip]:
    for root, variables in analysis.globals.items():
        for variable in variables:
            detail = _misread(root, variable.segments[1:], place, schema)
            if detail:
                yield Slip(variable.span.index, detail)


def _misread(root: str, members: Sequence[object], place: Place, schema: Schema | None) -> str | None:
    if root not in place.names:
        return f"There is no {root!r} here: this template reads {', '.join(place.names)}, and what it assigns itself."
    if not members:
        return None
    known, first = place.names[root], members[0]
    if known is not None and first not in known:
        return (
            f"{root} has {', '.join(sorted(known))} and nothing else."
            if known
            else f"{root} is a text without members."
        )
    if root == "input" and schema and isinstance(first, str | int) and not schema.takes_member(str(first)):
        return f"The input schema allows no member {str(first)!r}."
    return None


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
