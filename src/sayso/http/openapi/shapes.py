"""The shapes of replies, by name, and which operation replies which."""

from collections.abc import Mapping

from sayso.errors import Kind, Reason
from sayso.http.openapi.schemas import (
    ANY,
    JSON_SCHEMA,
    NUMBER,
    OBJECT,
    TEXT,
    TIME,
    TRUTH,
    UUID,
    Schema,
    many,
    more,
    one_of,
    or_null,
    page_of,
    record,
    ref,
    said,
)

CALLER = said(TEXT, "A caller's id: that of a key, `local`, `operator`, or `playbook:` and an id.")
ISSUE = record("A fault of an input.", {"detail": TEXT, "pointer": said(TEXT, "RFC 6901.")})

PLAYBOOK = record(
    "What owns definitions and runs.",
    {
        "id": TEXT,
        "name": TEXT,
        "description": TEXT,
        "status": one_of(["active", "retired"]),
        "created_at": TIME,
        "created_by": CALLER,
        "updated_at": TIME,
        "retired_at": TIME,
    },
    optional=["retired_at"],
)
DEFINITION = record(
    "A version of a definition, in a list.",
    {
        "type": TEXT,
        "name": TEXT,
        "version": NUMBER,
        "status": one_of(["active", "retired"]),
        "media_type": TEXT,
        "description": TEXT,
        "input_schema": JSON_SCHEMA,
        "output_schema": JSON_SCHEMA,
        "created_at": TIME,
        "created_by": CALLER,
        "updated_at": TIME,
        "retired_at": TIME,
    },
    optional=["description", "input_schema", "output_schema", "retired_at"],
)
SAVED = more(
    DEFINITION,
    "A version of a definition with its document.",
    {"warnings": said(many(TEXT), "What was taken and is hardly meant."), "source": TEXT},
    optional=["warnings"],
)
EXPLAINED = more(
    SAVED,
    "A version of a definition, and what it says in plain words.",
    {"overview": said(TEXT, "Markdown.")},
    optional=["overview"],
)
VERSION = record(
    "One saving of a definition.",
    {
        "version": NUMBER,
        "saved_at": TIME,
        "saved_by": CALLER,
        "source_bytes": NUMBER,
        "source_sha256": TEXT,
        "description": TEXT,
    },
    optional=["description"],
)
COMPARISON = record(
    "How two versions differ.",
    {"from_version": NUMBER, "to_version": NUMBER, "changed": many(TEXT), "diff": said(TEXT, "A unified diff.")},
)

WHY = record(
    "Why a run was rejected, in a list.", {"reason": TEXT, "kind": TEXT, "because": TEXT}, optional=["kind", "because"]
)
REJECTION = more(WHY, "Why a run was rejected.", {"detail": or_null(TEXT), "issues": many(ISSUE)}, optional=["issues"])
_RUN = {"run_id": UUID, "type": or_null(TEXT), "name": or_null(TEXT), "definition_version": or_null(NUMBER)}
_STATUS = {"status": one_of(["started", "succeeded", "rejected", "failed"]), "started_at": TIME, "started_by": CALLER}
_ENDED = {"finished_at": TIME, "rejection": WHY}
LISTED_RUN = record("A run in a list.", _RUN | _STATUS | _ENDED, optional=_ENDED)
RUN = record(
    "A run as it stands.",
    _RUN | _STATUS | {"output": ANY, "rejection": REJECTION, "finished_at": TIME, "erased_at": TIME},
    optional=["output", "rejection", "finished_at", "erased_at"],
)
_ANSWERED = {"answered_by": CALLER, "answered_at": TIME, "claimed_for": TEXT}
RECORD = record("Who answered, and when.", {**_ANSWERED, "reply": OBJECT}, optional=[*_ANSWERED, "reply"])
READ_RUN = more(RUN, "A run as it stands, with its record.", {"record": RECORD})
RUN_INPUT = record(
    "What a run was started over.",
    {"run_id": UUID, "input": ANY, "input_bytes": said(NUMBER, "Its size as compact JSON.")},
)

STANDINGS = (
    *("in_inbox", "to_deliver", "delivering", "delivered", "retrying", "undelivered", "cancelling", "unreadable"),
)
DELIVERY = record("The tool that sends it.", {"server": TEXT, "tool": TEXT})
INTERACTION = record(
    "A request. Every member is always there.",
    {
        "run_id": UUID,
        "type": or_null(TEXT),
        "function": or_null(TEXT),
        "version": or_null(NUMBER),
        "to": or_null(TEXT),
        "delivery": said(or_null(DELIVERY), "The tool that sends it; null for the inbox."),
        "message": or_null(TEXT),
        "takes_answer": TRUTH,
        "answer_schema": said(or_null(JSON_SCHEMA), "What an answer is checked against; null if it takes none."),
        "requested_at": TIME,
        "expires_at": TIME,
        "attempts": NUMBER,
        "standing": said(or_null(one_of(STANDINGS)), "Where it stands while it is open; null once it is over."),
        "conversation": or_null(TEXT),
        "answerer": or_null(TEXT),
        "reply_refusals": NUMBER,
    },
)
ANSWER = record(
    "The fact that settled a request.",
    {"run_id": UUID, "answer_id": UUID, "answer": ANY, **_ANSWERED},
    optional=["claimed_for"],
)
ASSIGNMENT = record(
    "Whose a request is now.",
    {"run_id": UUID, "to": TEXT, "answerer": said(or_null(TEXT), "Null where it is the party.")},
)
ANSWER_TOKEN = record(
    "A token, shown this once: `Authorization: Request` and the token.",
    {"run_id": UUID, "token": TEXT, "expires_at": TIME},
)
READ_INTERACTION = more(
    INTERACTION,
    "A request by itself, and how it ended.",
    {
        "status": one_of(["open", "answered", "notified", "expired", "undelivered", "cancelled", "failed"]),
        "ended_at": or_null(TIME),
        "answer_id": UUID,
        "answer": ANY,
        **_ANSWERED,
    },
    optional=["answer_id", "answer", *_ANSWERED],
)

