"""The definition machine: versions, names that are never given again, and an end for good."""

from dataclasses import replace
from functools import reduce

import pytest

from sayso.core.commands import Command, CreateDefinition, Look, RetireDefinition, Text, UpdateDefinition
from sayso.core.events import DefinitionRetired, DefinitionSaved, Event, Recorded
from sayso.core.heads import Outcome
from sayso.core.machines.definition import Definition, DefinitionMachine
from sayso.core.machines.machine import Decision, Moment
from sayso.errors import Kind

MACHINE = DefinitionMachine()
TEXT = Text(source="---", description=None, input_schema=None, output_schema=None)
FIRST = DefinitionSaved(
    type="interaction", name="approve-spend", version=1, source_bytes=3, source_sha256="aa", warnings=0
)
SECOND = replace(FIRST, version=2, source_sha256="bb")
CREATE = CreateDefinition(saved=FIRST, text=TEXT)
UPDATE = UpdateDefinition(saved=replace(FIRST, source_sha256="bb"), text=TEXT)
RETIRED = DefinitionRetired(version=1)


def given(*events: Event) -> Definition:
    recorded = (Recorded(stream=bytes(16), seq=n, at=n, by=1, event=event) for n, event in enumerate(events, 1))
    return reduce(MACHINE.evolve, recorded, MACHINE.initial())


def when(state: Definition, command: Command) -> Decision:
    return MACHINE.decide(state, command, Moment(now=9, open_requests=0))


def test_a_new_name_gets_its_first_version() -> None:
    assert when(given(), CREATE).events == (FIRST,)


@pytest.mark.parametrize("state", [given(FIRST), given(FIRST, RETIRED)])
def test_a_name_is_given_once(state: Definition) -> None:
    problem = when(state, CREATE).problem
    assert problem is not None
    assert problem.kind is Kind.TAKEN


def test_a_changed_source_is_the_next_version() -> None:
    assert when(given(FIRST), UPDATE).events == (SECOND,)


@pytest.mark.parametrize("expected", [None, 1, 2, 3])
def test_the_same_source_again_changes_nothing(expected: int | None) -> None:
    assert when(given(FIRST, SECOND), replace(UPDATE, expected_version=expected)) == Decision()


def test_an_update_for_another_version_than_expected_is_refused() -> None:
    third = replace(SECOND, source_sha256="cc")
    problem = when(given(FIRST, SECOND), replace(UPDATE, saved=third, expected_version=1)).problem
    assert problem is not None
    assert problem.kind is Kind.VERSION_CONFLICT
    assert when(given(FIRST), replace(UPDATE, expected_version=1)).events == (SECOND,)


def test_a_retired_definition_changes_no_more() -> None:
    problem = when(given(FIRST, RETIRED), UPDATE).problem
    assert problem is not None
    assert problem.kind is Kind.RETIRED


def test_retiring_is_for_good_and_once() -> None:
    assert when(given(FIRST), RetireDefinition()).events == (RETIRED,)
    assert when(given(FIRST, RETIRED), RetireDefinition()) == Decision()


def test_a_look_at_a_definition_does_nothing() -> None:
    assert when(given(FIRST), Look()) == Decision()


def test_the_head_shows_the_newest_version_and_the_end() -> None:
    summary = MACHINE.summary(given(FIRST, SECOND, RETIRED))
    assert (summary.definition_version, summary.from_seq, summary.outcome, summary.ended_at) == (
        2,
        2,
        Outcome.RETIRED,
        3,
    )
