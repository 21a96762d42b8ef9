"""What an attacker writes: templates, schemas and rules that are small, and dear or unclear to read."""

from collections.abc import Callable
from random import Random

from sayso.core.values import Json
from tests.fuzz import documents, json_values, texts

_TEMPLATES: tuple[str, ...] = (
    *("{{", "{%", "{{ a", "{% if", "{{ 'a }}", "{{ a' }}", "{{ }}", "{%%}", "{{{{ a }}}}", "{{ {{ a }} }}", "{{%}}"),
    *(
        "{% if %}x{% endif %}",
        "{% for %}{% endfor %}",
        "{% for x %}{% endfor %}",
        "{% case %}{% endcase %}",
        "{% assign %}",
    ),
    *("{% for i in (1..2 %}{% endfor %}", "{% endif %}", "{% else %}", "{% if a %}{% endfor %}", "{% when 1 %}"),
    *(
        "{% capture x %}a{% endcapture %}",
        "{% include 'a' %}",
        "{% render '/etc/passwd' %}",
        "{% x %}",
        "{% \u0456f a %}",
    ),
    *("{{ input.and }}", "{{ input.nil.true }}", "{{ and }}", "{{ for }}", "{{ input. limit }}", "{{ input['if'] }}"),
    *(
        "{{ input.size.first.last }}",
        "{{ input[-1] }}",
        "{{ input[99999999999999999999] }}",
        "{{ input[input[input]] }}",
    ),
    *(
        "{{ input | nothing }}",
        "{{ input | date: '%Y' }}",
        "{{ 1 | plus }}",
        "{{ 1 | plus: 1, 2, 3 }}",
        "{{ 1 | plus: a: 1 }}",
    ),
    *(
        "{{ (1..99999999999999999999) | json }}",
        "{{ (1..1000000) | size }}",
        "{{ (9..1) | first }}",
        "{{ (a..b) | json }}",
    ),
    *("{{ 1e400 }}", "{{ 0x10 }}", "{{ 1_000 }}", "{{ -.5 }}", "{{ 1.2.3 }}", "{{ \uff11 }}", "{{ input.\u00e9 }}"),
    *("{{ a | append: b | append: c }}", "{{ input | json | json | json | json }}", "{{ '' | split: '' | first }}"),
    *(
        "{%- liquid\nif a\necho b\n%}",
        "{% liquid\necho 'a\necho b' %}",
        "{% raw %}{% endraw",
        "{% comment %}",
        "{% # %}{{",
    ),
    *("{% comment %}{% if %}{% endcomment %}", "{% increment a.b %}", "{% cycle %}", "{% break %}", "{% tablerow %}"),
    *(
        "{% if a == %}{% endif %}",
        "{% if a and %}{% endif %}",
        "{% if (a or b) and c %}{% endif %}",
        "{% unless not a %}",
    ),
    *(
        "{{ to }}",
        "{{ message }}",
        "{{ sent }}",
        "{{ sent.x }}",
        "{{ since.a }}",
        "{{ today.year }}",
        "{{ nothing }}",
        "${HOME}",
    ),
    *("{{ sent.id | split: '' }}", "a {{ sent }} b", "{{ answer_schema }} b", "{{ message | upcase }}", "{{ now\n}}"),
    *(
        "{{\u00a0to\u00a0}}",
        "{{\u2028to}}",
        "\ufeff{{ to }}",
        "{{ to\x00 }}",
        "{{ \u202eot }}",
        "{{ t\u043e }}",
        "{{ '\ud83d' }}",
    ),
)
# Of these one makes as many as wanted.
_LONG: tuple[Callable[[int], str], ...] = (
    lambda n: "{{ a" + " | upcase" * n + " }}",
    lambda n: "{{ input" + ".a" * n + " }}",
    lambda n: "{{ input" + "[0]" * n + " }}",
    lambda n: "{{ a" + "[a" * n + "]" * n + " }}",
    lambda n: "{% if " + "a and " * n + "b %}x{% endif %}",
    lambda n: "{% if a %}" * n + "{% endif %}" * n,
    lambda n: "{% for i in (1..9) %}" * n + "{% endfor %}" * n,
    lambda n: "{% case a %}" + "{% when 1 %}" * n + "{% endcase %}",
    lambda n: "{% case a %}{% when " + "1, " * n + "1 %}{% endcase %}",
    lambda n: "{% if a %}" + "{% elsif b %}" * n + "{% endif %}",
    lambda n: "{% assign x = 'xx' %}" + "{% assign x = x | append: x %}" * n + "{{ x }}",
    lambda n: "{{ '" + "x" * n + "' }}",
    lambda n: "{{ a |" + " " * n + "upcase }}",
    lambda n: "{% cycle " + "'a', " * n + "'b' %}",
    lambda n: "{" * n,
    lambda n: "{{ " * n,
    lambda n: "{%" * n + "%}" * n,
    lambda n: "{{ a }}" * n,
    lambda n: f"{{% for i in (1..{n}) %}}{{% for j in (1..{n}) %}}x{{% endfor %}}{{% endfor %}}",
    lambda n: f"{{{{ 9 {'| times: 9999999999 ' * n} }}}}",
    lambda n: "{% liquid\n" + "echo 'a'\n" * n + "%}",
    lambda n: "{% raw %}" * n + "{% endraw %}",
    lambda n: "{% comment %}" * n + "{% endcomment %}" * n,
)


