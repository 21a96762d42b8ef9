"""Replies in every script: texts from every block of Unicode, and declared words in every dress."""

import unicodedata
from random import Random

_BLOCK = 128
# Every stretch of code points with a character in it, astral ones too; the surrogates are one of them.
BLOCKS = [
    start
    for start in range(0, 0x110000, _BLOCK)
    if any(unicodedata.category(chr(point)) not in ("Cn", "Co") for point in range(start, start + _BLOCK))
]
# What must not change a word, and what must not be lost in it.
_INVISIBLE = ("\u200b", "\u200d", "\ufeff", "\u00ad", "\u202e", "\u2066", "\u2069", "\ufe0f", "\U000e0100", "\u180b")
_AROUND = ("*", "_", "`", "~", "“", "”", "«", "(", ")", "…", "!", "¿", "。", "、", "【", "·", "—", "'", "...")
_BLANKS = (" ", "\n", "\t", "\u00a0", "\u3000", "\u2028", "\r\n", "\x1f", "\u1680", "\u205f")
_SPOILS = ("\u0301", "\u0327", "🏽", "x", "+", "$", "\0", "\ud83d", "\udfff", "\u0345", "ß", "İ", ":", "ﷺ", "\u034f")
_LONG = (0, 0, 0, 0, 1, 8, 80, 800, 8_000, 70_000)


class Replies:
    """Makes replies, from chance alone. ``declared`` are words that rules of the test know."""

    def __init__(self, chance: Random, declared: list[str]) -> None:
        self._chance = chance
        self._declared = declared

    def next(self) -> str:
        """One reply: a declared word in some dress, with what may spoil it, or any text; then something, or nothing."""
        first = self._dressed() if self._chance.random() < 0.6 else self._any(self._chance.randint(1, 12))
        return self._some(_BLANKS) + first + self._some(_BLANKS) + self._following()

    def _dressed(self) -> str:
        word = self._chance.choice(self._declared)
        word = self._chance.choice((str, str.upper, str.title, str.swapcase, self._composed))(word)
        for pieces in (_INVISIBLE, _AROUND, _SPOILS):
            if self._chance.random() < (0.15 if pieces is _SPOILS else 0.4):
                at = self._chance.choice((0, len(word))) if pieces is _AROUND else self._chance.randint(0, len(word))
                word = word[:at] + self._chance.choice(pieces) + word[at:]
        return word

    def _composed(self, word: str) -> str:
        return unicodedata.normalize(self._chance.choice(("NFC", "NFD", "NFKC", "NFKD")), word)

    def _any(self, length: int) -> str:
        """Characters of one block, or of all of them."""
        start = self._chance.choice(BLOCKS)
        mixed = self._chance.random() < 0.2
        return "".join(
            chr((self._chance.choice(BLOCKS) if mixed else start) + self._chance.randrange(_BLOCK))
            for _ in range(length)
        )

    def _following(self) -> str:
        length = self._chance.choice(_LONG)
        return (self._any(8) * (length // 8 + 1))[:length]

    def _some(self, pieces: tuple[str, ...]) -> str:
        return "".join(self._chance.choice(pieces) for _ in range(self._chance.choice((0, 0, 1, 2))))
