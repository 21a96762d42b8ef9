"""YAML as people and programs write it: one value in many styles, each of which reads as that value."""

import json
import re
from collections.abc import Iterator, Sequence
from random import Random

from sayso.core.document import scalars
from sayso.core.values import Json

# What may stand unquoted wherever a value may, within brackets too.
_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9_/.-]*(?: [A-Za-z0-9_/.-]+)*")
_LONGEST_PLAIN_KEY = 200
# Lines are indented no further: thousands of them would be blanks for the most part.
_FURTHEST = 60
_LONGEST_BLOCK = 5_000
_SHORT = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\x1b": "\\e", "\0": "\\0", "\x85": "\\N"}


def written(chance: Random, members: dict[str, Json]) -> str:
    """The members as the lines of a block, in whatever styles."""
    return "".join(_members(chance, members, 0))


def flow(chance: Random, value: Json) -> str:
    """The value between brackets, or as a scalar, without a line break."""
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(chance, name)}: {flow(chance, member)}" for name, member in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(flow(chance, item) for item in value)}]"
    return _quoted(chance, value) if isinstance(value, str) else _literal(chance, value, ("null", "~", "NULL"))


def quoted(text: str, *, ascii_only: bool = False) -> str:
    """A text in double quotes, with escapes for what could not stand as it is."""
    return '"' + "".join(_escaped(character, ascii_only) for character in text) + '"'


def _escaped(character: str, ascii_only: bool) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if character.isprintable() and not (ascii_only and character > "~"):
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _members(chance: Random, members: dict[str, Json], indent: int) -> Iterator[str]:
    for name, value in members.items():
        key = _key(chance, name)
        is_explicit = len(key) > _LONGEST_PLAIN_KEY or chance.random() < 0.02
        node = _node(chance, value, indent, (" ", "  ") if is_explicit else (" ", " ", " ", "  ", "\t"))
        margin = " " * indent
        yield f"{margin}? {key}\n{margin}:{node}" if is_explicit else f"{margin}{key}:{node}"
        if chance.random() < 0.03 and not node.endswith("\n\n"):  # a text may keep the blank lines at its end
            yield chance.choice(("\n", "# a remark: {{ as it is }}\n", f"{margin}# 'another\n"))


def _node(chance: Random, value: Json, indent: int, blanks: Sequence[str]) -> str:
    """What follows a key and its colon, or the dash of an item, with the break at its end."""
    within = indent + chance.choice((1, 2, 2, 2, 3, 4))
    if indent > _FURTHEST:
        return f" {flow(chance, value)}\n"
    if isinstance(value, dict) and value and chance.random() < 0.7:
        return "\n" + "".join(_members(chance, value, within))
    if isinstance(value, list) and value and chance.random() < 0.6:
        return "\n" + "".join(f"{' ' * within}-{_node(chance, item, within, (' ', '  '))}" for item in value)
    if isinstance(value, str) and chance.random() < 0.3 and _stands_in_block(value):
        return _block(chance, value, indent)
    text = flow(chance, value) if value is not None else _literal(chance, value, ("null", "~", "NULL", ""))
    return f"{chance.choice(blanks) if text else ''}{text}{chance.choice(('', '', '', '', '', ' ', ' # it is so'))}\n"


def _literal(chance: Random, value: Json, nothings: tuple[str, ...]) -> str:
    if value is None:
        return chance.choice(nothings)
    if isinstance(value, bool):
        return chance.choice((str(value), str(value).lower(), str(value).upper()))
    return json.dumps(value)


def _key(chance: Random, name: str) -> str:
    if _PLAIN.fullmatch(name) and chance.random() < 0.9:
        return name
    return _quoted(chance, name)


def _quoted(chance: Random, text: str) -> str:
    pick = chance.random()
    if pick < 0.4 and _PLAIN.fullmatch(text) and scalars.resolve(text) == text:
        return text
    if pick < 0.7 and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return quoted(text, ascii_only=pick > 0.9)


def _stands_in_block(text: str) -> bool:
    return bool(text.strip()) and len(text) < _LONGEST_BLOCK and all(line.isprintable() for line in text.split("\n"))


def _block(chance: Random, text: str, indent: int) -> str:
    """A text as lines of its own, kept as they are; folded only where it is one line, which folding leaves alone."""
    content = text.rstrip("\n")
    ends = len(text) - len(content)
    style = ">" if "\n" not in content and chance.random() < 0.4 else "|"
    step = 2 if text[0] in " \n" else chance.choice((1, 2, 4))
    indicator = str(step) if text[0] in " \n" or chance.random() < 0.1 else ""
    chomping = "-" if ends == 0 else "" if ends == 1 else "+"
    lines = [f"{' ' * (indent + step)}{line}" if line else "" for line in content.split("\n")]
    return f" {style}{indicator}{chomping}\n" + "\n".join(lines) + "\n" * max(1, ends)
