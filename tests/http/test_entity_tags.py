"""ETag and If-Match: a definition's version as HTTP says it."""

from typing import Any

import pytest

from tests.http.served import Served, document

pytestmark = pytest.mark.anyio
PATH = "/v1/orgs/acme/playbooks/sales/definitions/interaction/approve-brief"


@pytest.fixture
async def key(served: Served) -> str:
    key = await served.key()
    await served.set_up("acme", key)
    return key


async def update(served: Served, key: str, words: str, tag: str | None, **more: Any) -> tuple[int, str | None]:
    """Save a document with these words, expecting a tag; the status, and the tag or what was refused."""
    headers = {} if tag is None else {"if-match": tag}
    reply = await served.ask("PUT", PATH, key=key, headers=headers, json={"source": document(words), **more})
    return reply.status_code, reply.headers.get("etag") or reply.json().get("kind")


async def test_every_version_that_is_shown_has_its_tag(served: Served, key: str) -> None:
    new = {"type": "interaction", "name": "another", "source": document()}
    assert (await served.perform("create_definition", key, **new)).headers["etag"] == '"v1"'
    assert await update(served, key, "zeta", None) == (200, '"v2"')
    assert await update(served, key, "zeta", None) == (200, '"v2"')
    assert (await served.ask("GET", PATH, key=key)).headers["etag"] == '"v2"'
    assert (await served.ask("HEAD", f"{PATH}?version=1", key=key)).headers["etag"] == '"v1"'
    assert "etag" not in (await served.ask("GET", f"{PATH}/versions", key=key)).headers


async def test_an_update_of_another_version_is_the_conflict_of_an_expected_version(served: Served, key: str) -> None:
    assert await update(served, key, "zeta", '"v1"') == (200, '"v2"')
    assert await update(served, key, "beta", '"v1"') == (409, "version_conflict")
    assert await update(served, key, "zeta", '"v1"') == (200, '"v2"')  # what stands already, whatever was expected
    assert await update(served, key, "beta", '"v2"') == (200, '"v3"')


async def test_any_version_will_do_for_a_star(served: Served, key: str) -> None:
    assert await update(served, key, "zeta", "*") == (200, '"v2"')


async def test_both_ways_to_expect_must_say_the_same(served: Served, key: str) -> None:
    assert await update(served, key, "zeta", '"v1"', expected_version=2) == (400, None)
    assert await update(served, key, "zeta", '"v1"', expected_version=1) == (200, '"v2"')
    assert await update(served, key, "beta", '"v2"', expected_version=None) == (200, '"v3"')


@pytest.mark.parametrize("tag", ["v1", '"1"', 'W/"v1"', '"v0"', '"v1", "v2"', '"v9999999999999999"', "", '"v1'])
async def test_what_is_no_tag_of_ours_is_400(served: Served, key: str, tag: str) -> None:
    assert await update(served, key, "zeta", tag) == (400, None)


async def test_two_of_them_are_400(served: Served, key: str) -> None:
    headers = [("authorization", f"Bearer {key}"), ("if-match", '"v1"'), ("if-match", '"v1"')]
    reply = await served.client.put(PATH, headers=headers, json={"source": document("zeta")})
    assert reply.status_code == 400
