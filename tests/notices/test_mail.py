"""Mail: a notice reaches a real SMTP server once, and what others wrote makes no header."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from sayso.app.notices.notice import Notice
from sayso.app.notices.notifier import Notifier
from sayso.app.units.bell import Bell
from sayso.core.values import Json
from sayso.notify.couriers import courier
from sayso.notify.mail import composed
from sayso.settings import Settings
from sayso.target import MailTarget, target
from tests.app.studio import Studio
from tests.app.world import TurnedClock
from tests.postgres.daemon import free_port
from tests.stores import running

pytestmark = pytest.mark.anyio


@dataclass
class Postbox:
    """What the server took, and what it says to the next messages."""

    taken: list[EmailMessage] = field(default_factory=list)
    script: list[str] = field(default_factory=list)

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802  the library's name
        if self.script:
            return self.script.pop(0)
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.taken.append(message)
        return "250 taken"


@pytest.fixture
def postbox() -> Postbox:
    return Postbox()


@pytest.fixture
def url(postbox: Postbox) -> Iterator[str]:
    port = free_port()
    controller = Controller(postbox, hostname="127.0.0.1", port=port)
    controller.start()
    yield f"smtp://127.0.0.1:{port}?from=sayso@example.com&to=desk@example.com&to=lead@example.com"
    controller.stop()


@asynccontextmanager
async def told(url: str) -> AsyncIterator[tuple[Studio, Notifier]]:
    clock = TurnedClock()
    async with running(Settings(), clock=clock, work=False) as app:
        brings = courier(target(url), app.store.secret, clock, allows_private=False)
        notifier = Notifier(app.store, app.writer, app.reference, brings, Bell(), interval_ms=1_000)
        here = Studio(app=app, clock=clock)
        await here.do("create_playbook", playbook="default", name="Default")
        await notifier.sweep()
        await here.save("ship-it")
        yield here, notifier


async def test_a_request_is_told_once_with_a_message_that_has_its_id(url: str, postbox: Postbox) -> None:
    async with told(url) as (here, notifier):
        run = await here.run()
        await notifier.sweep()
        await notifier.sweep()
    (message,) = postbox.taken
    assert message["to"] == "desk@example.com, lead@example.com"
    assert message["subject"].startswith("ship-it asks the editor")
    assert message["auto-submitted"] == "auto-generated"
    assert message["message-id"].endswith("@example.com>")
    body = message.get_content()
    assert run["run_id"] in body
    assert "Shall it go out?" in body


def test_what_others_wrote_makes_no_header() -> None:
    where = target("smtps://mail.example.com?from=sayso@example.com&to=desk@example.com")
    assert isinstance(where, MailTarget)
    data: dict[str, Json] = {
        "function": "ship-it",
        "to": "the editor\r\nBcc: other@example.com " + "x" * 500,
        "message": "a lone surrogate: \ud800",
        "takes_answer": True,
        "expires_at": "2027-01-31T09:00:00.000Z",
    }
    notice = Notice(id="n", position=1, at=1_800_000_000_000_000, source="/orgs/studio", run_id="r", data=data)
    message = message_from_bytes(composed(notice, where).as_bytes(), policy=policy.default)
    assert "Bcc" not in message
    assert message["to"] == "desk@example.com"
    assert len(message["subject"]) <= 120


async def test_a_server_that_cannot_now_is_tried_again(url: str, postbox: Postbox) -> None:
    postbox.script = ["451 later"]
    async with told(url) as (here, notifier):
        await here.run()
        await notifier.sweep()
        assert postbox.taken == []
        here.clock.at += 5_000_000
        await notifier.sweep()
    assert len(postbox.taken) == 1


async def test_a_password_is_sent_to_no_server_that_offers_no_encryption(url: str, postbox: Postbox) -> None:
    open_to_all = url.replace("127.0.0.1", "desk:secret@127.0.0.2")
    controller = Controller(postbox, hostname="127.0.0.2", port=int(url.split(":")[2].split("?", maxsplit=1)[0]))
    controller.start()
    try:
        async with told(open_to_all) as (here, notifier):
            await here.run()
            await asyncio.wait_for(notifier.sweep(), 20)
            rows = [
                row
                for shard in range(here.app.store.shards)
                for row in await here.app.store.query("subscriptions", shard=shard)
            ]
    finally:
        controller.stop()
    assert "offers no encryption" in rows[0]["last_error"]
    assert postbox.taken == []
