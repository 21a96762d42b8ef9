"""Who may do what: the one table of permissions. Doors only ask it.

Who asks is known by the credential alone. A refusal says 403 for another org and for what lies in it, with
the same words, so that nothing shows whether it exists.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sayso.errors import Problem, Reason, invalid_input

# AUTO says only that a key belongs to an org; the form is the vendor's, the length ours.
ORG = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Permission(StrEnum):
    """What a key may be given. None includes another."""

    ORG_READ = "org:read"
    ORG_WRITE = "org:write"
    PLAYBOOK_READ = "playbook:read"
    PLAYBOOK_WRITE = "playbook:write"
    INTERACTION_ANSWER = "interaction:answer"


ALL_PERMISSIONS = frozenset(Permission)


@dataclass(frozen=True, kw_only=True)
class Principal:
    """Who is asking, by credential: the caller's public id, and what it may do where.

    ``org`` None means any org (the local developer, the operator at the file); ``playbooks`` None means all of its org.
    """

    caller_id: str
    org: str | None
    permissions: frozenset[Permission] = ALL_PERMISSIONS
    playbooks: frozenset[str] | None = None


# Who has no key: the developer of a server in local mode, and the operator who has the file itself.
LOCAL = Principal(caller_id="local", org=None)
OPERATOR = Principal(caller_id="operator", org=None)
RESERVED_CALLERS = frozenset({"local", "operator"})
RESERVED_ORGS = frozenset({"local"})

_READ = frozenset({Permission.PLAYBOOK_READ})
_WRITE = frozenset({Permission.PLAYBOOK_WRITE})
_ANSWER = frozenset({Permission.INTERACTION_ANSWER})

# An operation is allowed to whoever has one of its permissions.
TABLE: Mapping[str, frozenset[Permission]] = {
    "create_playbook": frozenset({Permission.ORG_WRITE}),
    "list_playbooks": frozenset({Permission.ORG_READ}) | _READ,
    "get_playbook": frozenset({Permission.ORG_READ}),
    "update_playbook": frozenset({Permission.ORG_WRITE}),
    "create_definition": _WRITE,
    "list_definitions": _READ,
    "get_definition": _READ,
    "update_definition": _WRITE,
    "retire_definition": _WRITE,
    "list_definition_versions": _READ,
    "compare_definition": _READ,
    "run_definition": _WRITE,
    "get_run": _READ,
    "list_runs": _READ,
    "get_run_history": _READ,
    "cancel_run": _WRITE,
    "erase_run": frozenset({Permission.ORG_WRITE}),
    "list_interactions": _READ | _ANSWER,
    "answer_interaction": _WRITE | _ANSWER,
    "get_event": _READ,
}

# Operations on playbooks themselves: the id in the path or the body is the thing acted on.
ORG_OPERATIONS = frozenset({"create_playbook", "list_playbooks", "get_playbook", "update_playbook"})


def check(principal: Principal, operation: str, org: str, playbook: str | None) -> None:
    """Refuse with 403 what the principal may not do in this org and this playbook (None: in no one playbook)."""
    if principal.org is not None and principal.org != org:
        raise _forbidden("This key belongs to another organisation.")
    check_org(org)
    if not principal.permissions & TABLE[operation]:
        needed = " or ".join(sorted(TABLE[operation]))
        raise _forbidden(f"{operation} needs the permission {needed}, which this key does not have.")
    if playbook is not None:
        check_playbook(principal, playbook)


def check_org(org: str) -> None:
    """Refuse what can be no org's name."""
    if not ORG.fullmatch(org):
        raise invalid_input("An org is 1 to 64 letters, digits, hyphens and underscores.", "/org")


def check_playbook(principal: Principal, playbook: str) -> None:
    """Refuse with 403 a playbook that the principal's key is not for."""
    if principal.playbooks is not None and playbook not in principal.playbooks:
        raise _forbidden("This key is limited to other playbooks.")


def _forbidden(detail: str) -> Problem:
    return Problem(Reason.FORBIDDEN, detail)
