"""A play: the steps of a case, performed on its stage one after another."""

from sayso.core.values import Json
from tests.cases.areas.answers import outcome
from tests.cases.compare import Differences, exact, only_known
from tests.cases.door import Reply
from tests.cases.source import definition_name
from tests.cases.stage import Stage

_SECOND = 1_000_000


class Play:
    """Knows the case's own names of runs, and every answer that was taken."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._start = stage.clock.now()
        self._run_ids: dict[str, str] = {}
        self._taken: dict[str, Reply] = {}
        self._armed: list[tuple[str, str]] = []

    async def save(self, documents: dict[str, str]) -> None:
        """Save the case's documents."""
        for name, source in documents.items():
            await self.stage.outcome("create_definition", type="interaction", name=definition_name(name), source=source)

    async def steps(self, steps: list[dict[str, Json]]) -> Differences:
        """Perform the steps, each once all that is due before it has been done. What they expect is compared."""
        found: Differences = []
        for n, step in enumerate(steps):
            await self.stage.until(self._start + round(step["at_s"] * _SECOND))
            await self._stop_if_armed()
            found += await self._step(step, f"/steps/{n}/expect")
            if "stop_after" in step:
                self._armed.append((step.get("as") or step["run"], step["stop_after"]))
            await self._stop_if_armed()
        return found

    async def _stop_if_armed(self) -> None:
        """Stop the process if an event has been recorded that it shall stop after.

        What a step or a due request writes is one commit, so that this is right after the commit that holds it.
        """
        for name, event_type in list(self._armed):
            if self.stage.runs and event_type in {event["type"] for event in await self.history(name)}:
                self._armed.remove((name, event_type))
                await self.stage.stop()

    async def _step(self, step: dict[str, Json], at: str) -> Differences:
        match step["do"]:
            case "run":
                return await self._run(step, at)
            case "answer" | "answer_then_stop":
                if step["do"] == "answer_then_stop" or step.get("answer_then_stop"):
                    self._armed.append((step["run"], "request_answered"))
                return await self._answer(step, at)
            case "cancel":
                return await self._cancel(step, at)
            case "update":
                name = definition_name(step["function"])
                await self.stage.outcome("update_definition", type="interaction", name=name, source=step["source"])
            case "list":
                listed = [one["run"] for one in await self.listing(**step.get("filter", {}))]
                return exact(step["expect"], listed, at) if "expect" in step else []
            case "stop":
                await self.stage.stop()
            case "restart":
                await self.stage.start()
            case "look":
                pass
        return []

    async def _run(self, step: dict[str, Json], at: str) -> Differences:
        named = {"run_id": step["run_id"]} if "run_id" in step else {}
        before = {run["run_id"] for run in await self._runs()}
        function = definition_name(step["function"])
        reply = await self.stage.ask("run_definition", type="interaction", name=function, input=step["input"], **named)
        self._run_ids[step["as"]] = await self._run_id(reply, named, before)
        refusal = reply.refusal
        observed: dict[str, Json] = {
            "status": reply.outcome.get("status"),
            "reason": None,
            "kind": None,
            "because": None,
        }
        if refusal is not None:
            observed = {
                "status": "rejected",
                "reason": refusal.reason,
                "kind": refusal.kind,
                "because": refusal.because,
            }
        return _compared(step, observed, at)

    async def _run_id(self, reply: Reply, named: dict[str, str], before: set[str]) -> str:
        """The id of a run: its caller's, or as the reply says; of a refused start the one that is new in the list."""
        if named:
            return named["run_id"]
        if reply.refusal is None:
            return str(reply.outcome["run_id"])
        new = {run["run_id"] for run in await self._runs()} - before
        assert len(new) == 1, f"a refused start made {len(new)} runs: {reply.refusal}"
        return str(new.pop())

    async def _answer(self, step: dict[str, Json], at: str) -> Differences:
        name = step["run"]
        claim = {"claimed_for": step["claimed_for"]} if "claimed_for" in step else {}
        run_id = self._run_ids[name]
        reply = await self.stage.ask("answer_interaction", run_id=run_id, answer=step["answer"], **claim)
        observed = {"outcome": outcome(reply, self._taken.get(name))}
        if reply.refusal is None:
            self._taken.setdefault(name, reply)
        return _compared(step, observed, at)

    async def _cancel(self, step: dict[str, Json], at: str) -> Differences:
        reason = {"reason": step["reason"]} if "reason" in step else {}
        reply = await self.stage.ask("cancel_run", run_id=self._run_ids[step["run"]], **reason)
        return _compared(step, {"outcome": reply.refusal.reason if reply.refusal else "cancelled"}, at)

    async def history(self, name: str) -> list[dict[str, Json]]:
        """All events of a run, in order."""
        return await self.stage.all_pages("get_run_history", "events", run_id=self._run_ids[name])

    async def run_object(self, name: str) -> dict[str, Json]:
        """The run as it stands."""
        return await self.stage.outcome("get_run", run_id=self._run_ids[name])

    async def listing(self, **filters: Json) -> list[dict[str, Json]]:
        """The open requests, newest first, with the case's own name of each run."""
        if "function" in filters:
            filters["function"] = definition_name(filters["function"])
        names = {run_id: name for name, run_id in self._run_ids.items()}
        rows = await self.stage.all_pages("list_interactions", "interactions", **filters)
        return [row | {"run": names.get(row["run_id"])} for row in rows]

    async def read_everything(self) -> None:
        """Read every run, event and listing of the case, so that ``said`` holds all that can be shown."""
        await self.listing()
        await self._runs()
        for name in self._run_ids:
            await self.run_object(name)
            for event in await self.history(name):
                await self.stage.ask("get_event", event_id=event["id"])

    async def _runs(self) -> list[dict[str, Json]]:
        return await self.stage.all_pages("list_runs", "runs")


def stops(steps: list[dict[str, Json]]) -> bool:
    """Whether the process stops, or starts again, in one of these steps."""
    return any(
        step["do"] in {"stop", "restart", "answer_then_stop"} or step.keys() & {"stop_after", "answer_then_stop"}
        for step in steps
    )


def _compared(step: dict[str, Json], observed: dict[str, Json], at: str) -> Differences:
    """The reply to a step against what the step expects of it."""
    expected = step.get("expect", {})
    found = only_known(expected, observed)
    return found + [d for name in expected.keys() & observed.keys() for d in exact(expected[name], observed[name], at)]
