"""JSON values: plain ones, and those that a reader of JSON, a store or a schema might stumble over."""

from random import Random
from typing import Any

from tests.fuzz import texts
from tests.fuzz.json_text import Verbatim, members, nested

NUMBERS: tuple[str, ...] = (
    *("0", "-0", "-0.0", "0.0", "1", "-1", "1.0", "1e0", "1E+2", "1e-7", "0.1", "1.5", "3.0000000000000001"),
    *("9007199254740991", "9007199254740993", "-9007199254740993", "9223372036854775807", "9223372036854775808"),
    *("18446744073709551616", "1e19", "1e22", "1.7976931348623157e308", "1e309", "1e400", "-1e400", "5e-324", "1e-400"),
    *("9" * 19, "9" * 40, "9" * 309, "9" * 1_000, "9" * 4_300, "9" * 4_301, "-" + "9" * 5_000, "0." + "0" * 500 + "1"),
    *("1" + "0" * 308, "1" + "0" * 309, "1" + "0" * 309 + ".5", "1e99999999999"),
)
NOT_NUMBERS: tuple[str, ...] = (
    *(
        "NaN",
        "Infinity",
        "-Infinity",
        "nan",
        "01",
        "-01",
        "+1",
        ".5",
        "1.",
        "1e",
        "0x10",
        "1_000",
        "\uff11",
        "-",
        "- 1",
    ),
    *("undefined", "None", "True", "'a'", '"', '"\\x41"', '"\\ud83d"', '"\\ude00\\ud83d"', '"\\u0000"', '"\\u00"'),
    *('"a\nb"', '"a\tb"', "[1,]", '{"a":1,}', '{"a"}', "{1:2}", "[1 2]", "//", "/* */ 1", "1 1", "{]", "[}", ""),
)

_LEAVES: tuple[Any, ...] = (None, True, False, 0, 1, -1, 1.5, -0.0, 2**53 + 1, "", "a", "approve", "\u00e9", [], {})


def plain(chance: Random, depth: int = 3) -> Any:
    """A value that every reader of JSON reads alike."""
    if depth == 0 or chance.random() < 0.5:
        return chance.choice(_LEAVES)
    if chance.random() < 0.5:
        return [plain(chance, depth - 1) for _ in range(chance.randint(0, 4))]
    return {f"m{number}": plain(chance, depth - 1) for number in range(chance.randint(0, 4))}


def deep(chance: Random) -> Verbatim:
    """Lists or objects at the edge of what may nest, or far past it."""
    levels = chance.choice((64, 65, 509, 510, 511, 512, 513, 514, 527, 528, 529, 1_000, 5_000, 100_000))
    if levels > 5_000 and chance.random() < 0.8:
        levels = 513
    opening = chance.choice(("[", '{"a":'))
    within = chance.choice(('"x"', "1", "null", "[]", "{}")) if opening != "[" else chance.choice(("", "1", '"x"'))
    return nested(levels, opening=opening, within=within, closed=chance.random() < 0.95)


def hostile(chance: Random) -> Any:
    """A value, or what only looks like one."""
    match chance.randint(0, 9):
        case 0 | 1:
            return Verbatim(chance.choice(NUMBERS))
        case 2:
            return Verbatim(chance.choice(NOT_NUMBERS))
        case 3 | 4:
            return texts.hostile(chance)
        case 5:
            return deep(chance)
        case 6:
            return members([(chance.choice(("a", "", "b")), plain(chance, 1)) for _ in range(chance.randint(2, 4))])
        case 7:
            return {texts.hostile(chance): plain(chance, 1), "a": 1}
        case 8:
            return large(chance)
        case _:
            return [hostile(chance) if chance.random() < 0.3 else plain(chance, 1) for _ in range(3)]


def large(chance: Random) -> Any:
    """A value of many bytes, many members or many items."""
    size = chance.choice((2_040, 4_090, 16_384, 65_530, 65_534, 65_535, 100_000, 262_140, 262_142, 262_143, 300_000))
    match chance.randint(0, 3):
        case 0:
            return "x" * size
        case 1:
            return "\u00e9" * (size // 2)
        case 2:
            return [0] * (size // 20)
        case _:
            return {f"m{number}": number for number in range(min(size // 10, 5_000))}