METADATA = record(
    "Where an event stands.",
    {
        "stream": UUID,
        "position": said(NUMBER, "Its number in its stream."),
        "global_position": said(NUMBER, "Its number in the playbook's feed."),
        "correlation_id": or_null(UUID),
        "causation_id": or_null(UUID),
        "at": TIME,
        "by": CALLER,
        "run_id": UUID,
    },
    optional=["run_id"],
)
EVENT = record(
    "Something that happened.",
    {
        "id": UUID,
        "type": TEXT,
        "summary": said(TEXT, "One plain sentence."),
        "data": said(OBJECT, "Large members of a listed event by their size, as `input_bytes`."),
        "metadata": METADATA,
    },
)
CLOUD_EVENT = record(
    "A CloudEvent, with what was left out filled in.",
    {"specversion": TEXT, "type": TEXT, "id": TEXT, "source": TEXT, "subject": TEXT, "data": ANY, "time": TEXT},
    optional=["subject", "data"],
)
PUBLISHED = record(
    "A published event, and the event of the feed that holds it.",
    {"event_id": UUID, "event": ref("CloudEvent"), "recorded_at": TIME},
)
SENT = record("An event as a run takes it.", {"run_id": UUID, "event": ref("CloudEvent")})

PROBLEM = record(
    "A refusal: RFC 9457.",
    {
        "type": said(TEXT, "A URL that ends with the reason."),
        "title": TEXT,
        "status": NUMBER,
        "detail": said(TEXT, "What is wrong, and what to do next."),
        "reason": one_of([*Reason]),
        "kind": one_of([*Kind]),
        "because": TEXT,
        "errors": many(
            more(
                ISSUE,
                "A fault, with a pointer into the request's fields as one object.",
                {"line": said(NUMBER, "Of a document."), "at": said(TEXT, "A pointer into its front matter.")},
                optional=["line", "at"],
            )
        ),
        "instance": said(TEXT, "The incident under which the server's log has the cause of a 500."),
    },
    optional=["kind", "because", "errors", "instance"],
)

_OF_ORG = {"playbook": said(TEXT, "The playbook that it is in.")}
SHAPES: Mapping[str, Schema] = {
    "Playbook": PLAYBOOK,
    "Playbooks": record("The playbooks of an org.", {"playbooks": many(ref("Playbook"))}),
    "Definition": SAVED,
    "DefinitionExplained": EXPLAINED,
    "DefinitionListed": DEFINITION,
    "Definitions": page_of("definitions", ref("DefinitionListed")),
    "DefinitionVersion": VERSION,
    "DefinitionVersions": page_of("versions", ref("DefinitionVersion")),
    "Comparison": COMPARISON,
    "Run": RUN,
    "RunRead": READ_RUN,
    "RunInput": RUN_INPUT,
    "RunListed": LISTED_RUN,
    "Runs": page_of("runs", ref("RunListed")),
    "OrgRuns": page_of("runs", more(LISTED_RUN, "A run, and its playbook.", _OF_ORG)),
    "Interaction": INTERACTION,
    "InteractionRead": READ_INTERACTION,
    "Interactions": page_of("interactions", ref("Interaction")),
    "OrgInteractions": page_of("interactions", more(INTERACTION, "A request, and its playbook.", _OF_ORG)),
    "Answer": ANSWER,
    "Assignment": ASSIGNMENT,
    "AnswerToken": ANSWER_TOKEN,
    "Event": EVENT,
    "Events": page_of("events", ref("Event")),
    "CloudEvent": CLOUD_EVENT,
    "PublishedEvent": PUBLISHED,
    "SentEvent": SENT,
    "Problem": PROBLEM,
}

# What each operation replies when it succeeds.
REPLIES: Mapping[str, str] = {
    "create_playbook": "Playbook",
    "list_playbooks": "Playbooks",
    "get_playbook": "Playbook",
    "update_playbook": "Playbook",
    "retire_playbook": "Playbook",
    "create_definition": "Definition",
    "list_definitions": "Definitions",
    "get_definition": "DefinitionExplained",
    "update_definition": "Definition",
    "retire_definition": "Definition",
    "list_definition_versions": "DefinitionVersions",
    "compare_definition": "Comparison",
    "run_definition": "Run",
    "list_runs": "Runs",
    "get_run": "RunRead",
    "get_run_input": "RunInput",
    "get_run_history": "Events",
    "cancel_run": "Run",
    "erase_run": "Run",
    "answer_interaction": "Answer",
    "reassign_interaction": "Assignment",
    "create_answer_token": "AnswerToken",
    "send_run_event": "SentEvent",
    "list_interactions": "Interactions",
    "get_interaction": "InteractionRead",
    "list_playbook_events": "Events",
    "get_event": "Event",
    "publish_event": "PublishedEvent",
    "list_org_interactions": "OrgInteractions",
    "list_org_runs": "OrgRuns",
}
