"""The structure of a document: its blocks and their keys against the table of the format, before any value is judged.

One mistake is told of once. Where a key is misspelt, indented wrongly or in the wrong block, what is missing elsewhere
because of it is not told of as well.
"""

import difflib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sayso.core.document.faults import Fault, Path
from sayso.core.document.format import FORMAT, INPUT, MESSAGE, OUTPUT, key_at
from sayso.core.document.front_matter import FrontMatter
from sayso.core.document.guesses import ALSO, AT_TOP, OF_MESSAGE
from sayso.core.document.keys import Block, Key, Kind, Shape
from sayso.core.document.yaml_words import CLOSE_IT
from sayso.core.schemas.advice import meant_by
from sayso.core.values import Json

# Guesses are for what people write: a name longer than this, or the many after these, would only cost time.
_GUESSED_CHARACTERS = 32
_GUESSED_KEYS = 40
_SHOWN_CHARACTERS = 64
_QUOTES = "'\"\u2018\u2019\u201c\u201d "

_OF_SCHEMA = frozenset({"type", "properties", "required", "additionalProperties", "enum", "items", "$ref", "$defs"})
# What is not missing of a function with call, where that was to be one.
_WITHOUT_CALL: set[Path] = {("to",), ("expires",), (MESSAGE.name,)}
_ALL = frozenset(key.name for block in FORMAT.walk() for key in block.keys)


class _Written(NamedTuple):
    path: Path
    block: Block
    members: Mapping[str, Json]


class Structure:
    """The structure of one document. ``faults`` is what is wrong with it; what is at ``told`` is no fault once more."""

    def __init__(self, front: FrontMatter, shape: Shape) -> None:
        self._front = front
        self._shape = shape
        self._guesses = _GUESSED_KEYS
        self._misplaced: set[str] = set()
        self.faults: list[Fault] = []
        self.told: set[Path] = set()
        blocks = list(self._written(_Written((), FORMAT, front.fields)))
        for one in blocks:
            self._check_unknown(one)
        for one in blocks:
            self._check_missing(one)
        self._check_needs()

    def _fault(self, path: Path, detail: str) -> None:
        self.faults.append(Fault(line=self._front.line(path), path=path, detail=detail))

    def _written(self, within: _Written) -> Iterable[_Written]:
        """The block and all that are written in it, each after the one it is in; what is no block is told of."""
        yield within
        for key in within.block.keys:
            path = (*within.path, key.name)
            if key.kind is not Kind.BLOCK or key.name not in within.members or self._shape in key.refused:
                continue
            assert key.block is not None, "a BLOCK has one"
            value = within.members[key.name]
            if isinstance(value, dict):
                yield from self._written(_Written(path, key.block, value))
            elif not self._front.is_damaged(path):
                self._no_block(path, key, key.block, within, value)

    def _no_block(self, path: Path, key: Key, block: Block, within: _Written, value: Json) -> None:
        self.told.add(path)
        outside = [name for name in within.members if block.key(name) and not within.block.key(name)]
        if value is None and outside:
            self.told.update((*within.path, name) for name in outside)
            words = f"{key.name} is empty, since {outside[0]} below it is not indented: indent what belongs to it."
        else:
            takes = ", ".join(each.name for each in block.keys)
            words = f"{key.name} is {'empty' if value is None else 'no block'}: it holds {takes}. Write {_as(key)}."
        self._fault(path, words)

    def _check_unknown(self, one: _Written) -> None:
        if one.block in (INPUT, OUTPUT):
            self._check_outside_schema(one)
        for name in one.members:
            path, key = (*one.path, name), one.block.key(name)
            if key is None and not one.path and " " in name:
                self._fault(path, f"A field is one word and a colon. {CLOSE_IT}")
                self.told.add((MESSAGE.name,))
                return
            if key is None and path not in self.told:
                self._fault(path, self._unknown(name, one))
            elif key is not None and self._shape in key.refused:
                self._fault(path, f"{name} is for a function that asks a person: beside call, leave it out.")

    def _check_outside_schema(self, one: _Written) -> None:
        """Whether words of a schema stand beside ``schema``, or where it should: told of at the first of them."""
        outside = [name for name in one.members if name in _OF_SCHEMA]
        if outside:
            below = f"indent it below schema, as in {one.block.name}: {{ schema: {{ … }} }}."
            self._fault((*one.path, outside[0]), f"{outside[0]} is a part of the schema: {below}")
            is_all = one.members.get("schema") is None
            self.told.update((*one.path, name) for name in (*(one.members if is_all else outside), "schema"))
        elif _are_properties(one.members):
            first, written = next(iter(one.members.items()))
            example = f"{one.block.name}: {{ schema: {_of_property(first, written)} }}"
            words = f"{one.block.name} holds a schema, and what is in it stands below its properties. Write {example}."
            self._fault((*one.path, first), words)
            self.told.update((*one.path, name) for name in (*one.members, "schema"))

    def _unknown(self, name: str, one: _Written) -> str:
        shown = name if len(name) <= _SHOWN_CHARACTERS else f"{name[:_SHOWN_CHARACTERS]}…"
        if not one.path and name in OF_MESSAGE:
            self.told.add((MESSAGE.name,))
            return (
                f"There is no field {shown!r}: the message is written below the line of dashes that ends these fields."
            )
        if not one.path and name in AT_TOP:
            return f"There is no field {shown!r}. {AT_TOP[name]}"
        takes = ", ".join(key.name for key in one.block.keys if self._shape not in key.refused)
        no, it = (f"{one.block.name} takes no", "It") if one.path else ("There is no field", "A document")
        return f"{no} {shown!r}.{self._guess(name, one)} {it} takes {takes}."

    def _guess(self, name: str, one: _Written) -> str:
        """What was probably meant, as a sentence to add: then that is not missing as well."""
        self._guesses -= 1
        if self._guesses < 0 or len(name) > _GUESSED_CHARACTERS:
            return ""
        left = [key.name for key in one.block.keys if key.name not in one.members and self._shape not in key.refused]
        plain = name.strip(_QUOTES).partition(" ")[0].rstrip(":{").casefold()
        near = [also for also in ALSO.get(plain, ()) if also in left]
        if name in _ALL and not near:
            self._misplaced.add(name)
            takers = [block.name for block in FORMAT.walk() if block.key(name)]
            return f" It belongs in {' or '.join(takers)}." if all(takers) else " It belongs at the top."
        near = near or difflib.get_close_matches(plain, left, 1, 0.7)
        if not near:
            return ""
        self.told |= {(*one.path, near[0])} | (_WITHOUT_CALL if near == ["call"] else set())
        return f" Did you mean {near[0]}?"

    def _check_missing(self, one: _Written) -> None:
        if self._may_have_lost(one.path):
            return
        for key in one.block.keys:
            path = (*one.path, key.name)
            if self._shape not in key.required or key.name in one.members or path in self.told:
                continue
            if key.name not in self._misplaced:
                unless = "" if one.path else ", unless the function asks a system with call"
                words = f"{_dotted(path)} is missing{unless}. {_plain(key.holds)} Write {_as(key)}."
                self._fault(path, words)

    def _check_needs(self) -> None:
        for key in FORMAT.keys:
            if key.name in self._front.fields and self._shape not in key.refused:
                lacking = [need for need in key.needs if self._lacks(need.path)]
                for need in lacking:
                    if not any(need.path[: len(other.path)] == other.path for other in lacking if other is not need):
                        words = (
                            f"{key.name} needs {_dotted(need.path)}: {need.because}. Write {_written_out(need.path)}."
                        )
                        self._fault((key.name,), words)

    def _lacks(self, path: tuple[str, ...]) -> bool:
        value: Json = self._front.fields
        for length, name in enumerate(path):
            if not isinstance(value, dict) or self._may_have_lost(path[:length]) or path[: length + 1] in self.told:
                return False
            if name not in value:
                return self._misplaced.isdisjoint(path[length:])
            value = value[name]
        return False

    def _may_have_lost(self, path: Path) -> bool:
        """Whether the reading told of something in a block that may have been any of its keys."""
        return self._front.is_faulty(path) or self._front.is_faulty((*path, "<<"))


