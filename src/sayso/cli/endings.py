"""How a run ended, in words for a person. A reason that somebody gave is quoted: sayso does not say it."""

from typing import Any

from sayso.cli.text import one_line

_REASON_SHOWN = 256


def cancelled(reason: str | None) -> str:
    """That a run was cancelled, with the words of whoever did it."""
    return f"The run was cancelled: “{one_line(reason, _REASON_SHOWN)}”" if reason else "The run was cancelled."


def why(rejection: dict[str, Any]) -> str:
    """Why a run was rejected, beside its status."""
    match rejection["reason"]:
        case "cancelled":
            return cancelled(rejection.get("detail")).removeprefix("The run was ").removesuffix(".")
        case "unanswered":
            return "nobody answered in time"
        case reason:
            return one_line(rejection.get("detail") or reason.replace("_", " "), _REASON_SHOWN)


def sentence(run: dict[str, Any]) -> str:
    """Why a run that has ended takes no answer."""
    record, rejection = run.get("record", {}), run.get("rejection")
    if "answered_by" in record:
        return f"The request was answered already, by {record['answered_by']} at {record['answered_at']}."
    if rejection is None:
        return "The run has ended: it has no request that waits."
    match rejection["reason"]:
        case "cancelled":
            return cancelled(rejection.get("detail"))
        case "unanswered":
            return "The request has expired: nobody answered in time."
        case _:
            return f"The run was rejected: {why(rejection)}"
