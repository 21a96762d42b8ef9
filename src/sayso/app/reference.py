"""Reference data: orgs, playbooks, callers and keys. A snapshot is read anew only when they moved."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from sayso.app.snapshot import PlaybookRow, Snapshot, key_row, playbook_row
from sayso.app.units.unit import PLAYBOOK_ITSELF
from sayso.app.units.writer import Writer
from sayso.ports import Store, Transaction

T = TypeVar("T")
# The status of a playbook.
ACTIVE, RETIRED = 1, 2

# Seconds within which a change that another process made is seen; this process's own are seen at once.
LOOK_EVERY_S = 0.1


class Reference:
    """The snapshot that is now true, and the only way to add to it."""

    def __init__(self, store: Store, writer: Writer) -> None:
        self._store = store
        self._writer = writer
        self._version = -1
        self._looked_at = 0.0
        self._snapshot: Snapshot | None = None
        self._callers: dict[tuple[int, str], int] = {}
        self._caller_ids: dict[int, str] = {}

    async def snapshot(self, *, fresh: bool = False) -> Snapshot:
        """What stands now. ``fresh`` looks at the store whenever it last did: whoever misses something asks so."""
        looked_at = asyncio.get_running_loop().time()
        if self._snapshot is not None and not fresh and looked_at - self._looked_at < LOOK_EVERY_S:
            return self._snapshot
        version = await (self._version_now() if fresh else self._store.reference_version())
        if self._snapshot is None or version > self._version:  # the store may know less than it was just asked
            self._snapshot = await self._read()
            self._version = version
        else:
            await self._read_callers()
        self._looked_at = looked_at
        return self._snapshot

    async def _version_now(self) -> int:
        """What is committed, whether or not the store has already heard that another process did."""
        return int((await self._store.query("reference_version"))[0]["reference_version"])

    async def naming(self, callers: Iterable[int]) -> Snapshot:
        """A snapshot that can name these callers, whom rows just read point at: another process may have made them."""
        snapshot = await self.snapshot()
        if all(caller == PLAYBOOK_ITSELF or caller in self._caller_ids for caller in callers):
            return snapshot
        return await self.snapshot(fresh=True)

    async def change(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Change reference data; this process's next look sees it."""
        changed = await self._writer.change(work)
        self._looked_at = 0.0
        return changed

    async def add_org(self, name: str) -> int:
        """The org of this name, made if it is new."""
        found = (await self.snapshot()).orgs.get(name)
        if found is None:
            await self.change(lambda transaction: transaction.execute("add_org", name=name))
            found = (await self.snapshot(fresh=True)).orgs[name]
        return found

    async def add_caller(self, org: int, caller_id: str) -> int:
        """The number of a caller in an org, given when it first acts there."""
        found = (await self.snapshot()).callers.get((org, caller_id))
        if found is None:
            await self.change(lambda transaction: transaction.execute("add_caller", org=org, id=caller_id))
            found = (await self.snapshot(fresh=True)).callers[org, caller_id]
        return found

    async def add_playbook(self, org: int, by: int, name: str, title: str, description: str) -> bool:
        """Make a playbook, unless the org has or had one of this name; whether it was made."""
        shard = (org + sum(name.encode())) % self._store.shards

        async def add(transaction: Transaction) -> bool:
            if await find_playbook(transaction, org, name) is not None:
                return False
            await transaction.execute(
                "add_playbook",
                org=org,
                name=name,
                shard=shard,
                title=title,
                description=description,
                status=ACTIVE,
                at=await transaction.now(),
                by=by,
            )
            return True

        return await self.change(add)

    async def _read(self) -> Snapshot:
        # What others point at is read after them: a commit may fall between two reads.
        keys = {row["id"]: key_row(row) for row in await self._store.query("keys")}
        playbooks = [playbook_row(row) for row in await self._store.query("playbooks")]
        await self._read_callers()
        orgs = {row["name"]: row["org"] for row in await self._store.query("orgs")}
        return Snapshot(
            orgs=orgs,
            org_names={org: name for name, org in orgs.items()},
            playbooks={(row.org, row.name): row for row in playbooks},
            callers=self._callers,
            caller_ids=self._caller_ids,
            keys=keys,
        )

    async def _read_callers(self) -> None:
        """Those that came since: there may be many, and one comes with each new person, so they move nothing else."""
        for row in await self._store.query("callers", after=next(reversed(self._caller_ids), 0)):
            self._callers[row["org"], row["id"]] = row["caller"]
            self._caller_ids[row["caller"]] = row["id"]


async def find_playbook(transaction: Transaction, org: int, name: str) -> PlaybookRow | None:
    """A playbook as the transaction sees it."""
    rows = await transaction.query("playbook_named", org=org, name=name)
    return playbook_row(rows[0]) if rows else None
