"""Changing the text of a document: its characters, its lines, its YAML, and how long it is."""

from collections.abc import Callable
from random import Random

from tests.fuzz import documents, texts

_ALIKE = {
    ":": "\uff1a",
    "'": "\u2019",
    '"': "\u201d",
    "-": "\u2013",
    "{": "\uff5b",
    "}": "\uff5d",
    " ": "\u00a0",
    "#": "\uff03",
    "o": "\u043e",
    "e": "\u0435",
    "a": "\u0430",
    "p": "\u0440",
    "i": "\u0456",
    "\n": "\u2028",
    "/": "\u2044",
    "|": "\u01c0",
}
_PIECES = (
    *(
        "&a ",
        "*a",
        "!x ",
        "!!str ",
        "!!python/name:os.system ",
        "!<tag:x> ",
        "<<: ",
        "? ",
        ": ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ",",
    ),
    *(
        "|",
        ">",
        "|2",
        "|9",
        ">-+",
        "|+1x",
        "%YAML 1.1\n",
        "%TAG ! x\n",
        "---",
        "\n---\n",
        "\n...\n",
        "#",
        " #",
        "@",
        "`",
        "\t",
    ),
    *(
        "\n\t",
        "\n  \t- a",
        "'",
        '"',
        "''",
        "\\",
        '"\\x',
        '"\\ud800"',
        '"\\0"',
        ".inf",
        "1e999",
        "0o7",
        "0x" + "f" * 2_000,
    ),
    *(
        "9" * 1_001,
        "\0",
        "\x01",
        "\x7f",
        "\x85",
        "\u2028",
        "\ufeff",
        "\ud800",
        "\ufffe",
        "\r",
        "\r\n\r",
        "\n\n\n",
        "{{",
        "}}",
        "{%",
    ),
)
_LINES = (
    *(
        "to: again",
        "expires: P1D",
        "? [a, b]\n: c",
        "? {a: b}",
        "<<: *x",
        "<<: {to: a}",
        "a: &x 1\nb: *x",
        "a: *x",
        "- a",
    ),
    *(
        "x: |3\n   a\n  b",
        "x: >\n\n a",
        "x: |\n\ta",
        "\tx: 1",
        " x: 1",
        "x: 'a",
        'x: "a',
        "x: [a, b",
        "x: {a: b",
        "x: a: b",
        "x",
    ),
    *(
        ": a",
        "'': a",
        "? ",
        "?",
        "x: !!set {a, b}",
        "x: !!binary aGk=",
        "x: [[[[[[]]]]]]",
        "x: {{ to }}",
        "x: @a",
        "x: %a",
        "x: `a",
    ),
    *(
        "...",
        "--- ",
        "---",
        "--- # closed",
        "----",
        "\u2014",
        "1: a",
        "1.0: a",
        "null: a",
        "true: a",
        "2026-10-01: a",
        "x: 'a''b'",
    ),
    *(
        "input: {schema: &a {items: *a}}",
        "output:",
        "call:",
        "deliver: ~",
        "replies: []",
        "from: ''",
        "reply: word",
        "with: {a: 1}",
    ),
    *(
        "# " + "x" * 2_000,
        "x: " + "[" * 500,
        "x: " + "{a: " * 80,
        "x:\n" + "\n".join(" " * n + "- a:" for n in range(1, 90)),
    ),
)


def mutated(chance: Random, text: str) -> str:
    """The text after one to four changes; mostly near enough to a document for all of the reading to see it."""
    for _ in range(chance.choice((1, 1, 2, 3, 4))):
        text = chance.choice(_KINDS)(chance, text)
    return text


def _piece(chance: Random, text: str) -> str:
    at = _spot(chance, text)
    return text[:at] + chance.choice(_PIECES) + text[at + chance.choice((0, 0, 1, 3)) :]


def _spot(chance: Random, text: str) -> int:
    """A place in the text, often where YAML means something."""
    if chance.random() < 0.5:
        marks = [at + 1 for at, character in enumerate(text[:4_000]) if character in ":\n'\"{[-,"]
        if marks:
            return chance.choice(marks)
    return chance.randint(0, len(text))


def _alike(chance: Random, text: str) -> str:
    found = [at for at, character in enumerate(text[:4_000]) if character in _ALIKE]
    if not found:
        return text
    at = chance.choice(found)
    return text[:at] + _ALIKE[text[at]] + text[at + 1 :]


def _character(chance: Random, text: str) -> str:
    at = chance.randint(0, max(0, len(text) - 1))
    return (
        text[:at]
        + chr(chance.choice((chance.randrange(32, 127), chance.randrange(0x300), chance.randrange(0x110000))))
        + text[at + 1 :]
    )


def _bytes(chance: Random, text: str) -> str:
    """A bit or a byte of its UTF-8 turned; what is then no character is replaced, or comes through as half of one."""
    raw = bytearray(text.encode(errors="surrogatepass") or b"-")
    for _ in range(chance.choice((1, 1, 5))):
        raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    return raw.decode(errors=chance.choice(("replace", "surrogateescape")))


def _line(chance: Random, text: str) -> str:
    lines = text.split("\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randint(0, 6):
        case 0:
            del lines[at]
        case 1:
            lines[at], lines[other] = lines[other], lines[at]
        case 2:
            lines.insert(other, lines[at])
        case 3:
            lines[at] = chance.choice((" ", "  ", "\t", "- ", "# ", "? ")) + lines[at]
        case 4:
            lines[at] = lines[at][chance.randint(1, 3) :]
        case 5:
            lines[at:other] = lines[at:other] * 2
        case _:
            lines.insert(at, chance.choice(_LINES))
    return "\n".join(lines)


def _values_gone(chance: Random, text: str) -> str:
    """A line whose value, or whose quotes, were forgotten."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    lines[at] = chance.choice(
        (lines[at].partition(":")[0] + ":", lines[at].replace("'", ""), lines[at].replace(": ", ":"))
    )
    return "\n".join(lines)


def _ended_otherwise(chance: Random, text: str) -> str:
    return text.replace("\n", chance.choice(("\r\n", "\r", "\n\n", "\x85", "\u2028", " \n", "\t\n")))


def _cut(chance: Random, text: str) -> str:
    return text[: chance.randint(0, len(text))]


def _repeated(chance: Random, text: str) -> str:
    """A part of the text so often that it fills a document, or passes it by a little."""
    at = chance.randint(0, len(text))
    part = text[at : at + chance.choice((1, 2, 10, 200))] or "a"
    room = chance.choice((2_000, 8_192, 65_536, 65_537)) - len(text.encode(errors="surrogatepass"))
    times = max(1, room // len(part.encode(errors="surrogatepass")))
    return text[:at] + part * times + text[at:]


_KINDS: tuple[Callable[[Random, str], str], ...] = (
    *(
        _piece,
        _piece,
        _piece,
        _piece,
        _alike,
        _alike,
        _character,
        _character,
        _bytes,
        _bytes,
        _line,
        _line,
        _line,
        _line,
    ),
    *(
        _line,
        _line,
        _values_gone,
        _values_gone,
        _ended_otherwise,
        _cut,
        documents.spoilt,
        documents.spoilt,
        texts.spoilt,
    ),
    *(_piece, _line, _line, _repeated),
)
