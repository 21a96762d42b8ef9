"""Documents: functions of every kind that a person might save, and those that nobody would."""

import json
from random import Random
from typing import Any

from tests.fuzz import json_values, schema_kinds, texts

EXPIRES = ("P2D", "PT1M", "PT60S", "P30D", "PT720H", "P4W", "PT1H30M", "P1DT12H", "PT90.5S")
NOT_EXPIRES = (
    *(
        "PT59S",
        "PT59.999S",
        "P30DT0.001S",
        "P5W",
        "P1M",
        "P1Y",
        "P1W2D",
        "-P1D",
        "+P1D",
        "p2d",
        "P",
        "PT",
        "P1DT",
        "PT1.S",
    ),
    *("PT0.0001M", "P999999999W", "P" + "9" * 40 + "D", "PT\u0661M", "PT1M ", "PT1M\n", "2", "2 days", "", "P2D" * 400),
)
BODIES = (
    "May it go out, {{ input.owner }}?\n",
    "{{ input.review }}\n\nIs it right? Asked {{ today }} at {{ now }}.\n",
    "{% for item in input.items %}{{ forloop.index }}. {{ item }}\n{% else %}Nothing.\n{% endfor %}",
    "{% if input.urgent %}Now! {% endif %}It costs ${{ input.amount | default: 0 }}.\n",
    "{% assign total = input.amount | default: 1 | times: 3 %}{{ total }} of {{ input | json | size }}\n",
    "{{ input.review | default: '' | truncate: 40 | upcase | escape }} {% raw %}{{ as it is }}{% endraw %}\n",
    "{% case input.amount %}{% when 1 %}one{% else %}{{ input.amount | default: 'none' }}{% endcase %}\n",
    "{% unless input.urgent %}{{ to }}{% endunless %} until {{ expires_at | default: 'then' }}\n",
    "Plain words, \u00e9\u4e2d\U0001f600.\n",
)
# Templates that cost much, or that the engine might read in a way of its own.
TRAPS = (
    "{% for i in (1..100000000) %}x{% endfor %}",
    "{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}",
    "{% assign x = 'xx' %}{% for i in (1..64) %}{% assign x = x | append: x %}{% endfor %}{{ x }}",
    "{% assign x = 9 %}{% for i in (1..64) %}{% assign x = x | times: x %}{% endfor %}{{ x }}",
    "{{ 'x' | replace: '', 'xxxxxxxx' | replace: 'x', 'xxxxxxxx' | replace: 'x', 'xxxxxxxx' | size }}",
    "{{ input }}",
    "{{ input | json }}",
    "{{ input.items | join: input.review }}",
    "{{ input.items | sort | uniq | reverse | map: 'a' | first }}",
    "{{ input.amount | divided_by: 0 }}{{ 1 | modulo: 0 }}",
    "{{ 'x' | times: 1e400 }}{{ 1e400 }}{{ '1e999' | plus: 1 }}",
    "{{ input.amount | times: 99999999999999999999999 | times: 99999999999999999999999 | round: 9999999 }}",
    "{{ input.review | slice: -99999999, 99999999999999999999 }}{{ input.review | truncate: -1, input.review }}",
    "{{ input.review | base64_decode }}{{ '/w==' | base64_decode }}",
    "a{{ 'AA==' | base64_decode }}b",
    "{{ '7aCA' | base64_decode }}{{ '4oCu' | base64_decode }}",
    "{{ input.review | base64_decode | json }}",
    "{{ input.review | slice: 0 | escape_once | split: '' | join: input.owner }}",
    "{{ input['__class__'] }}{{ input.items.size.real }}{{ ''.__class__.__mro__ }}",
    "{% tablerow i in (1..20) cols:0 %}{{ i }}{% endtablerow %}",
    "{% cycle input.a, input.b %}{% increment input %}{% decrement x %}",
    "{% liquid assign x = 1\necho x\nfor i in (1..3)\necho i\nendfor %}",
    "{{" * 2_000,
    "{% if " + "a and " * 60 + "b %}x{% endif %}",
    "{% if a %}" * 300 + "{% endif %}" * 300,
    "{{ a" + "[a" * 60 + "]" * 60 + " }}",
    "{% comment %}{% raw %}{% endcomment %}{% endraw %}",
    "{% include 'x' %}{% render 'x' %}{% layout 'x' %}{% capture x %}{% endcapture %}",
    "{{ today.year }}{{ now | date: '%s' }}{{ answer_schema }}{{ sent }}",
    "{{ missing }}",
    "{%- -%}{{- -}}{{}}{%%}",
    "\ufeff{{ input.owner }}\u2028",
)
# Front matter that YAML readers read in different ways, or not at all.
YAML = (
    "to: &a the treasurer\nexpires: *a\n",
    "to: !!python/object/apply:os.system [ls]\nexpires: P2D\n",
    "to: !!binary aGk=\nexpires: P2D\n",
    "<<: {to: a}\nexpires: P2D\n",
    "to: a\nto: b\nexpires: P2D\n",
    "to: yes\nexpires: 2026-10-01\n",
    "to: a\nexpires: P2D\ninput: {schema: {type: object, properties: {on: {enum: [yes, no, 0o7, 1_000, .inf]}}}}\n",
    "to: a\nexpires: P2D\noutput: {schema: {const: " + "9" * 999 + "}}\n",
    "to: a\nexpires: P2D\noutput: {schema: {const: " + "9" * 1_001 + "}}\n",
    "to: a\nexpires: P2D\noutput: {schema: {const: 1e400}}\n",
    "to: a\nexpires: P2D\noutput: {schema: {enum: [1e308, -0.0, 9007199254740993, 0x7fffffffffffffffff]}}\n",
    "to: a\nexpires: P2D\noutput: {schema: " + "[" * 80 + "]" * 80 + "}\n",
    "to: a\nexpires: P2D\noutput: {schema: " + "{a: " * 20_000 + "1\n",
    "to: |\n  a\n  b\nexpires: >-\n  P2D\n",
    "to: 'a\nexpires: P2D\n",
    "? to\n: a\n? [x]\n: y\nexpires: P2D\n",
    "to:\tthe tab\nexpires: P2D\n",
    "- to\n- expires\n",
    "just words\n",
    "",
    "# only a comment\n",
    "to: a\nexpires: P2D\n...\nmore: x\n",
    "%YAML 1.1\n---\nto: a\n",
    'to: "\\ud800"\nexpires: P2D\n',
    'to: "\\0"\nexpires: P2D\n',
    "to: a\nexpires: P2D\ncall: {server: a, tool: b}\n",
    "to: a\nexpires: P2D\nreply: {verdict: word}\n",
    "call: {server: chat, tool: post, with: {a: '${HOME}'}}\noutput: {schema: {}}\n",
    "to: a\nexpires: P2D\ndeliver: {server: chat, tool: post, with: {text: '{{ message }}'}}\n",
)

