"""Documents written for a test, what their overviews say, and what a reader of Markdown takes for headings in them."""

import json

from markdown_it import MarkdownIt

from sayso.core.document.parse import parse
from sayso.core.overview.overview import overview
from sayso.core.values import Json

# What a reader of Markdown would run, follow or fetch.
_RUNS = frozenset({"html_block", "html_inline", "link_open", "image"})


def document(front: dict[str, Json], body: str = "") -> str:
    """A document of these fields; each value is written as JSON, which is YAML too."""
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in front.items()]
    return "\n".join(["---", *lines, "---", body])


def question(body: str = "May it go out?", **front: Json) -> str:
    """What is said of a question for the inbox, or with ``deliver`` for a tool. ``from_`` is written as from."""
    fields = {"to": "the desk", "expires": "P2D"} | {name.rstrip("_"): value for name, value in front.items()}
    return overview(parse(document(fields, body)))


def call(**front: Json) -> str:
    """What is said of a call."""
    fields = {"call": {"server": "tickets", "tool": "list_tickets"}, "output": {"schema": {"type": "array"}}} | front
    return overview(parse(document(fields)))


def section(said: str, title: str) -> str:
    """What stands below a heading, without blank lines around it."""
    return said.partition(f"## {title}\n")[2].partition("\n## ")[0].strip()


class Trusting(MarkdownIt):
    """A reader of Markdown that takes every link, wherever it leads."""

    def validateLink(self, url: str) -> bool:  # noqa: N802  (its name in the library)
        return True


def headings(said: str) -> list[str]:
    """Every heading that a reader of Markdown sees outside of quoted words; and any HTML, link or image."""
    found, quotes = [], 0
    tokens = Trusting("commonmark").parse(said)
    for n, token in enumerate(tokens):
        quotes += token.nesting if token.type.startswith("blockquote") else 0
        if token.type == "heading_open" and not quotes:
            found.append(tokens[n + 1].content)
        inner = [token.type, *(child.type for child in token.children or ())]
        found += [f"{kind}: {token.content}" for kind in inner if kind in _RUNS]
    return found
