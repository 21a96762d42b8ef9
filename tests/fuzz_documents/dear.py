"""The dearest renderings that we know of: templates that do much with inputs that are as large as inputs may be."""

import re

from sayso.core.values import Json

_TWICE = "{% for a in input.items %}{% for b in input.items %}"
_ENDS = "{% endfor %}{% endfor %}"


def _often(part: str) -> str:
    """The part as often as one template may have its names."""
    return part * (950 // len(re.findall(r"\w+", part)))


TEMPLATES: tuple[str, ...] = (
    _often("{% for a in input.items %}{% endfor %}"),
    "{% for a in input.items %}{{ a | json | size }}{% endfor %}",
    "{% for a in input.items reversed %}{% if a == input.owner %}{{ a }}{% endif %}{% endfor %}",
    f"{_TWICE}{{% if a == b %}}{{% endif %}}{_ENDS}",
    f"{_TWICE}{{% assign x = a | json | append: b %}}{_ENDS}",
    f"{_TWICE}{{% for c in input.items %}}{{% endfor %}}{_ENDS}",
    _often("{% if input == input %}{% endif %}"),
    _often("{% if input.items contains input.owner %}{% endif %}"),
    _often("{% if input.review contains input.owner %}{% endif %}"),
    _often("{% if input.items == input.more %}{% endif %}"),
    "{% case input %}" + _often("{% when input %}") + "{% endcase %}",
    _often("{{ input | json | size }}"),
    _often("{{ input | json | json | json | json | json | json | size }}"),
    _often("{{ input.items | sort | uniq | reverse | compact | size }}"),
    _often("{{ input.items | sort: 'name' | group_by: 'name' | size }}"),
    _often("{{ input.items | sort_natural | join: ',' | split: ',' | size }}"),
    _often("{{ input.items | where: 'name' | map: 'name' | sum }}"),
    _often("{{ input.items | concat: input.items | concat: input.items | concat: input.items | size }}"),
    _often("{{ input.items | array_to_sentence_string | size }}"),
    _often("{{ input.items | find_index: 'name', input.review }}"),
    "{{ input.items | join: input.review | size }}",
    _often("{{ input.review | split: '' | uniq | sort | join | size }}"),
    "{{ input.review | replace: 'a', input.review | size }}",
    _often("{{ input.review | replace_first: input.owner, input.review | size }}"),
    _often("{{ input.review | slugify | size }}{{ input.review | slugify: 'latin' | size }}"),
    _often("{{ input.review | escape | escape_once | xml_escape | newline_to_br | size }}"),
    _often("{{ input.review | truncatewords: 99999999 | squish | normalize_whitespace | strip_newlines | size }}"),
    _often("{{ input.review | base64_encode | base64_encode | base64_decode | size }}"),
    _often("{{ input.review | upcase | downcase | capitalize | lstrip | rstrip | number_of_words }}"),
    _often("{{ input.number | times: input.number | times: input.number | size }}"),
    _often("{{ input.number | plus: input.number | divided_by: 3 | modulo: 7 | round: 9 }}"),
    _often("{{ input.review | to_integer }}{{ input.review | plus: 1 | size }}"),
    "{% assign x = input.review %}" + "{% assign x = x | append: x %}" * 90 + "{{ x | size }}",
    "{% assign x = input.items %}" + "{% assign x = x | concat: x %}" * 90 + "{{ x | size }}",
    _often("{% tablerow a in input.items cols: 1 %}{% endtablerow %}"),
    "{% for a in input.items %}{% cycle a, input.review %}{% endfor %}",
    "{% for a in (1..input.number) %}{% endfor %}",
    _often("{% for a in input.items limit: input.number offset: input.number %}{% endfor %}"),
    "{{ input" + "['a']" * 49 + " }}",
    _often("{{ input[input.owner][input.owner] | json }}"),
    _often("{{ input.deep | json | size }}{% if input.deep == input.more %}{% endif %}"),
    _often("{{ input.deep | uniq | sort | sum | size }}"),
)

_DEEP: Json = 1
for _ in range(500):
    _DEEP = [_DEEP]


def _input(items: Json, review: str, owner: Json = "a", number: Json = 10**300) -> dict[str, Json]:
    return {"items": items, "more": items, "review": review, "owner": owner, "number": number, "deep": _DEEP, "a": {}}


INPUTS: tuple[dict[str, Json], ...] = (
    _input([], ""),
    _input(list(range(10_000)), "a" * 60_000),
    _input([[]] * 10_000, "a " * 60_000, [[]]),
    _input([{"name": number % 1_000, "cost": 1} for number in range(2_000)], "\u00e9" * 60_000, {"name": 1}),
    _input(["x" * 25_000, "y" * 25_000], "<" * 100_000, "<", 99_999_999),
    _input([{"name": "a" * 20_000}] * 2, "\u1e9e\u0301" * 20_000, "\u0301", 1.5),
    _input(["1e308", 1e308, -1e308, None, True] * 2_000, "9" * 60_000, "9", 2**53),
    _input({f"m{number}": number for number in range(4_000)}, "a,b;c " * 20_000, "m1", -1),
    _input([{} for _ in range(15_000)], "\n" * 60_000, {}, "9" * 400),
    _input([[[[1]]]] * 9_000, "a" * 60_000 + "b", "a" * 30_000 + "b", 0),
)

# Schemas that find much fault with a value, or that look at it often.
SCHEMAS: tuple[dict[str, Json], ...] = (
    {"anyOf": [{"const": number} for number in range(250)]},
    {"oneOf": [{"type": "object", "required": [f"r{number}"]} for number in range(200)]},
    {"anyOf": [{"anyOf": [{"type": "null"}, {"minLength": 10**6}] * 5} for _ in range(10)]},
    {"allOf": [{"type": "null"}] * 200},
    {"items": {"anyOf": [{"const": number} for number in range(200)]}},
    {"items": {"enum": ["x" * 60] * 500}},
    {"enum": ["x" * 60] * 500},
    {"additionalProperties": {"anyOf": [{"type": "null"}] * 100}},
    {"additionalProperties": False},
    {"items": {"additionalProperties": False, "required": ["x", "y"]}},
    {"required": [f"r{number}" for number in range(5_000)]},
    {"items": {"required": [f"r{number}" for number in range(5_000)]}},
    {"dependentRequired": {f"m{number}": [f"r{number}"] for number in range(500)}},
    {"patternProperties": {f"^{number}.*x": False for number in range(40)}},
    {"propertyNames": {"maxLength": 1}},
    {"uniqueItems": True, "contains": {"const": -1}, "items": {"type": "null"}},
    {"not": {"not": {"not": {}}}, "maxItems": 1, "maxProperties": 1, "maxLength": 1},
)
# Answers as large as answers may be.
ANSWERS: tuple[Json, ...] = (
    "x" * 60_000,
    "\u00e9" * 30_000,
    [{"a": number} for number in range(5_000)],
    [[] for _ in range(20_000)],
    list(range(11_000)),
    [number + 0.5 for number in range(7_000)],
    ["x" * 2_000] * 30,
    {f"m{number}": number for number in range(4_500)},
    {"x" * 20_000 + str(number): {} for number in range(3)},
    {str(number): [number] for number in range(4_500)},
    [_DEEP] * 60,
    {"": {"": {"": "x" * 60_000}}},
)
