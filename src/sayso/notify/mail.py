"""Mail: a notice is a message to the addresses of the setting, through one mail server."""

import asyncio
import smtplib
import ssl
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from sayso.app.notices.notice import NotBrought, Notice
from sayso.core.values import Json
from sayso.target import MailTarget

TIMEOUT_S: Final = 15.0
SUBJECT_CHARACTERS: Final = 120
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


class Mail:
    """Sends by SMTP: encrypted from the first byte (smtps), or by STARTTLS where the server offers it."""

    def __init__(self, target: MailTarget) -> None:
        self._target = target

    @property
    def target(self) -> str:
        """The addresses and the server."""
        return self._target.shown

    async def bring(self, notice: Notice) -> None:
        """Send a notice. A message that is sent twice has the same Message-ID, so that it is seen once."""
        message = composed(notice, self._target)
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await asyncio.to_thread(self._send, message)
        except TimeoutError:
            raise NotBrought(f"{self._target.host} did not answer in time") from None
        except smtplib.SMTPResponseException as fault:
            refused = isinstance(fault, smtplib.SMTPDataError) and 500 <= fault.smtp_code < 600
            raise NotBrought(f"{self._target.host} answered {fault.smtp_code}", refused=refused) from None
        except (smtplib.SMTPException, OSError) as fault:
            raise NotBrought(f"{self._target.host} took no mail: {type(fault).__name__}") from None

    def _send(self, message: EmailMessage) -> None:
        with self._connected() as server:
            if self._target.user is not None:
                server.login(self._target.user, self._target.password or "")
            server.send_message(message)

    def _connected(self) -> smtplib.SMTP:
        """A session, encrypted if it can be; one that would show a password to others is refused."""
        target, context = self._target, ssl.create_default_context()
        if target.is_encrypted:
            return smtplib.SMTP_SSL(target.host, target.port, timeout=TIMEOUT_S, context=context)
        server = smtplib.SMTP(target.host, target.port, timeout=TIMEOUT_S)
        server.ehlo()
        if server.has_extn("starttls"):
            server.starttls(context=context)
        elif target.user is not None and target.host not in LOOPBACK:
            server.close()
            raise NotBrought(f"{target.host} offers no encryption, which a password needs: use smtps", refused=False)
        return server

    async def close(self) -> None:
        """Nothing is kept open."""


def composed(notice: Notice, target: MailTarget) -> EmailMessage:
    """The message of a notice. What others wrote is text in it, and never a header of its own."""
    data = notice.data
    message = EmailMessage()
    message["Subject"] = _line(f"{data['function']} asks {data['to'] or 'somebody'}")
    message["From"] = target.sender
    message["To"] = ", ".join(target.recipients)
    message["Date"] = format_datetime(datetime.fromtimestamp(notice.at / 1_000_000, UTC))
    message["Message-ID"] = f"<{notice.id}@{target.sender.partition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(_body(notice))
    return message


def _body(notice: Notice) -> str:
    data = notice.data
    does = "takes an answer" if data["takes_answer"] else "takes no answer"
    return (
        f"{_text(data['message'])}\n\n"
        f"To: {_line(_text(data['to']))}\nFunction: {data['function']}\nRun: {notice.run_id}\n"
        f"It {does} until {data['expires_at']}.\n"
    )


def _text(value: Json) -> str:
    return "" if value is None else str(value).encode(errors="replace").decode()


def _line(text: str) -> str:
    """One line of bounded length, of characters that are seen."""
    seen = "".join(letter if letter.isprintable() else " " for letter in text.encode(errors="replace").decode())
    return seen if len(seen) <= SUBJECT_CHARACTERS else seen[: SUBJECT_CHARACTERS - 1] + "…"
