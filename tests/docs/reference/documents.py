"""What a document may hold: its fields, the names and the words of its templates; and how a wrong one is refused."""

import json
from collections.abc import Iterable, Iterator

from sayso.core.document.format import FORMAT, MESSAGE, shape_of
from sayso.core.document.json_schema import front_matter_schema
from sayso.core.document.keys import Block, Key, Shape
from sayso.core.document.parse import parse
from sayso.core.templates.filters import FILTERS
from sayso.core.templates.place import PLACES, Place
from sayso.core.templates.source import TAGS
from sayso.errors import Problem
from tests.docs.reference.table import code, table

# Each line of this document has one fault, as an author makes them.
FAULTY = """\
---
description: Asks whether a parcel goes out
to: '{{ input.lead }}'
expires: P1M
subject: A parcel waits
input:
  schema:
    type: object
    required: [parcel]
    additionalProperties: false
    properties:
      parcel: { type: text }
output:
  schema: { type: object, properties: { ship: { type: boolean, $ref: 'other.json' } } }
---
May parcel {{ parcel }} go out on {{ today | date: '%A' }}?
"""


def by_shape() -> str:
    """Every field, and whether each shape takes it."""
    rows = ((_named(key), *(_standing(key, shape) for shape in Shape)) for key in (*FORMAT.keys, MESSAGE))
    return table(("Field", *(f"`{shape}`" for shape in Shape)), rows)


def fields() -> str:
    """The fields of the front matter, and the message."""
    rows = ((_named(key), key.holds + _needs(key), _left_out(key)) for key in (*FORMAT.keys, MESSAGE))
    return table(("Field", "What it holds", "Left out"), rows)


def blocks() -> str:
    """A section a block, in the order in which the format has them."""
    return "\n\n".join(_section(block) for block in FORMAT.walk() if block is not FORMAT)


def schema() -> str:
    """The published JSON Schema of the front matter."""
    return json.dumps(front_matter_schema(), indent=2, ensure_ascii=False) + "\n"


def names() -> str:
    """The names that templates read, by where they stand. Places of the same names share a row."""
    by_names: dict[str, list[str]] = {}
    for name, place in PLACES.items():
        by_names.setdefault(", ".join(_names(place)), []).append("the message" if name == "message" else code(name))
    return table(("Place", "Names"), ((", ".join(places), read) for read, places in by_names.items()))


def tags() -> str:
    """The tags, in the order of the alphabet."""
    return _words(TAGS | {"raw"})


def filters() -> str:
    """The filters, in the order of the alphabet."""
    return _words(FILTERS)


def refused() -> str:
    """A document with many faults, and what is said of each."""
    try:
        parse(FAULTY, name="ship-parcel")
    except Problem as problem:
        rows = [
            (str(issue.line), code(issue.at) if issue.at else "", issue.detail.partition(": ")[2])
            for issue in problem.issues
        ]
        return f"```markdown\n{FAULTY}```\n\n" + table(("Line", "At", "What is said"), rows)
    raise AssertionError("the faulty document was taken")


def _named(key: Key) -> str:
    return key.name if key is MESSAGE else code(key.name)


def _standing(key: Key, shape: Shape) -> str:
    if shape in key.refused or any(_makes_another(need.path[0], shape) for need in key.needs):
        return "refused"
    if _makes_another(key.name, shape):
        return "left out"
    is_needed = any(need.path[0] == key.name for one in FORMAT.keys if shape in one.required for need in one.needs)
    return "required" if is_needed or shape in key.required else "may be given"


def _makes_another(name: str, shape: Shape) -> bool:
    """Whether a function that writes this field has another shape."""
    return shape_of([name]) not in (Shape.INBOX, shape)


def _needs(key: Key) -> str:
    paths = [need.path for need in key.needs]
    needed = [code(".".join(path)) for path in paths if not any(other[:-1] == path for other in paths)]
    return f" It needs {' and '.join(needed)}." if needed else ""


def _left_out(key: Key) -> str:
    if key.default:
        return key.default
    shapes = ", ".join(code(shape.value) for shape in Shape if shape in key.required)
    return "required" if key.required == frozenset(Shape) else f"required in {shapes}"


def _section(block: Block) -> str:
    rows = ((code(key.name), key.holds, _left_out(key), code(key.example)) for key in block.keys)
    return f"### `{block.name}`\n\n{block.holds}\n\n" + table(("Key", "What it holds", "Left out", "Example"), rows)


def _names(place: Place) -> Iterator[str]:
    for name, members in place.names.items():
        yield from (code(f"{name}.{member}") for member in sorted(members)) if members else (code(name),)


def _words(words: Iterable[str]) -> str:
    return ", ".join(code(word) for word in sorted(words)) + "."
