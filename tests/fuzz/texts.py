"""Texts that were never meant: the pieces that other modules put where a name, an id or words belong."""

from random import Random

BYTES: tuple[bytes, ...] = (
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xef\xbb\xbf",
    b"\xfe\xff\x00\x7b",
    b"\x00",
    b"\r\n",
    b"\x1b[2J",
    b"\xe2\x80",
)

# What stands in a path or a query between two separators.
PERCENTS: tuple[bytes, ...] = (
    *(b"%", b"%zz", b"%0", b"%u0041", b"%25", b"%2525", b"%00", b"%0d%0aX-Evil:%201", b"%2F", b"%2e%2e", b"%5c"),
    *(b"%ff", b"%c0%af", b"%ed%a0%80", b"%ef%bb%bf", b"%F0%9F%98%80", b"%e2%80%ae", b"+", b"%2B", b"%26", b"%3D"),
    *(b"%23", b"%3F", b"%20", b"%09", b"%C4%B0", b"..", b".", b"~", b";", b"*", b"%7B%7D", b"{org}", b"%EF%BC%A1"),
)

WORDS: tuple[str, ...] = (
    *("", " ", "\t", "\n", "\r\n", "\u00a0", "\u2028", "\u3000", "\u200b", "\ufeff", "\u180e"),
    *("\0", "a\0b", "\x01", "\x1b[31mred", "\x7f", "\x85", "\x9f", "\ufffe", "\uffff", "\U0010ffff", "\ue000"),
    *("\ud800", "\udfff", "\udc00\ud800", "a\ud83d", "\ud83d\ude00", "\U0001f600", "\U0001f468\u200d\U0001f469"),
    *("\u202eevil", "\u2066\u2069", "\u0301", "e\u0301", "\u00e9", "\u0130", "\u00df", "\ufb00", "\u1e9e", "\u01c5"),
    *(
        "null",
        "true",
        "0",
        "-1",
        "1e3",
        "NaN",
        "0x1f",
        "\u0661\u0662",
        "\uff11",
        "00000000-0000-0000-0000-000000000000",
    ),
    *("../..", "/etc/passwd", "a/b", "~", "~0~1", "/~2", "%00", "%s%n", "{}", "{0}", "{{ input }}", "{% raw %}"),
    *(
        "${HOME}",
        "'; drop table heads; --",
        '"',
        "\\",
        "\\u0000",
        "<script>alert(1)</script>",
        "javascript:",
        "__proto__",
    ),
    *("constructor", "a" * 255, "a" * 256, "a" * 257, "\u00e9" * 128, "\u00e9" * 129, "\U0001f600" * 64),
)

LONG: tuple[int, ...] = (100, 101, 512, 513, 1_024, 1_025, 2_000, 2_001, 8_192, 8_193, 65_536, 65_537, 100_000)


def hostile(chance: Random) -> str:
    """A text that some layer might stumble over."""
    pick = chance.random()
    if pick < 0.7:
        return chance.choice(WORDS)
    if pick < 0.8:
        return chance.choice(("a", "\u00e9", "\U0001f600", " ", "\u0301")) * chance.choice(LONG)
    return "".join(chance.choice(WORDS)[:40] for _ in range(chance.randint(2, 5)))


def spoilt(chance: Random, text: str) -> str:
    """The text with one change: a piece put in, taken out, doubled, or its case turned."""
    at = chance.randint(0, len(text))
    match chance.randint(0, 4):
        case 0:
            return text[:at] + hostile(chance)[:300] + text[at:]
        case 1:
            return text[:at] + text[at + chance.randint(1, 3) :]
        case 2:
            return text[:at] + text[at : at + chance.randint(1, 40)] + text[at:]
        case 3:
            return text.swapcase()
        case _:
            return text + chance.choice(("\n", " ", "\0", "\u00a0", text))
