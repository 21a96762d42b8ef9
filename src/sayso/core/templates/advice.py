"""Advice: what to write in a template in place of what other languages write, by which most mistakes are made."""

import re
from typing import NamedTuple

_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_CONDITIONS = frozenset({"if", "elsif", "unless"})
_ANY_TAG = _CONDITIONS | {"", "assign", "for", "echo", "case", "when"}

_CHOOSE = "To choose between two, write {% if input.a %}…{% else %}…{% endif %}."
_DEFAULT = "For a value where one is empty, write {{ input.a | default: input.b }}."
_NO_INCLUDE = "A template takes in no other: write the text out here."
_QUOTE = (
    "A quote opens here that is not closed. A text with a quote in it has the other kind around it; braces that stand "
    "for themselves go between {% raw %} and {% endraw %}."
)
_COLON = "What a filter takes stands after a colon, as in | truncate: 10."


class _Habit(NamedTuple):
    """How a habit of another language looks in code without its quoted texts, in which tags, and what to write."""

    looks: re.Pattern[str]
    tags: frozenset[str]
    advice: str


# In order: the first that is found is told of.
_HABITS = tuple(
    _Habit(re.compile(looks), frozenset(tags), advice)
    for looks, tags, advice in (
        (r"(?<!')(?:'')*'(?!')|\"", _ANY_TAG, _QUOTE),  # of quoted texts there are only pairs of single quotes left
        ("[\u2018-\u201f]", _ANY_TAG, "Write straight quotes in a template, ' or \", and no curly ones."),
        (r"^-?\s*\{", {""}, "Write two braces and no more, as in {{ input.name }}."),
        (r"\?|\bif\b", {"", "echo", "assign"}, _CHOOSE),
        (r"\|\||\bor\b", {"", "echo", "assign"}, _DEFAULT),
        (r"\|\|", _CONDITIONS, "Write or between two conditions."),
        (r"&&", _CONDITIONS, "Write and between two conditions."),
        (r"!(?!=)|\bnot\b", _CONDITIONS, "For what is not so, write {% unless input.a %}…{% endunless %}."),
        (r"(?<![=!<>])=(?!=)", _CONDITIONS, "Two values are compared with ==."),
        (r"===|!==", _CONDITIONS, "Two values are compared with == or !=."),
        (r"^[^=]*$", {"assign"}, "Write {% assign name = input.a %}."),
        (r"^(?!.*\bin\b)", {"for"}, "Write {% for item in input.list %}…{% endfor %}."),
        (r"\|\s*\w+\s*[('\"]|\|\s*\w+\s+\w", _ANY_TAG, _COLON),
        (r"\w\s*\(", _ANY_TAG, "Nothing is called with brackets: write a filter, as in {{ input.name | upcase }}."),
        (r"\+", _ANY_TAG, "Texts stand side by side, {{ input.a }}{{ input.b }}, and numbers take | plus: 1."),
        (r"\w\s+\w", {""}, "A name with a blank in it is written as in {{ input['first name'] }}."),
    )
)

_TAGS = {
    **dict.fromkeys(("elif", "elseif"), "Write elsif."),
    **dict.fromkeys(("include", "render", "import", "extends", "partial", "layout"), _NO_INCLUDE),
    **dict.fromkeys(("set", "let", "var", "capture"), "Write {% assign name = input.a %}."),
    **dict.fromkeys(("foreach", "each"), "Write {% for item in input.list %}…{% endfor %}."),
    **dict.fromkeys(("end", "fi", "done"), "Write the end of the block by its name, as in endif or endfor."),
    "switch": "Write case.",
}

_FILTERS = {
    **dict.fromkeys(("upper", "uppercase"), "upcase"),
    **dict.fromkeys(("lower", "lowercase"), "downcase"),
    **dict.fromkeys(("length", "len", "count"), "size"),
    **dict.fromkeys(("tojson", "to_json", "dump", "inspect", "stringify", "jsonify"), "json"),
    **dict.fromkeys(("int", "to_int", "to_number", "number"), "to_integer"),
    **dict.fromkeys(("substring", "substr"), "slice"),
    "trim": "strip",
    "title": "capitalize",
    "nl2br": "newline_to_br",
    "e": "escape",
}
_NAMES = {
    **dict.fromkeys(("env", "secrets", "vars", "config"), "Nothing is filled in from the environment."),
    **dict.fromkeys(("answer", "reply", "output"), "The answer is not there yet when this is written."),
}
_DATES = frozenset(
    ("date", "date_to_string", "datetime", "format_date", "strftime", "time", "time_ago", "timestamp", "to_date")
)
_AMOUNTS = frozenset(
    ("currency", "format", "format_number", "money", "number_format", "number_to_currency", "number_with_delimiter")
)


def of_expression(tag: str, code: str) -> str | None:
    """What to write where the engine cannot read an expression; None where it follows no known habit."""
    bare = _QUOTED.sub("''", code)
    return next((one.advice for one in _HABITS if tag in one.tags and one.looks.search(bare)), None)


def of_tag(tag: str) -> str | None:
    """What to write in place of a tag that is not there."""
    return _TAGS.get(tag)


def of_filter(name: str) -> str | None:
    """What to write in place of a filter that is not there."""
    if name in _DATES:
        return "Dates are texts such as 2026-10-01, as today is: give the input one that is written as you want it."
    if name in _AMOUNTS:
        return "Give the input the text that is to be read, or write {{ '$' }}{{ input.amount }}."
    return f"Write {_FILTERS[name]}." if name in _FILTERS else None


def of_name(name: str) -> str | None:
    """What is to be known of a name that no template reads."""
    return _NAMES.get(name)
