"""The common mistakes, from the same table as their tests: what was written, what is said of it, what to write."""

import re

from sayso.cli.check import checked, line_of
from sayso.cli.documents import Document
from tests.core.document.mistakes import FILES, GROUPS, Mistake
from tests.docs.reference.table import table


def sound() -> str:
    """The documents that the mistakes are made in."""
    return "\n\n".join(f"`{name}`:\n\n```markdown\n{source}```" for source, name in FILES.items())


def listed() -> str:
    """Every mistake, by what it is about."""
    return "\n\n".join(f"## {about}\n\n{_table(group)}" for about, group in GROUPS.items())


def said(mistake: Mistake) -> str:
    """What ``sayso check`` prints of a mistake."""
    document = Document(file=mistake.file, name=mistake.file.removesuffix(".md"), content=mistake.source.encode())
    return "\n".join(map(line_of, checked(document).findings))


# What nobody could see in a cell.
_SHOWN = str.maketrans({"\t": "⇥", "\u00a0": "⍽"})


def _table(group: tuple[Mistake, ...]) -> str:
    rows = ((f"{one.title}<br>{_code(one.wrong)}", _code(said(one)), _code(one.right)) for one in group)
    return table(("Written", "What `sayso check` says", "Write"), rows)


def _code(text: str) -> str:
    """Lines of code as a cell holds them. What is left out is a dash."""
    return "<br>".join(map(_span, text.translate(_SHOWN).strip("\n").split("\n"))) if text else "—"


def _span(line: str) -> str:
    marks = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    inner = f" {line} " if len(marks) > 1 else line
    return f"{marks}{inner}{marks}" if line else ""
