"""The names of a template, checked when it is saved: those that its place reads, and what was probably meant."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from liquid.static_analysis import TemplateAnalysis

from sayso.core.schemas.schema import Schema
from sayso.core.templates.advice import of_filter, of_name
from sayso.core.templates.filters import FILTERS
from sayso.core.templates.place import PLACES, Place
from sayso.core.templates.rendering import brief
from sayso.core.templates.source import Slip

# A guess is for names that people write: of two letters all are alike, and long ones or many would only cost time.
_GUESSED_LENGTHS = range(3, 65)
_GUESSED_AMONG = 100


def slips(analysis: TemplateAnalysis, place: Place, schema: Schema | None) -> Iterator[Slip]:
    """Every filter that is not there, and every name that the place does not read, at its offset."""
    for name, spans in analysis.filters.items():
        if name not in FILTERS:
            advice = of_filter(name)
            guess = f" {advice}" if advice else _guess(name, FILTERS)
            detail = f"There is no filter {brief(name)!r} that templates may use.{guess}"
            yield from (Slip(span.index, detail) for span in spans)
    for root, variables in analysis.globals.items():
        for variable in variables:
            detail = _misread(root, variable.segments[1:], place, schema)
            if detail:
                yield Slip(variable.span.index, detail)


def doubts(analysis: TemplateAnalysis, schema: Schema | None) -> Iterator[Slip]:
    """Every member of the input that an open schema does not name, where one that it names is nearly the same."""
    known = _properties(schema)
    for variable in analysis.globals.get("input", ()) if known else ():
        first = variable.segments[1] if len(variable.segments) > 1 else None
        if isinstance(first, str) and first not in known and (guess := _guess(first, known)):
            yield Slip(variable.span.index, f"The input schema names no member {brief(first)!r}.{guess}")


def _misread(root: str, members: Sequence[object], place: Place, schema: Schema | None) -> str:
    """What is wrong with reading these members of a name; empty if nothing is."""
    if root not in place.names:
        return _unknown(root, place, schema)
    if not members:
        return ""
    known, first = place.names[root], members[0]
    if known is not None and first not in known:
        return (
            f"{root} has {', '.join(sorted(known))} and nothing else."
            if known
            else f"{root} is a text without members: write {{{{ {root} }}}}."
        )
    if root == "input" and schema and isinstance(first, str | int) and not schema.takes_member(str(first)):
        return f"The input schema allows no member {brief(str(first))!r}.{_guess(str(first), _properties(schema))}"
    return ""


def _unknown(root: str, place: Place, schema: Schema | None) -> str:
    if "input" in place.names and root in _properties(schema):
        return f"There is no {brief(root)!r} here. It is a member of the input: write input.{brief(root)}."
    reads = f"this template reads {', '.join(place.names)}, and what it assigns itself."
    return f"There is no {brief(root)!r} here: {reads}{_guess(root, place.names) or _elsewhere(root, place)}"


def _elsewhere(root: str, place: Place) -> str:
    """Where a name is read that this place does not read, or how a member of the input is written."""
    others = [name for name, other in PLACES.items() if root in other.names]
    if others:
        return f" {root} is read in {', '.join(others)}."
    if advice := of_name(root):
        return f" {advice}"
    is_member = "input" in place.names and len(root) < _GUESSED_LENGTHS.stop
    return f" A member of the input is written input.{root}." if is_member else ""


def _properties(schema: Schema | None) -> Iterable[str]:
    return schema.source.get("properties", ()) if schema else ()


def _guess(name: str, known: Iterable[str]) -> str:
    """The known name that is one letter away, or two that changed places, as words to add; else nothing."""
    if len(name) not in _GUESSED_LENGTHS:
        return ""
    near = _near(name)
    for one in islice(known, _GUESSED_AMONG):
        if abs(len(one) - len(name)) <= 1 and near & _near(one):
            return f" Did you mean {one!r}?"
    return ""


def _near(name: str) -> set[str]:
    folded = name.casefold()
    return {folded} | {folded[:at] + folded[at + 1 :] for at in range(len(folded))}
