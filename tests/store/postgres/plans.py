"""How PostgreSQL finds the rows of a statement: its plan, boiled down to indexes and what they are searched by."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sayso.store.postgres.connection import Session
from sayso.store.postgres.statements import Statement, named

_SCAN = re.compile(
    r"(?P<how>Index Scan|Index Only Scan|Index Only Scan Backward|Index Scan Backward) using (?P<index>\w+) on"
)
_OTHER = re.compile(r"(Seq Scan|Bitmap \w+ Scan|Hash Join|Merge Join|Hash Semi Join|Memoize)\b.*")
_COND = re.compile(r"Index Cond: (?P<cond>.*)")
_COLUMN = re.compile(r'[(,] ?"?(\w+)"?(?:,| (?:=|<|>|<=|>=|IS)|\) [<>=])')
# A partition's own name of an index of `events`.
_OF_A_PARTITION = (("_pkey", "events_pkey"), ("_shard_playbook_position_idx", "feed"))

_VALUES: dict[str, Any] = {
    "smallint": 0,
    "int": 1,
    "bigint": 5,
    "boolean": False,
    "text": "x",
    "uuid": (20).to_bytes(16),  # one that is there, in a table that is full
    "bytea": b"x",
}
# What no other text would do for.
_OWN = {"among": "1,2,3,4"}
_TYPE = re.compile(r"\$(\d+)::(\w+(?:\[\])?)")


def values(statement: Statement, given: Mapping[str, Any] | None = None) -> list[Any]:
    """A value for each parameter, unless one is given; a list has four."""
    types = {int(number): kind for number, kind in _TYPE.findall(statement.text)}
    plain = [(types[n].removesuffix("[]"), types[n].endswith("[]")) for n in range(1, len(types) + 1)]
    plain_values = [[_VALUES[kind]] * 4 if is_list else _VALUES[kind] for kind, is_list in plain]
    own = _OWN | dict(given or {})
    named = [name for name, _ in statement.places]
    return [own.get(name, value) for name, value in zip(named, plain_values, strict=True)]


async def plan(session: Session, name: str, **given: Any) -> list[str]:
    """The lines of a statement's plan, on a session that plans as the one does that runs it."""
    statement = named(name)
    return [row[0] for row in await session.fetch(f"explain (costs off) {statement.text}", *values(statement, given))]


async def generic_plan(session: Session, name: str) -> list[str]:
    """The lines of the plan that does not know the values."""
    statement = named(name)
    await session.execute(f"prepare planned as {statement.text}")
    nulls = ", ".join(["null"] * len(statement.names))
    try:
        text = f"explain (costs off) execute planned({nulls})" if nulls else "explain (costs off) execute planned"
        return [row[0] for row in await session.fetch(text)]
    finally:
        await session.execute("deallocate planned")


def found_by(lines: Sequence[str]) -> set[str]:
    """Such as ``heads_pkey(shard, stream)``, and whatever is not found by an index."""
    found = {line.strip(" ->") for line in lines if _OTHER.search(line)}
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if scan := _SCAN.search(line):
            cond = _COND.search(following)
            columns = dict.fromkeys(_COLUMN.findall(cond["cond"])) if cond else {}
            found.add(f"{_general(scan['index'])}({', '.join(columns)})")
    return found


def _general(index: str) -> str:
    if index.startswith("events_"):
        return next(general for ending, general in _OF_A_PARTITION if index.endswith(ending))
    return index
