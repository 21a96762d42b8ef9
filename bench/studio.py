"""Somebody's playbooks on a running app, made as an owner makes them: by operations, from a document in examples/."""

from collections.abc import Sequence

from bench.questions import ANSWER, NAME, SOURCE, Asked
from sayso.app.access import OPERATOR
from sayso.app.functions import key
from sayso.app.runtime import App
from sayso.app.units.unit import Unit
from sayso.core.heads import StreamKind
from sayso.core.ids import uuid_text
from sayso.core.values import Json

ORG = "studio"


async def do(app: App, operation: str, where: str | None = None, **fields: Json) -> dict[str, Json]:
    """Perform an operation as the operator, in a playbook if it acts in one."""
    allowed = app.operations.allow(OPERATOR, operation, org=ORG, playbook=where)
    return await app.operations.perform(allowed, fields)


def playbook_name(number: int) -> str:
    """The public id of a playbook."""
    return f"desk-{number:03}"


def playbook_number(name: str) -> int:
    """Which of them has this id."""
    return int(name.removeprefix("desk-"))


async def furnish(app: App, playbooks: int, source: str = SOURCE) -> list[Asked]:
    """Make playbooks, each with the document saved in it."""
    return [await _playbook(app, playbook_name(number), source) for number in range(1, playbooks + 1)]


async def _playbook(app: App, name: str, source: str) -> Asked:
    await do(app, "create_playbook", playbook=name, name=name)
    await do(app, "create_definition", name, type="interaction", name=NAME, source=source)
    return await asked(app, name)


async def asked(app: App, playbook: str) -> Asked:
    """A playbook's function, as the store numbers it."""
    row = next(row for row in await app.store.query("playbooks") if row["name"] == playbook)
    where = {"shard": row["shard"], "playbook": row["playbook"]}
    kind = int(StreamKind.DEFINITION)
    head = (await app.store.query("head_keyed", **where, kind=kind, key=key("interaction", NAME)))[0]
    return Asked(playbook=row["playbook"], org=row["org"], by=head["by"], definition=head["stream"])


async def answer(app: App, playbook: str, asked: Unit) -> None:
    """Answer what a unit asked."""
    await do(app, "answer_interaction", playbook, run_id=run_id(asked), answer=ANSWER)


def run_id(asked: Unit) -> str:
    """The id of the run that a unit began."""
    birth = asked.orders[0].birth
    return uuid_text(birth.run_id if birth and birth.run_id else asked.orders[0].stream)


async def waiting(app: App, functions: Sequence[Asked]) -> int:
    """How many requests wait in these playbooks."""
    rows = [await app.store.query("open_count", shard=0, playbook=one.playbook) for one in functions]
    return sum(found[0]["open"] for found in rows if found)
