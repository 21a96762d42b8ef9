"""The dearest documents that we know of: for each part of the reading one that gives it as much to do as may be."""

import json
from collections.abc import Callable, Iterator
from itertools import count

DOCUMENT = 65_536

Part = str | Callable[[int], str]
Make = Callable[[int], str]

_ASKED = "to: a\nexpires: P2D\n"
_SENT = "deliver: {server: chat, tool: post, with: {}, sent: {conversation: /c, id: /i}}\n"
_ANSWER = "output: {schema: {type: object, required: [v], properties: {v: {type: string, enum: [yes, no]}}}}\n"
_EACH = "{id: /i, sender: /s, text: /t}"
_READ = f"tool: list, read: {{list: /l, order: oldest_first, each: {_EACH}}}"
_CALL = "output: {schema: {}}\ncall: {server: a, tool: b, with: "


def filled(before: str, part: Part, after: str, size: int) -> str:
    """The part again and again between two ends, until all of it has nearly so many bytes of UTF-8."""
    room = size - len(before.encode()) - len(after.encode())
    parts: list[str] = []
    for number in count():
        text = part if isinstance(part, str) else part(number)
        room -= len(text.encode())
        if room < 0:
            return before + "".join(parts) + after
        parts.append(text)
    raise AssertionError("it counts until there is no room")


def _asking(before: str, part: Part, after: str = "\n") -> Make:
    """Front matter that goes on with this after what every request needs."""
    return lambda size: filled(f"---\n{_ASKED}{before}", part, f"{after}---\nWell?\n", size)


def _calling(before: str, part: Part, after: str) -> Make:
    """Arguments of a call."""
    return lambda size: filled(f"---\n{_CALL}{before}", part, f"{after}}}\n---\n", size)


def _reading(before: str, part: Part, after: str) -> Make:
    """Arguments of a reading: they read no input, and so are tried when they are saved."""
    begun = f"---\n{_ASKED}{_ANSWER}{_SENT}replies: {{{_READ}, with: {before}"
    return lambda size: filled(begun, part, f"{after}}}\n---\nWell?\n", size)


def _telling(before: str, part: Part, after: str) -> Make:
    begun = f"---\n{_ASKED}{_ANSWER}{_SENT}replies: {{{_READ}, with: {{}}, tell: {{with: {before}"
    return lambda size: filled(begun, part, f"{after}}}}}\n---\nWell?\n", size)


def _lasting(before: str, part: Part, after: str) -> Make:
    return lambda size: filled(f"---\nto: a\nexpires: {before}", part, f"{after}\n---\nWell?\n", size)


def _message(before: str, part: Part, after: str = "") -> Make:
    """A message as long as a template may be."""
    return lambda size: f"---\n{_ASKED}---\n" + filled(before, part, after, min(size, 32_768))


def _schema(before: str, part: Part, after: str) -> Make:
    """A schema written as JSON is, so that it may be as large as the document; quotes are single here, for our eyes."""
    made = _asking(f"output: {{schema: {before}", part, f"{after}}}\n")
    return lambda size: made(size).replace("'", '"')


def _rule(before: str, part: Part, after: str) -> Make:
    return _asking(f"{_ANSWER}reply: {before}", part, f"{after}\n")


def _quoted(text: str) -> str:
    return json.dumps(text)


_FAR = "".join(f"{{'properties':{{'{'k' * 900}{number}':" for number in range(24))
_ITEMS, _NOTS, _ENDS = "{'items':" * 60, "{'not':" * 60, "}" * 60
_LOOP = "{% for i in (1..60000) %}{% endfor %}"
_SLOW = "{% for i in (1..3000) %}{% assign x = 'b a c' | split: ' ' | sort %}{% endfor %}"

