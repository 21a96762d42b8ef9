"""What the names of a template stand for while it renders: own members of JSON values, each reading paid for."""

from collections.abc import Callable, Mapping
from typing import cast

from liquid import BoundTemplate
from liquid.builtin.tags.for_tag import ForLoop
from liquid.builtin.tags.tablerow_tag import TableRow
from liquid.context import RenderContext
from liquid.token import Token
from liquid.undefined import UNDEFINED
from liquid.utils import ReadOnlyChainMap

from sayso.core import pointers
from sayso.core.bounds import STEP_CHARGES
from sayso.core.pointers import NOTHING
from sayso.core.templates import filters
from sayso.core.templates.rendering import Meter, RenderRefused, brief
from sayso.core.values import Json

# Also for the author of the document, whose example inputs had what this one lacks.
_ALLOW = "Where it may be missing, the document says | default: '…' after it, or asks {% if %} first."


class Context(RenderContext):
    """What names stand for while one template renders. The host's clock, which the engine would offer, is not there."""

    def __init__(self, template: BoundTemplate, names: Mapping[str, Json], meter: Meter) -> None:
        super().__init__(template, globals=names)
        self.scope = ReadOnlyChainMap(self.locals, self.globals, self.counters)
        self.meter = meter

    def get(self, path: list[object], *, token: Token | None, default: object = UNDEFINED) -> object:  # noqa: ARG002
        """What a path reads. Raises RenderRefused for what is missing, unless a default is given."""
        self.meter.charge(STEP_CHARGES)
        found = self._find(path)
        if found is NOTHING:
            if default is UNDEFINED:
                raise missing(path)
            return default
        self.meter.weigh(found)
        return found

    def _find(self, path: list[object]) -> object:
        try:
            found = self.scope[cast("str", path[0])]
        except KeyError:
            return NOTHING
        for segment in path[1:]:
            found = own_member(found, segment)
            if found is NOTHING:
                break
        return found

    def filter(self, name: str, token: Token | None) -> Callable[..., object]:  # noqa: ARG002
        """The filter, paid for."""
        return lambda value, *given, **named: filters.apply(name, self.meter, value, given, named)

    def parentloop(self) -> object:
        """The loop around a loop; nil for the outermost."""
        return self.loops[-1] if self.loops else None


def missing(path: list[object]) -> RenderRefused:
    """The refusal for a path that reads nothing: at the field if it is one of the input, else at the input."""
    name = brief(".".join(str(segment) for segment in path))
    if path[0] != "input":
        return RenderRefused("invalid_input", f"The template reads {name}, which is not there. {_ALLOW}", "/input")
    pointer = pointers.join(("input", str(path[1]))) if len(path) == 2 else "/input"
    detail = f"The template reads {name}, which the input lacks. Give it. {_ALLOW}"
    return RenderRefused("invalid_input", detail, pointers.shortened(pointer))


def own_member(holder: object, segment: object) -> object:
    """A member by its name or its place, or NOTHING. No attribute is read, and ``size`` only where it is a member."""
    if isinstance(holder, dict):
        return holder.get(segment, NOTHING) if isinstance(segment, str) else NOTHING
    if isinstance(holder, list | tuple | range) and isinstance(segment, int):
        return holder[segment] if -len(holder) <= segment < len(holder) else NOTHING
    if isinstance(holder, ForLoop | TableRow) and isinstance(segment, str):
        try:
            return holder[segment]
        except KeyError:
            return NOTHING
    return NOTHING
