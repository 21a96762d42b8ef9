"""Definitions: what a version says in words, every version kept, what changed between two, and an end for good."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from sayso.app import functions
from sayso.app.functions import key
from sayso.app.units.unit import Order, Unit
from sayso.core.commands import CreateDefinition, Text
from sayso.core.document.function import Function
from sayso.core.document.parse import parse
from sayso.core.events import DefinitionSaved
from sayso.core.heads import Birth, StreamKind
from sayso.core.ids import stream_id
from sayso.core.instants import iso
from sayso.errors import Kind, Problem, Reason
from sayso.settings import Settings
from tests.app.studio import CALL, DELIVERED, INPUT, NOTICE, QUESTION, Studio
from tests.app.world import HOUR, START, TurnedClock
from tests.stores import DEFAULT_SHARD, running

pytestmark = pytest.mark.anyio
SHIP_IT = {"type": "interaction", "name": "ship-it"}
NEWER = QUESTION.replace("PT1H", "PT2H")


async def refused(here: Studio, operation: str, **fields: object) -> Problem:
    with pytest.raises(Problem) as caught:
        await here.do(operation, **SHIP_IT | fields)
    return caught.value


async def update(here: Studio, source: str) -> dict[str, Any]:
    here.clock.at += HOUR
    return await here.do("update_definition", **SHIP_IT, source=source)


async def save_unreadable(here: Studio) -> None:
    """A document of a release that took what this one does not."""
    saved = DefinitionSaved(type="interaction", name="old", version=1, source_bytes=3, source_sha256="aa", warnings=0)
    text = Text(source="---", description=None, input_schema=None, output_schema=None)
    birth = Birth(kind=StreamKind.DEFINITION, org=1, playbook=1, key=key("interaction", "old"))
    command = CreateDefinition(saved=saved, text=text)
    order = Order(stream=stream_id(START, DEFAULT_SHARD, 7), command=command, by=1, birth=birth)
    await here.app.writer.submit(Unit(shard=DEFAULT_SHARD, playbook=1, orders=(order,)))


@pytest.mark.parametrize("source", [QUESTION, NOTICE, DELIVERED, CALL])
async def test_every_shape_is_saved_listed_and_shown(here: Studio, source: str) -> None:
    saved = await here.save("another", source)
    shown = await here.do("get_definition", type="interaction", name="another")
    assert shown.pop("overview")
    assert shown == saved
    listed = (await here.do("list_definitions", type="interaction"))["definitions"]
    assert listed[0] | {"source": source} == saved


async def test_what_a_document_says_in_words_is_shown_with_it_alone(here: Studio) -> None:
    shown = await here.do("get_definition", **SHIP_IT)
    assert "**lead**" in shown["overview"]
    assert "overview" not in await update(here, NEWER)
    (listed,) = (await here.do("list_definitions", type="interaction"))["definitions"]
    assert "overview" not in listed


async def test_a_document_that_is_no_longer_read_is_shown_without_its_words_and_can_be_retired(here: Studio) -> None:
    await save_unreadable(here)
    old = {"type": "interaction", "name": "old"}
    shown = await here.do("get_definition", **old)
    assert (shown["source"], "overview" in shown) == ("---", False)
    assert (await here.do("retire_definition", **old))["status"] == "retired"


async def test_warnings_stay_with_the_version_that_has_them(here: Studio) -> None:
    long = QUESTION.replace("Shall it go out?", "x" * 8193)
    assert (await update(here, long))["warnings"] == (await here.do("get_definition", **SHIP_IT))["warnings"]
    assert "warnings" not in await here.do("get_definition", **SHIP_IT, version=1)


async def test_a_version_is_read_as_it_was_saved(here: Studio) -> None:
    first = await here.do("get_definition", **SHIP_IT)
    second = await update(here, NEWER)
    assert await here.do("get_definition", **SHIP_IT, version=1) == first
    assert (await here.do("get_definition", **SHIP_IT, version=2)).items() >= second.items()
    problem = await refused(here, "get_definition", version=3)
    assert (problem.reason, problem.detail) == (Reason.NOT_FOUND, "There is no such version.")
    assert (await refused(here, "get_definition", name="nobody", version=1)).detail == "There is no such definition."


async def test_versions_are_listed_newest_first_with_who_saved_them(here: Studio) -> None:
    described = NEWER.replace("---\nto", "---\ndescription: Asks the lead\nto", 1)
    await update(here, described)
    newest, first = (await here.do("list_definition_versions", **SHIP_IT))["versions"]
    assert (newest["version"], newest["saved_at"], newest["description"]) == (2, iso(START + HOUR), "Asks the lead")
    assert (newest["saved_by"], newest["source_bytes"]) == ("operator", len(described.encode()))
    assert (first["version"], first["saved_at"], "description" in first) == (1, iso(START), False)
    assert len(first["source_sha256"]) == 64


async def test_versions_page_by_page_come_once_each_and_a_retirement_is_none(here: Studio) -> None:
    for hours in range(2, 7):
        await update(here, QUESTION.replace("PT1H", f"PT{hours}H"))
    await here.do("retire_definition", **SHIP_IT)
    seen: list[int] = []
    cursor: dict[str, Any] = {}
    while True:
        page = await here.do("list_definition_versions", **SHIP_IT, limit=2, **cursor)
        seen += [one["version"] for one in page["versions"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert seen == [6, 5, 4, 3, 2, 1]
    await here.save("another")
    assert [i.pointer for i in (await refused(here, "list_definition_versions", name="another", **cursor)).issues] == [
        "/cursor"
    ]


async def test_two_versions_are_compared_and_without_others_the_newest_with_the_one_before(here: Studio) -> None:
    await update(here, NEWER)
    await update(here, NEWER.replace("Shall it", "May it"))
    whole = await here.do("compare_definition", **SHIP_IT, from_version=1, to_version=3)
    assert (whole["from_version"], whole["to_version"]) == (1, 3)
    assert whole["changed"] == ["expires changed", "message changed"]
    assert "-expires: PT1H\n+expires: PT2H\n" in whole["diff"]
    last = await here.do("compare_definition", **SHIP_IT)
    assert (last["from_version"], last["to_version"], last["changed"]) == (2, 3, ["message changed"])
    back = await here.do("compare_definition", **SHIP_IT, from_version=2, to_version=1)
    assert "+expires: PT1H\n" in back["diff"]


async def test_a_first_version_is_compared_with_itself_and_what_is_none_with_nothing(here: Studio) -> None:
    alone = {"from_version": 1, "to_version": 1, "changed": [], "diff": ""}
    assert await here.do("compare_definition", **SHIP_IT) == alone
    for fields in ({"from_version": 2}, {"to_version": 2}, {"name": "nobody"}):
        assert (await refused(here, "compare_definition", **fields)).reason is Reason.NOT_FOUND


async def test_a_retired_definition_is_read_and_neither_changed_nor_run(here: Studio) -> None:
    run = await here.run()
    here.clock.at += HOUR // 2
    retired = await here.do("retire_definition", **SHIP_IT)
    assert (retired["status"], retired["retired_at"]) == ("retired", iso(here.clock.at))
    here.clock.at += 1
    assert await here.do("retire_definition", **SHIP_IT) == retired
    assert (await here.do("get_definition", **SHIP_IT)).items() >= retired.items()
    assert (await refused(here, "update_definition", source=NEWER)).kind is Kind.RETIRED
    assert (await refused(here, "create_definition", source=NEWER)).kind is Kind.TAKEN
    assert (await refused(here, "run_definition", input=INPUT)).kind is Kind.RETIRED
    await here.do("answer_interaction", run_id=run["run_id"], answer={"verdict": "yes"})
    assert (await here.do("get_run", run_id=run["run_id"]))["status"] == "succeeded"


async def test_what_was_never_saved_is_not_retired(here: Studio) -> None:
    assert (await refused(here, "retire_definition", name="nobody")).reason is Reason.NOT_FOUND


async def test_a_version_is_compiled_once_however_many_ask_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[str] = []

    def counted(source: str, *, name: str) -> Function:
        compiled.append(name)
        return parse(source, name=name)

    monkeypatch.setattr(functions, "parse", counted)
    settings, clock = Settings(data=tmp_path), TurnedClock()
    for save_first in (True, False):  # the second process finds the definition in the store
        async with running(settings, clock=clock, work=False) as app:
            here = Studio(app=app, clock=clock)
            if save_first:
                await here.save("ship-it")
            await asyncio.gather(*(here.run() for _ in range(8)), here.do("get_definition", **SHIP_IT))
        assert compiled == ["ship-it"]
        compiled.clear()


async def test_a_version_larger_than_any_there_is_is_not_found(here: Studio) -> None:
    for fields in ({"version": 2**53 - 1}, {"version": 2**31}):
        with pytest.raises(Problem) as caught:
            await here.do("get_definition", type="interaction", name="ship-it", **fields)
        assert caught.value.reason is Reason.NOT_FOUND
