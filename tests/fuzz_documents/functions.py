"""Functions of all three shapes as a person might write them: their front matter, and their body."""

from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.fuzz import documents, json_values, schema_kinds
from tests.fuzz.schema_kinds import Schema
from tests.fuzz_documents import liquid
from tests.fuzz_documents.liquid import Names

SERVERS = ("chat", "desk", "a", "mail-2", "a" * 32)
TOOLS = ("post_message", "thread.replies", "A-b_c.9", "t" * 128)
POINTERS = ("/ts", "/channel", "/messages/0/id", "/a~1b/~0c", "/", "/\u00e9 ", "/" * 20)
WAITS = ("PT5S", "PT1M", "PT1H", "PT7.5S", "PT60M")
# Names as inputs and arguments have them: reserved words and what YAML 1.1 would not read as text are among them.
NAMES = ("owner", "review", "limit", "size", "first", "on", "yes", "for", "a_b", "title", "x1", "null")

_OF_INPUT: tuple[tuple[liquid.Kind, Schema], ...] = (
    ("text", {"type": "string", "maxLength": 4_000, "description": "What it is about."}),
    ("text", {"type": "string", "enum": ["low", "high", "yes"]}),
    ("text", {"type": ["string", "null"]}),
    ("number", {"type": "integer", "minimum": 0, "maximum": 100}),
    ("number", {"type": "number"}),
    ("any", {"type": "boolean", "default": False}),
    ("any", {"type": "object", "properties": {"name": {"type": "string"}}}),
    ("any", {}),
    ("list", {"type": "array", "items": {"type": "string"}, "maxItems": 9}),
    ("list", {"type": "array", "items": {"type": "object", "properties": {"name": {}, "cost": {"type": "number"}}}}),
)
_RULES: tuple[Any, ...] = (
    {"verdict": "word"},
    {"verdict": "word", "note": "rest"},
    {"verdict": {"from": "word", "words": {"approve": ["yes", "ok", "\u2705", "go-on"]}}, "note": {"from": "rest"}},
    {"verdict": {"from": "word", "words": {"revise": ["no", "not-yet"], "approve": []}}},
    {"note": "text"},
)
_REQUEST = ("to", "message", "run_id", "function", "expires_at")


@dataclass
class Written:
    """A function before it is text: the fields of its front matter and its body."""

    fields: dict[str, Any]
    body: str


def function(chance: Random) -> Written:
    """A function that is saved, unless chance made a template which cannot be."""
    shape = chance.choice((_call, _inbox, _tool, _tool))
    made = shape(chance)
    names = list(made.fields)
    chance.shuffle(names)  # the order of the fields means nothing
    return Written({name: deepcopy(made.fields[name]) for name in names}, made.body)  # some of it is everybody's


def _call(chance: Random) -> Written:
    schema, names = _input(chance)
    call: dict[str, Any] = {"server": chance.choice(SERVERS), "tool": chance.choice(TOOLS)}
    if chance.random() < 0.9:
        call["with"] = arguments(chance, names)
    if chance.random() < 0.6:
        call["read"] = chance.choice(POINTERS)
    fields = _described(chance) | schema | {"call": call, "output": {"schema": schema_kinds.of_answer(chance)}}
    return Written(fields, chance.choice(("", "", "\n", " \n\t\n")))


def _inbox(chance: Random) -> Written:
    schema, names = _input(chance)
    fields = _described(chance) | schema | _asked(chance, names)
    if chance.random() < 0.8:
        fields["output"] = {"schema": schema_kinds.of_answer(chance)}
        if fields["output"]["schema"] == schema_kinds.VERDICT and chance.random() < 0.4:
            fields["reply"] = chance.choice(_RULES)
    return Written(fields, message(chance, names))


def _tool(chance: Random) -> Written:
    made = _inbox(chance)
    names = _names_of(made.fields)
    request = Names((*names.text, *_REQUEST), names.number, names.list, (*names.any, "answer_schema"))
    deliver: dict[str, Any] = {"server": chance.choice(SERVERS), "tool": chance.choice(TOOLS)}
    deliver["with"] = arguments(chance, request)
    made.fields["deliver"] = deliver
    if chance.random() < 0.8:
        deliver["sent"] = {"conversation": chance.choice(POINTERS), "id": chance.choice(POINTERS)}
        if made.fields.get("output") == {"schema": schema_kinds.VERDICT} and chance.random() < 0.9:
            made.fields["replies"] = _replies(chance)
    return made


