"""Reading a line from the terminal, without being deaf meanwhile."""

import select
import sys
from collections.abc import Callable

from sayso.cli.refusals import not_possible

LOOK_SECONDS = 0.5


def line(prompt: str, look: Callable[[], None] = lambda: None) -> str:
    """The line that is typed after the prompt; until it is, ``look`` is called twice a second and may raise.

    Refused when the input ends: whoever leaves halfway has not answered.
    """
    print(prompt, end="", file=sys.stderr, flush=True)
    # Waiting in short turns also sees a Ctrl-C that came just before the wait began.
    while not select.select([sys.stdin], [], [], LOOK_SECONDS)[0]:
        look()
    typed = sys.stdin.readline()
    if not typed:
        raise not_possible("Nothing was sent: the input ended before the answer did.")
    return typed.rstrip("\n")


def is_sure(what: str) -> bool:
    """Whether the person at the terminal wants what cannot be undone."""
    return line(f"{what} Type yes: ").strip().lower() == "yes"
