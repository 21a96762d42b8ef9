"""Ports: the next free one in local mode, a refusal elsewhere."""

import contextlib
import socket
from collections.abc import Iterator

import pytest

from sayso.cli import listening
from sayso.cli.refusals import Refused


@pytest.fixture
def taken() -> Iterator[int]:
    """A port of this machine that another program listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_taken_port_gives_way_to_the_next_free_one(taken: int) -> None:
    with listening.listening("127.0.0.1", taken, next_free=True) as sock:
        assert taken < sock.getsockname()[1] <= taken + 10


def test_a_taken_port_is_refused_where_it_was_meant(taken: int) -> None:
    with pytest.raises(Refused, match=f"port {taken}: taken"):
        listening.listening("127.0.0.1", taken, next_free=False)


def test_a_port_is_held_from_the_moment_it_is_found(taken: int) -> None:
    with contextlib.ExitStack() as held:
        socks = [held.enter_context(listening.listening("127.0.0.1", taken, next_free=True)) for _ in range(3)]
        assert len({sock.getsockname()[1] for sock in socks}) == 3


@pytest.mark.parametrize("host", ["192.0.2.1", "say_k_secret", "é..x", "x" * 70])
def test_what_is_no_address_of_this_machine_is_named_by_its_setting_and_not_repeated(host: str) -> None:
    with pytest.raises(Refused, match=r"HOST \(or --host\)") as raised:
        listening.listening(host, 0, next_free=False)
    assert host not in f"{raised.value} {raised.value.advice}"


@pytest.mark.parametrize(("host", "start"), [("127.0.0.1", "http://127.0.0.1:"), ("::1", "http://[::1]:")])
def test_the_url_is_what_a_person_types(host: str, start: str) -> None:
    with listening.listening("127.0.0.1", 0, next_free=False) as sock:
        assert listening.url(host, sock) == f"{start}{sock.getsockname()[1]}"
