"""The HTTP door from outside: the same routes as the server's, and words for a way that is closed."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from sayso.cli import door
from sayso.cli.door import Reach, Remote
from sayso.cli.refusals import Refused
from tests.cli.stranger import saying


@pytest.fixture
def elsewhere() -> Iterator[str]:
    with saying(b"<html>It works!</html>") as url:
        yield url


def test_every_route_is_the_servers_own() -> None:
    from sayso.http import v1

    place = "/v1/orgs/{org}"
    served = {route.operation: (route.method, route.path.removeprefix(place)) for route in v1.TABLE}
    assert {operation: served[operation] for operation in door.ROUTES} == door.ROUTES


def refused(url: str) -> Refused:
    with Remote(url, Reach()) as remote, pytest.raises(Refused) as raised:
        remote.perform("list_interactions")
    return raised.value


def test_where_nobody_listens_the_url_is_doubted() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        found = refused(f"http://127.0.0.1:{unused.getsockname()[1]}")
    assert "Nothing answers at http://127.0.0.1:" in str(found)
    assert found.advice is not None
    assert "is this its URL" in found.advice


def test_another_programs_server_is_told_from_ours(elsewhere: str) -> None:
    assert "not as sayso does (status 200)" in str(refused(elsewhere))


@pytest.mark.parametrize("url", ["127.0.0.1:8080", "ftp://127.0.0.1", "http://"])
def test_what_is_no_url_of_a_server_is_refused_in_words(url: str) -> None:
    assert "is not the URL of a server" in str(refused(url))


def test_a_proxy_of_the_environment_never_sees_what_goes_to_this_machine(
    elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert elsewhere in str(refused(elsewhere))


def test_a_folder_with_other_things_does_not_become_a_store(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("not a store")
    with pytest.raises(Refused, match="holds other things"), door.opened(Reach(data=tmp_path)):
        pass
    with pytest.raises(Refused, match="There is no folder"), door.opened(Reach(data=tmp_path / "missing")):
        pass
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]
