"""Runs: the steps of a case in virtual time, and at the end the history, the ending and the listing."""

from sayso.core.values import Json
from tests.cases.areas.play import Play, stops
from tests.cases.case import Case
from tests.cases.compare import Differences, differs, exact, in_any_order, members, only_known
from tests.cases.door import PLAYBOOK
from tests.cases.instants import micros
from tests.cases.source import names_a_tool
from tests.cases.stage import Stages

# What is compared where a case does not say what to observe.
_OBSERVED = (
    *("interaction_requested", "delivery_started", "delivery_succeeded", "delivery_failed", "delivery_refused"),
    *("request_answered", "reply_refused", "tool_call_started", "tool_call_answered", "tool_call_failed"),
    *("run_succeeded", "run_rejected", "run_failed"),
)
_KNOWN = (
    *("runs", "observe", "open_requests", "event_must_not_contain", "must_not_contain_anywhere"),
    *("calls", "calls_of"),
)
_STEPS = frozenset({"run", "answer", "answer_then_stop", "cancel", "update", "stop", "restart", "list", "look"})
_SETTINGS = frozenset({"INTERACTION_OPEN_REQUESTS"})
_ENDING = ("status", "output", "reason", "kind", "because", "pointers", "detail_contains")


def lacks(case: Case) -> str | None:
    """No tool server exists so far: a run can only be started of a function that names none, or none that exists."""
    steps = case.given["steps"]
    sources = [*case.given["documents"].values(), *(step["source"] for step in steps if step["do"] == "update")]
    if case.given.get("tools") and any(names_a_tool(source) for source in sources):
        return "a tool server"
    if unknown := {step["do"] for step in steps} - _STEPS:
        return f"the step {unknown.pop()}"
    unset = case.given.get("settings", {}).keys() - _SETTINGS
    return f"the setting {unset.pop()}" if unset else None


async def check(case: Case, stages: Stages) -> Differences:
    """Play the steps, then compare everything that the case gives."""
    expect, found = case.expect, only_known(case.expect, _KNOWN)
    async with stages.stage(**_staging(case.given)) as stage:
        play = Play(stage)
        await play.save(case.given["documents"])
        found += await play.steps(case.given["steps"])
        await stage.start()
        for name, run in expect.get("runs", {}).items():
            found += await _run(play, name, run, expect)
        if "open_requests" in expect:
            found += _listing(expect["open_requests"], await play.listing())
        if "must_not_contain_anywhere" in expect:
            found += await _nowhere(play, expect["must_not_contain_anywhere"])
    return found + _calls(expect)


def _staging(given: Json) -> dict[str, Json]:
    settings = {name: str(value) for name, value in given.get("settings", {}).items()}
    return {"start": micros(given["start"]), "stops": stops(given["steps"]), "settings": settings}


async def _run(play: Play, name: str, expected: dict[str, Json], expect: dict[str, Json]) -> Differences:
    at, found = f"/runs/{name}", only_known(expected, ("events", "ending"))
    history = await play.history(name)
    if "events" in expected:
        observe = expect.get("observe", _OBSERVED)
        found += _events(expected["events"], [one for one in history if one["type"] in observe], f"{at}/events")
    if "ending" in expected:
        found += ending(expected["ending"], await play.run_object(name), f"{at}/ending")
    return found + _without(history, expect.get("event_must_not_contain"))


def _events(expected: list[dict[str, Json]], observed: list[dict[str, Json]], at: str) -> Differences:
    types = [event["type"] for event in observed]
    found = exact([event["type"] for event in expected], types, at)
    if found:
        return [f"{at}: the types of events are {types}", *found]
    return [d for n, pair in enumerate(zip(expected, observed, strict=True)) for d in event(*pair, f"{at}/{n}")]


def event(expected: dict[str, Json], observed: dict[str, Json], at: str) -> Differences:
    """Where an event of a history differs in the members that are given."""
    given = {name: value for name, value in expected.items() if name not in {"type", "at", "by", "issues"}}
    found = members(given, observed["data"], at)
    if "at" in expected:
        found += exact(expected["at"], observed["metadata"]["at"], f"{at}/at")
    if "by" in expected:
        found += exact(_actor(expected["by"]), observed["metadata"]["by"], f"{at}/by")
    if "issues" in expected:
        pointers = [issue["pointer"] for issue in observed["data"].get("issues", [])]
        found += in_any_order(expected["issues"], pointers, f"{at}/issues")
    return found


def _actor(by: str) -> str:
    return f"playbook:{PLAYBOOK}" if by == "playbook" else by


def ending(expected: dict[str, Json], run: dict[str, Json], at: str) -> Differences:
    """Where a run's ending differs: its status, its output, and of a rejection each member that is given."""
    found = only_known(expected, _ENDING)
    rejection = run.get("rejection", {})
    observed = {name: rejection.get(name) for name in ("reason", "kind", "because")} | {"status": run["status"]}
    if "output" in run:
        observed["output"] = run["output"]
    for name in expected.keys() & {"status", "output", "reason", "kind", "because"}:
        if name in observed:
            found += exact(expected[name], observed[name], f"{at}/{name}")
        else:
            found.append(differs(expected[name], "absent", f"{at}/{name}"))
    if "pointers" in expected:
        pointers = [issue["pointer"] for issue in rejection.get("issues", [])]
        found += in_any_order(expected["pointers"], pointers, f"{at}/pointers")
    if expected.get("detail_contains", "") not in rejection.get("detail", ""):
        found.append(differs(expected["detail_contains"], rejection.get("detail"), f"{at}/detail"))
    return found


def _listing(expected: list[dict[str, Json]], listed: list[dict[str, Json]]) -> Differences:
    """The requests that are open, newest first, each by its given fields."""
    if len(expected) != len(listed):
        return [differs(len(expected), len(listed), "/open_requests (how many)")]
    pairs = zip(expected, listed, strict=True)
    return [d for n, (one, is_now) in enumerate(pairs) for d in members(one, is_now, f"/open_requests/{n}")]


def _without(history: list[dict[str, Json]], rule: dict[str, Json] | None) -> Differences:
    if rule is None:
        return []
    held = [event for event in history if event["type"] == rule["type"] and rule["text"] in str(event)]
    return [f"a {rule['type']} contains {rule['text']!r}" for _ in held]


async def _nowhere(play: Play, text: str) -> Differences:
    await play.read_everything()
    return [f"something that was said contains {text!r}"] if any(text in words for words in play.stage.said) else []


def _calls(expect: dict[str, Json]) -> Differences:
    """No tool server exists, so no tool was called."""
    found = exact(expect.get("calls", []), [], "/calls")
    return found + [
        d for tool, times in expect.get("calls_of", {}).items() for d in exact(times, [], f"/calls_of/{tool}")
    ]
