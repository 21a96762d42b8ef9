"""The input of each operation: its fields with their bounds, the same for every door.

Free JSON (``input``, ``answer``) is not looked at when fields are read; whoever takes it bounds it with ``bound``.
"""

from functools import cache
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, WithJsonSchema
from pydantic_core import ErrorDetails

from sayso.core import bounds, events, pointers, values
from sayso.core.values import Json
from sayso.errors import Issue, Problem, Reason, invalid_input

NAME = r"^[a-z][a-z0-9-]{2,47}$"
UUID = r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
TYPE = r"^interaction$"
STATUS = r"^(started|succeeded|rejected|failed)$"
ORDER = r"^(asc|desc)$"
# No control character, and not only blanks.
WORDS = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
# A URI reference, by its characters: RFC 3986.
SOURCE = r"^(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$"
EVENT_TYPE = rf"^({'|'.join(events.SHOWN)})$"
SINCE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})$"

# The most that every reader of JSON holds exactly. A refusal repeats the version, so it may not be of any length.
VERSION_MAX = 2**53 - 1

Name = Annotated[str, StringConstraints(pattern=NAME)]
Uuid = Annotated[str, StringConstraints(pattern=UUID)]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Description = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000)]
Type = Annotated[str, StringConstraints(pattern=TYPE)]
Limit = Annotated[int, Field(ge=1, le=bounds.PAGE_MAX)]
Cursor = Annotated[str, StringConstraints(min_length=1, max_length=512)]
# What lists filter by, or a person wrote.
Words = Annotated[str, StringConstraints(pattern=WORDS)]
Version = Annotated[int | None, Field(ge=1, le=VERSION_MAX)]
Order = Annotated[str, StringConstraints(pattern=ORDER)]
EventType = Annotated[str, StringConstraints(pattern=EVENT_TYPE)]
Instant = Annotated[str, StringConstraints(pattern=SINCE, max_length=64)]
EventWords = Annotated[Words, StringConstraints(max_length=bounds.PUBLISHED_NAME_CHARACTERS)]


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


class RetirePlaybook(Fields):
    playbook: Name


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
    version: Version = None


class UpdateDefinition(Fields):
    type: Type
    name: Name
    source: str
    expected_version: Version = None


class RetireDefinition(Fields):
    type: Type
    name: Name


class ListDefinitionVersions(Fields):
    type: Type
    name: Name
    limit: Limit = bounds.PAGE_DEFAULT
    cursor: Cursor | None = None


class CompareDefinition(Fields):
    type: Type
    name: Name
    from_version: Version = None
    to_version: Version = None


class RunDefinition(Fields):
    free: ClassVar[frozenset[str]] = frozenset({"input"})
    type: Type
    name: Name
    input: Json = Field(default_factory=dict)
    run_id: Uuid | None = None


class GetRun(Fields):
    run_id: Uuid


class GetRunInput(Fields):
    run_id: Uuid


class ListRuns(Fields):
    type: Type | None = None
    name: Name | None = None
    status: Annotated[str, StringConstraints(pattern=STATUS)] | None = None
    limit: Limit = bounds.PAGE_DEFAULT
    cursor: Cursor | None = None


class ListOrgRuns(ListRuns):
    """The same filters, over all playbooks."""


class GetRunHistory(Fields):
    run_id: Uuid
    order: Order = "asc"
    limit: Limit = bounds.PAGE_DEFAULT
    cursor: Cursor | None = None


class CancelRun(Fields):
    run_id: Uuid
    reason: Annotated[Words, StringConstraints(max_length=bounds.REASON_CHARACTERS)] | None = None


class EraseRun(Fields):
    run_id: Uuid


class ListInteractions(Fields):
    to: Words | None = None
    type: Type | None = None
    function: Name | None = None
    limit: Limit = bounds.PAGE_DEFAULT
    cursor: Cursor | None = None


class ListOrgInteractions(Fields):
    to: Words | None = None
    type: Type | None = None
    limit: Limit = bounds.PAGE_DEFAULT
    cursor: Cursor | None = None


class GetInteraction(Fields):
    run_id: Uuid


class AnswerInteraction(Fields):
    free: ClassVar[frozenset[str]] = frozenset({"answer"})
    run_id: Uuid
    answer: Json
    claimed_for: str | None = None


class ReassignInteraction(Fields):
    run_id: Uuid
    to: str | None = None
    from_: str | None = Field(default=None, alias="from")


class CreateAnswerToken(Fields):
    run_id: Uuid
    expires: Annotated[str, StringConstraints(max_length=bounds.EXPIRY_CHARACTERS)] | None = None


class GetEvent(Fields):
    event_id: Uuid


class ListPlaybookEvents(Fields):
    type: EventType | None = None
    since: Instant | None = None
    run_id: Uuid | None = None
    order: Order = "desc"
    limit: Limit = bounds.PAGE_DEFAULT
    cursor: Cursor | None = None


class SentEvent(Fields):
    """A CloudEvent as a caller gives it; what it leaves out is filled in."""

    type: EventWords
    id: EventWords | None = None
    source: Annotated[str | None, StringConstraints(pattern=SOURCE, max_length=bounds.PUBLISHED_SOURCE_CHARACTERS)] = (
        None
    )
    subject: Annotated[Words, StringConstraints(max_length=bounds.PUBLISHED_SOURCE_CHARACTERS)] | None = None
    data: Json = None


