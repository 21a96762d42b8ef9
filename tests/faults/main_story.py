"""The whole job as one story: keys, playbooks, definitions, runs of every kind, answers, cancels, expiries."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sayso.app.access import OPERATOR
from sayso.app.runtime import App
from sayso.core.machines import MACHINES
from sayso.errors import Kind, Problem, Reason
from sayso.settings import Settings
from tests import stores
from tests.app.world import HOUR, START, TurnedClock
from tests.faults.journal import Told
from tests.faults.points import Points

ORG, PLAYBOOK, SALES = "acme", "sales", "Sales"
ROOM = 3  # open requests

QUESTION = """---
description: Asks whether an offer may go out
to: the owner of sales
expires: P1D
input: { schema: { type: object, required: [offer], properties: { offer: { type: string } } } }
output: { schema: { type: string, enum: ["yes", "no"] } }
---
May this offer go out? {{ input.offer }}
"""
NOTICE = """---
to: the owner of sales
expires: P1D
---
An offer went out.
"""

FIRST, SECOND, THIRD, LATE, WRONG, NOTIFIED = (f"0192f0c1-0000-7000-8000-00000000000{n}" for n in range(1, 7))
KNOWN = {FIRST, SECOND, THIRD, LATE, WRONG, NOTIFIED}
UNNAMED = "unnamed"
OFFERED = {"type": "offer.made", "id": "1", "source": "/desk", "data": 1}


class Step(NamedTuple):
    """An operation with its fields.

    ``refused`` is the refusal that it meets; ``stands`` is the one that tells a client who sends it again that it had
    been done; ``hours`` is what the clock shows.
    """

    operation: str
    fields: dict[str, Any]
    refused: str | None = None
    stands: str | None = None
    hours: int = 0
    playbook: str | None = PLAYBOOK


def _run(run_id: str | None, **more: Any) -> Step:
    fields = {"type": "interaction", "name": "offer", "input": {"offer": "A"}} | more.pop("fields", {})
    return Step("run_definition", fields | ({"run_id": run_id} if run_id else {}), **more)


def _answer(run_id: str, answer: str, **more: Any) -> Step:
    return Step("answer_interaction", {"run_id": run_id, "answer": answer}, **more)


def _save(operation: str, name: str, source: str, **more: Any) -> Step:
    return Step(operation, {"type": "interaction", "name": name, "source": source}, **more)


STEPS: dict[str, Step] = {
    "make a key": Step("create_key", {"key_id": "first"}, stands=Kind.TAKEN),
    "make it again": Step("create_key", {"key_id": "first"}, refused=Kind.TAKEN),
    "make a playbook": Step(
        "create_playbook", {"playbook": PLAYBOOK, "name": "Sale"}, stands=Kind.TAKEN, playbook=None
    ),
    "rename it": Step("update_playbook", {"playbook": PLAYBOOK, "name": SALES, "description": "Offers"}, playbook=None),
    "save a question": _save("create_definition", "offer", QUESTION, stands=Kind.TAKEN),
    "change it": _save("update_definition", "offer", QUESTION + "\nIt is due today.\n"),
    "save a notice": _save("create_definition", "notice", NOTICE, stands=Kind.TAKEN),
    "save in default": _save("create_definition", "notice", NOTICE, stands=Kind.TAKEN, playbook="default"),
    "ask": _run(FIRST),
    "ask again": _run(FIRST),
    "ask otherwise": _run(FIRST, fields={"input": {"offer": "B"}}, refused=Reason.CONFLICT),
    "ask wrongly": _run(WRONG, fields={"input": {}}, refused=Reason.INVALID_INPUT),
    "notify": _run(NOTIFIED, fields={"name": "notice", "input": {}}),
    "ask without a run id": _run(None),
    "ask a second": _run(SECOND),
    "ask one too many": _run(THIRD, refused=Kind.REQUESTS_FULL),
    "answer": _answer(FIRST, "yes"),
    "answer again": _answer(FIRST, "yes"),
    "answer otherwise": _answer(FIRST, "no", refused=Kind.ANSWERED),
    "give the second away": Step("reassign_interaction", {"run_id": SECOND, "to": "the night desk"}),
    "cancel": Step("cancel_run", {"run_id": SECOND, "reason": "Withdrawn."}, stands=Reason.CONFLICT),
    "cancel again": Step("cancel_run", {"run_id": SECOND}, refused=Reason.CONFLICT),
    "ask with room": _run(THIRD, hours=1),
    "expire": Step("sweep", {}, hours=24),
    "expire another": Step("sweep", {}, hours=25),
    "answer what expired": _answer(THIRD, "yes", refused=Kind.EXPIRED, hours=25),
    "ask a last": _run(LATE, hours=25),
    "answer before the worker": _answer(LATE, "yes", refused=Kind.EXPIRED, hours=49),
    "use the key": Step("use_key", {"key_id": "first"}, hours=49),
    "rotate the key": Step("rotate_key", {"key_id": "first", "overlap": "P1D"}, hours=49),
    "publish": Step("publish_event", {"event": OFFERED}, hours=49),
    "publish again": Step("publish_event", {"event": OFFERED}, hours=49),
    "publish otherwise": Step("publish_event", {"event": OFFERED | {"data": 2}}, refused=Kind.TAKEN, hours=49),
    "make another playbook": Step(
        "create_playbook", {"playbook": "aside", "name": "Aside"}, stands=Kind.TAKEN, playbook=None, hours=49
    ),
    "retire it": Step("retire_playbook", {"playbook": "aside"}, playbook=None, hours=49),
    "save what comes too late": _save(
        "create_definition", "notice", NOTICE, refused=Kind.RETIRED, playbook="aside", hours=49
    ),
    "erase": Step("erase_run", {"run_id": NOTIFIED}, hours=49),
    "erase again": Step("erase_run", {"run_id": NOTIFIED}, hours=49),
    "revoke the key": Step("revoke_key", {"key_id": "first"}, hours=49),
    "tell whether it is ready": Step("ready", {}, hours=49),
}


class MainStory:
    """Told through the app's operations, as every door tells it."""

    steps = tuple(STEPS)
    machines = MACHINES
    until = START + 50 * HOUR

    @contextlib.asynccontextmanager
    async def staged(self, store: Path, points: Points, step: str | None) -> AsyncIterator["MainStage"]:
        clock = TurnedClock(_time(step) if step else START)
        settings = Settings(data=store, open_requests=ROOM)
        async with stores.running(settings, clock=clock, faults=points, work=False) as app:
            yield MainStage(app=app, clock=clock)


