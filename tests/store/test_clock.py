"""The clock: time goes on, whatever is done to the machine's."""

import time

import pytest

from sayso.store.clock import ForwardClock, SystemClock
from tests.app.world import TurnedClock


def test_time_goes_on_while_the_machines_clock_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    wall, ticks = [5_000_000_000], [1_000]
    monkeypatch.setattr(time, "time_ns", lambda: wall[0])
    monkeypatch.setattr(time, "monotonic_ns", lambda: ticks[0])
    clock = SystemClock()
    first = clock.now()
    wall[0] -= 3_000_000_000
    ticks[0] += 2_000_000
    assert clock.now() == first + 2_000
    ticks[0] += 1_000_000
    assert clock.now() == first + 3_000
    wall[0] = 9_000_000_000
    assert clock.now() == 9_000_000


def test_another_clock_never_goes_back() -> None:
    turned = TurnedClock(at=7)
    clock = ForwardClock(turned)
    assert clock.now() == 7
    turned.at = 3
    assert clock.now() == 7
