"""The page that shows the OpenAPI document to people: one file of HTML, without a script, and with nothing from
anywhere else."""

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from sayso.core.values import Json
from sayso.http.wire import Header

STYLE = """
:root { color-scheme: light dark; --line: #8885; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 3rem; } h3 { margin-top: 2rem; }
code, pre { font: 0.875em/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: 0.75rem; overflow-x: auto; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid var(--line); }
nav ul { columns: 18rem; padding-left: 1.2rem; } summary { cursor: pointer; }
.method { font-weight: 700; margin-right: 0.5rem; }
"""
_DIGEST = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
# Nothing may run here, be loaded, sent, or framed: the one style is known by its digest.
SECURITY: tuple[Header, ...] = (
    (
        b"content-security-policy",
        f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'".encode(),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)

Document = Mapping[str, Any]


def page(document: Document) -> str:
    """The document as HTML. Whatever is in it is text."""
    info = document["info"]
    about = "".join(f"<p>{_words(part)}</p>" for part in info["description"].split("\n\n"))
    sections = [(tag["name"], [*_tagged(document, tag["name"])]) for tag in document["tags"]]
    body = "".join(
        f"<h2>{escape(name)}</h2>{''.join(_operation(*one) for one in operations)}" for name, operations in sections
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>sayso HTTP</title><style>{STYLE}</style></head><body>"
        f"<h1>sayso {escape(info['version'])}: HTTP</h1>{about}"
        "<p>For programs, the same as <a href=openapi.json>an OpenAPI document</a>.</p>"
        f"<nav>{''.join(_contents(*section) for section in sections)}</nav>{body}"
        f"<h2>Shapes</h2>{''.join(_shape(*one) for one in document['components']['schemas'].items())}"
        "</body></html>\n"
    )


def _tagged(document: Document, tag: str) -> Iterable[tuple[str, str, Document]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if tag in operation["tags"]:
                yield method.upper(), path, operation


def _contents(name: str, operations: Iterable[tuple[str, str, Document]]) -> str:
    items = (f"<li><a href=#{one['operationId']}>{one['operationId']}</a></li>" for _, _, one in operations)
    return f"<strong>{escape(name)}</strong><ul>{''.join(items)}</ul>"


def _operation(method: str, path: str, operation: Document) -> str:
    name = escape(operation["operationId"])
    return (
        f'<h3 id="{name}"><code>{name}</code></h3>'
        f"<p><code><span class=method>{method}</span>{escape(path)}</code></p>"
        f"<p>{_words(operation['description'])}</p>{_fields(operation)}{_replies(operation['responses'])}"
    )


def _fields(operation: Document) -> str:
    rows = [(one["name"], one["in"], one.get("required", False), one) for one in operation["parameters"]]
    if "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        rows += [(name, "body", name in schema["required"], its) for name, its in schema["properties"].items()]
    cells = (
        f"<tr><td><code>{escape(name)}</code></td><td>{place}</td><td>{'always' if is_required else 'if wanted'}</td>"
        f"<td>{_words(its.get('description', ''))}</td></tr>"
        for name, place, is_required, its in rows
    )
    return f"<table><tr><th>Field<th>Where<th>Given<th>What it is</tr>{''.join(cells)}</table>"


def _replies(responses: Document) -> str:
    done = next(status for status in responses if status.startswith("2"))
    shape = responses[done]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    refused = ", ".join(status for status in responses if status != done)
    link = f"<a href=#shape-{escape(shape)}>{escape(shape)}</a>"
    return f"<p>Replies {done} with {link}, or a <a href=#shape-Problem>Problem</a>: {refused}.</p>"


def _shape(name: str, schema: Json) -> str:
    written = escape(json.dumps(schema, indent=2, ensure_ascii=False))
    summary = f"<summary><code>{escape(name)}</code></summary>"
    return f'<details id="shape-{escape(name)}">{summary}<pre>{written}</pre></details>'


def _words(text: str) -> str:
    """Words in which what stands between backticks is code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))