# A tool that takes what every place has.
TOOL = {"server": "chat", "tool": "post_message", "with": {"text": "{{ input.owner | default: 'x' }} {{ today }}"}}


def document(chance: Random) -> str:
    """A source: mostly one that is saved, else one with a trap, one that was changed at random, or no document."""
    pick = chance.random()
    if pick < 0.5:
        return whole(chance)
    if pick < 0.7:
        return spoilt(chance, whole(chance))
    if pick < 0.8:
        return assembled(fields(chance), chance.choice(TRAPS))
    if pick < 0.9:
        return f"---\n{chance.choice(YAML)}---\n{chance.choice(BODIES)}"
    if pick < 0.95:
        return whole(chance, schema_kinds.hostile(chance))
    return chance.choice((texts.hostile(chance), "---\n---\n", "---", "x" * 65_537, padded(chance)))


def whole(chance: Random, output: Any = None) -> str:
    """A document as it should be; now and then of a function that asks a system."""
    if output is None and chance.random() < 0.05:
        return assembled(called(chance), "")
    return assembled(fields(chance, output), chance.choice(BODIES))


def fields(chance: Random, output: Any = None) -> dict[str, Any]:
    """The front matter of a function that asks a person."""
    made: dict[str, Any] = {
        "to": chance.choice(("the treasurer", "{{ input.owner }}", "{{ input.owner | default: 'anybody' }}", "\u00e9")),
        "expires": chance.choice(EXPIRES),
    }
    if chance.random() < 0.5:
        made["description"] = chance.choice(("Asks somebody", "x" * 1_000, "\u4e2d\u6587 words"))
    if chance.random() < 0.6:
        made["input"] = {"schema": schema_kinds.of_input(chance)}
    if chance.random() < 0.08:
        made["deliver"] = TOOL
    if output is not None or chance.random() < 0.8:
        made["output"] = {"schema": schema_kinds.of_answer(chance) if output is None else output}
    return made


def called(chance: Random) -> dict[str, Any]:
    """The front matter of a function that asks a system."""
    made: dict[str, Any] = {"call": TOOL, "output": {"schema": schema_kinds.of_answer(chance)}}
    if chance.random() < 0.5:
        made["input"] = {"schema": schema_kinds.of_input(chance)}
    return made


def assembled(front: dict[str, Any], body: str) -> str:
    """The document of these fields. JSON on one line is YAML as well."""
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in front.items()]
    return "\n".join(["---", *lines, "---", body])


def padded(chance: Random) -> str:
    """A document of exactly as many bytes as one may have, or one more."""
    start = assembled({"to": "a", "expires": "P2D"}, "Why?\n")
    return start + "x" * (chance.choice((65_536, 65_537)) - len(start))


def spoilt(chance: Random, source: str) -> str:
    """The document after one to three random changes of its lines or letters."""
    for _ in range(chance.randint(1, 3)):
        source = _spoilt_once(chance, source)
    return source


def _spoilt_once(chance: Random, source: str) -> str:
    lines = source.split("\n")
    at = chance.randrange(len(lines))
    match chance.randint(0, 7):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[chance.randrange(len(lines))])
        case 2:
            lines[at] = texts.spoilt(chance, lines[at])
        case 3:
            return source.replace("P", chance.choice(NOT_EXPIRES), 1)
        case 4:
            return source.replace("\n", chance.choice(("\r\n", "\r", "\n\n")))
        case 5:
            return source[: chance.randint(0, len(source))]
        case 6:
            lines.insert(at, f"{chance.choice(('input', 'output', 'deliver', 'x', 'from'))}: {_scalar(chance)}")
        case _:
            lines[at] = lines[at].replace("{{ ", "{{ " + chance.choice(("x.", "input.a.b.", "'", "1 | ", "(")))
    return "\n".join(lines)


def _scalar(chance: Random) -> str:
    return chance.choice(("", "~", "1", "[]", "{}", "{schema: 1}", "'a'", "true", chance.choice(json_values.NUMBERS)))
