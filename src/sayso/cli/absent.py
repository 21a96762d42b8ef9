"""What to do next where a definition is not there, or a version of it: told by one more look, at that refusal alone."""

import contextlib
import difflib
from collections.abc import Iterator

from sayso.cli.commands import Session
from sayso.cli.refusals import Refused


@contextlib.contextmanager
def told(session: Session, type_: str, name: str) -> Iterator[None]:
    """Let a refusal say which name is near, or which version is the newest. A program gets it as it is."""
    try:
        yield
    except Refused as refused:
        if not session.screen.as_json:
            refused.advice = _advice(session, refused, type_, name) or refused.advice
        raise


def _advice(session: Session, refused: Refused, type_: str, name: str) -> str | None:
    with contextlib.suppress(Refused):  # who may not look is told no more
        match refused.document.get("detail"):
            case "There is no such definition.":
                page = session.door.perform("list_definitions", type=type_)
                return _near(name, [one["name"] for one in page["definitions"]])
            case "There is no such version.":
                newest = session.door.perform("get_definition", type=type_, name=name)["version"]
                return f"The newest is version {newest}."
    return None


def _near(name: str, names: list[str]) -> str | None:
    near = difflib.get_close_matches(name, names)
    return f"Did you mean {' or '.join(near)}?" if near else None
