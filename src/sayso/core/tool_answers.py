"""The document that a tool's answer is read as: where pointers such as ``call.read`` point into. # AUTO: call"""

import json
from collections.abc import Mapping

from sayso.core.pointers import NOTHING, Nothing
from sayso.core.values import Json


def answer_document(result: Mapping[str, Json]) -> Json | Nothing:
    """The answer of an MCP tool result: its structured content, else its first text, read as JSON where it is JSON.

    Only the first text block counts. A result with neither has no document, which is not the same as ``null``.
    """
    structured = result.get("structuredContent")
    if structured is not None:
        return structured
    for block in result.get("content") or ():
        if block.get("type") == "text":
            return _read(block.get("text", ""))
    return NOTHING


def _read(text: str) -> Json:
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):  # no JSON, or JSON deeper or with more digits than anything here may be
        return text


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
