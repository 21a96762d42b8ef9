"""Proxies and the prefix: only who is trusted is believed, and nothing is outside the prefix but the probes."""

from ipaddress import ip_network

import pytest
from starlette.types import Scope

from sayso.core.bounds import PROXY_HOPS
from sayso.http.outside import Outside
from sayso.settings import Settings
from tests.http.scopes import scope
from tests.http.served import serving

PROXIES = (ip_network("10.0.0.0/8"), ip_network("::1"))
INSIDE = ("10.0.0.1", 5)


def request(*, came_from: tuple[str, int] | None = INSIDE, hops: str = "", **headers: str) -> Scope:
    """A request that came from an address, with the headers of a proxy; ``hops`` is what it says for whom it asks."""
    given = [(f"x-forwarded-{name}".encode(), value.encode()) for name, value in ({"for": hops} | headers).items()]
    return {**scope(headers=[(b"host", b"inside"), *given]), "client": came_from, "scheme": "http"}


def seen(given: Scope) -> tuple[str, str, str]:
    """The address, the scheme and the host that a request is taken to have."""
    found = Outside(PROXIES, None).seen(given)
    return (
        found["client"][0],
        found["scheme"],
        next(value for name, value in found["headers"] if name == b"host").decode(),
    )


def test_a_trusted_proxy_says_for_whom_it_asks() -> None:
    given = request(hops="192.0.2.7", proto="https", host="sayso.example.com")
    assert seen(given) == ("192.0.2.7", "https", "sayso.example.com")


def test_nobody_else_is_believed() -> None:
    given = request(came_from=("192.0.2.1", 5), hops="192.0.2.7", proto="https", host="evil.example")
    assert seen(given) == ("192.0.2.1", "http", "inside")
    assert Outside((), None).seen(given) is given
    without = request(came_from=None, hops="192.0.2.7")
    assert Outside(PROXIES, None).seen(without) is without


@pytest.mark.parametrize(
    ("hops", "client"),
    [
        ("192.0.2.66, 192.0.2.7, 10.0.0.2", "192.0.2.7"),  # what a client writes itself stands further to the left
        ("10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("192.0.2.7:443", "192.0.2.7"),
        ("[2001:db8::7]:443", "2001:db8::7"),
        ("2001:db8::7", "2001:db8::7"),
        ("192.0.2.66, unknown", "10.0.0.1"),
        ("192.0.2.66, <script>, 10.0.0.2", "10.0.0.2"),
        ("", "10.0.0.1"),
        (", ".join(["192.0.2.66", *["10.0.0.2"] * PROXY_HOPS]), "10.0.0.2"),
    ],
)
def test_the_client_is_the_nearest_that_is_no_trusted_proxy(hops: str, client: str) -> None:
    assert seen(request(hops=hops))[0] == client


@pytest.mark.parametrize("proto", ["ftp", "", "https, ftp"])
def test_another_scheme_is_passed_over(proto: str) -> None:
    assert seen(request(proto=proto))[1] == "http"


@pytest.mark.parametrize("host", ["a b", "a/b", "", "x" * 300, "evil.example, "])
def test_what_is_no_host_is_passed_over(host: str) -> None:
    assert seen(request(host=host))[2] == "inside"


def below(path: bytes) -> tuple[str, bytes, str]:
    """A path as it is taken, raw, and the path that was before it."""
    found = Outside((), "/sayso").seen(scope(path=path))
    return found["path"], found["raw_path"], found.get("root_path", "")


@pytest.mark.parametrize(
    ("path", "inner"),
    [(b"/sayso/v1/x%2Fy", b"/v1/x%2Fy"), (b"/sayso", b"/"), (b"/sayso/", b"/"), (b"/sayso/health", b"/health")],
)
def test_the_prefix_is_taken_off(path: bytes, inner: bytes) -> None:
    assert below(path)[1:] == (inner, "/sayso")


@pytest.mark.parametrize("path", [b"/v1/x", b"/", b"/saysox/v1", b"/%73ayso/v1", b"//sayso/v1", b"/Sayso/v1"])
def test_outside_the_prefix_nothing_is(path: bytes) -> None:
    assert below(path)[:2] == ("", b"")


@pytest.mark.parametrize("path", [b"/health", b"/ready"])
def test_probes_are_outside_too(path: bytes) -> None:
    assert below(path)[0].encode() == path


@pytest.mark.anyio
async def test_every_route_is_under_the_prefix_alone() -> None:
    async with serving(Settings(path_prefix="/sayso")) as door:
        key = await door.key()
        paths = ["/sayso/v1/orgs/acme/playbooks", "/v1/orgs/acme/playbooks", "/sayso", "/", "/sayso/ready", "/ready"]
        statuses = [(await door.ask("GET", path, key=key)).status_code for path in paths]
        stranger = await door.ask("GET", "/v1/orgs/acme/playbooks")
    assert statuses == [200, 404, 200, 404, 200, 200]
    assert stranger.status_code == 401


@pytest.mark.anyio
async def test_the_openapi_document_says_where_the_prefix_leads() -> None:
    async with serving(Settings(path_prefix="/sayso")) as door:
        document = (await door.ask("GET", "/sayso/v1/openapi.json")).json()
    assert document["servers"] == [{"url": "/sayso"}]
