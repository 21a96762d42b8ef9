"""The input of each operation: its fields with their bounds, the same for every door.

Free JSON (``input``, ``answer``) stays untouched here; whoever takes it bounds it.
"""

from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from sayso.core import bounds, pointers
from sayso.errors import Issue, Problem, Reason

NAME = r"^[a-z][a-z0-9-]{2,47}$"
UUID = r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"

Name = Annotated[str, StringConstraints(pattern=NAME)]
Uuid = Annotated[str, StringConstraints(pattern=UUID)]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Description = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000)]
Type = Annotated[str, StringConstraints(pattern=r"^interaction$")]
Limit = Annotated[int, Field(ge=1, le=bounds.PAGE_MAX)]
Cursor = Annotated[str, StringConstraints(min_length=1, max_length=512)]
# A word that lists filter by, or a person wrote: no control character, and not only blanks.
Words = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]


class Fields(BaseModel):
    """The fields of one operation, from path, query and body together."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    # Fields that hold free JSON, whose schema somebody else writes.
    free: ClassVar[frozenset[str]] = frozenset()


class CreatePlaybook(Fields):
    playbook: Name
    name: Title
    description: Description = ""


class ListPlaybooks(Fields):
    include_retired: bool = False


class GetPlaybook(Fields):
    playbook: Name


class UpdatePlaybook(Fields):
    playbook: Name
    name: Title
    description: Description


class CreateDefinition(Fields):
    type: Type
    name: Name
    source: str


class ListDefinitions(Fields):
    type: Type
    include_retired: bool = False
    limit: Limit = bounds.PAGE_DEFAULT
    cursor: Cursor | None = None


class GetDefinition(Fields):
    type: Type
    name: Name


class UpdateDefinition(Fields):
    type: Type
    name: Name
    source: str
    expected_version: Annotated[int, Field(ge=1)] | None = None


class RunDefinition(Fields):
    free: ClassVar[frozenset[str]] = frozenset({"input"})
    type: Type
    name: Name
    input: Any = Field(default_factory=dict)
    run_id: Uuid | None = None


class GetRun(Fields):
    run_id: Uuid


class ListRuns(Fields):
    type: Type | None = None
    name: Name | None = None
    status: Annotated[str, StringConstraints(pattern=r"^(started|succeeded|rejected|failed)$")] | None = None
    limit: Limit = bounds.PAGE_DEFAULT
    cursor: Cursor | None = None


class GetRunHistory(Fields):
    run_id: Uuid
    order: Annotated[str, StringConstraints(pattern=r"^(asc|desc)$")] = "asc"
    limit: Limit = bounds.PAGE_DEFAULT
    cursor: Cursor | None = None


class CancelRun(Fields):
    run_id: Uuid
    reason: Annotated[Words, StringConstraints(max_length=bounds.REASON_CHARACTERS)] | None = None


class ListInteractions(Fields):
    to: Words | None = None
    type: Type | None = None
    function: Name | None = None
    limit: Limit = bounds.PAGE_DEFAULT
    cursor: Cursor | None = None


class AnswerInteraction(Fields):
    free: ClassVar[frozenset[str]] = frozenset({"answer"})
    run_id: Uuid
    answer: Any
    claimed_for: str | None = None


class GetEvent(Fields):
    event_id: Uuid


INPUTS: dict[str, type[Fields]] = {
    "create_playbook": CreatePlaybook,
    "list_playbooks": ListPlaybooks,
    "get_playbook": GetPlaybook,
    "update_playbook": UpdatePlaybook,
    "create_definition": CreateDefinition,
    "list_definitions": ListDefinitions,
    "get_definition": GetDefinition,
    "update_definition": UpdateDefinition,
    "run_definition": RunDefinition,
    "get_run": GetRun,
    "list_runs": ListRuns,
    "get_run_history": GetRunHistory,
    "cancel_run": CancelRun,
    "list_interactions": ListInteractions,
    "answer_interaction": AnswerInteraction,
    "get_event": GetEvent,
}


def read(operation: str, fields: dict[str, Any]) -> Fields:
    """The fields of an operation, or one ``invalid_input`` with all their faults: unknown fields first."""
    try:
        return INPUTS[operation].model_validate(fields)
    except ValidationError as fault:
        errors = fault.errors(include_url=False, include_input=False, include_context=False)
        errors.sort(key=lambda error: error["type"] != "extra_forbidden")
        issues = tuple(_issue(error) for error in errors)
    raise Problem(Reason.INVALID_INPUT, f"{operation} cannot take this input: {issues[0].detail}", issues=issues)


def _issue(error: ErrorDetails) -> Issue:
    pointer = pointers.join(error["loc"])
    if error["type"] == "extra_forbidden":
        return Issue(detail=f"There is no field {pointer[1:]} here.", pointer=pointer)
    return Issue(detail=f"{pointer[1:]}: {error['msg']}.", pointer=pointer)
