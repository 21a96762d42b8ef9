"""Playbooks, definitions and keys: made once, named for good, and refused by one table."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from sayso.app.access import OPERATOR, TABLE, Permission, Principal
from sayso.app.inputs import INPUTS
from sayso.errors import Kind, Problem, Reason
from tests.app.studio import QUESTION, Studio, refused, studio
from tests.app.world import HOUR

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here() -> AsyncIterator[Studio]:
    async with studio() as made:
        yield made


async def test_a_playbook_is_made_once(here: Studio) -> None:
    made = await here.do("create_playbook", playbook="sales", name=" Sales ", description="Deals.")
    assert (made["id"], made["name"], made["status"], made["created_by"]) == ("sales", "Sales", "active", "operator")
    assert (await refused(here, "create_playbook", playbook="sales", name="Again")).kind is Kind.TAKEN
    assert (await here.do("list_playbooks"))["playbooks"] == [made]


async def test_an_update_that_changes_nothing_records_nothing(here: Studio) -> None:
    made = await here.do("create_playbook", playbook="sales", name="Sales")
    sales = here.elsewhere(playbook="sales")
    here.clock.at += HOUR
    assert await sales.do("update_playbook", playbook="sales", name="Sales", description="") == made
    changed = await sales.do("update_playbook", playbook="sales", name="Trade", description="")
    assert (changed["name"], changed["updated_at"] > made["updated_at"]) == ("Trade", True)
    assert await sales.do("get_playbook", playbook="sales") == changed


@pytest.mark.parametrize("operation", ["get_playbook", "update_playbook"])
async def test_a_playbook_that_is_not_there_is_not_found(here: Studio, operation: str) -> None:
    fields = {"name": "x", "description": ""} if operation == "update_playbook" else {}
    assert (await refused(here, operation, playbook="nowhere", **fields)).reason is Reason.NOT_FOUND


@pytest.mark.parametrize("operation", ["list_runs", "run_definition"])
async def test_only_default_makes_itself(here: Studio, operation: str) -> None:
    fields = {"type": "interaction", "name": "ship-it", "input": {}} if operation == "run_definition" else {}
    nowhere = here.elsewhere(playbook="nowhere")
    assert (await refused(nowhere, operation, **fields)).reason is Reason.NOT_FOUND


async def test_a_definition_is_taken_updated_and_read(here: Studio) -> None:
    first = await here.save("ship-it")
    assert (
        await refused(here, "create_definition", type="interaction", name="ship-it", source=QUESTION)
    ).kind == "taken"
    here.clock.at += HOUR
    update = {"type": "interaction", "name": "ship-it"}
    assert await here.do("update_definition", **update, source=QUESTION) == first
    second = await here.do("update_definition", **update, source=QUESTION + "Now?", expected_version=1)
    assert (second["version"], second["created_at"]) == (2, first["created_at"])
    problem = await refused(here, "update_definition", **update, source=QUESTION, expected_version=1)
    assert problem.kind is Kind.VERSION_CONFLICT
    assert (await here.do("get_definition", **update)).items() >= second.items()


async def test_a_source_with_faults_stores_nothing(here: Studio) -> None:
    problem = await refused(here, "create_definition", type="interaction", name="ship-it", source="---\nto: 3\n---\n")
    assert {issue.pointer for issue in problem.issues} == {"/source"}
    assert (await refused(here, "get_definition", type="interaction", name="ship-it")).reason is Reason.NOT_FOUND


def test_every_operation_is_in_the_table_of_permissions() -> None:
    assert set(TABLE) == set(INPUTS)


@pytest.mark.parametrize("operation", TABLE)
async def test_an_operation_is_allowed_by_its_permissions_alone(here: Studio, operation: str) -> None:
    for permission in Permission:
        principal = Principal(caller_id="k", org="studio", permissions=frozenset({permission}))
        allowed = permission in TABLE[operation]
        if allowed:
            here.app.operations.allow(principal, operation, org="studio", playbook="default")
            continue
        with pytest.raises(Problem) as caught:
            here.app.operations.allow(principal, operation, org="studio", playbook="default")
        assert caught.value.reason is Reason.FORBIDDEN


async def test_a_key_acts_in_its_org_and_its_playbooks_alone(here: Studio) -> None:
    limited = replace(OPERATOR, org="studio", playbooks=frozenset({"sales"}))
    for org, playbook in (("other", "sales"), ("studio", "default")):
        with pytest.raises(Problem) as caught:
            here.app.operations.allow(limited, "list_runs", org=org, playbook=playbook)
        assert caught.value.reason is Reason.FORBIDDEN
    at_sales = replace(here, principal=limited, playbook="sales")
    await here.do("create_playbook", playbook="elsewhere", name="Elsewhere")
    assert (await refused(at_sales, "create_playbook", playbook="other", name="x")).reason is Reason.FORBIDDEN
    assert (await at_sales.do("list_playbooks"))["playbooks"] == []


@pytest.mark.parametrize("org", ["", "a b", "ü", "x" * 65, "a/b"])
async def test_an_org_has_a_plain_name(here: Studio, org: str) -> None:
    with pytest.raises(Problem) as caught:
        here.app.operations.allow(OPERATOR, "list_runs", org=org, playbook="default")
    assert [issue.pointer for issue in caught.value.issues] == ["/org"]


async def test_a_key_says_who_asks_until_it_is_revoked(here: Studio) -> None:
    made = await here.app.keys.create("acme", ["playbook:read"], ["sales"], "reader")
    principal = await here.app.keys.authenticate(made["key"])
    assert principal == Principal(
        caller_id="reader",
        org="acme",
        permissions=frozenset({Permission.PLAYBOOK_READ}),
        playbooks=frozenset({"sales"}),
    )
    revoked = await here.app.keys.revoke("reader")
    assert revoked == await here.app.keys.revoke("reader")
    with pytest.raises(Problem) as caught:
        await here.app.keys.authenticate(made["key"])
    assert caught.value.reason is Reason.UNAUTHENTICATED


async def test_a_key_runs_out(here: Studio) -> None:
    made = await here.app.keys.create("acme", expires="PT1H")
    await here.app.keys.authenticate(made["key"])
    here.clock.at += HOUR
    with pytest.raises(Problem):
        await here.app.keys.authenticate(made["key"])


@pytest.mark.parametrize("change", [-1, 0, 8])
async def test_one_wrong_letter_is_no_key(here: Studio, change: int) -> None:
    key = (await here.app.keys.create("acme", key_id="writer"))["key"]
    letters = list(key)
    letters[change] = "A" if letters[change] != "A" else "B"
    with pytest.raises(Problem) as caught:
        await here.app.keys.authenticate("".join(letters))
    assert caught.value.reason is Reason.UNAUTHENTICATED


async def test_the_key_itself_is_shown_once_and_stored_nowhere(here: Studio) -> None:
    made = await here.app.keys.create("acme")
    assert await here.app.keys.any()
    (listed,) = await here.app.keys.list("acme")
    assert "key" not in listed
    assert await here.app.keys.list("other") == []
    stored = repr(await here.app.store.query("keys"))
    assert made["key"][-43:] not in stored


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"org": "local"}, "/org"),
        ({"org": "a b"}, "/org"),
        ({"org": "acme", "permissions": ["everything"]}, "/permissions"),
        ({"org": "acme", "permissions": []}, "/permissions"),
        ({"org": "acme", "key_id": "operator"}, "/id"),
        ({"org": "acme", "key_id": "Upper"}, "/id"),
    ],
)
async def test_a_key_that_cannot_be_is_refused_at_its_pointer(
    here: Studio, fields: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(Problem) as caught:
        await here.app.keys.create(**fields)
    assert [issue.pointer for issue in caught.value.issues] == [pointer]


async def test_two_keys_of_one_id_cannot_be(here: Studio) -> None:
    await here.app.keys.create("acme", key_id="writer")
    with pytest.raises(Problem) as caught:
        await here.app.keys.create("other", key_id="writer")
    assert caught.value.kind is Kind.TAKEN
    with pytest.raises(Problem) as caught:
        await here.app.keys.revoke("nobody")
    assert caught.value.reason is Reason.NOT_FOUND


async def test_an_app_is_ready_while_it_can_write(here: Studio) -> None:
    await here.app.ready()
    here.app.writer.stop()
    with pytest.raises(Problem) as caught:
        await here.app.ready()
    assert caught.value.reason is Reason.UNAVAILABLE


async def test_an_app_is_not_ready_while_its_worker_stands_still(here: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(here.app.worker, "_turned_at", -1e9)
    with pytest.raises(Problem) as caught:
        await here.app.ready()
    assert caught.value.reason is Reason.UNAVAILABLE


async def test_a_field_too_many_is_named(here: Studio) -> None:
    problem = await refused(here, "list_playbooks", colour="red")
    assert [issue.pointer for issue in problem.issues] == ["/colour"]
