"""JSON as it is typed and printed here: read as strictly as a body, written so that it cannot steer a terminal."""

import json
import os
import re
import sys
from pathlib import Path

from sayso.core.values import Json
from sayso.errors import Problem

# Characters that JSON may hold unescaped and a terminal may act upon: C1 controls, and marks that turn the text round.
_ACTING = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")

_WHERE = re.compile(r"^The body is not JSON \(([^)]*)\): ")


def read_json(text: str) -> Json:
    """The value that the text writes. Raises ValueError, in words."""
    from sayso.core import json_text

    try:
        return json_text.parse(text.encode(errors="surrogateescape"))
    except Problem as problem:
        said = "; ".join(issue.detail for issue in problem.issues) or problem.detail
        # Whoever asked for JSON says that this is none.
        said = _WHERE.sub(r"\1: ", said).removeprefix("The body is ")
        raise ValueError(said.rstrip(".")) from None


def given_json(option: str, written: str, hint: str = "") -> Json:
    """What an option holds: JSON, ``@FILE``, or ``-`` for standard input. Raises ValueError, in words.

    ``hint`` is said of what was written right there and is no JSON.
    """
    try:
        return read_json(_given(written))
    except UnicodeDecodeError:
        raise ValueError(f"{option} is not JSON: not text in UTF-8.") from None
    except OSError as fault:
        raise ValueError(f"{option}: the file {written[1:]} cannot be read: {fault.strerror}.") from None
    except ValueError as fault:
        raise ValueError(f"{option} is not JSON: {fault}.{_hint(written, hint)}") from None


def _hint(written: str, hint: str) -> str:
    if written == "-" or written.startswith("@"):
        return ""
    is_file = os.path.isfile(written)  # noqa: PTH113  a path raises where a text cannot name a file
    return f" There is a file of that name: write @{written} for what it holds." if is_file else hint


def _given(written: str) -> str:
    if written == "-":
        return sys.stdin.read()
    return Path(written[1:]).read_text(encoding="utf-8") if written.startswith("@") else written


def written_json(value: Json, *, indent: int | None = None) -> str:
    """The value as JSON in which nothing can steer a terminal."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return _ACTING.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
