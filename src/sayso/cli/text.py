"""Others' words made harmless: nothing in them steers a terminal, and no line of theirs passes for one of ours."""

import unicodedata

# Controls, format characters (those that turn text round among them), surrogates, and the two odd line ends.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def visible(text: str, *, lines: bool = False) -> str:
    """The text with every control and format character spelled out; with ``lines``, line ends stay line ends."""
    return "".join(_shown(character, lines) for character in text)


def one_line(text: str, limit: int = 72) -> str:
    """The text on one line, cut with an ellipsis where it is longer than the limit."""
    flat = visible(" ".join(text.split()))
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def wrapped(line: str, columns: int) -> list[str]:
    """The line as lines of at most so many columns, broken at blanks; within a word only where one is longer."""
    from rich.console import Console
    from rich.text import Text

    columns = max(columns, 1)
    # The height keeps the width as it is given, also where TERM is dumb.
    lines = Text(line).wrap(Console(width=columns, height=1), columns)
    return [one.plain.rstrip() for one in lines] or [""]


def _shown(character: str, lines: bool) -> str:
    if unicodedata.category(character) not in _HIDDEN or (lines and character == "\n"):
        return character
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)  # the picture of the control, such as ␛
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
