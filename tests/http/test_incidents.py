"""What nobody foresaw: the caller hears an incident, the log hears the cause."""

import asyncio
import dataclasses
import logging
from collections.abc import Callable

import pytest
from starlette.types import Message

from sayso.app import inputs
from sayso.app.operations import Allowed, Operations, Outcome, Perform
from sayso.errors import Problem, Reason
from sayso.http.app import HttpApp
from sayso.ports import CommitUnknown
from sayso.settings import Settings
from tests.http.scopes import receiving, scope
from tests.http.served import Served

pytestmark = pytest.mark.anyio
CANCEL = b"/v1/orgs/acme/playbooks/sales/runs/0192f0c1-0000-7000-8000-00000000aaaa/cancel"


class Said:
    """What a door sends for one request."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def __call__(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def status(self) -> int:
        return int(self.messages[0]["status"])

    @property
    def text(self) -> str:
        return str(self.messages[1]["body"].decode())


def door(served: Served, cancel_run: Perform) -> HttpApp:
    """A door in local mode whose ``cancel_run`` does what a test needs."""
    app = dataclasses.replace(served.app, operations=Operations({"cancel_run": cancel_run}))
    return HttpApp(app, Settings(local=True))


def raising(fault: Callable[[], Exception]) -> Perform:
    async def cancel_run(allowed: Allowed, fields: inputs.CancelRun) -> Outcome:
        raise fault()

    return cancel_run


async def cancelled(served: Served, cancel_run: Perform) -> Said:
    said = Said()
    request = scope(path=CANCEL, headers=[(b"host", b"localhost")])
    await door(served, cancel_run)(request, receiving(), said)
    return said


async def test_an_unexpected_fault_is_logged_once_and_not_told(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    said = await cancelled(served, raising(lambda: RuntimeError("the cause, a secret")))
    assert said.status == 500
    assert "secret" not in said.text
    (record,) = caplog.records
    request_id = dict(said.messages[0]["headers"])[b"x-request-id"].decode()
    assert record.levelno == logging.ERROR
    assert request_id in record.message
    incident = record.message.split()[1]
    assert incident.startswith("urn:uuid:")
    assert f'"instance":"{incident}"' in said.text
    assert record.exc_info is not None
    assert "the cause" in str(record.exc_info[1])


async def test_an_incident_that_was_named_keeps_its_name(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    fault = Problem(Reason.INTERNAL, "words", incident="0192f0c1-0000-7000-8000-00000000cccc")
    said = await cancelled(served, raising(lambda: fault))
    assert said.status == 500
    assert '"instance":"urn:uuid:0192f0c1-0000-7000-8000-00000000cccc"' in said.text
    assert "00000000cccc" in caplog.text


async def test_a_store_that_is_away_is_503_and_worth_a_retry(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    said = await cancelled(served, raising(lambda: CommitUnknown("no disk at /var")))
    assert said.status == 503
    assert (b"retry-after", b"5") in said.messages[0]["headers"]
    assert "/var" not in said.text
    assert "/var" in caplog.text


async def test_a_client_that_leaves_in_mid_body_is_sent_nothing(served: Served) -> None:
    said = Said()
    performer = raising(lambda: RuntimeError("must not be reached"))
    request = scope(path=CANCEL, headers=[(b"host", b"localhost")])
    await door(served, performer)(request, receiving(b"{", whole=False), said)
    assert said.messages == []


async def test_a_command_that_has_begun_is_finished_though_nobody_waits(served: Served) -> None:
    begun, go_on, finished = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def cancel_run(allowed: Allowed, fields: inputs.CancelRun) -> Outcome:
        begun.set()
        await go_on.wait()
        finished.set()
        return {}

    request = asyncio.create_task(cancelled(served, cancel_run))
    await asyncio.wait_for(begun.wait(), 5)
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    go_on.set()
    await asyncio.wait_for(finished.wait(), 5)


async def test_start_and_stop_of_the_server_are_answered(served: Served) -> None:
    said = Said()
    coming = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

    async def receive() -> Message:
        return next(coming)

    await served.door({"type": "lifespan"}, receive, said)
    assert [message["type"] for message in said.messages] == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


async def test_a_web_socket_is_closed(served: Served) -> None:
    said = Said()
    await served.door({"type": "websocket"}, receiving(), said)
    assert said.messages == [{"type": "websocket.close", "code": 1008}]
