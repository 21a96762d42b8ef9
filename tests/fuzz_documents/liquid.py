"""Templates made of every tag and filter, over the names that a place has."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Literal

Kind = Literal["text", "number", "list", "any"]

# The arguments of each filter as they may be written, with the kind of value that it makes.
FILTERS: dict[str, tuple[Kind, tuple[str, ...]]] = {
    "abs": ("number", ("",)),
    "append": ("text", (": 'x'", ": {text}", ": '\u00e9\U0001f600'")),
    "array_to_sentence_string": ("text", ("", ": 'or'")),
    "at_least": ("number", (": 3", ": {number}")),
    "at_most": ("number", (": 3.5",)),
    "base64_decode": ("text", ("",)),
    "base64_encode": ("text", ("",)),
    "capitalize": ("text", ("",)),
    "ceil": ("number", ("",)),
    "compact": ("list", ("",)),
    "concat": ("list", (": {list}",)),
    "default": ("any", (": 'none'", ": 0", ": {text}", ": false, allow_false: true")),
    "divided_by": ("number", (": 2", ": 0.5", ": {number}")),
    "downcase": ("text", ("",)),
    "escape": ("text", ("",)),
    "escape_once": ("text", ("",)),
    "find": ("any", (": 'name', 'a'", ": 'name'")),
    "find_index": ("any", (": 'name', 'a'",)),
    "first": ("any", ("",)),
    "floor": ("number", ("",)),
    "group_by": ("list", (": 'name'",)),
    "has": ("any", (": 'name', 'a'",)),
    "join": ("text", ("", ": ', '", ": {text}")),
    "json": ("text", ("",)),
    "last": ("any", ("",)),
    "lstrip": ("text", ("",)),
    "map": ("list", (": 'name'",)),
    "minus": ("number", (": 1", ": {number}")),
    "modulo": ("number", (": 7",)),
    "newline_to_br": ("text", ("",)),
    "normalize_whitespace": ("text", ("",)),
    "number_of_words": ("number", ("",)),
    "plus": ("number", (": 1", ": {number}")),
    "pop": ("list", ("",)),
    "prepend": ("text", (": '> '", ": {text}")),
    "push": ("list", (": 'x'", ": {text}")),
    "raw": ("any", ("",)),
    "reject": ("list", (": 'name', 'a'", ": 'name'")),
    "remove": ("text", (": 'a'",)),
    "remove_first": ("text", (": 'a'",)),
    "remove_last": ("text", (": 'a'",)),
    "replace": ("text", (": 'a', 'b'", ": ' ', {text}")),
    "replace_first": ("text", (": 'a', 'b'",)),
    "replace_last": ("text", (": 'a', 'b'",)),
    "reverse": ("list", ("",)),
    "round": ("number", ("", ": 2")),
    "rstrip": ("text", ("",)),
    "shift": ("list", ("",)),
    "size": ("number", ("",)),
    "slice": ("any", (": 0", ": 1, 3", ": -2, 2")),
    "slugify": ("text", ("", ": 'latin'", ": 'pretty', true")),
    "sort": ("list", ("", ": 'name'")),
    "sort_natural": ("list", ("", ": 'name'")),
    "split": ("list", (": ','", ": ''")),
    "squish": ("text", ("",)),
    "strip": ("text", ("",)),
    "strip_newlines": ("text", ("",)),
    "sum": ("number", ("", ": 'cost'")),
    "times": ("number", (": 3", ": {number}")),
    "to_integer": ("number", ("",)),
    "truncate": ("text", ("", ": 12", ": 9, '\u2026'")),
    "truncatewords": ("text", ("", ": 3", ": 2, ' and so on'")),
    "uniq": ("list", ("", ": 'name'")),
    "unshift": ("list", (": 'x'",)),
    "upcase": ("text", ("",)),
    "where": ("list", (": 'name', 'a'", ": 'name'")),
    "xml_escape": ("text", ("",)),
}
_OF_LISTS = (
    *(
        "array_to_sentence_string",
        "compact",
        "concat",
        "find",
        "find_index",
        "first",
        "group_by",
        "has",
        "join",
        "last",
    ),
    *("map", "pop", "push", "reject", "reverse", "shift", "sort", "sort_natural", "sum", "uniq", "unshift", "where"),
)
_OF_NUMBERS = (
    *("abs", "at_least", "at_most", "ceil", "divided_by", "floor", "minus", "modulo", "plus", "round", "times"),
    *("default", "json", "size", "append"),
)
_OF_TEXTS = tuple(FILTERS.keys() - {*_OF_LISTS, *_OF_NUMBERS, "to_integer", "base64_decode"} | {"default", "append"})
_FITTING: dict[Kind, tuple[str, ...]] = {
    "list": _OF_LISTS,
    "number": _OF_NUMBERS,
    "text": tuple(sorted(_OF_TEXTS)),
    "any": ("default", "json", "raw", "size"),
}
_ENDS = ("json", "join", "size", "array_to_sentence_string")
_WORDS = (
    "The brief is ready. ",
    "\n\n",
    "Is it right?\n",
    "- ",
    "It costs $",
    "\u00e9\u4e2d\U0001f600 ",
    "100 % {sure} ",
)
_VALUES = ("'a'", '"b c"', "1", "2.5", "true", "nil", "''", "empty", "blank", "-3")
_OPERATORS = ("==", "!=", "<>", "<", ">", "<=", ">=", "contains")


@dataclass
class Names:
    """What a place has to read, as paths by the kind of value that they are hoped to hold."""

    text: tuple[str, ...]
    number: tuple[str, ...] = ()
    list: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    loops: int = field(default=0)

    def one(self, chance: Random, kind: Kind) -> str:
        """A path of the kind, else a literal of it."""
        paths = {"text": self.text, "number": self.number, "list": self.list, "any": self.any or self.text}[kind]
        if paths and chance.random() < 0.8:
            return chance.choice(paths)
        return {"text": "'word'", "number": "7", "list": "(1..3)", "any": "'word'"}[kind]


def text(chance: Random, names: Names, parts: int = 4) -> str:
    """A template among words."""
    return "".join(_part(chance, names, depth=2) for _ in range(chance.randint(1, parts)))


def output(chance: Random, names: Names) -> str:
    """One ``{{ }}``, which hardly ever makes a list."""
    return f"{{{{ {_chain(chance, names)} }}}}"


def _chain(chance: Random, names: Names) -> str:
    kind: Kind = chance.choice(("text", "text", "number", "list", "any"))
    made = names.one(chance, kind)
    for _ in range(chance.choice((0, 0, 1, 1, 2, 3))):
        name = chance.choice(_FITTING[kind] if chance.random() < 0.9 else tuple(FILTERS))
        made += _applied(chance, names, name)
        kind = FILTERS[name][0]
    if kind == "list" or (kind == "any" and names.any):
        made += _applied(chance, names, chance.choice(_ENDS))
    return made


def _applied(chance: Random, names: Names, name: str) -> str:
    arguments = chance.choice(FILTERS[name][1])
    kinds: tuple[Kind, ...] = ("text", "number", "list")
    for kind in kinds:
        arguments = arguments.replace(f"{{{kind}}}", names.one(chance, kind))
    return f" | {name}{arguments}"


def _part(chance: Random, names: Names, depth: int) -> str:
    pick = chance.random()
    if pick < 0.35:
        return chance.choice(_WORDS)
    if pick < 0.7 or depth == 0:
        return output(chance, names)
    return chance.choice(_TAGS)(chance, names, depth - 1)


def _body(chance: Random, names: Names, depth: int) -> str:
    return "".join(_part(chance, names, depth) for _ in range(chance.randint(0, 2)))


def _condition(chance: Random, names: Names) -> str:
    left = names.one(chance, chance.choice(("text", "number", "list", "any")))
    test = left
    if chance.random() < 0.6:
        test = f"{left} {chance.choice(_OPERATORS)} {chance.choice((*_VALUES, names.one(chance, 'text')))}"
    return test if chance.random() < 0.7 else f"{test} {chance.choice(('and', 'or'))} {_condition(chance, names)}"


def _if(chance: Random, names: Names, depth: int) -> str:
    tag = chance.choice(("if", "if", "unless"))
    made = f"{{% {tag} {_condition(chance, names)} %}}{_body(chance, names, depth)}"
    if chance.random() < 0.3:
        made += f"{{% elsif {_condition(chance, names)} -%}}{_body(chance, names, depth)}"
    if chance.random() < 0.4:
        made += f"{{%- else %}}{_body(chance, names, depth)}"
    return f"{made}{{% end{tag} %}}"


def _case(chance: Random, names: Names, depth: int) -> str:
    made = f"{{% case {names.one(chance, 'text')} %}}"
    for _ in range(chance.randint(1, 3)):
        made += f"{{% when {chance.choice(_VALUES)}, {chance.choice(_VALUES)} %}}{_body(chance, names, depth)}"
    return made + chance.choice(("", "{% else %}else")) + "{% endcase %}"


def _for(chance: Random, names: Names, depth: int) -> str:
    over = names.one(chance, "list")
    more = chance.choice(("", "", " limit: 3", " offset: 1", " reversed", " limit: 2 offset: continue"))
    within = Names(("item", *names.text), ("forloop.index", *names.number), names.list, ("item.name", *names.any))
    made = f"{{% for item in {over}{more} %}}{_body(chance, within, depth)}"
    made += chance.choice(
        ("", "", "{% if forloop.last %}{% break %}{% endif %}", "{% continue %}", "{{ forloop.rindex0 }}")
    )
    return made + chance.choice(("", "{% else %}Nothing.")) + "{% endfor %}"


def _tablerow(chance: Random, names: Names, depth: int) -> str:
    more = chance.choice((" cols: 2", " cols:2 limit:3", ""))
    return f"{{% tablerow cell in {names.one(chance, 'list')}{more} %}}{{{{ cell | json }}}}{{% endtablerow %}}"


def _assign(chance: Random, names: Names, depth: int) -> str:
    return f"{{% assign made = {_chain(chance, names)} %}}{{{{ made | json }}}}"


def _liquid(chance: Random, names: Names, depth: int) -> str:
    over, shown = names.one(chance, "list"), names.one(chance, "text")
    lines = ("# in a few lines", f"assign x = {shown}", f"for i in {over}", "  echo i | json", "endfor", "echo x")
    return f"{{% liquid\n{chr(10).join(lines)} %}}"


def _plain(*texts: str) -> Callable[[Random, Names, int], str]:
    return lambda chance, names, depth: chance.choice(texts)


_TAGS: tuple[Callable[[Random, Names, int], str], ...] = (
    *(_if, _if, _case, _for, _for, _tablerow, _assign, _liquid),
    lambda chance, names, depth: f"{{% echo {_chain(chance, names)} %}}",
    _plain("{% cycle 'odd', 'even' %}", "{% cycle 'g': 1, 2, 3 %}"),
    _plain("{% increment count %}", "{% decrement count -%}\n", "{% increment count %}{% increment count %}"),
    _plain("{% raw %}{{ as it is }} {% if %}{% endraw %}", "{%- raw -%}{{{{{% endraw %}"),
    _plain("{% comment %}{{ nothing.of.it }}{% endcomment %}", "{% # a remark %}", "{%- # twice\n # over -%}"),
)
