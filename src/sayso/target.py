"""The setting NOTIFY: one URL that says where notices go, and how.

https://hooks.example.com/sayso                                  a webhook; http too
smtps://user:password@mail.example.com?from=sayso@example.com&to=desk@example.com
smtp://mail.example.com?from=sayso@example.com&to=desk@example.com&to=lead@example.com
"""

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

NEEDS: Final = (
    "must be the URL of a webhook, https://HOST/PATH, or of a mail server with addresses, "
    "smtps://USER:PASSWORD@HOST?from=ADDRESS&to=ADDRESS, with every character of the password that is no letter and no "
    "digit written as %XX"
)
_PORTS: Final = {"https": 443, "http": 80, "smtps": 465, "smtp": 587}
_HOST: Final = re.compile(r"[A-Za-z0-9._:-]{1,253}")
_ADDRESS: Final = re.compile(r"[^@\s<>,;:\"()\[\]\\]{1,64}@[A-Za-z0-9.-]{1,253}")
RECIPIENTS_MAX: Final = 10


class NotATarget(ValueError):
    """The text is no such URL. It is not repeated: it may hold a password."""


@dataclass(frozen=True, kw_only=True)
class WebhookTarget:
    """A URL to send to."""

    url: str = field(repr=False)
    host: str
    port: int
    is_encrypted: bool

    @property
    def shown(self) -> str:
        """The URL without its query, which may hold a secret."""
        return self.url.partition("?")[0]


@dataclass(frozen=True, kw_only=True)
class MailTarget:
    """A mail server, who writes, and to whom."""

    host: str
    port: int
    is_encrypted: bool
    user: str | None
    password: str | None = field(repr=False)
    sender: str
    recipients: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The addresses and the server, without the user."""
        return f"mailto:{','.join(self.recipients)} by {self.host}:{self.port}"


Target = WebhookTarget | MailTarget


def target(text: str) -> Target:
    """The target that a text names. Raises NotATarget."""
    try:
        parts = urlsplit(text)
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        raise NotATarget(NEEDS) from None
    if not parts.hostname or not _HOST.fullmatch(parts.hostname) or parts.fragment or re.search(r"[\x00-\x20]", text):
        raise NotATarget(NEEDS)
    if parts.scheme in {"https", "http"}:
        return _webhook(text, parts, port)
    return _mail(parts, port)


def _webhook(text: str, parts: SplitResult, port: int) -> WebhookTarget:
    if parts.username is not None or parts.password is not None:
        raise NotATarget(NEEDS)
    assert parts.hostname is not None, "looked at before"
    return WebhookTarget(url=text, host=parts.hostname, port=port, is_encrypted=parts.scheme == "https")


def _mail(parts: SplitResult, port: int) -> MailTarget:
    said = parse_qs(parts.query, keep_blank_values=True)
    sender, recipients = said.pop("from", []), tuple(said.pop("to", []))
    addresses = [*sender, *recipients]
    if len(sender) != 1 or not 1 <= len(recipients) <= RECIPIENTS_MAX or said or parts.path not in {"", "/"}:
        raise NotATarget(NEEDS)
    if not all(_ADDRESS.fullmatch(one) and one.isascii() for one in addresses):
        raise NotATarget(NEEDS)
    assert parts.hostname is not None, "looked at before"
    return MailTarget(
        host=parts.hostname,
        port=port,
        is_encrypted=parts.scheme == "smtps",
        user=None if parts.username is None else unquote(parts.username),
        password=None if parts.password is None else unquote(parts.password),
        sender=sender[0],
        recipients=recipients,
    )
