"""Spoiling a function before it is text: its keys, its values and their types, and what only this format knows."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from sayso.core.bounds import DOCUMENT_BYTES
from sayso.core.values import Json
from tests.fuzz import documents, json_values, schema_kinds, texts
from tests.fuzz_documents import tricks
from tests.fuzz_documents.functions import Written

Holder = dict[str, Json] | list[Json]

FIELDS = (
    *(
        "description",
        "call",
        "to",
        "from",
        "expires",
        "deliver",
        "replies",
        "input",
        "output",
        "reply",
        "model",
        "config",
    ),
    *(
        "server",
        "tool",
        "with",
        "read",
        "sent",
        "conversation",
        "id",
        "list",
        "order",
        "each",
        "sender",
        "text",
        "wait",
    ),
    *("tell", "schema", "words", "To", "expire", "repiles", "to ", "t\u043e", "\u202eto", "__class__", "<<", "on", ""),
)
_TEXTS_BY_KEY: dict[str, tuple[str, ...]] = {
    "expires": documents.NOT_EXPIRES,
    "wait": ("PT4.999S", "PT61M", "PT1H0.001S", "PT5M1", "5", "", "PT05S"),
    "order": ("newest", "Oldest_first", "oldest_first ", ""),
    "server": ("Chat", "", "a" * 33, "1a", "chat\n", "ch\u0430t", "-a"),
    "tool": ("a/b", "a b", "", "t" * 129, "post_message\n", "\u0661", "tell?"),
    "from": ("word", "rest", "text", "Word", "first", "", "\u200b"),
}
_POINTERS = ("", "a", "/~2", "/~", "#/a", "/a\x00", "/" * 5_000, "/a/-", "//", " /a", "/\ud83d")


def spoil(chance: Random, made: Written) -> None:
    """One to three changes of the fields or the body."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        chance.choice(_KINDS)(chance, made)
        # Some of what is put in is everybody's, or stands in many places: the next change is of one of them.
        made.fields = json.loads(json.dumps(made.fields))
        if len(repr(made.fields)) > 2 * DOCUMENT_BYTES:
            return


def _holders(value: Json) -> Iterator[tuple[Holder, Any]]:
    """Every place of a value: what holds it, and its name or index there."""
    if isinstance(value, dict | list):
        for at in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, at
            yield from _holders(value[at])


def _place(chance: Random, made: Written) -> tuple[Any, Any]:
    """Any place of the front matter, the shallow ones first."""
    places = list(_holders(made.fields)) or [({"to": "a"}, "to")]
    return chance.choice(places[:12] if chance.random() < 0.3 else places)


def _dropped(chance: Random, made: Written) -> None:
    holder, at = _place(chance, made)
    del holder[at]


def _renamed(chance: Random, made: Written) -> None:
    holder, at = _place(chance, made)
    if isinstance(holder, dict):
        name = chance.choice((*FIELDS, texts.spoilt(chance, at), at.upper(), at + "s", at[:-1], at[1:] + at[:1]))
        holder[name] = holder.pop(at)


def _added(chance: Random, made: Written) -> None:
    """Fields that are not there, or that are of another shape; sometimes far more than are told of."""
    holder, _ = _place(chance, made)
    many = chance.choice((1, 1, 1, 2, 30))
    for number in range(many):
        name = chance.choice(FIELDS) if many < 30 else f"{chance.choice(FIELDS)}{number}"
        if isinstance(holder, dict):
            holder[name] = chance.choice((json_values.plain(chance, 2), "x", {"tool": "a"}, {"schema": {}}))
        else:
            holder.append(name)


def _retyped(chance: Random, made: Written) -> None:
    holder, at = _place(chance, made)
    value = holder[at]
    others: tuple[Json, ...] = (
        None,
        True,
        1,
        1.5,
        "",
        [],
        {},
        [value],
        {"a": value},
        str(value)[:2_000],
        "- a",
        10**30,
    )
    holder[at] = chance.choice(others)


def _hostile_text(chance: Random, made: Written) -> None:
    holder, at = _place(chance, made)
    holder[at] = texts.hostile(chance)


def _spoilt_text(chance: Random, made: Written) -> None:
    holder, at = _place(chance, made)
    if isinstance(holder[at], str):
        holder[at] = texts.spoilt(chance, holder[at])


def _misfit(chance: Random, made: Written) -> None:
    """A text that is nearly right where it stands."""
    places = [(holder, at) for holder, at in _holders(made.fields) if isinstance(holder[at], str)]
    fit = [place for place in places if place[1] in _TEXTS_BY_KEY or place[0][place[1]].startswith("/")]
    if fit:
        holder, at = chance.choice(fit)
        holder[at] = chance.choice(_TEXTS_BY_KEY.get(at, _POINTERS))


def _deep(chance: Random, made: Written) -> None:
    holder, at = _place(chance, made)
    for _ in range(chance.choice((3, 20, 60, 66, 70, 71, 72, 73, 100))):
        holder[at] = [holder[at]] if chance.random() < 0.5 else {"a": holder[at]}


def _huge(chance: Random, made: Written) -> None:
    holder, at = _place(chance, made)
    size = chance.choice((300, 1_001, 8_193, 16_385, 32_769, 60_000, 70_000))
    holder[at] = chance.choice(
        ("x" * size, "\U0001f600" * (size // 4), ["a"] * (size // 30), {f"k{n}": n for n in range(size // 40)})
    )


def _tricky_template(chance: Random, made: Written) -> None:
    template = tricks.template(chance)
    texts_there = [place for place in _holders(made.fields) if isinstance(place[0][place[1]], str)]
    if chance.random() < 0.4 or not texts_there:
        made.body = chance.choice((template, made.body + template, template + made.body))
        return
    holder, at = chance.choice(texts_there)
    holder[at] = chance.choice((template, f"{holder[at]}{template}", f" {holder[at]}"))


def _tricky_schema(chance: Random, made: Written) -> None:
    block = chance.choice(("input", "output"))
    whole = chance.choice((schema_kinds.hostile, tricks.schema))(chance)
    made.fields[block] = {"schema": whole} if chance.random() < 0.9 else whole


def _tricky_rule(chance: Random, made: Written) -> None:
    made.fields["reply"] = tricks.rule(chance)
    if chance.random() < 0.7:
        made.fields["output"] = {"schema": schema_kinds.VERDICT}


def _body(chance: Random, made: Written) -> None:
    made.body = chance.choice(("", " \n", "words", texts.hostile(chance), texts.spoilt(chance, made.body), "---\n"))


_KINDS: tuple[Callable[[Random, Written], None], ...] = (
    *(_dropped, _renamed, _renamed, _added, _retyped, _retyped, _hostile_text, _spoilt_text, _misfit, _misfit, _deep),
    *(_huge, _tricky_template, _tricky_template, _tricky_schema, _tricky_schema, _tricky_rule, _body),
)
