"""Words as they are compared: without case, without invisible characters and without punctuation around them.

Nothing is guessed. Symbols are part of a word (a thumb of another colour is another word), and a word of which nothing
is left matches nothing.
"""

import re
import unicodedata

# Variation selectors, those of Mongolian too. Format characters are a category of their own.
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_UNSOUND = re.compile("[\0\ud800-\udfff]")


def normalised(word: str) -> str:
    """What of a word is compared; the same again of what was made so. Empty: the word matches nothing."""
    folded = word.lower() if word.isascii() else _folded(word)
    start, end = 0, len(folded)
    while start < end and _is_around(folded[start]) and not _is_sign(folded[start : start + 2]):
        start += 1
    while start < end and _is_around(folded[end - 1]):
        end -= 1
    return folded[start:end]


def is_word(text: str) -> bool:
    """Whether a reply can begin with this as its first word, so that it may mean something."""
    return text.split() == [text] and is_sound(text) and normalised(text) != ""


def is_sound(text: str) -> bool:
    """Whether a text holds neither a NUL nor half of a surrogate pair, which no store and no JSON takes."""
    return _UNSOUND.search(text) is None


def says_nothing(text: str) -> bool:
    """Whether there is nothing in a text that anybody could see."""
    return all(character.isspace() or _is_invisible(character) for character in text)


def _folded(word: str) -> str:
    # Twice, and decomposed at first: each of folding and composing may make work for the other (Unicode D146).
    text = unicodedata.normalize("NFD", "".join(c for c in word if not _is_invisible(c)))
    for _ in range(2):
        text = unicodedata.normalize("NFKC", text.casefold())
    return text


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) == "Cf" or _SELECTORS.match(character) is not None


def _is_around(character: str) -> bool:
    return character in "`~" or unicodedata.category(character).startswith("P")


def _is_sign(pair: str) -> bool:
    """A plus or a dash directly before a digit, so that minus one is not one, however a phone writes the minus."""
    return (pair[0] == "+" or unicodedata.category(pair[0]) == "Pd") and pair[-1].isdigit()
