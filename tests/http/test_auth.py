"""Host, Origin and credential: who is at the door."""

import pytest

from sayso.app.access import LOCAL, Principal
from sayso.errors import Problem, Reason
from sayso.http import auth
from sayso.http.auth import Origins
from sayso.http.wire import Refusal
from tests.http.scopes import scope

pytestmark = pytest.mark.anyio
ORIGINS = Origins(("https://app.example.com",))
APP = (b"origin", b"https://app.example.com")
EVIL = (b"origin", b"https://evil.example")


async def knows(key: str) -> Principal:
    return Principal(caller_id=key, org="acme")


async def reads(token: str) -> Principal:
    return Principal(caller_id=f"token:{token}", org="acme")


async def who(*headers: tuple[bytes, bytes]) -> Principal:
    return await auth.holder(knows, reads)(scope(headers=headers))


@pytest.mark.parametrize("given", [b"Bearer say_k_x-_", b"bearer say_k_x-_", b"BEARER   say_k_x-_ "])
async def test_the_scheme_is_read_in_any_case(given: bytes) -> None:
    assert (await who((b"authorization", given))).caller_id == "say_k_x-_"


@pytest.mark.parametrize("given", [b"Request a-b_c", b"request a-b_c", b"REQUEST   a-b_c "])
async def test_a_token_has_a_scheme_of_its_own(given: bytes) -> None:
    assert (await who((b"authorization", given))).caller_id == "token:a-b_c"


async def test_no_credential_is_401_with_a_bare_challenge() -> None:
    with pytest.raises(Refusal) as refused:
        await who()
    assert refused.value.problem.reason is Reason.UNAUTHENTICATED
    assert refused.value.headers == ((b"www-authenticate", b"Bearer"),)


@pytest.mark.parametrize(
    "given",
    [
        [b""],
        [b"Bearer"],
        [b"Bearer "],
        [b"Basic abc"],
        [b"Bearer a b"],
        [b"Bearer a, Bearer b"],
        [b"say_k_x"],
        [b"Bearer \xff"],
        [b"Bearer a", b"Bearer a"],
        [b"Bearera"],
        [b"Request"],
        [b"Request "],
        [b"Request a.b"],
        [b"Request a b"],
        [b"Request a", b"Bearer a"],
        [b"Bearer a, Request b"],
    ],
)
async def test_what_is_not_exactly_one_key_or_token_is_400(given: list[bytes]) -> None:
    with pytest.raises(Refusal) as refused:
        await who(*((b"authorization", value) for value in given))
    assert refused.value.problem.reason is Reason.BAD_REQUEST
    assert refused.value.headers == ((b"www-authenticate", b'Bearer error="invalid_request"'),)


@pytest.mark.parametrize("keys", [False, True])
async def test_in_local_mode_everyone_is_the_developer_until_there_are_keys(keys: bool) -> None:
    async def any_keys() -> bool:
        return keys

    asked = auth.developer(any_keys)(scope(headers=[(b"authorization", b"Basic abc")]))
    if not keys:
        assert await asked is LOCAL
        return
    with pytest.raises(Problem) as refused:
        await asked
    assert refused.value.reason is Reason.UNAUTHENTICATED


@pytest.mark.parametrize(
    "host", [b"localhost", b"LOCALHOST:8080", b"127.0.0.1", b"127.0.0.1:1", b"[::1]", b"[::1]:65535"]
)
async def test_the_names_of_this_machine_pass(host: bytes) -> None:
    auth.check_local_host(scope(headers=[(b"host", host)]))


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        [b""],
        [b"127.0.0.2"],
        [b"localhost.evil.example"],
        [b"evil.example"],
        [b"localhost:x"],
        [b"::1"],
        [b"[::1"],
        [b"localhost", b"localhost"],
        [b"localhost\n"],
        [b"127.0.0.1:8080@evil.example"],
    ],
)
async def test_every_other_host_is_403_without_a_challenge(hosts: list[bytes]) -> None:
    with pytest.raises(Refusal) as refused:
        auth.check_local_host(scope(headers=[(b"host", host) for host in hosts]))
    assert refused.value.problem.reason is Reason.FORBIDDEN
    assert refused.value.headers == ()


async def test_a_request_of_no_page_passes_and_varies() -> None:
    ORIGINS.check(scope(headers=()))
    assert ORIGINS.headers(scope(headers=())) == ((b"vary", b"origin"),)


async def test_an_allowed_page_may_read_the_reply() -> None:
    ORIGINS.check(scope(headers=[APP]))
    assert set(ORIGINS.headers(scope(headers=[APP]))) == {
        (b"access-control-allow-origin", b"https://app.example.com"),
        (b"access-control-expose-headers", b"x-request-id"),
        (b"vary", b"origin"),
    }


@pytest.mark.parametrize("headers", [[EVIL], [(b"origin", b"null")], [(b"origin", b"")], [APP, APP], [APP, EVIL]])
async def test_every_other_page_is_refused_and_may_read_nothing(headers: list[tuple[bytes, bytes]]) -> None:
    with pytest.raises(Problem) as refused:
        ORIGINS.check(scope(headers=headers))
    assert refused.value.reason is Reason.ORIGIN_NOT_ALLOWED
    assert ORIGINS.headers(scope(headers=headers)) == ((b"vary", b"origin"),)


async def test_a_preflight_names_the_method_it_asks_for() -> None:
    asks = (b"access-control-request-method", b"POST")
    assert ORIGINS.is_preflight(scope("OPTIONS", headers=[APP, asks]))
    assert not ORIGINS.is_preflight(scope("OPTIONS", headers=[APP]))
    assert not ORIGINS.is_preflight(scope("OPTIONS", headers=[asks]))
    assert not ORIGINS.is_preflight(scope("POST", headers=[APP, asks]))