def _are_properties(members: Mapping[str, Json]) -> bool:
    """Whether these are properties of a schema that is not there, each with a schema of its own or a type."""
    if len(members) == 1 and any(map(_is_schema, members, members.values())):
        return False
    return bool(members) and "schema" not in members and all(map(_describes, members.values()))


def _is_schema(name: str, value: Json) -> bool:
    """Whether this is the schema itself, by another name."""
    is_near = len(name) <= _GUESSED_CHARACTERS and difflib.get_close_matches(name.casefold(), ("schema",), 1, 0.7)
    return bool(is_near) or (isinstance(value, dict) and "properties" in value)


def _describes(value: Json) -> bool:
    return not value.keys().isdisjoint(_OF_SCHEMA) if isinstance(value, dict) else _type_of(value) != ""


def _type_of(value: Json) -> str:
    return meant_by(value.casefold()) if isinstance(value, str) else ""


def _of_property(name: str, value: Json) -> str:
    """A schema of this property alone."""
    shown = name if name.isidentifier() and len(name) <= _GUESSED_CHARACTERS else "note"
    of_type = _type_of(value.get("type") if isinstance(value, dict) else value) or "string"
    return f"{{ type: object, properties: {{ {shown}: {{ type: {of_type} }} }} }}"


def _dotted(path: Path) -> str:
    return ".".join(map(str, path))


def _as(key: Key) -> str:
    return f"{key.name}: {key.example}"


def _written_out(path: tuple[str, ...]) -> str:
    example = key_at(path).example
    for name in reversed(path[1:]):
        example = f"{{ {name}: {example} }}"
    return f"{path[0]}: {example}"


def _plain(text: str) -> str:
    return text.replace("`", "")
