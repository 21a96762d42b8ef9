"""Formats: those that are checked, each with a text that is of it, and what is meant by some names of none."""

import difflib
from collections.abc import Mapping

EXAMPLES: Mapping[str, str] = {
    "date-time": "2026-01-31T09:30:00Z",
    "date": "2026-01-31",
    "time": "09:30:00Z",
    "duration": "P2D",
    "email": "anna@example.com",
    "idn-email": "anna@example.com",
    "hostname": "www.example.com",
    "idn-hostname": "www.example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/brief",
    "uri-reference": "/brief",
    "iri": "https://example.com/brief",
    "iri-reference": "/brief",
    "uuid": "01949dd0-7c00-7000-8000-000000000000",
    "uri-template": "https://example.com/{id}",
    "json-pointer": "/items/0",
    "relative-json-pointer": "1/items",
    "regex": "^[a-z]+$",
}

_ALSO = {
    **dict.fromkeys(("datetime", "timestamp"), "date-time"),
    **dict.fromkeys(("url", "link", "href"), "uri"),
    **dict.fromkeys(("ip", "ipaddress"), "ipv4"),
    **dict.fromkeys(("mail", "emailaddress"), "email"),
    "day": "date",
    "guid": "uuid",
    "host": "hostname",
    "regexp": "regex",
}

_GUESSED_CHARACTERS = 32
_OWN = "Say what is meant in the description, or limit it by a pattern."


def doubt(name: str) -> str | None:
    """What to write for a format that there is none of; None where there is."""
    if name in EXAMPLES:
        return None
    plain = name.casefold().replace("_", "-")
    near = difflib.get_close_matches(plain, EXAMPLES, 1, 0.8) if len(name) <= _GUESSED_CHARACTERS else []
    meant = _ALSO.get(plain.replace("-", ""), near[0] if near else "")
    return f"There is no such format, and nothing is checked. {f'Write {meant}.' if meant else _OWN}"
