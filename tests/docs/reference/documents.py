"""What a document may hold in its templates, and how one that will not do is refused."""

from collections.abc import Iterable

from sayso.core.document.parse import parse
from sayso.core.templates.filters import FILTERS
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


def _words(words: Iterable[str]) -> str:
    return ", ".join(code(word) for word in sorted(words)) + "."
