"""What templates read when they are run: values that the door lets through, and that nobody meant."""

from collections.abc import Callable
from random import Random
from typing import Any

from sayso.core import json_text
from sayso.core.bounds import INPUT_BYTES, MESSAGE_BYTES, PARTY_BYTES
from sayso.core.document.yaml_reading import UNKEPT
from sayso.core.values import Json, size
from sayso.errors import Problem
from tests.fuzz import json_values, texts
from tests.fuzz.json_text import written
from tests.fuzz_documents import functions, tricks

_MEMBERS = (
    *functions.NAMES,
    *tricks.NAMES,
    "items",
    "amount",
    "urgent",
    "owner",
    "name",
    "cost",
    "last",
    "__class__",
    "keys",
)
_SCRIPTS = (
    "a",
    "\u00e9",
    "\u4e2d",
    "\U0001f600",
    "\u0e01\u0e33",
    "\ufdfa",
    "\u0130",
    "\u200d",
    "\u0301",
    "< & >",
    "a b ",
    "{{ to }}",
    "'\"\\",
)


def hostile(chance: Random) -> Json:
    """A value as JSON says it, of any kind and of up to a few hundred kilobytes."""
    pick = chance.random()
    if pick < 0.5:
        return as_sent(json_values.hostile(chance))
    return (
        chance.choice(_LARGE)(chance.choice((100, 3_000, 30_000)))
        if pick < 0.54
        else _rows(chance)
        if pick < 0.8
        else text(chance)
    )


def text(chance: Random, longest: int = 60_000) -> str:
    """A text of any script, up to so many bytes: words, one character again and again, or a template."""
    made = chance.choice(
        (texts.hostile(chance), tricks.template(chance), chance.choice(_SCRIPTS) * chance.choice((1, 300, 9_000)))
    )
    kept = UNKEPT.sub("", made).encode()[:longest]
    return kept.decode(errors="ignore")


def as_sent(value: Any) -> Json:
    """The value as the door reads it, or a text where it would be refused there."""
    try:
        return json_text.parse(written(value))
    except Problem:  # the door refuses it: what is like it and may be sent is a text
        return UNKEPT.sub("", repr(value)[:300])


_LARGE: tuple[Callable[[int], Json], ...] = (
    lambda many: list(range(many)),
    lambda many: ["x" * (200_000 // many)] * many,
    lambda many: {f"m{number}": number for number in range(many // 2)},
    lambda many: [{"name": f"n{number % 7}", "cost": number} for number in range(many // 4)],
    lambda many: [[]] * many,
    lambda many: "a,b " * many,
)


def _rows(chance: Random) -> Json:
    """A list whose items are of different kinds, as those that sort or compare them might stumble over."""
    kinds: tuple[Json, ...] = (
        *(
            None,
            True,
            0,
            -1,
            1.5,
            1e308,
            10**40,
            "",
            "a",
            "A",
            "10",
            [],
            [1],
            {},
            {"name": None},
            {"name": "a", "cost": "x"},
        ),
        *({"name": [1], "cost": 1e308}, {"name": 1, "cost": True}, {"name": {"name": 1}}),
    )
    return [chance.choice(kinds) for _ in range(chance.choice((0, 1, 2, 9, 40)))]


def hostile_input(chance: Random) -> Json:
    """An input: mostly an object with the members that templates read, each of any kind; never past its bound."""
    if chance.random() < 0.1:
        return hostile(chance)
    made: dict[str, Json] = {}
    if chance.random() < 0.8:
        made = {"owner": text(chance, 300), "review": text(chance), "amount": 3, "items": _rows(chance), "x1": True}
    made |= {name: hostile(chance) for name in chance.sample(_MEMBERS, chance.choice((0, 1, 3, 9)))}
    return made if size(made) <= INPUT_BYTES else {"owner": "too much"}


def names(chance: Random, given_input: Json) -> dict[str, Json]:
    """All that any place reads, with what people and systems wrote as they would not."""
    schema = chance.choice((None, {}, {"description": "\u4e2d" * 9_000}, {"enum": list(range(900))}))
    return {
        "input": given_input,
        "today": "2026-10-01",
        "now": "2026-10-01T09:00:00.000Z",
        "to": text(chance, PARTY_BYTES),
        "message": text(chance, MESSAGE_BYTES),
        "run_id": "0192f0c1-0000-7000-8000-00000000aaaa",
        "function": "ask-somebody",
        "expires_at": "2026-10-03T09:00:00.000Z",
        "answer_schema": schema,
        "sent": {"conversation": text(chance, PARTY_BYTES), "id": text(chance, PARTY_BYTES)},
        "conversation": text(chance, PARTY_BYTES),
        "since": text(chance, PARTY_BYTES),
    }