def _time(step: str) -> int:
    return START + STEPS[step].hours * HOUR + list(STEPS).index(step) * 1_000


@dataclass(kw_only=True)
class MainStage:
    """The app, as its operator and one client use it."""

    app: App
    clock: TurnedClock

    async def perform(self, name: str, *, again: bool) -> Told:
        """See Stage. A refusal that the step is meant to meet is an outcome like any other."""
        self.clock.at = _time(name)
        step = STEPS[name]
        if again and step == _run(None) and await self._is_there_unnamed():
            return {}  # nobody can send it again safely; a look at the list shows that it stands
        try:
            outcome = await self._performed(step)
        except Problem as problem:
            met = {problem.kind, problem.reason} - {None}
            assert step.refused in met or (again and step.stands in met), f"{name}: {problem!r}"
            return {"refused": step.refused or "stands"}
        assert step.refused is None, f"{name} was not refused"
        return outcome

    async def _performed(self, step: Step) -> Told:
        keys = self.app.keys
        match step.operation:
            case "create_key":
                return await keys.create(ORG, **step.fields)
            case "use_key":
                self.app.uses.note(step.fields["key_id"], self.clock.at)
                await self.app.uses.write()
                return {}
            case "rotate_key":
                return await keys.rotate(**step.fields)
            case "revoke_key":
                return await keys.revoke(**step.fields)
            case "sweep":
                await self.app.worker.sweep()
                return {}
            case "ready":
                await self.app.ready()
                return {}
            case operation:
                return await self.ask(operation, step.playbook, **step.fields)

    async def ask(self, operation: str, where: str | None = PLAYBOOK, /, **fields: Any) -> Told:
        """One operation."""
        allowed = self.app.operations.allow(OPERATOR, operation, org=ORG, playbook=where)
        return await self.app.operations.perform(allowed, fields)

    async def _is_there_unnamed(self) -> bool:
        return any(run["run_id"] not in KNOWN for run in await self._runs())

    async def _runs(self) -> list[Told]:
        page = await self.ask("list_runs", limit=100)
        assert not page["has_more"]
        runs: list[Told] = page["runs"]
        return runs

    async def check(self, name: str, told: Told) -> None:
        """See Stage."""
        step = STEPS[name]
        checks: dict[str, Callable[[Step, Told], Awaitable[None]]] = {
            "create_key": self._check_key,
            "rotate_key": self._check_key,
            "create_playbook": self._check_playbook,
            "create_definition": self._check_definition,
            "update_definition": self._check_definition,
            "run_definition": self._check_run,
            "answer_interaction": self._check_answer,
            "cancel_run": self._check_cancelled,
            "reassign_interaction": self._check_given,
            "erase_run": self._check_erased,
            "sweep": self._check_swept,
        }
        if "refused" not in told and step.operation in checks:
            await checks[step.operation](step, told)

    async def _check_key(self, step: Step, told: Told) -> None:
        if not (await self.app.keys.list(ORG))[0].get("revoked_at"):
            assert (await self.app.keys.authenticate(told["key"])).caller_id == step.fields["key_id"]

    async def _check_playbook(self, step: Step, told: Told) -> None:
        shown = await self.ask("get_playbook", None, playbook=step.fields["playbook"])
        assert shown["created_at"] == told["created_at"]

    async def _check_definition(self, step: Step, told: Told) -> None:
        fields = {name: step.fields[name] for name in ("type", "name")}
        shown = await self.ask("get_definition", step.playbook, **fields)
        assert shown["created_at"] == told["created_at"]
        assert shown["version"] >= told["version"]

    async def _check_run(self, step: Step, told: Told) -> None:
        same = [run for run in await self._runs() if run["run_id"] == told["run_id"]]
        shown = await self.ask("get_run", run_id=told["run_id"])
        assert len(same) == 1
        assert shown["definition_version"] == told["definition_version"]
        assert told["run_id"] == THIRD or shown["started_at"] == told["started_at"]

    async def _check_answer(self, step: Step, told: Told) -> None:
        shown = await self.ask("get_run", run_id=told["run_id"])
        event = await self.ask("get_event", event_id=told["answer_id"])
        assert (shown["status"], shown["output"]) == ("succeeded", step.fields["answer"])
        assert shown["record"]["answered_at"] == told["answered_at"] == event["metadata"]["at"]

    async def _check_cancelled(self, step: Step, told: Told) -> None:
        shown = await self.ask("get_run", run_id=told["run_id"])
        assert (shown["rejection"], shown["finished_at"]) == (told["rejection"], told["finished_at"])

    async def _check_given(self, step: Step, told: Told) -> None:
        events = (await self.ask("get_run_history", run_id=told["run_id"]))["events"]
        (given,) = [one["data"] for one in events if one["type"] == "request_reassigned"]
        assert given["to"] == told["to"] == step.fields["to"]

    async def _check_erased(self, step: Step, told: Told) -> None:
        assert await self.ask("get_run", run_id=told["run_id"]) == told | {"record": {}}

    async def _check_swept(self, step: Step, told: Told) -> None:
        """One run had expired after a day, two after the hour that followed."""
        runs = [await self.ask("get_run", run_id=run["run_id"]) for run in await self._runs()]
        expired = [run for run in runs if run.get("rejection", {}).get("kind") == Kind.EXPIRED]
        assert len(expired) >= step.hours - 23

    async def portrait(self) -> Any:
        """See Stage."""
        playbooks = (await self.ask("list_playbooks", None, include_retired=True))["playbooks"]
        published = (await self.ask("list_playbook_events", type="event_published"))["events"]
        return {
            "keys": [(key["id"], "revoked_at" in key) for key in await self.app.keys.list()],
            "playbooks": [(one["id"], one["name"], one["description"], one["status"]) for one in playbooks],
            "published": [one["data"] for one in published],
            "definitions": [await self._definitions(one["id"]) for one in playbooks],
            "runs": sorted([await self._run(run["run_id"]) for run in await self._runs()], key=str),
            "open": [one["run_id"] for one in (await self.ask("list_interactions"))["interactions"]],
        }

    async def _definitions(self, playbook: str) -> Any:
        listed = (await self.ask("list_definitions", playbook, type="interaction"))["definitions"]
        shown = [await self.ask("get_definition", playbook, type=one["type"], name=one["name"]) for one in listed]
        return [(one["name"], one["version"], one["source"]) for one in shown]

    async def _run(self, run_id: str) -> Any:
        shown = await self.ask("get_run", run_id=run_id)
        history = (await self.ask("get_run_history", run_id=run_id, limit=100))["events"]
        return {
            "run": run_id if run_id in KNOWN else UNNAMED,
            "history": [(one["type"], one["metadata"]["by"], one["metadata"]["position"]) for one in history],
            "ending": [shown.get(name) for name in ("status", "definition_version", "output", "rejection")],
        }
