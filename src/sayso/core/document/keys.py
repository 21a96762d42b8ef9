"""Keys and blocks: what the table of the format is made of."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Shape(StrEnum):
    """What a function asks, and by which way. # AUTO: Fields by shape"""

    CALL = "call"
    INBOX = "inbox"
    TOOL = "tool"


class Kind(StrEnum):
    """What is written as the value of a key."""

    TEXT = "text"
    TEMPLATE = "template"
    SERVER = "server name"
    TOOL = "tool name"
    ARGUMENTS = "arguments"
    POINTER = "pointer"
    ORDER = "order"
    DURATION = "duration"
    SCHEMA = "schema"
    BLOCK = "block"
    RULE = "reply rule"
    PART = "part of a reply"
    WORDS = "words"


@dataclass(frozen=True, kw_only=True)
class Need:
    """What must be written elsewhere for a key to be written at all, and the reason as half a sentence."""

    path: tuple[str, ...]
    because: str


@dataclass(frozen=True)
class Key:
    """One key of a block.

    ``required`` and ``refused`` say in which shapes it must or must not stand, once its block does. ``default`` is what
    holds where it is left out. ``place`` names the template place of its texts. ``block`` is what a BLOCK holds, and
    what a RULE holds for each property.
    """

    name: str
    kind: Kind
    holds: str
    example: str
    required: frozenset[Shape] = frozenset()
    refused: frozenset[Shape] = frozenset()
    default: str | None = None
    place: str | None = None
    block: "Block | None" = None
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True)
class Block:
    """A mapping of the format: its dotted name (empty: the front matter itself), what it is for, and its keys."""

    name: str
    holds: str
    keys: tuple[Key, ...]

    def key(self, name: str) -> Key | None:
        """The key of this name; None if the block takes none."""
        return next((key for key in self.keys if key.name == name), None)

    def walk(self) -> Iterator["Block"]:
        """This block, and every block below it."""
        yield self
        for key in self.keys:
            if key.block is not None:
                yield from key.block.walk()
