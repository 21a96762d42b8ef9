"""Listings read to their end: everything that is stored is listed once, and each thing listed can be read."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

import jsonschema_rs

from sayso.app.find import RUNS
from sayso.core.ids import event_id, uuid_text
from tests.fuzz import door, judge
from tests.fuzz.known import Known, Place
from tests.fuzz.requests import Request
from tests.fuzz.stage import Stage

_AT_ONCE = 16
_PAGES_AT_MOST = 100_000

_OF_PLACE = """where playbook =
  (select p.playbook from playbooks p join orgs o on o.org = p.org where o.name = ? and p.name = ?)"""

Item = dict[str, Any]


class Listings:
    """Reads all that a store holds, through the door."""

    def __init__(self, stage: Stage, known: Known) -> None:
        self._stage = stage
        self._known = known

    async def read(self) -> dict[str, int]:
        """Everything of every org, to its end; how many there were of each. Raises AssertionError."""
        counts = dict.fromkeys(("playbooks", "definitions", "runs", "open", "events"), 0)
        for (org,) in self._stage.rows("select name from orgs"):
            for playbook in (await self._get(f"/v1/orgs/{org}/playbooks", include_retired="true"))["playbooks"]:
                place = Place(org, playbook["id"])
                assert await self._get(_path(place)) == playbook
                counts["playbooks"] += 1
                counts["definitions"] += await self._definitions(place)
                runs = await self._runs(place)
                counts["runs"] += len(runs)
                counts["open"] += await self._interactions(place, runs)
                counts["events"] += await self._histories(place, runs)
                await self._feed(place)
        assert counts["playbooks"] == self._stage.rows("select count(*) from playbooks")[0][0]
        return counts

    async def _definitions(self, place: Place) -> int:
        listed = await self._pages(
            _path(place, "definitions/interaction"), "definitions", "name", limit=3, include_retired="true"
        )
        names = [item["name"] for item in listed]
        assert names == sorted(names)
        assert self._known.definitions[place] <= set(names)
        for item in listed:
            path = _path(place, f"definitions/interaction/{item['name']}")
            whole = await self._get(path)
            assert whole.pop("source")
            assert whole.pop("overview")
            whole.pop("warnings", None)
            assert whole == item
            versions = await self._pages(f"{path}/versions", "versions", "version", limit=2)
            assert [one["version"] for one in versions] == list(range(item["version"], 0, -1))
        return len(names)

    async def _runs(self, place: Place) -> Sequence[Item]:
        """The runs of a playbook: those that were told of and others, each as it is by itself."""
        listed = await self._pages(_path(place, "runs"), "runs", "run_id", limit=7)
        assert self._known.run_ids[place] <= {item["run_id"] for item in listed}
        starts = [item["started_at"] for item in listed]
        assert starts == sorted(starts, reverse=True)
        by_status = [
            item
            for status in ("started", "succeeded", "rejected", "failed")
            for item in await self._pages(_path(place, "runs"), "runs", "run_id", limit=40, status=status)
        ]
        assert sorted(item["run_id"] for item in by_status) == sorted(item["run_id"] for item in listed)
        wholes = await self._get_all([_path(place, f"runs/{item['run_id']}") for item in listed])
        for item, whole in zip(listed, wholes, strict=True):
            assert {
                name: whole[name] for name in item if name not in {"rejection", "started_at"}
            }.items() <= item.items()
            assert whole["status"] != "failed"
        self._outputs(place, wholes)
        return listed

    def _outputs(self, place: Place, runs: Sequence[Item]) -> None:
        """What a run ended with fits the schema of its version, by a validator not ours; an erased one has none."""
        rows = self._stage.rows(f"select name, version, output_schema from definitions {_OF_PLACE}", *place)
        schemas = {(name, version): schema for name, version, schema in rows}
        for run in runs:
            if run["status"] != "succeeded":
                continue
            schema = schemas[run["name"], run["definition_version"]]
            if "erased_at" in run:
                assert run["output"] is None
            elif schema is None:
                assert run["output"] == {}
            else:
                assert jsonschema_rs.is_valid(json.loads(schema), run["output"], validate_formats=True), run

    async def _interactions(self, place: Place, runs: Sequence[Item]) -> int:
        """The open requests: as many as the playbook's counter says, and each a run that is started."""
        listed = await self._pages(_path(place, "interactions"), "interactions", "run_id", limit=7)
        counter = self._stage.rows(f"select open from feeds {_OF_PLACE}", *place)
        assert len(listed) == (counter[0][0] if counter else 0)
        assert {item["run_id"] for item in listed} == {run["run_id"] for run in runs if run["status"] == "started"}
        asked = [item["requested_at"] for item in listed]
        assert asked == sorted(asked, reverse=True)
        return len(listed)

    async def _histories(self, place: Place, runs: Sequence[Item]) -> int:
        """Each run's history in both orders, and each of its events by itself."""
        count = 0
        for run in runs:
            path = _path(place, f"runs/{run['run_id']}/history")
            forwards = await self._pages(path, "events", "id", limit=2)
            backwards = await self._pages(path, "events", "id", limit=3, order="desc")
            assert forwards == backwards[::-1]
            assert [event["metadata"]["position"] for event in forwards] == list(range(1, len(forwards) + 1))
            wholes = await self._get_all([_path(place, f"events/{event['id']}") for event in forwards])
            for event, whole in zip(forwards, wholes, strict=True):
                assert (whole["id"], whole["type"], whole["metadata"]) == (
                    event["id"],
                    event["type"],
                    event["metadata"],
                )
            count += len(forwards)
        return count + await self._others(place)

    async def _feed(self, place: Place) -> None:
        """The playbook's feed in both orders: every position once, from the first to the counter's."""
        counter = self._stage.rows(f"select position from feeds {_OF_PLACE}", *place)
        forwards = await self._pages(_path(place, "events"), "events", "id", limit=50, order="asc")
        backwards = await self._pages(_path(place, "events"), "events", "id", limit=70)
        assert forwards == backwards[::-1]
        positions = [event["metadata"]["global_position"] for event in forwards]
        assert positions == list(range(1, (counter[0][0] if counter else 0) + 1))

    async def _others(self, place: Place) -> int:
        """The events of what is no run, and so has no history: each can be read by itself."""
        of_runs = ", ".join(str(int(kind)) for kind in RUNS)
        rows = self._stage.rows(
            f"select stream, events.seq from events join heads using (shard, stream, playbook) {_OF_PLACE}"
            f" and kind not in ({of_runs})",
            *place,
        )
        ids = [uuid_text(event_id(stream, seq)) for stream, seq in rows]
        wholes = await self._get_all([_path(place, f"events/{id_}") for id_ in ids])
        assert [whole["id"] for whole in wholes] == ids
        return len(ids)

    async def _pages(self, path: str, items: str, key: str, *, limit: int, **query: str) -> list[Item]:
        """All items of a listing, each once."""
        found: list[Item] = []
        cursor: dict[str, str] = {}
        for _ in range(_PAGES_AT_MOST):
            page = await self._get(path, limit=str(limit), **query, **cursor)
            assert len(page[items]) <= limit
            assert page["has_more"] == (page["next_cursor"] is not None)
            found += page[items]
            if page["next_cursor"] is None:
                assert len({item[key] for item in found}) == len(found), f"{path} lists something twice"
                return found
            cursor = {"cursor": page["next_cursor"]}
        raise AssertionError(f"{path} never ends")

    async def _get_all(self, paths: Sequence[str]) -> list[Item]:
        found: list[Item] = []
        for at in range(0, len(paths), _AT_ONCE):
            found += await asyncio.gather(*(self._get(path) for path in paths[at : at + _AT_ONCE]))
        return found

    async def _get(self, path: str, **query: str) -> Item:
        request = Request(
            operation="listing",
            place=Place(path.split("/")[3], ""),
            method="GET",
            path=path.encode(),
            query=urlencode(query).encode(),
            headers=((b"host", b"localhost"),),
        )
        response = await door.ask(self._stage.door, self._stage.signed(request))
        assert response is not None
        found = [*judge.faults(request, response, self._stage.secrets)]
        assert response.status == 200, f"{request.shown()}\n{response.status} {response.body[:500]!r}"
        assert not found, f"{request.shown()}\n{found}"
        told: Item = judge.strict(response.body)
        return told


def _path(place: Place, rest: str = "") -> str:
    path = f"/v1/orgs/{quote(place.org, safe='')}/playbooks/{quote(place.playbook, safe='')}"
    return f"{path}/{rest}" if rest else path
