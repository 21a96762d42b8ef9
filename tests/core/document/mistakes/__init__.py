"""The mistakes that newcomers make, by what they are about. The page of common mistakes is made from them."""

from collections.abc import Mapping

from tests.core.document.mistakes import fields, schemas, templates, text, tools
from tests.core.document.mistakes.mistake import BRIEF, CHAT, FILES, TICKETS, Mistake

__all__ = ["BRIEF", "CHAT", "FILES", "GROUPS", "MISTAKES", "TICKETS", "Mistake"]

GROUPS: Mapping[str, tuple[Mistake, ...]] = {
    "Lines of dashes and the message": text.LINES,
    "Quotes": text.QUOTES,
    "Colons, blanks and braces": text.FORM,
    "Fields": fields.NAMES,
    "How long a request waits": fields.EXPIRY,
    "Schemas": (*schemas.REFUSED, *schemas.WARNED),
    "Names in templates": templates.NAMES,
    "The language of templates": (*templates.LANGUAGE, *templates.WARNED),
    "Tools": tools.TOOLS,
    "Replies": tools.REPLIES,
}

MISTAKES = tuple(mistake for group in GROUPS.values() for mistake in group)