def template(chance: Random) -> str:
    """A template, or what only looks like one."""
    pick = chance.random()
    if pick < 0.5:
        return chance.choice(_TEMPLATES)
    if pick < 0.7:
        return chance.choice(documents.TRAPS)
    if pick < 0.9:
        return long_template(chance, chance.choice((3, 20, 51, 60, 400, 2_000)))
    return f"{{{{ {texts.hostile(chance)[:60]} }}}}"


def long_template(chance: Random, size: int) -> str:
    """A template with a part that is repeated so many times."""
    return chance.choice(_LONG)(size)


_KEYWORDS = (
    *(
        "type",
        "properties",
        "required",
        "items",
        "enum",
        "const",
        "pattern",
        "patternProperties",
        "additionalProperties",
    ),
    *("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependentRequired", "prefixItems"),
    *(
        "contains",
        "minContains",
        "uniqueItems",
        "minimum",
        "maxLength",
        "multipleOf",
        "format",
        "$ref",
        "$id",
        "$schema",
    ),
    *(
        "$anchor",
        "$dynamicRef",
        "$defs",
        "definitions",
        "unevaluatedItems",
        "contentSchema",
        "propertyNames",
        "default",
    ),
)
_PATTERNS = (
    *(
        "(a+)+$",
        "(a|a)*$",
        "(.*)*x",
        "(?=a)",
        "(a)\\1",
        "[",
        "*",
        "\\",
        "a{99999}",
        "(a{99}){99}",
        "\\p{L}+",
        "(?i)a",
        "^$",
    ),
    *(
        "(((((((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)",
        "[\\s\\S]{1,1000}" * 9,
        "x" * 513,
        "\\u0041",
        "\ud83d",
    ),
)
# Names of members that readers of JSON and of pointers might take for something else.
NAMES = ("a", "b", "", "a/b~c", "verdict", "__proto__", "$ref", "0", "00", "+7", "-1", "1e3")
_REFERENCES = (
    *(
        "#",
        "#/",
        "#/$defs/a",
        "#/$defs/b",
        "#/properties/a",
        "https://example.com/s",
        "file:///etc/passwd",
        "a.json",
        "##",
    ),
    *(
        "#a",
        "#/%24defs/a",
        "urn:a:b",
        "//host/x",
        "",
        "#/$defs/a/$defs/a",
        "http://[::1",
        "\\\\host\\share",
        "#/enum/0",
    ),
)


