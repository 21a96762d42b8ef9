"""Writes what of the docs is made from the code, parts of pages and whole files: ``python -m tests.docs.generate``.

A part stands on its page between ``<!-- generated: NAME -->`` and ``<!-- end of NAME -->``. What is around it is
written by hand, and stays.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tests.docs import pages
from tests.docs.reference import (
    benches,
    bounds,
    cli,
    documents,
    events,
    exchanges,
    http,
    mistakes,
    recipes,
    settings,
    states,
)

PARTS: Mapping[str, Callable[[], str]] = {
    "bars": benches.bars,
    "benchmarks": benches.listed,
    "blocks": documents.blocks,
    "bounds": bounds.listed,
    "commands": cli.commands,
    "door": cli.door,
    "document-fields": documents.fields,
    "events": events.listed,
    "exchanges": exchanges.listed,
    "fields": http.fields,
    "filters": documents.filters,
    "fields-by-shape": documents.by_shape,
    "kinds": http.kinds,
    "mistaken-documents": mistakes.sound,
    "mistakes": mistakes.listed,
    "names": documents.names,
    "permissions": http.permissions,
    "problems": http.refusals,
    "refused-document": documents.refused,
    "request-decisions": states.decided,
    "request-drawing": states.drawing,
    "routes": http.routes,
    "settings": settings.listed,
    "tags": documents.tags,
    **{f"recipe-{name}": partial(recipes.shown, name) for name in recipes.names()},
}

# Files that are made as a whole.
FILES: Mapping[str, Callable[[], str]] = {
    "docs/reference/config.schema.json": settings.schema,
    "docs/reference/function.schema.json": documents.schema,
    "docs/reference/openapi.json": http.openapi,
}

_PART = re.compile(r"<!-- generated: (?P<name>[a-z-]+) -->\n(?P<text>.*?)<!-- end of (?P=name) -->", re.DOTALL)


def parts_of(page: Path) -> list[str]:
    """The names of the generated parts of a page."""
    return [found["name"] for found in _PART.finditer(page.read_text(encoding="utf-8"))]


def generated(page: Path) -> str:
    """The page as it should be: what is written by hand as it is, what is generated anew."""

    def anew(found: re.Match[str]) -> str:
        name = found["name"]
        return f"<!-- generated: {name} -->\n\n{PARTS[name]()}\n\n<!-- end of {name} -->"

    return _PART.sub(anew, page.read_text(encoding="utf-8"))


def main() -> None:
    """Write every page that has generated parts, and every generated file, where they changed."""
    for page in filter(parts_of, pages.PAGES):
        _write(page, generated(page))
    for name, made in FILES.items():
        _write(pages.ROOT / name, made())


def _write(path: Path, text: str) -> None:
    if not path.exists() or text != path.read_text(encoding="utf-8"):
        path.write_text(text, encoding="utf-8")
        print(f"wrote {pages.name(path)}")


if __name__ == "__main__":
    main()
