"""The types of parameters by their names. A name means one thing in all statements, but for those told apart here."""

from collections.abc import Mapping
from typing import Final

# One for all rows of a statement.
BOUND: Final = frozenset({"shard"})

_TYPES: Final[Mapping[str, str]] = {
    name: kind
    for kind, names in {
        "smallint": "shard kind status outcome v code",
        "int": """playbook playbooks org billing_org by version base seq from_seq from_seqs definition_version fails
            open_children n format place behind added opened first last""",
        "bigint": """at last_at expires_at ended_at due_at updated_at revoked_at last_used_at old_until asked_at left_at
            after_at now until put_off limit after before before_position after_position position floor since retired_at
            ended_before first_position base_position failed_since""",
        "boolean": "include_retired is_first from_now",
        "uuid": """stream streams folded kept parent run_id definition function conversation from_stream after_stream
            before_stream""",
        "bytea": "digest hash key",
        "text": """name title description id permissions party answerer to lease source input_schema output_schema state
            body sent_id after_id data content type after_name among
            url last_error""",
        # lists of rows, a type a column
        "int uuid": "run_ids",
        "int smallint bytea": "keys",
        "smallint int bigint": "fed",
    }.items()
    for name in names.split()
}

# Where a list goes on is a stream here; keys and events have numbers, and a number of playbooks, for the same words. A
# version that somebody asks for may be larger than any there is.
_OWN: Final[Mapping[tuple[str, str], str]] = {
    ("open_requests", "before"): "uuid",
    ("open_to_party", "before"): "uuid",
    ("open_among", "before"): "uuid",
    ("org_runs_page", "before"): "uuid",
    ("subscriptions_behind", "after"): "uuid",
    ("folded_heads", "after"): "uuid",
    ("refold_events", "after"): "uuid",
    ("refold_events", "last"): "uuid",
    ("definition_version", "version"): "bigint",
    ("append_events", "type"): "smallint",
    ("add_key", "playbooks"): "text",
    ("follower", "id"): "uuid",
    ("add_follower", "id"): "uuid",
    ("add_subscription", "id"): "uuid",
    ("claim_subscription", "id"): "uuid",
    ("move_subscription", "id"): "uuid",
    ("replay_subscription", "id"): "uuid",
}


def type_of(statement: str, name: str) -> str:
    """What PostgreSQL calls the type of a parameter."""
    return _OWN.get((statement, name)) or _TYPES[name]