def schema(chance: Random, depth: int = 4) -> Json:
    """A schema of any keywords with what they take, or not."""
    if depth == 0 or chance.random() < 0.15:
        return chance.choice(({}, True, False, {"type": "string"}, {"$ref": chance.choice(_REFERENCES)}, None, 1, []))
    if chance.random() < 0.1:
        return _large(chance)
    made: dict[str, Json] = {}
    for keyword in chance.sample(_KEYWORDS, chance.randint(1, 4)):
        made[keyword] = _under(chance, keyword, depth - 1)
    if chance.random() < 0.3:
        made["$defs"] = {"a": schema(chance, depth - 1), "b": {"$ref": "#/$defs/a"}}
    return made


def _under(chance: Random, keyword: str, depth: int) -> Json:
    if chance.random() < 0.1:
        return json_values.plain(chance, 2)
    if keyword in {"allOf", "anyOf", "oneOf", "prefixItems"}:
        return [schema(chance, depth) for _ in range(chance.randint(0, 3))]
    if keyword in {"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}:
        names = (*_PATTERNS, *NAMES)
        return {chance.choice(names): schema(chance, depth) for _ in range(chance.randint(0, 3))}
    made: dict[str, Json] = {
        "type": chance.choice(("object", "string", ["string", "null"], "strin", [], "any", ["object", "object"])),
        "required": chance.choice((["a"], ["a", "a"], [1], [], "a", ["verdict", "note"])),
        "enum": chance.choice(([], ["a", "A"], [1, 1.0], ["yes", "no"], [None, {}], list(range(1_001)))),
        "pattern": chance.choice(_PATTERNS),
        "format": chance.choice(("date-time", "regex", "uri", "nothing", 1)),
        "$ref": chance.choice(_REFERENCES),
        "$dynamicRef": chance.choice(_REFERENCES),
        "$id": chance.choice(("https://example.com/a", "#", "a", 1)),
        "$anchor": chance.choice(("a", "1", "", "#a")),
        "$schema": chance.choice(
            ("https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#", "x")
        ),
    }
    bound = chance.choice((0, -1, 1.5, 10**30, 1e-300, 2**64, True))
    return made[keyword] if keyword in made else schema(chance, depth) if chance.random() < 0.7 else bound


def _large(chance: Random) -> Json:
    """A schema of many parts."""
    many = chance.choice((65, 257, 1_001, 3_000))
    return chance.choice(
        (
            {"properties": {f"p{n}": {"type": "string"} for n in range(many)}},
            {"anyOf": [{"const": n} for n in range(many)]},
            {"enum": list(range(many))},
            {"enum": ["x" * 60] * min(many, 900)},
            {"required": [f"p{n}" for n in range(many)]},
            {"patternProperties": {f"^p{n}": {} for n in range(many)}},
            {"allOf": [{"$ref": "#/$defs/a"} for _ in range(many)], "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {}}},
            {"$defs": {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(many)} | {f"d{many}": {}}},
            {"$defs": {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(30)} | {"d30": {}}},
            {"properties": {f"p{n}": {"pattern": "(a+)+$"} for n in range(min(many, 300))}},
            {"properties": {f"p{n}": {"type": "strin"} for n in range(many)}},
        )
    )


def rule(chance: Random) -> Json:
    """A reply rule, or nearly one."""
    word = chance.choice(
        ("yes", "YES!", "approve", "\u200b", "", "a b", "x" * 65, "\u00e9" * 33, "\U0001f44d\ufe0f", 1, None, "yes\n")
    )
    words = chance.choice(
        (
            {"approve": [word], "revise": [word]},
            {"approve": ["a"] * chance.choice((16, 17, 500))},
            {f"v{n}": ["a"] for n in range(chance.choice((16, 17, 500)))},
            {"aprove": [word]},
            {"approve": word},
            [word],
            {"approve": [[word]]},
        )
    )
    part = chance.choice(
        (
            "word",
            "rest",
            "text",
            "wrod",
            1,
            None,
            {},
            {"from": "word", "words": words},
            {"from": "rest", "words": {}},
            {"words": words},
        )
    )
    names = ("verdict", "note", "verdikt", "", "a/b~c", "__proto__")
    return chance.choice(
        ({"verdict": part}, {chance.choice(names): part, "note": "rest"}, part, [], {f"n{n}": part for n in range(300)})
    )
