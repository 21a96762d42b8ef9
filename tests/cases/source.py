"""Documents: what can be told of a source before it is saved, and sources written for a case."""

import json
import re

from sayso.core.values import Json

# A definition's name has at least three letters; cases also use shorter ones.
_NAME = re.compile(r"[a-z][a-z0-9-]{2,47}")
_TOOL_KEY = re.compile(r"""^(?:["']?(?:call|deliver|replies)["']?[ \t]*:|\{.*\b(?:call|deliver|replies)["']?[ \t]*:)""")
_FENCE = re.compile(r"---[ \t]*")


def names_a_tool(source: str) -> bool:
    """Whether the front matter has ``call``, ``deliver`` or ``replies`` at its top level.

    Told from the text alone, since a document that is refused, or cannot be read, has a shape as well: a line of the
    front matter that begins with the key, or a flow mapping that holds it. Without an opening fence all of the lines
    up to the first fence count.
    """
    lines = source.removeprefix("\ufeff").splitlines()
    front = lines[1:] if lines and _FENCE.fullmatch(lines[0]) else lines
    end = next((n for n, line in enumerate(front) if _FENCE.fullmatch(line)), len(front))
    return any(_TOOL_KEY.match(line) for line in front[:end])


def closing_line(source: str) -> int | None:
    """The number of the line that closes the front matter, from 1; None where nothing opens or closes it."""
    lines = source.removeprefix("\ufeff").splitlines()
    if not lines or not _FENCE.fullmatch(lines[0]):
        return None
    return next((n for n, line in enumerate(lines[1:], start=2) if _FENCE.fullmatch(line)), None)


def definition_name(name: str) -> str:
    """The name that a case's document is saved under."""
    return name if _NAME.fullmatch(name) else f"case-{name.lower()}"


def question(output_schema: Json, *, to: str = "U-ada", **front: Json) -> str:
    """An inbox question with this output schema; ``None`` makes it a notification. ``front`` adds keys."""
    fields: dict[str, Json] = {"to": to, "expires": "P1D"} | front
    if output_schema is not None:
        fields["output"] = {"schema": output_schema}
    return document(fields, "What shall be done?")


def document(front: dict[str, Json], body: str) -> str:
    """A document of these keys: each value as JSON, which is YAML too."""
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in front.items()]
    return "\n".join(["---", *lines, "---", body])
