"""Lists over an org: what waits and what ran in all playbooks that the caller may act in, the newest first.

A page of requests looks at the newest of each playbook, and at no more however many wait. A page of runs walks the
org's streams back, at most 1,000 of a shard.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

from sayso.app import inputs, interaction_view, run_view
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.pages import Walked, page, walked
from sayso.app.places import Place
from sayso.core.rows import head
from sayso.core.values import Json

INTERACTIONS, RUNS = "interactions", "runs"


class Waiting(NamedTuple):
    """A request that waits, and its playbook's number."""

    stream: bytes
    playbook: int


class OrgLists:
    """The operations ``list_org_interactions`` and ``list_org_runs``."""

    def __init__(self, means: Means) -> None:
        self._store = means.store
        self._places = means.places
        self._reference = means.reference
        self._find = means.find
        self._cursors = means.cursors

    async def list_org_interactions(self, allowed: Allowed, fields: inputs.ListOrgInteractions) -> Outcome:
        """The open requests of all playbooks, newest first, each with its playbook."""
        places = await self._places.of_org(allowed)
        listing = f"org {INTERACTIONS}"
        before = self._cursors.read(listing, allowed.org, fields.cursor) if fields.cursor else None
        newest = nlargest(fields.limit + 1, await self._waiting(places, fields, before))
        wanted = newest[: fields.limit]
        rows = await self._requests(places, wanted)
        shown: list[Json] = [rows[one.stream] for one in wanted if one.stream in rows]
        cursor = None if newest == wanted else self._cursors.write(listing, allowed.org, wanted[-1].stream)
        return page(INTERACTIONS, shown, cursor)

    async def _waiting(
        self, places: Iterable[Place], fields: inputs.ListOrgInteractions, before: bytes | None
    ) -> list[Waiting]:
        """What may stand on the page, a look at each playbook."""
        found: list[Waiting] = []
        for shard, here in _by_shard(places).items():
            rows = await self._store.query(
                "open_among",
                shard=shard,
                among=",".join(str(place.playbook) for place in here),
                before=before,
                party=fields.to,
                limit=fields.limit + 1,
            )
            found += [Waiting(row["stream"], row["playbook"]) for row in rows]
        return found

    async def _requests(self, places: Iterable[Place], wanted: Sequence[Waiting]) -> Mapping[bytes, Json]:
        """The requests of a page as they are shown. One that was answered meanwhile is not there any more."""
        shown: dict[bytes, Json] = {}
        for shard, here in _by_shard(places).items():
            known = {place.playbook: place for place in here}
            streams = [one.stream for one in wanted if one.playbook in known]
            for row in await self._find.open_requests(shard, streams):
                place = known[row["playbook"]]
                if place.shows(head(row)):
                    shown[row["stream"]] = {"playbook": place.name} | interaction_view.listed(row)
        return shown

    async def list_org_runs(self, allowed: Allowed, fields: inputs.ListOrgRuns) -> Outcome:
        """The runs of all playbooks by their first start, newest first, each with its playbook.

        With ``has_more`` even a page of few runs, or none, is not the last.
        """
        places = {place.playbook: place for place in await self._places.of_org(allowed)}
        listing = f"org {RUNS}"
        before = self._cursors.read(listing, allowed.org, fields.cursor) if fields.cursor else None
        walks = [
            await self._walk(shard, here[0].org, fields, before) for shard, here in _by_shard(places.values()).items()
        ]
        # Where one walk ended early, nothing older than that is shown yet: there may be something in between.
        reached = max((walk.next for walk in walks if walk.next is not None), default=None)
        found = [row for walk in walks for row in walk.rows if reached is None or row["stream"] >= reached]
        newest = sorted(found, key=lambda row: bytes(row["stream"]), reverse=True)
        if len(newest) > fields.limit:
            newest = newest[: fields.limit]
            reached = newest[-1]["stream"]
        mine = [row for row in newest if row["playbook"] in places and places[row["playbook"]].shows(head(row))]
        snapshot = await self._reference.naming(row["by"] for row in mine)
        names = [(places[row["playbook"]].name, row) for row in mine]
        shown: list[Json] = [{"playbook": name} | run_view.listed(row, name, snapshot) for name, row in names]
        cursor = None if reached is None else self._cursors.write(listing, allowed.org, reached)
        return page(RUNS, shown, cursor)

    async def _walk(self, shard: int, org: int, fields: inputs.ListOrgRuns, before: bytes | None) -> Walked:
        rows = await self._store.query("org_runs_page", shard=shard, org=org, before=before, **run_view.wanted(fields))
        return walked(rows, fields.limit, "stream")


def _by_shard(places: Iterable[Place]) -> Mapping[int, list[Place]]:
    found: defaultdict[int, list[Place]] = defaultdict(list)
    for place in places:
        found[place.shard].append(place)
    return found
