"""Rate limits: so many a second and so many at once, for a caller and for an address that fails; bounded in memory."""

from typing import Any

import pytest

from sayso.app.access import Principal
from sayso.core.bounds import CALLERS_REMEMBERED
from sayso.errors import Problem, Reason
from sayso.http.limits import Limiter, Limits, of_client
from sayso.settings import Settings
from tests.http.scopes import receiving, scope
from tests.http.served import serving

PLAYBOOKS = "/v1/orgs/acme/playbooks"


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def refused(limiter: Limiter, name: str) -> int:
    """The seconds that a refusal names; 0 where it was taken."""
    try:
        limiter.take(name)
    except Problem as problem:
        assert problem.reason is Reason.RATE_LIMITED
        assert problem.retry_after is not None
        return problem.retry_after
    return 0


def test_a_burst_is_taken_at_once_and_then_so_many_a_second() -> None:
    clock = Clock()
    limiter = Limiter(2, 5, clock)
    assert [refused(limiter, "a") for _ in range(6)] == [0, 0, 0, 0, 0, 1]
    clock.now += 0.5
    assert [refused(limiter, "a") for _ in range(2)] == [0, 1]
    clock.now += 100
    assert [refused(limiter, "a") for _ in range(6)] == [0, 0, 0, 0, 0, 1]


def test_the_wait_is_whole_seconds_and_then_enough() -> None:
    clock = Clock()
    limiter = Limiter(0.1, 1, clock)
    assert [refused(limiter, "a"), refused(limiter, "a")] == [0, 10]
    clock.now += 10
    assert refused(limiter, "a") == 0


def test_one_name_takes_nothing_from_another() -> None:
    limiter = Limiter(1, 1, Clock())
    assert [refused(limiter, name) for name in "abab"] == [0, 0, 1, 1]


def test_the_memory_of_names_is_bounded_and_forgets_the_longest_unseen() -> None:
    limiter = Limiter(1, 1, Clock())
    for number in range(CALLERS_REMEMBERED + 1):
        limiter.take(str(number))
    assert len(limiter) == CALLERS_REMEMBERED
    assert refused(limiter, "1") == 1
    assert refused(limiter, "0") == 0


@pytest.mark.parametrize(
    ("client", "name"),
    [
        (("192.0.2.7", 5), "192.0.2.7"),
        (("2001:db8::1", 5), "2001:db8::/64"),
        (("::ffff:192.0.2.7", 5), "192.0.2.7"),
        (("testclient", 5), ""),
        (None, ""),
    ],
)
def test_an_address_is_one_name_and_of_version_6_its_range(client: Any, name: str) -> None:
    assert of_client({**scope(), "client": client}) == name


async def known(_scope: Any) -> Principal:
    return Principal(caller_id="front-desk", org="acme")


async def unknown(_scope: Any) -> Principal:
    raise Problem(Reason.UNAUTHENTICATED, "no")


@pytest.mark.anyio
async def test_an_address_that_failed_too_often_is_refused_before_its_credential_is_looked_at() -> None:
    found = Limits(1, 2, Clock())
    here = {**scope(), "client": ("192.0.2.7", 1)}
    reasons = []
    for who in (unknown, unknown, unknown, known):
        with pytest.raises(Problem) as problem:
            await found.guarding(who)(here)
        reasons.append(problem.value.reason.value)
    assert reasons == ["unauthenticated", "unauthenticated", "rate_limited", "rate_limited"]
    assert (await found.guarding(known)({**scope(), "client": ("192.0.2.8", 1)})).caller_id == "front-desk"


@pytest.mark.anyio
async def test_without_a_limit_nobody_is_refused_and_one_may_be_set_later() -> None:
    found = Limits(None, None, Clock())
    who = found.guarding(known)
    for _ in range(1000):
        await who(scope())
    found.change(1, None)
    await who(scope())
    with pytest.raises(Problem):
        await who(scope())
    found.change(1, None)  # the same: nobody begins anew
    with pytest.raises(Problem):
        await who(scope())
    found.change(None, None)
    await who(scope())


@pytest.mark.anyio
async def test_a_caller_past_its_limit_is_told_when_to_come_back() -> None:
    async with serving(Settings(rate_limit=1, rate_burst=2)) as door:
        key, other = await door.key(), await door.key()
        replies = [await door.ask("GET", PLAYBOOKS, key=key) for _ in range(3)]
        assert [reply.status_code for reply in replies] == [200, 200, 429]
        document = replies[2].json()
        assert (document["reason"], document["title"]) == ("rate_limited", "Rate limited")
        assert document["type"].endswith("/rate_limited")
        assert replies[2].headers["retry-after"] == "1"
        assert (await door.ask("GET", PLAYBOOKS, key=other)).status_code == 200
        assert (await door.ask("GET", "/health")).status_code == 200


@pytest.mark.anyio
async def test_the_refusal_comes_before_the_body_is_read() -> None:
    async with serving(Settings(rate_limit=1, rate_burst=1)) as door:
        key = await door.key()
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def never() -> Any:
            raise AssertionError("nobody asked for the body")

        headers = [(b"authorization", f"Bearer {key}".encode()), (b"content-type", b"application/json")]
        request = scope(path=PLAYBOOKS.encode(), headers=headers)
        await door.door(request, receiving(b"{}"), send)
        await door.door(request, never, send)
        assert [message["status"] for message in sent[::2]] == [422, 429]


@pytest.mark.anyio
async def test_in_local_mode_everybody_is_one_caller() -> None:
    async with serving(Settings(local=True, rate_limit=1)) as door:
        replies = [await door.ask("GET", f"/v1/orgs/{org}/playbooks") for org in ("a", "b")]
    assert [reply.status_code for reply in replies] == [200, 429]
