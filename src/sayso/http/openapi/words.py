"""What each operation is for and what its fields are, in words for whoever reads the document."""

from collections.abc import Mapping

ABOUT = """\
Let a run ask a person or a system a question, wait for weeks at the cost of a row, and go on with an answer that was \
checked against a schema.

Bodies are one JSON object each. A field comes from one place only: path, query (of a GET) or body; one that does not \
exist is refused by its name. Times are UTC. A refusal is a problem document (RFC 9457). Lists take `limit` and \
`cursor`: read on until `next_cursor` is null. HEAD is taken wherever GET is."""

# The sections of the page, each with the operations that it holds.
SECTIONS: Mapping[str, Mapping[str, str]] = {
    "Playbooks": {
        "create_playbook": "Make a playbook. Its id is never used again",
        "list_playbooks": "List the playbooks of an org that the key may act in, by id",
        "get_playbook": "Read a playbook, retired or not",
        "update_playbook": "Name and describe a playbook anew",
        "retire_playbook": "Retire a playbook for good: it is read, and takes no command any more",
    },
    "Definitions": {
        "create_definition": "Save a document as a new definition",
        "list_definitions": "List the definitions of a type by name, without their sources",
        "get_definition": "Read a definition, and what it says in plain words",
        "update_definition": "Save a changed document as the next version; the same one again changes nothing",
        "retire_definition": "Retire a definition for good: it is read, and neither changed nor run",
        "list_definition_versions": "List what was saved of a definition, newest first",
        "compare_definition": "Tell what changed from one version to another",
        "run_definition": "Start a run, or find the run that was started under this run id",
    },
    "Runs": {
        "list_runs": "List the runs of a playbook by their first start, newest first",
        "get_run": "Read a run as it stands",
        "get_run_input": "Read what a run was started over",
        "get_run_history": "Read what happened in a run",
        "cancel_run": "End a run that waits, without an answer",
        "erase_run": "Erase what people and systems wrote in a run that has ended; its history stays",
        "send_run_event": "Send an event to a workflow that waits for it; no run takes one so far",
        "list_org_runs": "List the runs of all playbooks of an org, newest first",
    },
    "Interactions": {
        "list_interactions": "List the open requests of a playbook, newest first",
        "get_interaction": "Read one request, open or over",
        "answer_interaction": "Answer a request; its run has ended with the answer when this replies",
        "reassign_interaction": "Give an open request to another party, or to another to answer",
        "create_answer_token": "Make a token that is good for the answer to one request",
        "list_org_interactions": "List the open requests of all playbooks of an org, newest first",
    },
    "Events": {
        "list_playbook_events": "Read what happened in a playbook, in the order in which it was committed",
        "get_event": "Read one event with every field whole",
        "publish_event": "Put an event of your own into the playbook's feed",
    },
}
SUMMARIES: Mapping[str, str] = {name: words for section in SECTIONS.values() for name, words in section.items()}

FIELDS: Mapping[str, str] = {
    "org": "The org that the key belongs to.",
    "playbook": "The playbook's id: 3 to 48 lower-case letters, digits and hyphens, a letter first.",
    "type": "The type of the definition, or of the events.",
    "name": "The name: of a definition as a playbook's id, of a playbook for people.",
    "description": "What it is for, in words for people.",
    "source": "The document, or where an event comes from.",
    "run_id": "The run, by its id. Chosen by the caller, or made by the server.",
    "event_id": "The event, by its id.",
    "input": "What the run is about, checked against the input schema.",
    "answer": "The answer, checked against the answer schema of the request.",
    "claimed_for": "On whose behalf, by your own word.",
    "reason": "Why, in words for whoever reads the run.",
    "event": "The CloudEvent.",
    "version": "A version of the definition; without it the newest.",
    "from_version": "The version before; without it the last but one.",
    "to_version": "The version after; without it the newest.",
    "expected_version": "The version that you read: another one is a conflict.",
    "include_retired": "The retired ones too.",
    "status": "How the runs stand.",
    "to": "The party that the requests went to.",
    "from": "Who is to answer it, where that is another than the party.",
    "expires": "When it runs out: a duration, or a time with its offset. Never later than the request.",
    "function": "The function that asked.",
    "since": "From this time on: ISO 8601 with its offset.",
    "order": "Which end comes first.",
    "limit": "At most so many items.",
    "cursor": "`next_cursor` of the page before.",
}
