"""A server that is killed while it tells somebody: each request is told of at least once, in order, by the next one."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.load import save_questions
from tests.faults.served import Served
from tests.faults.wire import Wire
from tests.notices.receiver import Receiver

ASKED, KILLS = 40, 4
SECONDS = 90  # what the dead held is taken over within 40


@dataclass(kw_only=True)
class Telling(Served):
    """A server that tells the receiver at ``url``."""

    url: str

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {"NOTIFY": self.url, "NOTIFY_PRIVATE": "true", "LOG_LEVEL": "warning"}


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as started:
        yield started


@pytest.mark.slow
def test_what_was_asked_is_told_though_the_teller_is_killed(receiver: Receiver, tmp_path: Path) -> None:
    served = Telling(folder=tmp_path, url=receiver.url)
    asked: list[str] = []
    try:
        served.start()
        served.until_ready()
        save_questions(served.port)
        for number in range(ASKED):
            with closing(Wire(served.port)) as wire:
                reply = wire.send("POST", "/definitions/interaction/lasting/run", {"input": {"mark": f"{number}"}})
            assert reply is not None and reply[0] == 200, reply
            asked.append(reply[1]["run_id"])
            if number % (ASKED // KILLS) == 7:
                threading.Event().wait(0.01)  # the instant, while it tells
                served.kill()
                served.start()
                served.until_ready()
        look = threading.Event()
        until = time.monotonic() + SECONDS
        while len(set(receiver.ids)) < ASKED and time.monotonic() < until:
            look.wait(0.05)
    finally:
        served.end()
    told = [event["subject"] for event in receiver.events]
    assert list(dict.fromkeys(told)) == asked
