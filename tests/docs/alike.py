"""Output as a page shows it beside output as it came: the same, but for what is new in every run.

An id, a key or an address on a page stands for whatever came in its place; from then on it stands for that alone, in
output and in commands. Times and spans stand for any other. ``…`` stands for the rest of a line, and a line of it for
any lines.
"""

import re

_KINDS = {
    "key": r"say_[a-z0-9-]+_[A-Za-z0-9_-]{43}",
    "uuid": r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    "address": r"http://127\.0\.0\.1:[0-9]+",
    "time": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z",
    "span": r"[0-9]+(?:\.[0-9]{3})? s\b",
    "rest": r"…",
}
_MEANT = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items()))
_BOUND = ("key", "uuid", "address")
_BLANKS = re.compile(r"[ \t]+")
_ANY = "…"


class Alike:
    """Compares, and remembers what the ids of one page stand for."""

    def __init__(self) -> None:
        self._meant: dict[str, str] = {}

    def command(self, written: str) -> str:
        """A command as it is run: with what its ids stand for."""
        return _MEANT.sub(lambda found: self._meant.get(found[0], found[0]), written)

    def differs(self, shown: list[str], came: list[str]) -> str | None:
        """The first line of a page that what came does not match; None if all is alike."""
        rest = list(came)
        for number, line in enumerate(shown):
            if line.strip() == _ANY:
                following = shown[number + 1 :]
                while rest and not (following and self._fits(following[0], rest[0])):
                    rest.pop(0)
            elif not rest or not self._fits(line, rest.pop(0)):
                return line
        return f"(the end, but there came: {rest[0]})" if rest else None

    def _fits(self, shown: str, came: str) -> bool:
        pattern, bound = self._pattern(_flat(shown))
        found = re.fullmatch(pattern, _flat(came))
        if found is None:
            return False
        self._meant |= dict(zip(bound, found.groups(), strict=True))
        return True

    def _pattern(self, shown: str) -> tuple[str, list[str]]:
        """What the line as it came has to be, and the ids that are bound if it is, a group each."""
        pattern, end, bound = "", 0, list[str]()
        for token in _MEANT.finditer(shown):
            kind = str(token.lastgroup)
            pattern += re.escape(shown[end : token.start()])
            end = token.end()
            if token[0] in self._meant:
                pattern += re.escape(self._meant[token[0]])
            elif kind in _BOUND and token[0] not in bound:
                pattern += f"({_KINDS[kind]})"
                bound.append(token[0])
            elif kind in _BOUND:
                pattern += f"\\{bound.index(token[0]) + 1}"
            else:
                pattern += ".*" if kind == "rest" else _KINDS[kind]
        return pattern + re.escape(shown[end:]), bound


def _flat(line: str) -> str:
    return _BLANKS.sub(" ", line).strip()
