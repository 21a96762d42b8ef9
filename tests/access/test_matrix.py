"""Who may do what, as it was written down by hand: every operation with every kind of credential, over HTTP.

`matrix.csv` has a line an operation: what each permission alone is answered, and a token for the run's request; what a
key is answered that has the permission and is for another playbook (``elsewhere``), names a playbook that is not there
(``unknown``), is for a party that the request is put to and that is not its answerer (``watched``), or for one that has
nothing to do with it (``unseen``). What is refused first is the order of checks: the credential, the org, the
permission, the playbook, and then what is there.
"""

import csv
from collections.abc import AsyncIterator
from itertools import product
from pathlib import Path
from traceback import extract_tb
from typing import Any

import pytest

from sayso.app.access import TABLE, Permission
from sayso.errors import Problem
from sayso.http import v1
from tests.access.stage import KINDS, NEVER, NOBODYS, OTHER, OWN, PARTIES, RUN, Holder, Stage, staged

pytestmark = pytest.mark.anyio

with (Path(__file__).parent / "matrix.csv").open(newline="") as file:
    MATRIX = {row.pop("operation"): {name: int(status) for name, status in row.items()} for row in csv.DictReader(file)}
ON_ONE_RUN = [route.operation for route in v1.TABLE if "run_id" in route.names]
OVER_ALL = {"create_playbook", "list_playbooks", "list_org_interactions", "list_org_runs"}
IN_A_PLAYBOOK = [operation for operation in MATRIX if operation not in OVER_ALL]


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with staged() as made:
        yield made


def expected(operation: str, holder: Holder, org: str) -> int:
    """What the matrix says, by the order of checks."""
    row = MATRIX[operation]
    if holder.standing != "live":
        return 401
    if org != OWN or row[holder.permission] == 403:
        return 403
    for limit in (holder.playbooks, holder.parties):
        if limit in row and row[limit] != row[holder.permission]:
            return row[limit]
    return row[holder.permission]


def test_the_matrix_has_every_operation_and_every_permission() -> None:
    """An operation that was added has to be written down there, by hand."""
    assert MATRIX.keys() == TABLE.keys() == {route.operation for route in v1.TABLE}
    assert {*next(iter(MATRIX.values()))} == {*Permission, "token", "elsewhere", "unknown", "watched", "unseen"}


async def test_every_operation_answers_every_kind_of_key_as_the_matrix_says(stage: Stage) -> None:
    wrong: list[str] = []
    for operation, holder, org in product(MATRIX, KINDS, (OWN, OTHER)):
        status = expected(operation, holder, org)
        changed: dict[str, Any] = {"org": org}
        if status < 300:
            changed |= await stage.fresh(operation)
        if holder.playbooks == "unknown" and operation in IN_A_PLAYBOOK:
            changed["playbook"] = "nowhere"
        reply = await stage.ask(operation, await stage.key(holder), **changed)
        shows = holder.parties == "unseen" and operation.startswith(("get_run", "list_")) and RUN in reply.text
        if reply.status_code != status or shows:
            wrong.append(f"{operation} {holder} in {org}: {reply.status_code}, not {status}; shows a run: {shows}")
    assert wrong == []


async def test_a_token_is_good_for_one_answer_alone(stage: Stage) -> None:
    other = (await stage.fresh("cancel_run"))["run_id"]
    for operation, row in MATRIX.items():
        elsewhere = [{"org": OTHER}, {"org": NEVER}]
        elsewhere += [{"playbook": "growth"}, {"playbook": "nowhere"}] if operation in IN_A_PLAYBOOK else []
        elsewhere += [{"run_id": other}, {"run_id": NOBODYS}] if operation in ON_ONE_RUN else []
        for changed in elsewhere:
            assert (await stage.ask(operation, stage.token, **changed)).status_code == 403, (operation, changed)
        if operation != "answer_interaction":
            assert (await stage.ask(operation, stage.token)).status_code == row["token"], operation
    answered = await stage.ask("answer_interaction", stage.token)
    assert answered.status_code == MATRIX["answer_interaction"]["token"]
    assert answered.json()["answered_by"].startswith("token:k")


def holding(permission: str, **limits: str) -> Holder:
    return Holder(permission=permission, **limits)


async def test_what_another_org_has_differs_in_nothing_from_what_never_was(stage: Stage) -> None:
    for operation, permission in product(MATRIX, Permission):
        key = await stage.key(holding(permission))
        theirs, never = [await stage.ask(operation, key, org=org) for org in (OTHER, NEVER)]
        assert (theirs.status_code, theirs.content) == (never.status_code, never.content), (operation, permission)
        assert theirs.headers.keys() == never.headers.keys()


async def test_what_is_put_to_another_party_differs_in_nothing_from_what_never_was(stage: Stage) -> None:
    for operation, permission in product(ON_ONE_RUN, Permission):
        key = await stage.key(holding(permission, parties="unseen"))
        theirs, never = [await stage.ask(operation, key, run_id=run_id) for run_id in (RUN, NOBODYS)]
        assert (theirs.status_code, theirs.content) == (never.status_code, never.content), (operation, permission)
        assert theirs.headers.keys() == never.headers.keys()


async def raised_at(stage: Stage, operation: str, holder: Holder, **changed: Any) -> tuple[str, int | None]:
    """Where in the code a refusal was raised."""
    app = stage.served.app
    principal = await app.keys.authenticate((await stage.key(holder)).removeprefix("Bearer "))
    fields = stage.fields(operation) | changed
    where = {"org": fields.pop("org", OWN), "playbook": "sales", "run_id": fields.get("run_id")}
    with pytest.raises(Problem) as caught:
        await app.operations.perform(app.operations.allow(principal, operation, **where), fields)
    last = extract_tb(caught.value.__traceback__)[-1]
    return last.filename, last.lineno


@pytest.mark.parametrize("operation", ON_ONE_RUN)
async def test_what_is_not_shown_is_refused_where_what_is_not_there_is(stage: Stage, operation: str) -> None:
    permission = next(
        name for name in ("playbook:read", "playbook:write", "org:write") if MATRIX[operation][name] != 403
    )
    holder = holding(permission, parties="unseen")
    assert await raised_at(stage, operation, holder, run_id=RUN) == await raised_at(
        stage, operation, holder, run_id=NOBODYS
    )
    assert await raised_at(stage, operation, holder, org=OTHER) == await raised_at(stage, operation, holder, org=NEVER)


async def test_each_kind_of_party_has_its_keys(stage: Stage) -> None:
    """The matrix would hold of keys that are not what they are said to be, too."""
    ids = {holder: (await stage.key(holder)).split("_")[1] for holder in KINDS}
    listed = {str(one["id"]): one for one in await stage.served.app.keys.list(OWN)}
    found = {holder: listed[key_id] for holder, key_id in ids.items()}
    assert all(one["permissions"] == [holder.permission] for holder, one in found.items())
    assert all(one["parties"] == PARTIES[holder.parties] for holder, one in found.items())
    assert {one["status"] for one in found.values()} == {"active", "expired", "revoked"}
