"""Expiries: until when something is good, as somebody writes it: so long from now, or an instant."""

from sayso.core import durations, instants
from sayso.errors import invalid_input


def expires_at(written: str, now: int, pointer: str) -> int:
    """The instant that ``PT8H`` or ``2026-10-01T09:00:00Z`` means; ``invalid_input`` at the pointer for one that is
    none, or that has passed."""
    try:
        at = now + length(written) if written.startswith("P") else instants.microseconds(written)
    except ValueError as fault:
        raise invalid_input(f"The expiry {fault}.", pointer) from None
    if at <= now:
        raise invalid_input("The expiry has passed already.", pointer)
    if at > instants.LAST:
        raise invalid_input("The expiry lies past the year 9999.", pointer)
    return at


def length(written: str) -> int:
    """The microseconds of a duration. Raises NotADuration."""
    return durations.milliseconds(written) * 1_000