def _replies(chance: Random) -> dict[str, Any]:
    sent = ("to", "sent.conversation", "sent.id")
    each = {name: chance.choice(POINTERS) for name in ("id", "sender", "text", "to")}
    if chance.random() < 0.4:
        del each["to"]
    made: dict[str, Any] = {
        "tool": chance.choice(TOOLS),
        "with": arguments(chance, Names((*sent, "conversation", "since"), any=("sent",))),
        "read": {
            "list": chance.choice(POINTERS),
            "order": chance.choice(("oldest_first", "newest_first")),
            "each": each,
        },
    }
    if chance.random() < 0.5:
        made["conversation"] = chance.choice(("{{ sent.conversation }}/{{ sent.id }}", "{{ to }}", "the room"))
    if chance.random() < 0.5:
        made["wait"] = chance.choice(WAITS)
    if chance.random() < 0.6:
        made["tell"] = {"with": arguments(chance, Names((*sent, "message"), any=("sent",)))}
        if chance.random() < 0.3:
            made["tell"]["tool"] = chance.choice(TOOLS)
    return made


def arguments(chance: Random, names: Names) -> dict[str, Any]:
    """Arguments as tools take them: nested, with values as they are, templates and whole values."""
    return {name: _argument(chance, names, 2) for name in chance.sample(NAMES, chance.randint(0, 5))}


def _argument(chance: Random, names: Names, depth: int) -> Any:
    pick = chance.random()
    if depth and pick < 0.15:
        return [_argument(chance, names, depth - 1) for _ in range(chance.randint(0, 3))]
    if depth and pick < 0.3:
        return {name: _argument(chance, names, depth - 1) for name in chance.sample(NAMES, chance.randint(0, 3))}
    if pick < 0.5:
        return json_values.plain(chance, 1)
    if pick < 0.7:
        return f"{{{{ {names.one(chance, chance.choice(('text', 'number', 'list', 'any')))} }}}}"
    return _filled(liquid.text(chance, names, 2) if pick < 0.9 else liquid.output(chance, names))


def _filled(template: str) -> str:
    """What goes to a tool holds no price, which could be meant as a variable of the environment."""
    return template.replace("${", "{")


def message(chance: Random, names: Names) -> str:
    """A body: one of a few that somebody wrote, or one that is made."""
    if chance.random() < 0.3:
        return chance.choice(documents.BODIES[:5])
    made = liquid.text(chance, names, 6)
    return made + "\n" if made.strip() else "Well?\n"


def _input(chance: Random) -> tuple[dict[str, Any], Names]:
    if chance.random() < 0.2:
        return {}, Names(("input.owner", "today", "now"), ("input.amount",), ("input.items",), ("input",))
    if chance.random() < 0.3:
        fields = {"input": {"schema": schema_kinds.INPUTS[-1]}}
    else:
        drawn = {name: chance.choice(_OF_INPUT)[1] for name in chance.sample(NAMES, chance.randint(0, 6))}
        schema: Schema = {"type": "object", "properties": drawn}
        if chance.random() < 0.4:
            schema["additionalProperties"] = False
        if drawn and chance.random() < 0.6:
            schema["required"] = sorted(chance.sample(sorted(drawn), chance.randint(1, len(drawn))))
        fields = {"input": {"schema": schema}}
    return fields, _names_of(fields)


def _names_of(fields: dict[str, Any]) -> Names:
    """What templates may read of an input, by what its schema declares."""
    declared = fields.get("input", {}).get("schema", {}).get("properties", {})
    kinds: dict[liquid.Kind, list[str]] = {"text": ["today", "now"], "number": [], "list": [], "any": ["input"]}
    for name, its in declared.items():
        named = its.get("type") if isinstance(its.get("type"), str) else "string"
        of_type: dict[str, liquid.Kind] = {"string": "text", "integer": "number", "number": "number", "array": "list"}
        kinds[of_type.get(named, "any")].append(f"input.{name}")
    return Names(tuple(kinds["text"]), tuple(kinds["number"]), tuple(kinds["list"]), tuple(kinds["any"]))


def _asked(chance: Random, names: Names) -> dict[str, Any]:
    party = chance.choice(("the treasurer", "{{ input.owner }}", "{{ now }}, {{ today }}", "", "", ""))
    readable = [path for path in names.text if path in ("today", "now") or path.startswith("input.")]
    made = {"to": party or f"{{{{ {chance.choice(readable)} }}}}", "expires": chance.choice(documents.EXPIRES)}
    if "input.owner" in made["to"] and "input.owner" not in names.text:
        made["to"] = "the treasurer"
    if chance.random() < 0.3:
        made["from"] = chance.choice((made["to"], "{{ input | json }}", "  somebody "))
    return made


def _described(chance: Random) -> dict[str, Any]:
    words = ("Asks somebody", "x" * 1_000, "\u4e2d\u6587: words # of 'two' \"kinds\"", "Two\nlines\n")
    return {"description": chance.choice(words)} if chance.random() < 0.6 else {}