WORST: dict[str, Make] = {
    # -- the text, and where its front matter ends
    "no document": lambda size: filled("", "x\n", "", size),
    "never closed": lambda size: filled("---\n", "--- x\n", "", size),
    "blanks after the dashes": lambda size: filled("---", " \t", "\n", size),
    "dashes and blanks without an end": lambda size: filled("---\nto: a\n", "---" + " " * 90 + "x\n", "", size),
    "only line breaks": lambda size: filled("---\n", "\n", "---\n", size),
    "only carriage returns": lambda size: filled("---\r", "\r", "---\r", size),
    "only comments": _asking("", "# x\n"),
    "line breaks of YAML 1.1": _asking("description: '", "\u2028", "'\n"),
    "one byte too many": lambda size: filled("---\n" + _ASKED + "---\n", "x", "", size + 1),
    # -- keys and values
    "unknown fields": _asking("", lambda n: f"k{n}: 1\n"),
    "unknown fields of one letter": _asking("", lambda n: f"{chr(0x4E00 + n)}:\n"),
    "unknown fields in a flow": lambda size: filled("---\n{", lambda n: f"{n},", "}\n---\n", size),
    "nearly a field": _asking("", lambda n: f"descriptio{n}: 1\n"),
    "nearly a field, long": _asking("", lambda n: f"{'description' * 80}{n}: 1\n"),
    "a key as long as may be": _asking("? '", "x", "'\n: 1\n"),
    "a key of an argument as long as may be": _calling("{? '", "x", "' : '${HOME}'}"),
    "long keys": _asking("", lambda n: f"{'k' * 1_000}{n}: 1\n"),
    "one key again and again": _asking("", "to: a\n"),
    "merge keys": _asking("", "<<: {a: 1}\n"),
    "lists for keys": _asking("", "? [a]\n: b\n"),
    "nothings for keys": _asking("", "? \n"),
    "a list of letters": _asking("description: [", "a,", "]\n"),
    "an open list": _asking("description: ", "[", "\n"),
    "an open mapping": _asking("description: ", "{a: ", "\n"),
    "a ladder of lists": _asking("description:\n", lambda n: " " * (n + 1) + "-\n"),
    "lists as deep as may be": _calling("{a: [", "[" * 60 + "]" * 60 + ",", "]}"),
    "mappings as deep as may be": _calling("{a: [", "{a: " * 60 + "}" * 60 + ",", "]}"),
    "anchors": _asking("description:\n", "- &a\n"),
    "anchors and aliases": _asking("description:\n- &a b\n", "- *a\n"),
    "an expansion": _asking("description:\n", lambda n: f"- &a{n} [*a{n - 1}, *a{n - 1}]\n"),
    "tags": _asking("description: [", "!a ,", "]\n"),
    "long numbers": _calling("{a: [", lambda n: f"{'9' * 990}{n % 10},", "]}"),
    "numbers too long": _calling("{a: [", lambda n: f"{'9' * 1_001},", "]}"),
    "one number of many digits": _asking("description: ", "9"),
    "hexadecimal numbers": _calling("{a: [", f"0x{'f' * 990},", "]}"),
    "short numbers": _calling("{a: [", "1,", "]}"),
    "no numbers": _calling("{a: [", ".inf,", "]}"),
    "escapes": _asking('description: "', "\\u0041", '"\n'),
    "escapes of what cannot be kept": _asking("description:\n", '- "\\ud800"\n'),
    "quotes": _asking("description: '", "''", "'\n"),
    "a text never closed": _asking("description: '", "a\n\n", ""),
    "a text of many lines": _asking("description:\n", " a\n"),
    "a block that is folded": _asking("description: >\n", " a\n\n"),
    "faults below a long key": _asking(f"? {'k' * 20_000}\n: [", "&a b,", "]\n"),
    "faults below a long argument": _calling(f"{{? {'k' * 20_000} : [", "'${A}',", "]}"),
    "faults below long keys": _asking(
        "z: " + "".join(f"{{{'k' * 900}{n}: " for n in range(30)) + "[", "!a ,", "]" + "}" * 30 + "\n"
    ),
    "templates below a long argument": _calling(f"{{? {'k' * 20_000} : [", "'{{ x }}',", "]}"),
    # -- fields
    "a long description": _asking("description: ", "x"),
    "a long duration": _lasting("P", "9", "D"),
    "a duration of many parts": _lasting("PT", "1H", ""),
    "a long fraction": _lasting("PT1.", "0", "S"),
    "a long server": lambda size: filled("---\noutput: {schema: {}}\ncall: {tool: a, server: ", "a", "}\n---\n", size),
    "a long tool": lambda size: filled("---\noutput: {schema: {}}\ncall: {server: a, tool: '", "a/", "'}\n---\n", size),
    "a long pointer": lambda size: filled(
        "---\noutput: {schema: {}}\ncall: {server: a, tool: a, read: ", "/a", "}\n---\n", size
    ),
    "nearly a long pointer": lambda size: filled(
        "---\noutput: {schema: {}}\ncall: {server: a, tool: a, read: '", "/~0", "~'}\n---\n", size
    ),
    "unknown fields of a call": lambda size: filled(
        "---\noutput: {schema: {}}\ncall: {", lambda n: f"toal{n}: 1,", "}\n---\n", size
    ),
    "unknown fields of a reading": _asking(
        f"{_ANSWER}{_SENT}replies: {{read: {{each: {{", lambda n: f"id{n}: 1,", "}}}\n"
    ),
    "fields of all shapes": _asking("", lambda n: f"call: {n}\ndeliver: {n}\nreplies: {n}\nfrom: 1\nreply: 1\n"),
    # -- schemas
    "properties": _schema("{'properties':{", lambda n: f"'p{n}':{{'type':'string'}},", "}}"),
    "properties of no type": _schema("{'properties':{", lambda n: f"'p{n}':{{'type':'strin'}},", "}}"),
    "properties of many types": _schema("{'properties':{", lambda n: f"'{n}':{{'type':[1,2,3,4]}},", "}}"),
    "properties that are none": _schema("{'properties':{", lambda n: f"'p{n}':1,", "}}"),
    "properties below a long one": _schema(
        f"{{'properties':{{? '{'k' * 20_000}' : {{'properties':{{", "'':{},", "}}}}"
    ),
    "bad ones below a long one": _schema(
        f"{{'properties':{{? '{'k' * 20_000}' : {{'properties':{{", lambda n: f"'{n}':1,", "}}}}"
    ),
    "bad ones far below": _schema(_FAR + "{'anyOf':[", "1,", "]}" + "}}" * 24),
    "bad types far below": _schema(_FAR + "{'anyOf':[", "{'type':1},", "]}" + "}}" * 24),
    "required numbers far below": _schema(_FAR + "{'required':[", "1,", "]}" + "}}" * 24),
    "references to nothing far below": _schema(_FAR + "{'anyOf':[", "{'$ref':'a'},", "]}" + "}}" * 24),
    "properties far below": _schema(_FAR + "{'properties':{", lambda n: f"'{n}':{{}},", "}}" + "}}" * 24),
    "definitions": _schema("{'$defs':{", lambda n: f"'{n}':{{}},", "}}"),
    "definitions in a chain": _schema("{'$defs':{", lambda n: f"'{n}':{{'$ref':'#/$defs/{n + 1}'}},", "}}"),
    "definitions that double": _schema(
        "{'$defs':{", lambda n: f"'{n}':{{'allOf':[{{'$ref':'#/$defs/{n + 1}'}},{{'$ref':'#/$defs/{n + 1}'}}]}},", "}}"
    ),
    "references to nothing": _schema("{'anyOf':[", lambda n: f"{{'$ref':'https://example.com/{n}'}},", "]}"),
    "references to all of it": _schema("{'anyOf':[", "{'$ref':'#'},", "]}"),
    "references to one": _schema("{'$defs':{'a':{}},'properties':{", lambda n: f"'{n}':{{'$ref':'#/$defs/a'}},", "}}"),
    "long references": _schema("{'anyOf':[", f"{{'$ref':'#/{'a' * 900}'}},", "]}"),
    "an enum": _schema("{'enum':[", lambda n: f"{n},", "]}"),
    "an enum of a thousand": _schema("{'enum':[", f"'{'x' * 63}',", "]}"),
    "an enum of lists": _schema("{'enum':[", "[[[[[[1],2],3],4],5],6],", "]}"),
    "many enums": _schema("{'properties':{", lambda n: f"'{n}':{{'enum':['a','A']}},", "}}"),
    "required names": _schema("{'required':[", lambda n: f"'{n}',", "]}"),
    "required names that are not taken": _schema(
        "{'type':'object','additionalProperties':false,'required':[", lambda n: f"'r{n}',", "]}"
    ),
    "required names against patterns": _schema(
        "{'type':'object','additionalProperties':false,'patternProperties':{"
        + "".join(f"'^(a|b)*{number}$':{{}}," for number in range(64))
        + "},'required':[",
        lambda n: f"'{'ab' * 50}{n}',",
        "]}",
    ),
    "one required name": _schema("{'required':[", "'r',", "]}"),
    "required numbers": _schema("{'required':[", "1,", "]}"),
    "types": _schema("{'type':[", "'string',", "]}"),
    "all of": _schema("{'allOf':[", "{},", "]}"),
    "all of what is none": _schema("{'allOf':[", "1,", "]}"),
    "any of what is none": _schema("{'anyOf':[", "[],", "]}"),
    "one of, nested": _schema("{'oneOf':[", "{'oneOf':[{'oneOf':[{'type':'a'}]}]},", "]}"),
    "items in items": _schema("{'properties':{", lambda n: f"'{n}':{_ITEMS}{{}}{_ENDS},", "}}"),
    "nothing in items": _schema("{'properties':{", lambda n: f"'{n}':{_NOTS}1{_ENDS},", "}}"),
    "patterns": _schema("{'properties':{", lambda n: f"'{n}':{{'pattern':'(a+)+$'}},", "}}"),
    "64 dear patterns": lambda size: _schema("{'patternProperties':{", _dear_pattern, "}}")(min(size, 28_000)),
    "64 patterns too dear": lambda size: _schema("{'properties':{", _too_dear_pattern, "}}")(min(size, 5_000)),
    "bad patterns": _schema("{'properties':{", lambda n: f"'{n}':{{'pattern':'('}},", "}}"),
    "long patterns": _schema("{'properties':{", lambda n: f"'{n}':{{'pattern':'{'(a|b)' * 100}'}},", "}}"),
    "keywords of no use": _schema("{", lambda n: f"'{n}':1,", "}"),
    "keywords of older drafts": _schema("{'anyOf':[", "{'unevaluatedItems':{},'$recursiveRef':'#'},", "]}"),
    "ids": _schema("{'anyOf':[", "{'$id':'a','$schema':'b'},", "]}"),
    "a constant of many members": _schema("{'const':{", lambda n: f"'{n}':[],", "}}"),
    "an input of many members": lambda size: _schema(
        "{'additionalProperties':false,'properties':{", lambda n: f"'{n}':{{}},", "}}"
    )(size).replace("output:", "input:"),
    "anchors of a schema": _schema("{'anyOf':[", lambda n: f"{{'$anchor':'a{n}','$dynamicRef':'#a{n}'}},", "]}"),
    # -- reply rules
    "properties of a rule": _rule("{", lambda n: f"p{n}: word,", "}"),
    "words": _rule("{v: {from: word, words: {yes: [", lambda n: f"w{n},", "]}}}"),
    "values with words": _rule("{v: {from: word, words: {", lambda n: f"v{n}: [a],", "}}}"),
    "words that are long": _rule("{v: {from: word, words: {yes: [", "\ufdfa" * 300 + ",", "]}}}"),
    "keys of a part": _rule("{v: {", lambda n: f"word{n}: [a],", "}}"),
    "an enum for words": lambda size: filled(
        f"---\n{_ASKED}output: {{schema: {{type: object, required: [v], properties: {{v: {{type: string, enum: [",
        lambda n: f"'{n}\ufdfa\ufe0f...',",
        "]}}}}\n---\nWell?\n",
        min(size, 20_000),
    ),
    "an enum of what reads alike": lambda size: filled(
        f"---\n{_ASKED}output: {{schema: {{type: object, properties: {{v: {{type: string, enum: [",
        lambda n: f"'a{'.' * n}',",
        "]}}}}\nreply: {v: word}\n---\nWell?\n",
        min(size, 40_000),
    ),
    # -- templates, as they are checked
    "a message of words": lambda size: filled(f"---\n{_ASKED}---\n", "word ", "", size),
    "a message of lines": _message("", "\n", "x"),
    "texts of templates": _message("", "{{'x'}}"),
    "names of templates": _message("", "{{ today }}\n"),
    "unknown names": _message("", lambda n: f"{{{{ a{n} }}}}\n"),
    "unknown filters": _message("", lambda n: f"{{{{ now | f{n} }}}}\n"),
    "unknown tags": _message("", "{%x%}\n"),
    "nothing in braces": _message("", "{{}}\n"),
    "misread statements": _message("", "{{ 1 | }}\n"),
    "misread statements of a liquid tag": _message("{% liquid\n", "echo |\n", "%}"),
    "ends of nothing": _message("", "{%endif%}"),
    "blocks never closed": _message("", "{%if a%}"),
    "blocks in blocks": lambda size: f"---\n{_ASKED}---\n{'{%if 1%}' * 1_800}{'{%endif%}' * 1_800}",
    "branches": _message("{%if 1%}", "{%elsif 1%}", "{%endif%}"),
    "cases": _message("{%case 1%}", "{%when 1%}", "{%endcase%}"),
    "opening braces": _message("", "{"),
    "opening statements": _message("", "{{ "),
    "opening statements with ends": _message("", "{{%}"),
    "opening tags": _message("", "{%"),
    "raw, never ended": _message("", "{%raw%}"),
    "comments": _message("", "{%comment%}"),
    "remarks": _message("{%", "# a\n", "%}"),
    "blanks": _message("{{ now", " " * 199 + "|upcase", "}}"),
    "blanks around dots": _message("", lambda n: f"{{{{ input{' ' * 90}.{' ' * 90}if }}}}"),
    "blanks in a text": _message("", "{{ now }}" + " " * 5_000),
    "quotes in a statement": _message("{{ ", "'\"' ", "}}"),
    "filters in a row": _message("{{ now", "|upcase", "}}"),
    "arguments of a filter": _message("{{ now | append: ", "'a',", "1 }}"),
    "dots": _message("{{ input", ".a", " }}"),
    "brackets": _message("", "{{ input" + "[0]" * 49 + " }}"),
    "brackets in brackets": _message("", "{{ input" + "[a" * 49 + "]" * 49 + " }}"),
    "operators": _message("", "{% if 1" + " and 1" * 49 + " %}{% endif %}"),
    "cycles": _message("{% cycle 1", ", 1", " %}"),
    "members that are not": _asking(
        "input: {schema: {additionalProperties: false}}\n---\n", lambda n: f"{{{{ input.a{n} }}}}\n", ""
    ),
    # -- templates, as they are tried
    "loops in the message": _message("", _LOOP),
    "loops in all three": lambda size: (
        f"---\nto: '{_LOOP * 50}'\nfrom: '{_LOOP * 50}'\nexpires: P2D\n---\n{_LOOP * 50}"
    ),
    "slow loops in all three": lambda size: (
        f"---\nto: {_quoted(_SLOW * 50)}\nfrom: {_quoted(_SLOW * 50)}\nexpires: P2D\n---\n{_SLOW * 50}"
    ),
    "loops in loops": _message("", "{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}"),
    "texts that double": _message("{% assign x = 'xx' %}", "{% assign x = x | append: x %}", "{{ x | size }}"),
    "numbers that square": _message("{% assign x = 9 %}", "{% assign x = x | times: x %}", "{{ x }}"),
    "letters sorted": lambda size: (
        f"---\n{_ASKED}---\n{{% assign x = '{'x' * 30_000}' | split: '' %}}" + "{{ x | sort | uniq | size }}" * 30
    ),
    "words cut": lambda size: (
        f"---\n{_ASKED}---\n{{% assign x = '{'a ' * 15_000}' %}}"
        + "{{ x | squish | truncatewords: 9999 | slugify | size }}" * 30
    ),
    # -- arguments
    "arguments": _calling("{", lambda n: f"a{n}: b,", "}"),
    "arguments that are templates": _calling("{", lambda n: f"a{n}: '{{{{ input.a }}}}',", "}"),
    "templates in a list": _calling("{a: [", "'{{now}}',", "]}"),
    "texts in a list": _calling("{a: [", "a,", "]}"),
    "empty texts in a list": _calling("{a: [", "'',", "]}"),
    "unknown names in arguments": _calling("{a: [", "'{{x}}',", "]}"),
    "misread arguments": _calling("{a: [", "'{{',", "]}"),
    "variables of an environment": _calling("{a: [", "'${',", "]}"),
    "structures among the text of arguments": _reading("{a: [", "'{{sent}}.',", "]}"),
    "arguments as deep as may be": _calling("{a: [", "[" * 60 + "'{{ now }}'" + "]" * 60 + ",", "]}"),
    "arguments that loop": _calling("{a: [", f"'{_LOOP}',", "]}"),
    "arguments that are slow": _calling("{a: [", f"{_quoted(_SLOW)},", "]}"),
    "readings that loop": _reading("{a: [", f"'{_LOOP}',", "]}"),
    "readings that are slow": _reading("{a: [", f"{_quoted(_SLOW)},", "]}"),
    "readings of whole values": _reading("{a: [", "'{{sent}}',", "]}"),
    "readings of large texts": _reading("{a: [", '"{% for i in (1..700) %}0123456789{% endfor %}",', "]}"),
    "tellings that loop": _telling("{a: [", f"'{_LOOP}',", "]}"),
    "tellings that are slow": _telling("{a: [", f"{_quoted(_SLOW)},", "]}"),
    "a conversation that is slow": _asking(
        f"{_ANSWER}{_SENT}replies: {{{_READ}, with: {{}}, conversation: {_quoted(_SLOW * 50)}}}\n", "# x\n"
    ),
    "delivery arguments that loop": _asking(
        f"{_ANSWER}deliver: {{server: a, tool: b, with: {{a: [", f"'{_LOOP}',", "]}}\n"
    ),
    "answer schemas among arguments": _asking(
        f"output: {{schema: {{description: '{'x' * 15_000}'}}}}\ndeliver: {{server: a, tool: b, with: {{a: [",
        "'{{answer_schema}}',",
        "]}}\n",
    ),
}


def _dear_pattern(number: int) -> str:
    """One of those that take most to compile; sixty-four of them are as many as a schema may have."""
    return f"'{number}{'(?i)[äöü]{1,20}|' * 20}x':{{}},"


def _too_dear_pattern(number: int) -> str:
    """One that is refused for what it would take, and not at once."""
    return f"'{number}':{{'pattern':'(?:(?:a{{1,50}}b){{1,50}}c){{1,50}}'}},"


def documents(size: int = DOCUMENT) -> Iterator[tuple[str, str]]:
    """Each with its name, of at most this size, give or take what it cannot be without."""
    return ((name, make(size)) for name, make in WORST.items())
