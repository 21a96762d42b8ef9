"""A party: whom a request goes to, or whose answer counts. A name, rendered by a document or written by somebody."""

import re

from sayso.core.bounds import PARTY_BYTES

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
# Half of a surrogate pair, as a command line makes of bytes that are no UTF-8.
_NO_CHARACTER = re.compile("[\ud800-\udfff]")


def fault(name: str) -> str | None:
    """What a trimmed text is that can be no party, as words that follow a verb; None for one that can."""
    if not name:
        return "an empty text"
    if _CONTROL.search(name):
        return "a text with a control character"
    if _NO_CHARACTER.search(name):
        return "a text with what is no character"
    if len(name.encode()) > PARTY_BYTES:
        return f"more than {PARTY_BYTES} bytes"
    return None