class PublishedEvent(SentEvent):
    """One that is published may say which CloudEvents it is of, and when it happened by its source's word."""

    specversion: Literal["1.0"] = "1.0"
    time: Instant | None = None


class SendRunEvent(Fields):
    run_id: Uuid
    event: Annotated[SentEvent, WithJsonSchema(SentEvent.model_json_schema())]


class PublishEvent(Fields):
    event: Annotated[PublishedEvent, WithJsonSchema(PublishedEvent.model_json_schema())]


INPUTS: dict[str, type[Fields]] = {
    "create_playbook": CreatePlaybook,
    "list_playbooks": ListPlaybooks,
    "get_playbook": GetPlaybook,
    "update_playbook": UpdatePlaybook,
    "retire_playbook": RetirePlaybook,
    "create_definition": CreateDefinition,
    "list_definitions": ListDefinitions,
    "get_definition": GetDefinition,
    "update_definition": UpdateDefinition,
    "retire_definition": RetireDefinition,
    "list_definition_versions": ListDefinitionVersions,
    "compare_definition": CompareDefinition,
    "run_definition": RunDefinition,
    "get_run": GetRun,
    "get_run_input": GetRunInput,
    "list_runs": ListRuns,
    "get_run_history": GetRunHistory,
    "cancel_run": CancelRun,
    "send_run_event": SendRunEvent,
    "erase_run": EraseRun,
    "list_interactions": ListInteractions,
    "get_interaction": GetInteraction,
    "answer_interaction": AnswerInteraction,
    "reassign_interaction": ReassignInteraction,
    "create_answer_token": CreateAnswerToken,
    "list_playbook_events": ListPlaybookEvents,
    "get_event": GetEvent,
    "publish_event": PublishEvent,
    "list_org_interactions": ListOrgInteractions,
    "list_org_runs": ListOrgRuns,
}


# What a fault of a field needs, in words. ``{}`` is the bound.
_NEEDS = {
    "missing": "is required",
    "string_type": "must be a text",
    "model_type": "must be an object",
    "literal_error": "must be {expected}",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length} characters",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
}
SINCE_NEEDS = "must be a date and a time with its offset, as 2026-10-01T09:00:00Z; a + in a URL is %2B"
_PATTERN_NEEDS = {
    NAME: "must be 3 to 48 lower-case letters, digits and hyphens, a letter first",
    UUID: "must be a UUID",
    TYPE: "must be a type of function that this server runs: interaction",
    STATUS: "must be started, succeeded, rejected or failed",
    ORDER: "must be asc or desc",
    WORDS: "must hold more than blanks, and no control characters",
    SOURCE: "must be a URI reference",
    EVENT_TYPE: f"must be a type of event that this server shows: {', '.join(events.SHOWN)}",
    SINCE: SINCE_NEEDS,
}
_NAME_SHOWN = 64


def read(operation: str, fields: dict[str, Json]) -> Fields:
    """The fields of an operation, or one ``invalid_input`` with all their faults: unknown fields first."""
    model = INPUTS[operation]
    known = names(model)
    issues = [_unknown(name) for name in fields if name not in known]
    try:
        read_fields = model.model_validate({name: fields[name] for name in fields if name in known})
    except ValidationError as fault:
        issues += [_issue(error) for error in fault.errors(include_url=False, include_input=False)]
    else:
        if not issues:
            return read_fields
    if len(issues) > bounds.ISSUES_SHOWN:
        rest = f"{len(issues) - bounds.ISSUES_SHOWN} more faults are not shown."
        issues[bounds.ISSUES_SHOWN :] = [Issue(detail=rest, pointer="")]
    raise Problem(Reason.INVALID_INPUT, f"{operation} cannot take this: {issues[0].detail}", issues=tuple(issues))


@cache
def names(model: type[Fields]) -> frozenset[str]:
    """The fields of an operation, as their callers name them."""
    return frozenset(field.alias or name for name, field in model.model_fields.items())


def bound(name: str, given: Json, most: int) -> None:
    """Refuse free JSON of more than so many bytes, or of more levels than are kept, at the pointer of its field."""
    # The size first: it costs a tenth of the depth, and bounds what that may cost.
    if values.size(given) > most:
        raise invalid_input(f"The {name} is larger than {most:,} bytes as JSON.", f"/{name}")
    if values.depth(given) > bounds.JSON_DEPTH:
        raise invalid_input(f"The {name} nests past {bounds.JSON_DEPTH} levels.", f"/{name}")


def _unknown(*path: str | int) -> Issue:
    return Issue(detail=f"There is no field {str(path[-1])[:_NAME_SHOWN]} here.", pointer=pointers.join(path))


def _issue(error: ErrorDetails) -> Issue:
    if error["type"] == "extra_forbidden":
        return _unknown(*error["loc"])
    pointer = pointers.join(error["loc"])
    bounded_by = error.get("ctx", {})
    needs = _PATTERN_NEEDS.get(bounded_by.get("pattern", "")) or _NEEDS.get(error["type"], "cannot be this")
    return Issue(detail=f"{pointer[1:]} {needs.format(**bounded_by)}.", pointer=pointer)
