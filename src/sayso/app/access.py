"""Who may do what: the one table of permissions, and the limits of who asks. Doors only ask it.

Who asks is known by the credential alone. A refusal says 403 for another org and for what lies in it, with
the same words, so that nothing shows whether it exists. What lies in the org and is not shown to a credential is not
there for it.
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
class OneRequest:
    """What a token is for: the answer to the request of one run, as that was put when its event ``seen_seq`` was the
    last."""

    run_id: str
    seen_seq: int


@dataclass(frozen=True, kw_only=True)
class Principal:
    """Who is asking, by credential: the caller's public id, and what it may do where.

    ``org`` None means any org (the local developer, the operator at the file); ``playbooks`` None means all of its org,
    and ``parties`` None what is put to whomever. ``request`` is a token's alone: it may do nothing else.
    """

    caller_id: str
    org: str | None
    permissions: frozenset[Permission] = ALL_PERMISSIONS
    playbooks: frozenset[str] | None = None
    parties: frozenset[str] | None = None
    request: OneRequest | None = None


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
    "retire_playbook": frozenset({Permission.ORG_WRITE}),
    "create_definition": _WRITE,
    "list_definitions": _READ,
    "get_definition": _READ,
    "update_definition": _WRITE,
    "retire_definition": _WRITE,
    "list_definition_versions": _READ,
    "compare_definition": _READ,
    "run_definition": _WRITE,
    "get_run": _READ,
    "get_run_input": _READ,
    "list_runs": _READ,
    "get_run_history": _READ,
    "cancel_run": _WRITE,
    "send_run_event": _WRITE,
    "erase_run": frozenset({Permission.ORG_WRITE}),
    "list_interactions": _READ | _ANSWER,
    "get_interaction": _READ | _ANSWER,
    "answer_interaction": _WRITE | _ANSWER,
    "reassign_interaction": _WRITE,
    "create_answer_token": _WRITE,
    "list_playbook_events": _READ,
    "get_event": _READ,
    "publish_event": _WRITE,
    "list_org_interactions": _READ | _ANSWER,
    "list_org_runs": _READ,
}

# What a token for one request is good for.
TOKENS_OPERATION = "answer_interaction"

# Operations on playbooks themselves: the id in the path or the body is the thing acted on.
ORG_OPERATIONS = frozenset({"create_playbook", "list_playbooks", "get_playbook", "update_playbook", "retire_playbook"})


def check(principal: Principal, operation: str, org: str, playbook: str | None, run_id: str | None = None) -> None:
    """Refuse with 403 what the principal may not do in this org, in this playbook (None: in no one playbook) and to
    this run, as its caller names it (None: to no one run)."""
    if principal.org is not None and principal.org != org:
        raise _forbidden("This key belongs to another organisation.")
    check_org(org)
    if not principal.permissions & TABLE[operation]:
        needed = " or ".join(sorted(TABLE[operation]))
        raise _forbidden(f"{operation} needs the permission {needed}, which this key does not have.")
    if playbook is not None:
        check_playbook(principal, playbook)
    if principal.request is not None and not _is_its_own(principal.request, operation, run_id):
        raise _forbidden("This token is good for the answer to one request alone, and this is another.")


def _is_its_own(request: OneRequest, operation: str, run_id: str | None) -> bool:
    return operation == TOKENS_OPERATION and run_id is not None and run_id.lower() == request.run_id


def sees(principal: Principal, party: str | None, answerer: str | None) -> bool:
    """Whether a run that asked this party, and waits or waited for this answerer, is there for the principal.

    Who is limited to parties sees what was put to one of them, and what one of them is to answer.
    """
    return principal.parties is None or not principal.parties.isdisjoint({party, answerer})


def check_answerer(principal: Principal, party: str | None, answerer: str | None) -> None:
    """Refuse with 403 to answer a request that the principal sees and that is another's to answer."""
    if principal.parties is not None and (answerer or party) not in principal.parties:
        raise _forbidden("This request is to be answered by another party than those that this key is limited to.")


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
